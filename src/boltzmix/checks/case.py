"""The argument of a check: a family, observations, and the family fitted to them."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from ..data import FloatArray, IntArray
from ..families import Family, JointFamily
from .simulated import find_data

CLOSE = 1e-3  # absolute and relative difference between log densities of equal components


class ContractError(AssertionError):
    """A family breaks its contract."""


@dataclass(frozen=True, eq=False)
class Case:
    """A family with observations that suit it.

    Parameters
    ----------
    family : Family
    data : Data
    seed : int
    """

    family: Family
    data: Any
    seed: int

    @classmethod
    def of(cls, family: Family, data: Any, y: Any, seed: int) -> Self:
        """Read observations, or simulate some."""
        if data is None:
            return cls(family, find_data(family, seed), seed)
        return cls(family, family.observe(data, y), seed)

    def make(self, check: Callable[["Case"], None]) -> None:
        """Make a check; an error that the family raises is reported as a breach of the contract."""
        try:
            with quiet():
                check(self)
        except ContractError:
            raise
        except Exception as error:
            wanted = (check.__doc__ or "").removeprefix("Check that ")
            raise ContractError(
                f"{self.name} raised {type(error).__name__} ({error}) where the contract wants:"
                f" {wanted}"
            ) from error

    @property
    def name(self) -> str:
        """The name of the family in messages."""
        return self.family.name

    def rng(self, more: int = 0) -> np.random.Generator:
        """Return a generator of random numbers, the same in every call."""
        return np.random.default_rng([self.seed, more])

    @cached_property
    def prepared(self) -> Family:
        """The family, prepared with all observations."""
        return self.family.prepare(self.data, 1)

    @cached_property
    def fitted(self) -> Family:
        """The family fitted to all observations."""
        return self.prepared.fit(self.data, rng=self.rng())

    @cached_property
    def log_densities(self) -> FloatArray:
        """Log densities of all observations under the fitted family."""
        return np.asarray(self.fitted.log_prob(self.data))

    @cached_property
    def halves(self) -> tuple[IntArray, IntArray]:
        """Indices of two halves of the observations, drawn at random."""
        order = self.rng().permutation(len(self.data))
        return np.sort(order[::2]), np.sort(order[1::2])

    @cached_property
    def deterministic(self) -> bool:
        """Whether fits do not depend on the generator."""
        return self.sure_fit(self.data) is not None

    def sure_fit(self, data: Any, weights: FloatArray | None = None) -> Family | None:
        """Return the fit to some observations; None, if it depends on the generator."""
        given = {} if weights is None else {"weights": weights}
        fits = [self.prepared.fit(data, rng=self.rng(more), **given) for more in range(3)]
        same = all(self.alike(fits[0], other, self.data) for other in fits[1:])
        return fits[0] if same else None

    def alike(self, one: Family, other: Family, data: Any) -> bool:
        """Return whether log densities under two components are the same, except for rounding."""
        return close(one.log_prob(data), other.log_prob(data))

    def total(self, component: Family, data: Any) -> float:
        """Return the log-likelihood of all observations together."""
        if isinstance(component, JointFamily):
            return component.log_marginal(data)
        return float(np.sum(component.log_prob(data)))


def close(one: Any, other: Any, tolerance: float = CLOSE) -> bool:
    """Return whether log densities agree up to the precision of an optimiser."""
    return bool(np.allclose(one, other, rtol=tolerance, atol=tolerance))


@contextmanager
def quiet() -> Iterator[None]:
    """Silence warnings, which are not checked."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield
