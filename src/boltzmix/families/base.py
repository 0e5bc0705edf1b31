"""The contract of a base distribution, and of K of them together."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from numbers import Real
from operator import add, is_
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from ..data import BoolArray, Data, FloatArray, Hard, IntArray, Membership, Rows, Table
from .description import Description, description_of_attributes


class Statistics(Protocol):
    """What an additive family needs to know of some observations to be fitted to them."""

    def __add__(self, other: Self) -> Self: ...

    def __mul__(self, factor: float) -> Self: ...


class Family(ABC):
    """A base distribution: template and fitted component in one immutable object.

    Write two methods:

    - ``fit(data, *, weights=None, rng=None)`` returns a *new* object fitted to the observations.
      Fitting an unfitted object starts from scratch, fitting a fitted one from its parameters.
    - ``log_prob(data)`` returns the log density of each observation, shape (n,).

    For these you get mixtures learned by BEEM, CEM and SEM, with labels, probabilities and
    restarts. Declare or write more, and get more:

    - ``weighted = True``: `fit` honours `weights`; you get EM, DAEM and sample weights.
    - ``sample(n, rng)``: you get sampling from the mixture.
    - ``n_parameters``: you get BIC, AIC and ICL.
    - ``describe()``: what reports, plots and the command show of a component; its public
      attributes that are numbers, unless you say.
    - ``movable = True`` and ``moved_to(observation)``: you get ``init="points"``.
    - ``observes`` and ``observe(X, y)``: the kind of data your family is fitted to, if not rows.
    - ``missing = True``: rows may have missing values (NaN); else they are refused.
    - ``expected(data)``: you get missing values filled by `Mixture.impute`.
    - ``codes = True``: values are codes 0, 1, 2, …; `Product` turns text into them for you.
    - ``distances = False``: rows that lie close are not alike, as with codes of categories; no
      start is then made by distance.
    - ``joint = True`` and ``log_marginal(data, weights)``: a component's observations are not
      independent; runs are then ranked by the joint likelihood of what each component was given.
    - ``is_degenerate``: whether a fitted component is at the variance floor; no move makes one.
    - ``min_observations``: components with fewer are never fitted (two, unless you say).
    - ``background(data, weights, rng)``: what outliers come from, for ``Mixture(noise=True)``; one
      component fitted to all the data, unless you say.
    - ``prepare(data, n_components, weights)``: look at all the data once before learning, to
      refuse it or to take scales from it.
    - derive from `AdditiveFamily` instead: you get learning block by block.
    - ``bank(components)``: return your own `Bank`, to evaluate or fit K components at once.

    ``boltzmix.checks.check_family(MyFamily())`` tells what is wrong with yours, if anything.

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
    additive: ClassVar[bool] = False
    movable: ClassVar[bool] = False
    observes: ClassVar[type] = Rows
    missing: ClassVar[bool] = False
    codes: ClassVar[bool] = False
    distances: ClassVar[bool] = True
    joint: ClassVar[bool] = False
    min_observations: int = 2
    n_passes: int = 1

    @abstractmethod
    def fit(
        self,
        data: Any,
        *,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Self:
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
        """What messages call this family."""
        return type(self).__name__

    def sample(self, n: int, rng: np.random.Generator) -> Any:
        """Draw `n` observations."""
        raise NotImplementedError(f"{self.name} cannot be sampled: it has no sample method.")

    @property
    def n_parameters(self) -> int:
        """Number of free parameters of one component."""
        raise NotImplementedError(
            f"{self.name} does not say how many parameters it has, which BIC, AIC and ICL need:"
            " give it an n_parameters."
        )

    def describe(self) -> Description:
        """Return the parameters by name, for reports, plots and the command.

        Unless a family describes itself, these are its public attributes that are numbers or
        arrays of numbers. Where each has one number per column, columns are described too.
        """
        return description_of_attributes(getattr(self, "__dict__", {}))

    def expected(self, data: Any) -> FloatArray:
        """Return rows (n, d) whose missing values are what the others of the row let expect."""
        raise NotImplementedError(
            f"{self.name} cannot fill missing values: it has no expected method."
        )

    def observe(self, X: Any, y: Any = None) -> Data:
        """Read what a user passed as the kind of data this family is fitted to."""
        return X.validated(self.missing) if isinstance(X, Rows) else Table.of(X, 0, self.missing)

    def prepare(self, data: Any, n_components: int, weights: FloatArray | None = None) -> Self:
        """Look at all the data once before learning: refuse it, or take scales from it."""
        return self

    def log_marginal(self, data: Any, weights: FloatArray | None = None) -> float:
        """Return the joint log-likelihood of observations, were they this component's own.

        Unless a family knows better, it is that of a component fitted to them.
        """
        values = self.fit(data, weights=weights).log_prob(data)
        return float(values.sum() if weights is None else weights @ values)

    def background(
        self,
        data: Any,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> "Family":
        """Return a broad distribution over all the data, which is never fitted again.

        Its density must be of the same kind as this family's, as the two are compared. Unless a
        family knows better, it is one component fitted to all the data.
        """
        return self.fit(data, weights=weights, rng=rng)

    def freeze(self, frozen: bool) -> Self:
        """Return this family with the hyper-parameters it began with, or free to learn them.

        Settled, it keeps to these in later fits. Families without hyper-parameters are the same
        either way.
        """
        return self

    @property
    def is_degenerate(self) -> bool:
        """Whether a floor, and not the observations, keeps this component from collapsing.

        The likelihood of such a component tells little, so no move is made to it.
        """
        return False

    def moved_to(self, observation: Any) -> Self:
        """Return this fitted component, moved so that one observation is its centre."""
        raise NotImplementedError(f"{self.name} cannot be moved to an observation.")

    def summarise(self, data: Any, weights: FloatArray | None = None) -> Any:
        """Return the statistics of some observations: unless additive, the observations."""
        return data, weights

    def from_statistics(self, statistics: Any, rng: np.random.Generator | None = None) -> Self:
        """Return a new component fitted to the observations behind `statistics`."""
        data, weights = statistics
        return self.fit(data, weights=weights, rng=rng)

    def bank(self, components: Sequence["Family"]) -> "Bank":
        """Put components of this family together."""
        return Bank(components)


class AdditiveFamily(Family):
    """A family whose fit needs only sums over the observations.

    Write ``summarise(data, weights)``, ``from_statistics(statistics, rng)`` and ``log_prob``,
    where statistics can be added, and multiplied by a number. For these you get `fit`, weights,
    and learning block by block: no matrix of observations by components is ever held, data may
    be larger than memory, and `partial_fit` learns from a stream. Where statistics depend on the
    parameters, as Baum–Welch's do, ``n_passes`` says how often an M-step takes them anew.
    """

    weighted = True
    additive = True

    def fit(
        self,
        data: Any,
        *,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Self:
        """Return a new component fitted to `data`."""
        return self.from_statistics(self.summarise(data, weights), rng)

    def background(
        self,
        data: Any,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Family:
        """Return a component fitted to all the data, block by block."""
        parts = (
            self.summarise(data.take(place), None if weights is None else weights[place])
            for place in data.blocks(1)
        )
        return self.from_statistics(reduce(add, parts), rng)

    @abstractmethod
    def summarise(self, data: Any, weights: FloatArray | None = None) -> Statistics:
        """Return the statistics of some observations, which can be added to others'."""

    @abstractmethod
    def from_statistics(self, statistics: Any, rng: np.random.Generator | None = None) -> Self:
        """Return a new component fitted to the observations behind `statistics`."""


class Bank:
    """K components of one family, evaluated and fitted together.

    This one asks each component in turn, so it serves every family. A family with a quicker way,
    or whose components share parameters, returns a bank of its own from `Family.bank`. What
    `summarise` returns is the bank's own business: only `add`, `refill` and `update` look at it.
    """

    def __init__(self, components: Sequence[Family]) -> None:
        self.components: tuple[Family, ...] = tuple(components)

    def __len__(self) -> int:
        return len(self.components)

    def __iter__(self) -> Iterator[Family]:
        return iter(self.components)

    @property
    def family(self) -> Family:
        """The family, through one of its members."""
        return self.components[0]

    @property
    def n_parameters(self) -> int:
        """Number of free parameters of all components."""
        return sum(component.n_parameters for component in self.components)

    def log_prob(self, data: Any) -> FloatArray:
        """Return the value matrix: the log density of each observation under each component.

        Returns
        -------
        array, shape (n, K)
        """
        values = np.empty((len(self), len(data)))
        for k, component in enumerate(self.components):
            values[k] = component.log_prob(data)
            if not (values[k] < np.inf).all():
                raise ValueError(
                    f"{component.name}.log_prob returned NaN or infinity for observation"
                    f" {np.flatnonzero(~(values[k] < np.inf))[0]}: a log density must be a"
                    " number, or -inf where the density is zero."
                )
        return values.T

    def log_prob_at(self, data: Any, membership: Hard) -> FloatArray:
        """Return the log density of each observation under its own component, shape (n,)."""
        values = np.empty(len(data))
        for k, component in enumerate(self.components):
            indices, _ = membership.members(k)
            if len(indices):
                values[indices] = component.log_prob(data.take(indices))
        return values

    def fill(self, data: Any, shares: FloatArray) -> FloatArray:
        """Return rows (n, d), filled with what components with these shares (n, K) let expect."""
        total: FloatArray = np.zeros(())
        for k, component in enumerate(self.components):
            total = total + shares[:, k, None] * component.expected(data)
        return total

    def freeze(self, frozen: bool) -> "Bank":
        """Return these components with their first hyper-parameters, or free to learn them."""
        components = [component.freeze(frozen) for component in self.components]
        if all(map(is_, components, self.components)):
            return self
        return self.family.bank(components)

    def summarise(self, data: Any, membership: Membership) -> Any:
        """Return the statistics of each component's share of the observations."""
        statistics = []
        for k, component in enumerate(self.components):
            indices, weights = membership.members(k)
            members = data if isinstance(indices, slice) else data.take(indices)
            statistics.append(component.summarise(members, weights))
        return statistics

    def add(self, one: Any, other: Any) -> Any:
        """Return the statistics of two sets of observations together."""
        return list(map(add, one, other))

    def scale(self, statistics: Any, factor: float) -> Any:
        """Return the statistics of the same observations, with all weights times `factor`."""
        return [one * factor for one in statistics]

    def refill(self, statistics: Any, k: int, data: Any, weights: FloatArray | None) -> Any:
        """Return `statistics` with those of component k replaced by those of `data`."""
        own = self.components[k].summarise(data, weights)
        return [*statistics[:k], own, *statistics[k + 1 :]]

    def update(self, statistics: Any, keep: BoolArray, rng: np.random.Generator) -> "Bank":
        """Return the bank fitted to `statistics`; the components in `keep` stay as they are."""
        updated = [
            component if kept else component.from_statistics(statistic, rng)
            for component, statistic, kept in zip(self.components, statistics, keep, strict=True)
        ]
        return self.family.bank(updated)

    def replaced(self, components: dict[int, Family]) -> "Bank":
        """Return the bank with other components in some places."""
        return self.family.bank([components.get(k, own) for k, own in enumerate(self.components)])

    def chosen(self, places: Sequence[int] | IntArray) -> "Bank":
        """Return a bank of the components in some places, in that order."""
        return self.family.bank([self.components[k] for k in places])

    def too_small(self, sizes: FloatArray, fewest: float) -> BoolArray:
        """Return which components cannot be fitted, their sizes (K,) being less than `fewest`."""
        return sizes < fewest

    def weigh(
        self, weighting: Callable[[FloatArray], FloatArray], counts: FloatArray
    ) -> FloatArray:
        """Return mixing weights, shape (K,), from how much each component was given."""
        return weighting(counts)

    def log_marginal(self, k: int, data: Any, weights: FloatArray | None) -> float:
        """Return the joint log-likelihood of observations, were they component k's own."""
        return self.components[k].log_marginal(data, weights)
