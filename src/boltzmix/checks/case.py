"""The argument of a check: a family, simulated observations, and the family fitted to them."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from ..data import Data, FloatArray, IntArray, Regression, Rows, Sequences, Table, Trajectories
from ..families import Family, JointFamily

N = 60


def find_data(family: Family, seed: int) -> Any:
    """Return the first simulated observations that suit a family, or its own sample.

    Examples
    --------
    >>> from boltzmix.families import Poisson
    >>> find_data(Poisson(), 0).values[:3, 0]
    array([8., 7., 4.])
    """
    rng, reasons = np.random.default_rng(seed), []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for data in candidates(family, rng):
            reason = why_unsuitable(family, data)
            if reason is None:
                return data
            reasons.append(reason)
        try:
            return family.observe(family.sample(N, rng))
        except Exception:
            reason = reasons[0] if reasons else f"it observes {family.observes.__name__}"
            raise ValueError(
                f"No simulated observations suit {family.name} ({reason}): pass some of your own,"
                " as in check_family(family, data=X)."
            ) from None


def candidates(family: Family, rng: np.random.Generator) -> Iterator[Any]:
    """Yield observations of the kind that a family takes."""
    if issubclass(family.observes, Regression):
        inputs = np.sort(rng.uniform(0, 5, N // 2))[:, None]
        noise = rng.normal(0, 0.3, len(inputs))
        targets = 1 + 0.5 * inputs[:, 0] + np.sin(2 * inputs[:, 0]) + noise
        yield Regression.of(inputs, targets)
        yield Regression.of(inputs, np.exp(targets / 2))
        yield Regression.of(inputs, rng.poisson(np.exp(targets / 2)))
        yield Regression.of(inputs, targets + noise > 2)
    elif issubclass(family.observes, Sequences):
        lengths = rng.integers(6, 12, N // 2)
        for steps in tables(rng, int(lengths.sum())):
            yield Sequences.from_lengths(steps, lengths)
    elif issubclass(family.observes, Trajectories):
        yield Trajectories.of([_trajectory(rng) for _ in range(N)])
    elif issubclass(family.observes, Rows) or issubclass(Rows, family.observes):
        yield from map(Table.of, tables(rng, N))


def _trajectory(rng: np.random.Generator) -> tuple[Any, Any]:
    """Return times and values around one of two lines."""
    times = np.sort(rng.uniform(0, 5, rng.integers(1, 9)))
    level, slope = 3 * rng.integers(2) + rng.normal(0, 1), rng.normal(1, 0.2)
    return times, level + slope * times + rng.normal(0, 0.3, len(times))


def tables(rng: np.random.Generator, n: int) -> Iterator[Any]:
    """Yield numbers of any sign, positive ones, fractions, counts and codes, shape (n, d)."""
    side = rng.integers(2, size=(n, 1))
    noise = rng.normal(4 * side, 1, (n, 2))
    yield noise
    yield noise[:, :1]
    yield rng.gamma(2, 1 + side)
    yield rng.beta(2 + side, 3)
    counts = rng.poisson(1 + 5 * side, (n, 2)).astype(float)
    yield counts
    yield counts[:, :1]
    yield np.minimum(counts, 2)
    yield np.minimum(counts[:, :1], 1)


def why_unsuitable(family: Family, data: Data) -> str | None:
    """Return why some observations do not suit a family, or None if they do."""
    try:
        data = family.observe(data)
        values = np.asarray(family.fit(data, rng=np.random.default_rng(0)).log_prob(data))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None if np.isfinite(values).all() else "log_prob is not finite for rows of noise"


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
    data: Data
    seed: int

    @classmethod
    def of(cls, family: Family, data: object, y: object, seed: int) -> Self:
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

    def sure_fit(self, data: Data, weights: FloatArray | None = None) -> Family | None:
        """Return the fit to some observations; None, if it depends on the generator."""
        given = {} if weights is None else {"weights": weights}
        fits = [self.prepared.fit(data, rng=self.rng(more), **given) for more in range(3)]
        same = all(self.alike(fits[0], other, self.data) for other in fits[1:])
        return fits[0] if same else None

    def alike(self, one: Family, other: Family, data: Data) -> bool:
        """Return whether log densities under two components are the same, except for rounding."""
        return close(one.log_prob(data), other.log_prob(data))

    def total(self, component: Family, data: Data) -> float:
        """Return the log-likelihood of all observations together."""
        if isinstance(component, JointFamily):
            return component.log_marginal(data)
        return float(np.sum(component.log_prob(data)))


def close(one: FloatArray | float, other: FloatArray | float, tolerance: float = CLOSE) -> bool:
    """Return whether log densities agree up to the precision of an optimiser."""
    return bool(np.allclose(one, other, rtol=tolerance, atol=tolerance))


@contextmanager
def quiet() -> Iterator[None]:
    """Silence warnings, which are not checked."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield
