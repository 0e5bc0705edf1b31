"""GaussianMixture: scikit-learn's estimator, on this library's engine."""

import copy
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .data import Data, Remote, Rows, Soft, as_number, check_choice, check_count, check_flag, shown
from .families.covariance.covariance import check_covariance
from .families.covariance.covariance_base import SingularCovarianceError
from .families.distributions.gaussian import Gaussian, GaussianBank
from .fit_input import FitInput
from .gaussian_starts import INIT_PARAMS, ContinuedEM, GivenParameters, as_random_state, continued
from .inputs import as_seed
from .learning import MixtureState, Recipe, RestartRun, Workers, as_recipes, by_objective, fit_start
from .surfaces import Surfaces


def is_table_of_single(data: Data) -> bool:
    """Return whether data are rows of float32 numbers."""
    return isinstance(data, Rows) and bool(data.take(slice(0, 1)).values.dtype == np.float32)


def fits_single(numbers: NDArray[Any]) -> bool:
    """Return whether no number of an array becomes infinite or zero in single precision."""
    with np.errstate(over="ignore", under="ignore"):
        rounded = numbers.astype(np.float32)
    return bool(np.isfinite(rounded).all() and ((rounded != 0) == (numbers != 0)).all())


def as_single(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return numbers in single precision; or as they are, if one would become infinite."""
    with np.errstate(over="ignore", under="ignore"):
        rounded = numbers.astype(np.float32)
    return rounded if np.isfinite(rounded).all() else numbers


# messages that programs written for scikit-learn may look for
NOT_CONVERGED = (
    "Best performing initialization did not converge. Try different init parameters, or increase"
    " max_iter, tol, or check for degenerate data."
)
ILL_DEFINED = (
    "Fitting the mixture model failed because some components have ill-defined empirical"
    " covariance (for instance caused by singleton or collapsed samples). Try to decrease the"
    " number of components, increase reg_covar, or scale the input data."
)


class GaussianMixture(Surfaces):
    """A Gaussian mixture with scikit-learn's arguments, methods and attributes.

    With the default algorithm and the same `random_state`, it starts where scikit-learn starts
    and goes where scikit-learn goes; but from one row per component ("k-means++" and
    "random_from_data"), a tied covariance starts from those rows alone. Of several runs, it keeps
    the one whose final likelihood is highest. `algorithm` and `checkpoint` are its own arguments.

    Data in single precision (float32) give parameters, probabilities and log densities in single
    precision, as in scikit-learn. All of them are computed in double precision, and rounded at the
    end; those that single precision cannot hold stay in double precision.

    Parameters
    ----------
    n_components : int, default=1
    covariance_type : {"full", "tied", "diag", "spherical"}, default="full"
        Or any other name that `boltzmix.families.Gaussian` takes, such as "VEV".
    tol : float, default=1e-3
        EM ends when the mean log-likelihood changes by less.
    reg_covar : float, default=1e-6
        Variance added to the diagonal of every covariance.
    max_iter : int, default=100
        Zero returns the start.
    n_init : int, default=1
        Number of runs; the best by likelihood is kept.
    init_params : {"kmeans", "k-means++", "random", "random_from_data"}, default="kmeans"
    weights_init : array, shape (K,), optional
    means_init : array, shape (K, d), optional
    precisions_init : array, optional
        Inverse covariances, in the shape that `covariance_type` asks for.
    random_state : int, RandomState or None
    warm_start : bool, default=False
        Whether `fit` starts from the parameters of the fit before.
    verbose : int or callable, default=0
        As in `Mixture`: 1 prints some of the iterations, with the rows per second and the estimated
        remaining time, or updates one bar in a notebook; 2 prints all; a function is called with
        every `State`.
    verbose_interval : int, default=10
        Every how many iterations ``verbose=1`` prints a line.
    algorithm : str, Recipe or list, default="em"
        As in `Mixture`; "em" is EM with `tol`.
    checkpoint : str or path, optional
        As in `Mixture`; not with `warm_start`.

    Attributes
    ----------
    weights_ : array, shape (K,)
    means_ : array, shape (K, d)
    covariances_, precisions_, precisions_cholesky_ : arrays
        In the shape of `covariance_type`: (K, d, d), (d, d), (K, d) or (K,); (d,) for "EEI", and ()
        for "EII".
    lower_bound_ : float
        Mean log-likelihood of the training data.
    lower_bounds_ : list of float
        The mean log-likelihood before each M-step.
    converged_, n_iter_, n_features_in_, components_, labels_, history_, problems_
        As in `Mixture`.

    Examples
    --------
    >>> from boltzmix import GaussianMixture
    >>> from boltzmix.datasets import make_square
    >>> X, _ = make_square(random_state=0)
    >>> GaussianMixture(n_components=4, random_state=0).fit(X).means_.round()
    array([[ 5.,  5.], [-5.,  5.], [ 5., -5.], [-5., -5.]])
    """

    def __init__(
        self,
        n_components: int = 1,
        *,
        covariance_type: str = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        init_params: str = "kmeans",
        weights_init: Any = None,
        means_init: Any = None,
        precisions_init: Any = None,
        random_state: Any = None,
        warm_start: bool = False,
        verbose: Any = 0,
        verbose_interval: int = 10,
        algorithm: Any = "em",
        checkpoint: Any = None,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weights_init = weights_init
        self.means_init = means_init
        self.precisions_init = precisions_init
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.verbose_interval = verbose_interval
        self.algorithm = algorithm
        self.checkpoint = checkpoint

    _fewest_iterations = 0
    _is_single = False

    @property
    def _interval(self) -> int:
        return self.verbose_interval

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_count("verbose_interval", self.verbose_interval)
        if not 0 <= as_number(self.tol) < np.inf:
            raise ValueError(f"tol must be zero or a positive number, not {shown(self.tol)}.")
        check_covariance("covariance_type", self.covariance_type)
        if not 0 <= as_number(self.reg_covar) < np.inf:
            raise ValueError(
                f"reg_covar must be zero or a positive number, not {shown(self.reg_covar)}."
            )
        check_choice("init_params", self.init_params, INIT_PARAMS)
        check_flag("warm_start", self.warm_start)
        if self.checkpoint is not None and self.warm_start:
            raise ValueError(
                "checkpoint and warm_start cannot be used together: leave one of them out."
            )

    def _workers(self) -> Workers:
        return Workers(super()._workers().n_threads, threaded_kmeans=True)

    def _check_distinct(self, data: Data) -> None:
        """Raise no error: as in scikit-learn, components may be more than distinct rows."""

    @staticmethod
    def _rank(restart: RestartRun) -> tuple[float, ...]:
        """Rank runs by likelihood alone, as scikit-learn does."""
        return by_objective(restart)

    def _family(self) -> Gaussian:
        return Gaussian(
            self.covariance_type, prior=0, resolution=None, added_variance=self.reg_covar
        )

    def _recipes(self, family: Any, data: Any) -> tuple[Recipe, ...]:
        if isinstance(self.algorithm, str) and self.algorithm == "em":
            return (ContinuedEM(self.tol, score_before=self._score_before()),)
        return as_recipes(self.algorithm, family, data, settings=self._settings)

    def _score_before(self) -> float | None:
        """Return the score one step before the end of the fit that a warm start continues."""
        if not self.warm_start or not self.__sklearn_is_fitted__() or self.n_iter_ == 0:
            return None
        return float(self.history_.score[-2])

    def _starts(
        self, fit_input: FitInput, recipe: Recipe, seed: int, workers: Workers
    ) -> Sequence[Callable[[], MixtureState]]:
        data, sample_weight, family = fit_input.data, fit_input.data.sample_weight, fit_input.family
        if isinstance(data.observations, Remote):
            raise ValueError(
                "GaussianMixture starts from all rows at once, as scikit-learn does, which is not"
                " possible in a Dask collection: use Mixture(Gaussian(), n_components)."
            )
        n_features = data.observations.n_features
        if self.warm_start and self.__sklearn_is_fitted__():
            return [partial(continued, self, family, n_features)]
        parameters = GivenParameters.read(self, n_features)
        if parameters.are_complete:
            return [lambda: parameters.put_into(family.bank([family] * self._count()))]
        random_state = as_random_state(seed if self.random_state is None else self.random_state)
        draw = INIT_PARAMS[self.init_params]
        rows = np.asarray(data.observations.as_vectors(), dtype=float)
        starts = []
        for _ in range(1 if self.warm_start else self.n_init):
            found = draw(rows, self._count(), random_state, sample_weight)
            if sample_weight is not None:
                found = found * sample_weight[:, None]
            rng = np.random.default_rng(seed)
            start = fit_start(data, family, Soft(found), recipe.parts.weights, rng, workers)
            starts.append(partial(parameters.put_into, start.bank, start.weights))
        return starts

    def _seed(self) -> int:
        given = self.random_state
        if isinstance(given, np.random.Generator | np.random.RandomState):
            given = copy.deepcopy(given)  # the starts draw from the original
        return as_seed(given)

    @property
    def lower_bounds_(self) -> list[float]:
        """The score after each iteration."""
        return self.history_.score[: int((self.history_.iteration > 0).sum())].tolist()

    def _fit(self, X: Any, *others: Any) -> MixtureState:
        try:
            return super()._fit(X, *others)
        except SingularCovarianceError:
            raise ValueError(ILL_DEFINED) from None

    def _n_parameters(self) -> int:
        """Return the number of free parameters, by the name that scikit-learn's tests call."""
        return self._state.n_parameters

    def _not_converged(self) -> str:
        return NOT_CONVERGED

    def _finish(self, fit_input: FitInput, all_data: Data, *others: Any) -> None:
        self._is_single = is_table_of_single(all_data)
        super()._finish(fit_input, all_data, *others)

    def _set_mixture(self, mixture: MixtureState) -> None:
        super()._set_mixture(mixture)
        bank = mixture.bank
        assert isinstance(bank, GaussianBank)
        shape = bank.family.shape
        which = 0 if shape.shared else slice(None)
        parameters = {
            "weights_": self.weights_,
            "means_": bank.means,
            "covariances_": bank.variances[which],
            "precisions_": shape.precisions(bank.whitening)[which],
            "precisions_cholesky_": bank.whitening[which],
        }
        if self._is_single and all(map(fits_single, parameters.values())):
            parameters = {name: as_single(found) for name, found in parameters.items()}
        for name, found in parameters.items():
            setattr(self, name, found)

    def _over_blocks(self, function: Callable[..., Any], data: Data) -> Any:
        found = super()._over_blocks(function, data)
        is_single = self.means_.dtype == np.float32 and is_table_of_single(data)
        return as_single(found) if is_single and found.dtype == np.float64 else found
