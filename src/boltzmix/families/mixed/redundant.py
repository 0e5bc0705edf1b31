"""Columns that say nothing beside others: copies, and linear functions of other columns."""

from collections.abc import Mapping

import numpy as np

from ...data import FloatArray, evenly_spaced

ROWS = 10_000  # that are looked at, at most
COPIED = 1e-4  # of a variance is left, at most, once a copy is known: the least that matters
ADDED_UP = 1e-8  # of a variance is left, at most, once its summands are known
FEWEST_ROWS = 10  # say that a column is a copy
ROWS_PER_COLUMN = 2  # fewer rows say nothing about sums of columns

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

    A copy in other units is one, in which rounding is allowed for: less than a ten-thousandth of
    its variance is left once the other column is known. An exact sum of other columns is one, too.

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
    sizes = np.linalg.norm(centred, axis=0)
    units = centred / np.where(sizes > 0, sizes, 1.0)
    found, kept = dict[str | int, str](), list[int]()
    basis = np.empty((len(rows), 0))
    for place, name in enumerate(names):
        likeness = np.abs(units[:, place] @ units[:, kept])
        if len(rows) > FEWEST_ROWS and (1 - likeness**2 < COPIED).any():
            found[name] = f"left out: it is a copy of {names[kept[int(likeness.argmax())]]!r}"
            continue
        left = units[:, place] - basis @ (basis.T @ units[:, place])
        left -= basis @ (basis.T @ left)
        size = float(np.linalg.norm(left))
        if kept and size**2 < ADDED_UP and len(rows) > ROWS_PER_COLUMN * (len(kept) + 1):
            found[name] = "left out: other columns add up to it"
            continue
        kept.append(place)
        if size > 0:
            basis = np.column_stack([basis, left / size])
    return found
