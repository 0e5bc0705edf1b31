"""Thompson sampling of Gaussian mixtures: parameters drawn from posteriors, greedy labels."""

from dataclasses import dataclass, replace
from typing import Any

from boltzmix.data import Data, check_count
from boltzmix.families import Family
from boltzmix.learning import CEM, Recipe
from boltzmix.learning.parts import Parts, length, uniform
from boltzmix.mixture import Mixture

from .drawn_gaussian import DrawnGaussian


@dataclass(frozen=True)
class Thompson(Recipe):
    """Greedy assignment with uniform weights, for `length` iterations; the best one is returned.

    All exploration is that of the family, whose parameters are drawn instead of estimated.
    """

    length: int

    @property
    def parts(self) -> Parts:
        return replace(
            CEM(small="keep").parts,
            weights=uniform,
            stopping=length(self.length),
            returns_best=True,
        )


class ThompsonMixture(Mixture):
    """Gaussian mixture learned by Thompson (posterior) sampling.

    Edman & Dhir (2019) discuss it as the Bayesian alternative to BEEM. Every component has a
    normal–inverse-Wishart posterior over its mean and covariance. In each iteration the components
    draw their parameters, every observation is assigned to the component under which it has the
    highest likelihood, and the posterior of each component is updated with its members. With
    ``discount=1`` the members of all iterations add up, so that the posteriors become ever narrower
    around early assignments, even wrong ones. With a discount below one, as in discounted Thompson
    sampling (Raj & Kalyani 2017), earlier members lose weight.

    Parameters
    ----------
    n_components : int, default=1
    discount : float, default=1.0
        Factor by which each iteration multiplies the weights of earlier members, from 0 (only the
        last assignment counts) to 1 (all assignments count equally).
    init : str, array or callable, default="random"
        Initial assignment, as in `Mixture`, except that "points" is not supported.
    n_init : int, default=1
        Number of runs, of which the one with the highest likelihood is kept.
    max_iter : int, default=100
        Number of iterations. There is no test of convergence, because draws never converge.
    random_state : int, Generator, RandomState or None
    n_jobs, verbose : as in `Mixture`

    Attributes
    ----------
    components_ : tuple of K drawn Gaussians
        The components of the iteration with the highest mean log-likelihood of observations under
        their own components. Each has a `posterior`, and the Gaussian that was `drawn` from it.
    weights_ : array, shape (K,)
        Uniform.
    labels_, history_, n_iter_, lower_bound_, n_features_in_ : as in `Mixture`

    Examples
    --------
    >>> from boltzmix.datasets import make_square
    >>> X, _ = make_square((50, 50, 50, 50), random_state=0)
    >>> model = ThompsonMixture(4, discount=0.9, random_state=0).fit(X)
    >>> sorted(one.posterior.mean.round().tolist() for one in model.components_)
    [[-5.0, -5.0], [-5.0, 5.0], [5.0, -5.0], [5.0, 5.0]]
    """

    def __init__(
        self,
        n_components: int = 1,
        *,
        discount: float = 1.0,
        init: Any = "random",
        n_init: int = 1,
        max_iter: int = 100,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: Any = 0,
    ) -> None:
        self.n_components = n_components
        self.discount = discount
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        return tags

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_count("max_iter", self.max_iter)  # all of which are taken

    def _family(self) -> Family:
        return DrawnGaussian(self.discount)

    def _init(self, family: Family, data: Data) -> Any:
        """Return the start that `init` asks for: random, unless it is given."""
        return "random" if isinstance(self.init, str) and self.init == "auto" else self.init

    def _recipes(self, family: Family, data: Data) -> tuple[Recipe, ...]:
        return (Thompson(self.max_iter),)
