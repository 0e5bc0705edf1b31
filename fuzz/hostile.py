"""What makes a table of numbers hostile: changes of its values, shape (n, d)."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .dice import Dice

Change = Callable[[Any, Dice], Any]


def _cells(X: Any, dice: Dice, value: Any) -> Any:
    """Replace some cells, a row, a column or all cells by a value."""
    X = X.copy()
    n, d = X.shape
    where = dice.pick(["cell", "cells", "row", "column", "all"])
    if where == "cell":
        X[dice.rng.integers(n), dice.rng.integers(d)] = value
    elif where == "cells":
        X[dice.rng.random(X.shape) < 0.2] = value
    elif where == "row":
        X[dice.rng.integers(n)] = value
    elif where == "column":
        X[:, dice.rng.integers(d)] = value
    else:
        X[:] = value
    return X


def missing(X: Any, dice: Dice) -> Any:
    """Make values missing."""
    return _cells(X, dice, np.nan)


def infinite(X: Any, dice: Dice) -> Any:
    """Make values infinite."""
    return _cells(X, dice, dice.pick([np.inf, -np.inf]))


def extreme(X: Any, dice: Dice) -> Any:
    """Make values extreme."""
    sizes = [1e300, -1e300, 1e-300, 5e-324, 1.7e308, 1e150, 1e-150, 1e30, 1e18, 0.0, -1.0, 0.5, 1.0]
    return _cells(X, dice, dice.pick(sizes))


def scaled(X: Any, dice: Dice) -> Any:
    """Change the scale of all values."""
    sizes = [1e300, 1e-300, 1e-320, 1e160, 1e-160, 1e100, 1e-100, 1e20, 1e-20, 1e8, 1e-8, -1.0]
    return X * dice.pick(sizes)


def scaled_apart(X: Any, dice: Dice) -> Any:
    """Change the scale of each column by itself."""
    return X * 10.0 ** dice.rng.integers(-18, 18, X.shape[1])


def shifted(X: Any, dice: Dice) -> Any:
    """Move all values far from zero."""
    return X + dice.pick([1e6, 1e12, 1e15, -1e9, 1e300])


def constant_column(X: Any, dice: Dice) -> Any:
    """Make a column constant."""
    X = X.copy()
    X[:, dice.rng.integers(X.shape[1])] = X[0, 0]
    return X


def constant(X: Any, dice: Dice) -> Any:
    """Make all rows the same."""
    return np.repeat(X[:1], len(X), axis=0)


def repeated_rows(X: Any, dice: Dice) -> Any:
    """Make most rows copies of few."""
    return X[dice.rng.integers(min(len(X), 3), size=len(X))]


def repeated_columns(X: Any, dice: Dice) -> Any:
    """Repeat all columns."""
    return np.hstack([X, X])


def collinear(X: Any, dice: Dice) -> Any:
    """Add a column that is a sum of the others."""
    return np.hstack([X, X.sum(axis=1, keepdims=True)])


def outlier(X: Any, dice: Dice) -> Any:
    """Move one row far from all others."""
    X = X.copy()
    X[dice.rng.integers(len(X))] *= dice.pick([1e3, 1e6, 1e12, 1e100])
    return X


def rounded(X: Any, dice: Dice) -> Any:
    """Round all values."""
    return np.round(X, dice.pick([0, 1]))


def single_row(X: Any, dice: Dice) -> Any:
    """Keep one row."""
    return X[:1]


def no_rows(X: Any, dice: Dice) -> Any:
    """Keep no row."""
    return X[:0]


def no_columns(X: Any, dice: Dice) -> Any:
    """Keep no column."""
    return X[:, :0]


def many_columns(X: Any, dice: Dice) -> Any:
    """Add more columns than there are rows."""
    return np.hstack([X, X[dice.rng.permutation(len(X))], X**2, np.abs(X)])


def separated(X: Any, dice: Dice) -> Any:
    """Move half of the rows far away."""
    return X + (np.arange(len(X)) % 2)[:, None] * dice.pick([1e3, 1e9])


VALUES: dict[str, Change] = {
    change.__name__: change
    for change in (
        missing, infinite, extreme, scaled, scaled_apart, shifted, constant_column, constant,
        repeated_rows, repeated_columns, collinear, outlier, rounded, single_row, many_columns,
        separated,
    )
}  # fmt: skip
HARMLESS = (
    "repeated_rows", "rounded", "separated", "scaled_apart", "shifted", "outlier", "collinear",
)  # fmt: skip
WIDENING = ("repeated_columns", "collinear", "many_columns")
EMPTYING: dict[str, Change] = {"no_rows": no_rows, "no_columns": no_columns}


def make_hostile(X: Any, dice: Dice, keep_columns: bool = False) -> tuple[Any, list[str]]:
    """Change a table up to three times; return it, and the names of the changes.

    Where it should stay valid, at most one change is made, which suits most families.
    """
    n_changes = dice.pick_valid([0, 0, 0, 0, 1], [1, 1, 1, 2, 3])
    possible = HARMLESS if dice.is_valid else tuple(VALUES)
    changes = [name for name in possible if not (keep_columns and name in WIDENING)]
    names = [dice.pick(changes) for _ in range(n_changes)]
    if dice.hostile_chance(0.01):
        names.append(dice.pick(list(EMPTYING)))
    with np.errstate(all="ignore"):
        for name in names if X.size else ():
            X = {**VALUES, **EMPTYING}[name](X, dice)
    return X, names
