"""K components of one family, evaluated and fitted together."""

from collections.abc import Iterator, Sequence
from functools import cache
from operator import add, is_
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

import numpy as np

from ..data import BoolArray, FloatArray, Hard, IntArray, Membership

if TYPE_CHECKING:
    from .base import Family
    from .joint import JointFamily, JointStatistics


def with_room(columns: FloatArray, room: int) -> FloatArray:
    """Return a matrix (n, K + room) that begins with some columns (n, K); the others are empty."""
    if room == 0:
        return columns
    n, k = columns.shape
    together = np.empty((k + room, n))
    together[:k] = columns.T
    return together.T


@runtime_checkable
class FittedToStatistics(Protocol):
    """A component that is fitted to statistics of observations, as those of `AdditiveFamily`."""

    def summarise(self, data: Any, weights: FloatArray | None = None) -> Any:
        """Return the statistics of some observations."""

    def from_statistics(self, statistics: Any, rng: np.random.Generator | None = None) -> Any:
        """Return a new component fitted to the observations behind `statistics`."""


class Bank:
    """K components of one family, evaluated and fitted together.

    This one asks each component in turn, so it serves every family. A family with a quicker way,
    or whose components share parameters, returns a bank of its own from `Family.bank`.

    What `summarise` returns are the bank's own statistics: only `add`, `scale`, `refill` and
    `update` read them. Here they are one per component: those of an additive family, and the
    observations with their weights of any other.
    """

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
    def n_passes(self) -> int:
        """How often an M-step summarises the data: once, unless the family says otherwise."""
        return int(getattr(self.family, "n_passes", 1))

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

    def log_prob(self, data: Any) -> FloatArray:
        """Return the log-likelihood matrix: the log density of each observation under each k.

        Returns
        -------
        array, shape (n, K)
        """
        log_likelihoods = np.empty((len(self), len(data)))
        for k, component in enumerate(self.components):
            log_likelihoods[k] = component.log_prob(data)
            valid = log_likelihoods[k] < np.inf
            if not valid.all():
                raise ValueError(
                    f"{component.name}.log_prob returned NaN or infinity for observation"
                    f" {np.flatnonzero(~valid)[0]}: a log density must be a number, or -inf where"
                    " the density is zero."
                )
        return log_likelihoods.T

    def log_prob_at(self, data: Any, membership: Hard) -> FloatArray:
        """Return the log density of each observation under its own component, shape (n,)."""
        log_densities = np.empty(len(data))
        for k, component in enumerate(self.components):
            indices, _ = membership.members(k)
            if len(indices):
                log_densities[indices] = component.log_prob(data.take(indices))
        return log_densities

    def log_objective(self, data: Any) -> FloatArray:
        """Return what learning maximises of the log-likelihood matrix, shape (n, K).

        It is the log-likelihood matrix, unless values are known only up to their rounding: then it
        is the mean over the values that may have been rounded.
        """
        return self.log_prob(data)

    def evaluate(self, data: Any, room: int = 0) -> tuple[FloatArray, Any]:
        """Return `log_objective`, and what `summarise_evaluated` can reuse of its computation.

        Parameters
        ----------
        data : Data
        room : int, default=0
            Number of columns after those of the components, which the caller fills.
        """
        return with_room(self.log_objective(data), room), None

    def log_objective_at(self, data: Any, membership: Hard) -> FloatArray:
        """Return the same for each observation under its own component, shape (n,)."""
        return self.log_prob_at(data, membership)

    @property
    def log_prior(self) -> FloatArray:
        """Log density of the prior at the parameters of each component, shape (K,)."""
        return np.array([component.log_prior for component in self.components])

    def log_marginal(self, k: int, data: Any, weights: FloatArray | None) -> float:
        """Return the joint log-likelihood of `data`, if it is assigned to component k.

        Where observations are independent, it is that of a component fitted to them.
        """
        log_densities = self.components[k].fit(data, weights=weights).log_prob(data)
        return float(log_densities.sum() if weights is None else weights @ log_densities)

    def joint_statistics(self, k: int, data: Any) -> "JointStatistics | None":
        """Return additive statistics for the joint log-likelihood of k, or None without such."""
        return None

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
        return statistics

    def summarise_evaluated(self, data: Any, membership: Membership, work: Any) -> Any:
        """Return `summarise`, given the second of what `evaluate` returned for the same data."""
        return self.summarise(data, membership)

    def summarise_at(self, data: Any, membership: Hard, log_objectives: FloatArray) -> Any:
        """Return `summarise`, given what `log_objective_at` returned for the same arguments."""
        return self.summarise(data, membership)

    def add(self, one: Any, other: Any) -> Any:
        """Return the statistics of two sets of observations together."""
        return list(map(add, one, other))

    def scale(self, statistics: Any, factor: float) -> Any:
        """Return the statistics of the same observations, with all weights times `factor`."""
        return [one * factor for one in statistics]

    def refill(self, statistics: Any, k: int, data: Any, weights: FloatArray | None) -> Any:
        """Return `statistics` with those of component k replaced by those of `data`."""
        own = statistics_of(self.components[k], data, weights)
        return [*statistics[:k], own, *statistics[k + 1 :]]

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

    def with_components(self, components: "Sequence[Family]") -> "Bank":
        """Return a bank of other components, of any number."""
        return self.family.bank(components)

    def chosen(self, places: Sequence[int] | IntArray) -> "Bank":
        """Return a bank of the components in some places, in that order."""
        return self.family.bank([self.components[k] for k in places])


class JointBank(Bank):
    """K components of a `JointFamily`, whose hyper-parameters can be frozen."""

    def log_marginal(self, k: int, data: Any, weights: FloatArray | None) -> float:
        """Return the joint log-likelihood of `data`, if it is assigned to component k."""
        return cast("JointFamily", self.components[k]).log_marginal(data, weights)

    def joint_statistics(self, k: int, data: Any) -> "JointStatistics | None":
        """Return additive statistics for the joint log-likelihood of k, or None without such."""
        return cast("JointFamily", self.components[k]).joint_statistics(data)

    def freeze(self, frozen: bool) -> Bank:
        """Return these components with frozen hyper-parameters, or free to learn them."""
        members = cast("Sequence[JointFamily]", self.components)
        components = [component.freeze(frozen) for component in members]
        if all(map(is_, components, self.components)):
            return self
        return self.family.bank(components)


@cache
def _has_statistics(kind: type) -> bool:
    """Return whether components of a class are fitted to statistics; asked once for each class."""
    return issubclass(kind, FittedToStatistics)


def statistics_of(component: "Family", data: Any, weights: FloatArray | None = None) -> Any:
    """Return the statistics of some observations; of a family without such, the observations."""
    if _has_statistics(type(component)):
        return cast(FittedToStatistics, component).summarise(data, weights)
    return data, weights


def fitted_to(
    component: "Family", statistics: Any, rng: np.random.Generator | None = None
) -> "Family":
    """Return a new component fitted to the observations behind `statistics`."""
    if _has_statistics(type(component)):
        fitted: Family = cast(FittedToStatistics, component).from_statistics(statistics, rng)
        return fitted
    data, weights = statistics
    return component.fit(data, weights=weights, rng=rng)
