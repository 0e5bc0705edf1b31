"""K components of one family, evaluated and fitted together."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from operator import add, is_
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast, final, runtime_checkable

import numpy as np

from ...data import BoolArray, FloatArray, Hard, IntArray, Membership, Rng, Weights

if TYPE_CHECKING:
    from .base import Family
    from .capabilities import JointFamily


class Evaluation(NamedTuple):
    """Log densities of some observations, and a way to summarise them once membership is known.

    Parameters
    ----------
    log_densities : array, shape (n, K)
        The log density of each observation under each component.
    summarise : function of a Membership
        Returns what `Bank.summarise` does, and can reuse what the log densities were computed of.
    """

    log_densities: FloatArray
    summarise: Callable[[Membership], Any]


@dataclass(frozen=True, eq=False)
class Summaries:
    """Statistics that have one part for each component, or for each part of a product."""

    parts: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[object]:
        return iter(self.parts)

    def __getitem__(self, place: int) -> Any:
        return self.parts[place]

    def __add__(self, other: "Summaries") -> "Summaries":
        return Summaries(tuple(map(add, self.parts, other.parts)))

    def __mul__(self, factor: float) -> "Summaries":
        return Summaries(tuple(one * factor for one in self.parts))

    def replaced(self, place: int, other: object) -> "Summaries":
        """Return the statistics with another part in one place."""
        return Summaries((*self.parts[:place], other, *self.parts[place + 1 :]))


@runtime_checkable
class FittedToStatistics(Protocol):
    """A component that is fitted to statistics of observations, as those of `AdditiveFamily`."""

    def summarise(self, data: Any, weights: Weights = None) -> Any:
        """Return the statistics of some observations."""

    def from_statistics(self, statistics: Any, rng: Rng = None) -> Any:
        """Return a new component fitted to the observations behind `statistics`."""


class Bank:
    """K components of one family, evaluated and fitted together.

    This one asks each component in turn, so it serves every family. A family with a quicker way,
    or whose components share parameters, returns a bank of its own from `Family.bank`.

    Of a bank of your own, write ``evaluate``; and, to fit components together, ``summarise`` and
    ``update``, and ``refill``, ``replaced``, ``chosen`` and ``freeze`` if components share
    something. What `summarise` returns are the bank's own statistics: only `refill` and `update`
    read them, but they can be added, and multiplied by a number. Here they are one per component:
    those of an additive family, and the observations with their weights of any other.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "log_prob" in vars(cls):
            raise TypeError(
                f"{cls.__name__} has a log_prob, which learning would not ask: write evaluate."
            )

    def __init__(self, components: Sequence["Family"]) -> None:
        self.components: tuple[Family, ...] = tuple(components)

    def __len__(self) -> int:
        return len(self.components)

    def __iter__(self) -> "Iterator[Family]":
        return iter(self.components)

    @property
    def family(self) -> "Family":
        """One of the components, which knows what all of them have in common."""
        return self.components[0]

    @property
    def n_columns(self) -> int:
        """Numbers that an E-step computes for each row or step, for which blocks must have room."""
        return len(self)

    @property
    def n_parameters(self) -> int:
        """Number of free parameters of all components."""
        return sum(component.n_parameters for component in self.components)

    def effective_parameters(self, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return effective numbers of parameters, and of the observations they are learned from.

        Parameters that a prior pulls together count in part. Those of all components together are
        learned from all observations.

        Parameters
        ----------
        sizes : array, shape (K,)
            Total responsibility of each component.

        Returns
        -------
        numbers, observations : arrays, shape (m,)
            Of m groups of parameters.
        """
        return np.array([float(self.n_parameters)]), np.array([sizes.sum()])

    @final
    def log_prob(self, data: Any) -> FloatArray:
        """Return the log-likelihood matrix: the log density of each observation under each k.

        Returns
        -------
        array, shape (n, K)
        """
        return self.evaluate(data, is_rounded=False).log_densities

    def evaluate(self, data: Any, *, is_rounded: bool = True) -> Evaluation:
        """Return the log-likelihood matrix, and what can summarise the observations.

        Parameters
        ----------
        data : Data
        is_rounded : bool, default=True
            Whether values are known only up to their rounding, if the family knows how they were
            rounded. A log density is then the mean over the values that may have been rounded,
            which is what learning maximises.
        """
        log_densities = np.empty((len(self), len(data)))
        for k, component in enumerate(self.components):
            log_densities[k] = component.log_prob(data)
            valid = log_densities[k] < np.inf
            if not valid.all():
                raise ValueError(
                    f"{component.name}.log_prob returned NaN or infinity for observation"
                    f" {np.flatnonzero(~valid)[0]}: a log density must be a number, or -inf where"
                    " the density is zero."
                )
        return self.evaluated(log_densities.T, data)

    def evaluated(self, log_densities: FloatArray, data: Any) -> Evaluation:
        """Return an evaluation of which nothing is reused."""
        return Evaluation(log_densities, partial(self.summarise, data))

    def log_densities_at(self, data: Any, membership: Hard) -> FloatArray:
        """Return what learning maximises of each observation under its own component, (n,)."""
        log_densities = np.empty(len(data))
        for k, component in enumerate(self.components):
            indices, _ = membership.members(k)
            if len(indices):
                log_densities[indices] = component.log_prob(data.take(indices))
        return log_densities

    @property
    def log_prior(self) -> FloatArray:
        """Log density of the prior at the parameters of each component, shape (K,)."""
        return np.array([component.log_prior for component in self.components])

    def fill(self, data: Any, responsibilities: FloatArray) -> FloatArray:
        """Return rows (n, d) whose missing values are replaced by their expectations.

        Parameters
        ----------
        data : Rows
        responsibilities : array, shape (n, K)
        """
        total: FloatArray = np.zeros(())
        for k, component in enumerate(self.components):
            total = total + responsibilities[:, k, None] * component.expected(data)
        return total

    def freeze(self, frozen: bool) -> "Bank":
        """Return these components with frozen hyper-parameters, or free to learn them."""
        return self

    def summarise(self, data: Any, membership: Membership) -> Any:
        """Return the statistics of the observations that are assigned to each component."""
        statistics = []
        for k, component in enumerate(self.components):
            indices, weights = membership.members(k)
            members = data if isinstance(indices, slice) else data.take(indices)
            statistics.append(statistics_of(component, members, weights))
        return Summaries(tuple(statistics))

    def summarise_at(self, data: Any, membership: Hard, log_densities: FloatArray) -> Any:
        """Return `summarise`, given what `log_densities_at` returned for the same arguments."""
        return self.summarise(data, membership)

    def refill(self, statistics: Any, k: int, data: Any, weights: Weights) -> Any:
        """Return `statistics` with those of component k replaced by those of `data`."""
        return statistics.replaced(k, statistics_of(self.components[k], data, weights))

    def update(self, statistics: Any, keep: BoolArray, rng: np.random.Generator) -> "Bank":
        """Return the bank fitted to `statistics`; the components in `keep` stay as they are."""
        updated = [
            component if kept else fitted_to(component, statistic, rng)
            for component, statistic, kept in zip(self.components, statistics, keep, strict=True)
        ]
        return self.family.bank(updated)

    def replaced(self, components: "dict[int, Family]") -> "Bank":
        """Return the bank with other components in some places."""
        return self.family.bank([components.get(k, own) for k, own in enumerate(self.components)])

    def chosen(self, places: Sequence[int] | IntArray) -> "Bank":
        """Return a bank of the components in some places, in that order."""
        return self.family.bank([self.components[k] for k in places])


class JointBank(Bank):
    """K components of a `JointFamily`, whose hyper-parameters can be frozen."""

    def freeze(self, frozen: bool) -> Bank:
        members = cast("Sequence[JointFamily]", self.components)
        components = [component.freeze(frozen) for component in members]
        if all(map(is_, components, self.components)):
            return self
        return self.family.bank(components)


def log_prob_by_bank(self: "Family", data: Any) -> FloatArray:
    """Return the log density of each observation, shape (n,), which the family's bank computes."""
    return self.bank([self]).log_prob(data)[:, 0]


@cache
def _has_statistics(kind: type) -> bool:
    """Return whether components of a class are fitted to statistics; asked once for each class."""
    return issubclass(kind, FittedToStatistics)


def statistics_of(component: "Family", data: Any, weights: Weights = None) -> Any:
    """Return the statistics of some observations; of a family without such, the observations."""
    if _has_statistics(type(component)):
        return cast(FittedToStatistics, component).summarise(data, weights)
    return data, weights


def fitted_to(component: "Family", statistics: Any, rng: Rng = None) -> "Family":
    """Return a new component fitted to the observations behind `statistics`."""
    if _has_statistics(type(component)):
        fitted: Family = cast(FittedToStatistics, component).from_statistics(statistics, rng)
        return fitted
    data, weights = statistics
    return component.fit(data, weights=weights, rng=rng)
