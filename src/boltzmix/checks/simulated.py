"""Small simulated observations of every kind."""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..data import Regression, Rows, Sequences, Table, Trajectories
from ..families import Family

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


def why_unsuitable(family: Family, data: Any) -> str | None:
    """Return why some observations do not suit a family, or None if they do."""
    try:
        data = family.observe(data)
        values = np.asarray(family.fit(data, rng=np.random.default_rng(0)).log_prob(data))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None if np.isfinite(values).all() else "log_prob is not finite for rows of noise"
