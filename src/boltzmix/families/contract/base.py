"""The contract of a base distribution."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np

from ...data import (
    DATA,
    Data,
    FloatArray,
    InputError,
    Regression,
    Rng,
    Rows,
    Sequences,
    Table,
    Trajectories,
    Weights,
    check_no_sequences,
)
from .bank import Bank
from .description import Description, description_of_attributes
from .search_hints import SearchHints

__all__ = ["Bank", "Family"]


class Family(ABC):
    """A base distribution: template and fitted component in one immutable object.

    Write two methods:

    - ``fit(data, *, weights=None, rng=None)`` returns a *new* object fitted to the observations.
      Fitting an unfitted object starts from scratch, fitting a fitted one from its parameters.
    - ``log_prob(data)`` returns the log density of each observation, shape (n,).

    For these you get mixtures learned by BEEM, CEM and SEM, with labels, probabilities and
    restarts, and every report and plot that needs no more. All else is optional.

    How it is fitted:

    - ``weighted = True``: `fit` honours `weights`; you get EM, DAEM and sample weights.
    - ``min_observations``: components with fewer observations are never fitted (default 2).
    - ``outliers``: the fraction of observations that learning takes to be outliers, which come
      from the `outlier_background` instead of a component (default 0).
    - ``outlier_background(data, weights, rng)``: that distribution (default: the `background`).
    - ``prepare(data, n_components, weights)``: look at all the data once before learning, for
      example to take scales from it.
    - ``is_degenerate``: whether a fitted component is at the variance floor; a search rejects it.
    - ``log_prior``: the log density of a prior at the parameters of a fitted component, if `fit`
      maximises likelihood times prior; learning then maximises the sum of both.
    - ``search_hints``: hints for a search, such as whether fits are costly (see `SearchHints`).
    - ``bank(components)``: return your own `Bank`, to evaluate or fit K components at once.
    - Derive from `AdditiveFamily` if a fit needs only sums over the observations; you get learning
      block by block. Derive from `JointFamily` if the observations of a component depend on each
      other. Derive from `RegressionFamily` if it describes targets, given inputs.

    Which data it takes:

    - ``observes``: `Rows` (default), `Sequences`, `Trajectories` or `Regression`; override
      ``observe(X, y)`` if your data are read in another way.
    - ``check(data, first_row)``: raise a ValueError if the data have values that do not suit.
    - ``missing = True``: rows may have missing values (NaN).
    - ``largest_number``: numbers above it, and differences below one over it, raise an error
      (default 1e75, whose fourth power fits into double precision).
    - ``codes = True``: values are codes 0, 1, 2, …; `Product` turns text into them for you.
    - ``atoms``: numbers that have a probability of their own beside a density, as zero has among
      amounts (default: none).
    - ``distances = False``: numbers that are close are not alike, as with codes of categories; no
      start is then made by distance.

    What a fitted component offers:

    - ``n_parameters``: you get BIC, AIC and ICL.
    - ``parameter_vector`` and ``with_parameter_vector(values)``: you get standard errors.
    - ``sample(n, rng)``: you get sampling from the mixture, and a parametric bootstrap.
    - ``sample_like(data, rng)``: write it where draws depend on more of the observations than
      their number, inputs and missing values.
    - ``describe()``: what reports, plots and the command show (default: numeric attributes).
    - ``moved_to(observation)``: you get ``init="points"``.
    - ``expected(data)``: you get `Mixture.impute`.
    - ``background(data, weights, rng)``: where outliers come from with ``Mixture(noise=True)``
      (default: one component fitted to all the data).

    A family may be a frozen dataclass. Fields with ``init=False`` are what `prepare` and `fit` find
    beside the parameters: its constructor does not take them, model files keep them, and
    ``boltzmix.families.replaced(component, field=value)`` keeps them in a copy, where
    `dataclasses.replace` makes a new template.

    ``boltzmix.checks.check_family(MyFamily())`` checks yours, and says what is wrong with it.

    Examples
    --------
    >>> class Exponential(Family):
    ...     rate = None
    ...
    ...     def fit(self, data, *, weights=None, rng=None):
    ...         fitted = Exponential()
    ...         fitted.rate = 1 / np.asarray(data).mean()
    ...         return fitted
    ...
    ...     def log_prob(self, data):
    ...         waits = np.asarray(data)[:, 0]
    ...         return np.where(waits < 0, -np.inf, np.log(self.rate) - self.rate * waits)
    >>> Exponential().fit(Table.of([[1.0], [3.0]])).rate
    np.float64(0.5)
    """

    weighted: ClassVar[bool] = False
    observes: ClassVar[type] = Rows
    missing: ClassVar[bool] = False
    codes: ClassVar[bool] = False
    distances: ClassVar[bool] = True
    atoms: ClassVar[tuple[float, ...]] = ()
    largest_number: float = 1e75
    min_observations: int = 2
    outliers: float = 0.0
    n_passes: int = 1  # how often an M-step summarises the data
    additive: ClassVar[bool] = False  # set by AdditiveFamily
    joint: ClassVar[bool] = False  # set by JointFamily

    @abstractmethod
    def fit(self, data: Any, *, weights: Weights = None, rng: Rng = None) -> Self:
        """Return a new component fitted to `data`."""

    @abstractmethod
    def log_prob(self, data: Any) -> FloatArray:
        """Return the log density of each observation, shape (n,)."""

    def __repr__(self) -> str:
        with np.printoptions(precision=4, threshold=12):
            shown = (
                f"{name}={f'{value:.5g}' if isinstance(value, Real) else value}"
                for name, value in getattr(self, "__dict__", {}).items()
                if value is not None and not name.startswith("_")
            )
            return f"{self.name}({', '.join(shown)})".replace("\n", "")

    @property
    def name(self) -> str:
        """The name of this family in messages."""
        return type(self).__name__

    def prepare(self, data: Any, n_components: int, weights: Weights = None) -> Self:
        """Return this family after one look at all the data, before it is fitted to some."""
        return self

    @property
    def is_degenerate(self) -> bool:
        """Whether this component is at the variance floor, so that its likelihood means little."""
        return False

    @property
    def search_hints(self) -> SearchHints:
        """Hints that only a search needs."""
        return SearchHints(costly=not self.additive)

    @property
    def log_prior(self) -> float:
        """Log density of the prior at the parameters of this component, but for a constant."""
        return 0.0

    def bank(self, components: Sequence["Family"]) -> Bank:
        """Return components of this family as a `Bank`."""
        return Bank(components)

    def observe(self, X: object, y: object = None) -> Data:
        """Return what a user passed as the kind of data this family observes, checked."""
        data = _read(self.name, self.observes, X, y, self.missing)
        if isinstance(data, Table | Sequences | Trajectories | Regression):
            with np.errstate(over="ignore", invalid="ignore"):
                self.check(data, first_row=0)
        return data

    def check(self, data: Any, first_row: int | None = None) -> None:  # noqa: B027
        """Raise a ValueError if the data have values that do not suit this family.

        Parameters
        ----------
        data : Data
        first_row : int, optional
            Number of the first row in all the data, from which messages count rows; without it,
            messages name no row.
        """

    def check_remote(self) -> None:
        """Raise a ValueError if this family cannot be fitted to data that are not in memory."""
        if not self.additive:
            raise InputError(
                f"{DATA} is a Dask collection, and {self.name} cannot be fitted to it, because its"
                " fit needs all observations of a component at once: fit it to a sample in memory,"
                f" such as {DATA}[:10_000].compute()."
            )

    def describe(self) -> Description:
        """Return the parameters by name, for reports, plots and the command.

        Unless a family describes itself, these are its public attributes that are numbers or
        arrays of numbers. Where each has one number per column, columns are described too.
        """
        return description_of_attributes(getattr(self, "__dict__", {}))

    @property
    def n_parameters(self) -> int:
        """Number of free parameters of one component."""
        raise NotImplementedError(
            f"{self.name} does not say how many parameters it has, which BIC, AIC and ICL need:"
            " give it an n_parameters."
        )

    @property
    def parameter_vector(self) -> FloatArray:
        """Free parameters of a fitted component as a vector, for standard errors, shape (p,)."""
        raise NotImplementedError(
            f"{self.name} has no vector of free parameters, which standard errors need: use"
            " bootstrap, or give it a parameter_vector and a with_parameter_vector."
        )

    def with_parameter_vector(self, values: FloatArray) -> Self:
        """Return this fitted component with the parameters in a vector of shape (p,)."""
        raise NotImplementedError(f"{self.name} has no with_parameter_vector.")

    def sample(self, n: int, rng: np.random.Generator) -> Any:
        """Draw `n` observations."""
        raise NotImplementedError(f"{self.name} cannot be sampled: it has no sample method.")

    def sample_like(self, data: Any, rng: np.random.Generator) -> Any:
        """Draw one observation for each of `data`.

        Rows miss the values that those of `data` miss.
        """
        drawn = self.observe(self.sample(len(data), rng))
        if not isinstance(data, Table) or not isinstance(drawn, Table):
            return drawn
        values = np.where(np.isnan(data.values), np.nan, drawn.values)
        return replace(data, values=values.astype(data.values.dtype))

    @property
    def movable(self) -> bool:
        """Whether this family has a `moved_to`."""
        return type(self).moved_to is not Family.moved_to

    def moved_to(self, observation: Any) -> Self:
        """Return this fitted component, moved so that one observation is its centre."""
        raise NotImplementedError(f"{self.name} cannot be moved to an observation.")

    def expected(self, data: Any) -> FloatArray:
        """Return rows (n, d) with missing values replaced by their means given the others."""
        raise NotImplementedError(
            f"{self.name} cannot fill missing values: it has no expected method."
        )

    def background(self, data: Any, weights: Weights = None, rng: Rng = None) -> "Family":
        """Return a broad distribution over all the data, which is never fitted again.

        It is compared with this family's components, so its log density must be in the same
        units. Unless a family overrides it, it is one component fitted to all the data.
        """
        return self.fit(data, weights=weights, rng=rng)

    def outlier_background(self, data: Any, weights: Weights = None, rng: Rng = None) -> "Family":
        """Return where the fraction `outliers` of the observations comes from during learning.

        Unless a family overrides it, it is the `background` of noise.
        """
        return self.background(data, weights, rng)


def _read(name: str, kind: type, X: object, y: object, missing: bool) -> Data:
    """Read what a user passed as one kind of data."""
    if issubclass(kind, Regression):
        return Regression.of(X, y)
    if issubclass(kind, Sequences):
        return Sequences.of(X)
    if issubclass(kind, Trajectories):
        return Trajectories.of(X)
    check_no_sequences(X, name)
    return X.validated(missing) if isinstance(X, Rows) else Table.of(X, 0, missing)
