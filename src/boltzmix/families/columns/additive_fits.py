"""Statistics that are sums over observations, and fits to them."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

import numpy as np
from scipy.sparse import csr_array

from ...data import Hard, Rng, Weights
from ..contract.capabilities import AdditiveFamily

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
else:
    DataclassInstance = object

Additive = TypeVar("Additive", bound=AdditiveFamily)


class Sums(DataclassInstance):
    """A frozen dataclass all of whose fields add up, and can be multiplied by a number."""

    def __add__(self, other: Self) -> Self:
        return self._with(lambda name: getattr(self, name) + getattr(other, name))

    def __mul__(self, factor: float) -> Self:
        return self._with(lambda name: getattr(self, name) * factor)

    def _with(self, value: Callable[[str], Any]) -> Self:
        return replace(self, **{field.name: value(field.name) for field in fields(self)})


def fit_prepared(
    self: Additive, data: Any, *, weights: Weights = None, rng: Rng = None
) -> Additive:
    """Return a new component fitted to `data`, from which unknown scales are taken first."""
    prepared = self.prepare(data, 1, weights)
    return prepared.from_statistics(prepared.summarise(data, weights), rng)


def weighted_one_hot(membership: Hard) -> csr_array:
    """Return the weight of each observation in the column of its component, shape (n, K)."""
    n = len(membership.labels)
    weights = np.ones(n) if membership.weights is None else membership.weights
    shape = (n, membership.n_components)
    return csr_array((weights, membership.labels, np.arange(n + 1)), shape)


class FittedBySteps(Protocol):
    """An additive family with a number of steps."""

    @property
    def n_steps(self) -> int: ...

    def prepare(self, data: Any, n_components: int, weights: Weights = None) -> Self: ...

    def summarise(self, data: Any, weights: Weights = None) -> Any: ...

    def from_statistics(self, statistics: Any, rng: Rng = None) -> Self: ...


Fitted = TypeVar("Fitted", bound=FittedBySteps)


def fit_by_steps(self: Fitted, data: Any, *, weights: Weights = None, rng: Rng = None) -> Fitted:
    """Return a new component, `n_steps` of EM from this one; a mixture's M-step takes one."""
    fitted = self.prepare(data, 1, weights)
    for _ in range(self.n_steps):
        fitted = fitted.from_statistics(fitted.summarise(data, weights))
    return fitted
