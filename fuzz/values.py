"""Numbers that suit the families, drawn from two clusters, shape (n, d)."""

from collections.abc import Callable
from typing import Any

import numpy as np

Draw = Callable[[np.random.Generator, int, int], Any]


def draw_real(rng: np.random.Generator, n: int, d: int) -> Any:
    """Draw numbers around two centres."""
    return rng.normal(size=(n, d)) + 5 * rng.integers(2, size=(n, 1))


def draw_positive(rng: np.random.Generator, n: int, d: int) -> Any:
    """Draw numbers above zero."""
    return rng.gamma(2.0, 1 + 8 * rng.integers(2, size=(n, 1)), (n, d)) + 1e-6


def draw_fractions(rng: np.random.Generator, n: int, d: int) -> Any:
    """Draw numbers between zero and one."""
    return np.clip(rng.beta(1 + 4 * rng.integers(2, size=(n, 1)), 3, (n, d)), 1e-9, 1 - 1e-9)


def draw_counts(rng: np.random.Generator, n: int, d: int) -> Any:
    """Draw counts."""
    return rng.poisson(1 + 9 * rng.integers(2, size=(n, 1)), (n, d)).astype(float)


def draw_trials(rng: np.random.Generator, n: int, d: int) -> Any:
    """Draw whole numbers of at least one."""
    return rng.geometric(0.2 + 0.5 * rng.integers(2, size=(n, 1)), (n, d)).astype(float)


def draw_binary(rng: np.random.Generator, n: int, d: int) -> Any:
    """Draw zeros and ones."""
    return (rng.random((n, d)) < 0.2 + 0.6 * rng.integers(2, size=(n, 1))).astype(float)


def draw_codes(rng: np.random.Generator, n: int, d: int) -> Any:
    """Draw codes of categories."""
    return rng.integers(4, size=(n, d)).astype(float)


def draw_angles(rng: np.random.Generator, n: int, d: int) -> Any:
    """Draw angles."""
    return rng.vonmises(2.0 * rng.integers(2, size=(n, 1)), 3.0, (n, d))


def draw_compositions(rng: np.random.Generator, n: int, d: int) -> Any:
    """Draw rows above zero that sum to one."""
    return rng.dirichlet(np.full(max(d, 2), 2.0), n)


def draw_directions(rng: np.random.Generator, n: int, d: int) -> Any:
    """Draw rows of unit length."""
    rows = rng.normal(1.0, 1.0, (n, max(d, 2)))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


DRAWS: dict[str, Draw] = {
    "real": draw_real,
    "positive": draw_positive,
    "fractions": draw_fractions,
    "counts": draw_counts,
    "trials": draw_trials,
    "binary": draw_binary,
    "codes": draw_codes,
    "angles": draw_angles,
    "compositions": draw_compositions,
    "directions": draw_directions,
}
