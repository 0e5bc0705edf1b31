"""Thompson sampling of Gaussian mixtures: parameters drawn from posteriors, labels by argmax."""

from dataclasses import dataclass, replace
from typing import Any

from ..data import Data
from ..families import Family
from ..learning import CEM, Recipe
from ..learning.parts import Parts, length, uniform
from ..mixture import Mixture
from .drawn_gaussian import DrawnGaussian


@dataclass(frozen=True)
class Thompson(Recipe):
    """Greedy assignment with uniform weights, for so many steps; the best of them is kept.

    All exploration is the family's: it draws its parameters in place of fitting them.
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
    """Gaussian mixture learned by posterior, or Thompson, sampling.

    What Edman & Dhir (2019) discuss as the Bayesian rival of BEEM. Every component has a
    normal–inverse-Wishart posterior over its mean and covariance. At each step it draws them, every
    observation goes to the component that finds it likeliest, and the posterior of each is updated
    with what it was given. With the whole history (``discount=1``) the observations of all steps
    add up: the posterior sharpens on assignments that were mistaken, and moves ever less. With a
    discount below one, as of discounted Thompson sampling (Raj & Kalyani 2017), they fade.

    Parameters
    ----------
    n_components : int, default=1
    discount : float, default=1.0
        What is left at each step of what was seen before, from 0 (only the last assignment counts)
        to 1 (all count alike).
    init : str, array or callable, default="random"
        The start, as of `Mixture`; but "points" is refused.
    n_init : int, default=1
        Number of runs; the one whose mixture has the highest likelihood is kept.
    max_iter : int, default=100
        Number of steps. Draws never settle, so there is no other test.
    random_state : int, Generator, RandomState or None
    n_jobs, verbose : as of `Mixture`

    Attributes
    ----------
    components_ : tuple of K drawn Gaussians
        Of the step at which observations were, on average, likeliest under their components. Each
        has its `posterior`, and the Gaussian that was `drawn` from it.
    weights_ : array, shape (K,)
        All alike.
    labels_, history_, n_iter_, lower_bound_, n_features_in_ : as of `Mixture`

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

    def _family(self) -> Family:
        return DrawnGaussian(self.discount)

    def _recipes(self, family: Family, data: Data) -> tuple[Recipe, ...]:
        return (Thompson(self.max_iter),)
