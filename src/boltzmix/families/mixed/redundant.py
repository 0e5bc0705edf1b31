"""Columns that say nothing beside others: copies, and linear functions of other columns."""

from collections.abc import Mapping

import numpy as np

from ...data import FloatArray, evenly_spaced

ROWS = 10_000  # that are looked at, at most
NOTHING_LEFT = 1e-4  # of a variance, once others are known: the least variance of a component
ROWS_PER_COLUMN = 2  # fewer rows say nothing about how columns depend on each other

Values = Mapping[str | int, FloatArray]


def find_copies(columns: Values) -> dict[str | int, str]:
    """Return why columns of categories and counts are left out, which are copies of others.

    The values of a copy determine those of the other column, and the other way round. Columns of
    which most values are different are not looked at.

    Examples
    --------
    >>> find_copies({"a": np.array([0, 1, 0, 1, 2, 2]), "b": np.array([2, 0, 2, 0, 1, 1])})
    {'b': "left out: it says the same as 'a'"}
    """
    seen: dict[bytes, str | int] = {}
    found = {}
    for name, values in columns.items():
        _, first, codes = np.unique(values, return_index=True, return_inverse=True)
        if 2 * len(first) > len(values):
            continue
        in_order = np.argsort(np.argsort(first))[codes]
        other = seen.setdefault(in_order.astype(np.int32).tobytes(), name)
        if other != name:
            found[name] = f"left out: it says the same as {other!r}"
    return found


def find_linear(columns: Values) -> dict[str | int, str]:
    """Return why columns of numbers are left out, which are linear functions of those before.

    A copy in other units is one, and so is a sum. Rounding is allowed for: less than a
    ten-thousandth of the variance is left once the other columns are known.

    Examples
    --------
    >>> x, y = np.random.default_rng(0).normal(size=(2, 50))
    >>> find_linear({"x": x, "inches": 0.39 * x, "y": y, "sum": x + y})
    {'inches': "left out: it is a copy of 'x'", 'sum': 'left out: other columns add up to it'}
    """
    names = list(columns)
    rows = np.column_stack([columns[name] for name in names])
    rows = rows[~np.isnan(rows).any(axis=1)]
    rows = rows[evenly_spaced(len(rows), ROWS)]
    if not len(rows):
        return {}
    with np.errstate(over="ignore", invalid="ignore"):  # numbers that are too large raise later
        rows = rows / np.abs(rows).max(axis=0, initial=np.finfo(float).tiny)
        centred = rows - rows.mean(axis=0)
    found, kept = dict[str | int, str](), list[int]()
    basis = np.empty((len(rows), 0))
    for place, name in enumerate(names):
        column, spread = centred[:, place], float(np.linalg.norm(centred[:, place]))
        left = column - basis @ (basis.T @ column)
        left = left - basis @ (basis.T @ left)
        size, free = float(np.linalg.norm(left)), len(rows) - len(kept) - 1
        is_known = size**2 / max(free, 1) < NOTHING_LEFT * spread**2 / (len(rows) - 1 or 1)
        if kept and is_known and len(rows) >= ROWS_PER_COLUMN * (len(kept) + 2):
            found[name] = _why(column, centred, [names[one] for one in kept], kept)
            continue
        kept.append(place)
        if size > 0:
            basis = np.column_stack([basis, left / size])
    return found


def _why(column: FloatArray, centred: FloatArray, names: list[str | int], kept: list[int]) -> str:
    """Say of which columns one is a linear function."""
    others = centred[:, kept]
    sizes = np.linalg.norm(others, axis=0) * np.linalg.norm(column)
    correlations = np.abs(column @ others) / np.where(sizes > 0, sizes, 1.0)
    best = int(correlations.argmax())
    if correlations[best] ** 2 > 1 - NOTHING_LEFT:
        return f"left out: it is a copy of {names[best]!r}"
    return "left out: other columns add up to it"
