"""A distal outcome: a column outside the mixture that is compared between its components."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data import (
    DATA,
    BoolArray,
    ColumnSource,
    FloatArray,
    InputError,
    as_array,
    as_known,
    in_order,
    shown,
)
from ...data.reading.design import naming
from .classes import AssignedClasses

KINDS = ("number", "category", "count")


@dataclass(frozen=True, eq=False)
class Outcome:
    """An outcome of n observations.

    Parameters
    ----------
    name : str
    kind : "number", "category" or "count"
    values : array, shape (n, C)
        One column for a number or count, or an indicator column for each category.
    labels : tuple of str, length C
        What the means of the columns are called.
    missing : array of bool, shape (N,)
        Which of all N rows are left out, as their outcome is missing.
    """

    name: str
    kind: str
    values: FloatArray
    labels: tuple[str, ...]
    missing: BoolArray

    @classmethod
    def of(cls, column: object, kind: str, n: int) -> "Outcome":
        """Read a column of n values.

        Parameters
        ----------
        column : series, array or list, shape (n,)
        kind : "auto", "number", "category" or "count"
            With "auto", numbers are numbers, and everything else is a category.
        n : int
        """
        if not isinstance(kind, str) or kind not in ("auto", *KINDS):
            raise ValueError(
                f"kind must be 'auto', 'number', 'category' or 'count', not {shown(kind)}."
            )
        name, values, missing = _read(column)
        if len(values) != n:
            raise InputError(f"outcome has {len(values)} rows, but {DATA} has {n} observations.")
        present = values[~missing]
        if len(present) == 0:
            raise ValueError("outcome has no value that is not missing.")
        if kind == "auto":
            kind = "number" if present.dtype.kind in "iuf" else "category"
        if kind == "category":
            return cls(name, kind, *_indicators(present), missing)
        return cls(name, kind, _numbers(present, kind), ("mean",), missing)

    def check(self, classes: AssignedClasses) -> None:
        """Raise if an outcome of these observations says nothing."""
        n, n_columns = self.values.shape
        if (self.values == self.values[0]).all():
            raise ValueError(
                "outcome has the same value in all rows, so components cannot be compared by it."
            )
        if n <= classes.n_classes * n_columns:
            raise ValueError(
                f"outcome has {n} rows without missing values, which is too few for"
                f" {classes.n_classes * n_columns} estimates."
            )


def _read(column: Any) -> tuple[str, Any, BoolArray]:
    """Return the name, the values and the missing ones of a column, both of shape (n,)."""
    column = as_known(column, "outcome")
    if hasattr(column, "to_frame"):
        column = column.to_frame()
    elif not hasattr(column, "columns"):
        array = as_array(column, "outcome", "a column with one value per row")
        if array.ndim == 1:
            column = array[:, None] if array is column else [[one] for one in column]
    with naming("outcome"):
        source = ColumnSource.of(column)
        values, missing = source.column(0)
    if source.width != 1:
        raise ValueError(
            f"outcome has {source.width} columns: pass one column, and call three_step for each."
        )
    name = source.names[0] if source.names else "outcome"
    return name, values, missing


def _indicators(values: Any) -> tuple[FloatArray, tuple[str, ...]]:
    categories: Sequence[Any] = in_order(set(values.tolist()))
    places = {one: place for place, one in enumerate(categories)}
    codes = np.array([places[one] for one in values.tolist()])
    return np.eye(len(categories))[codes], tuple(map(str, categories))


def _numbers(values: Any, kind: str) -> FloatArray:
    if values.dtype.kind not in "biuf":
        raise ValueError(
            f"outcome holds {shown(values[0])}, which is no number: use kind='category'."
        )
    numbers = values.astype(float)[:, None]
    if not np.isfinite(numbers).all():
        raise ValueError("outcome must hold finite numbers: leave rows with infinity out.")
    if kind == "count" and ((numbers < 0).any() or (numbers % 1).any()):
        raise ValueError(
            "outcome must hold whole numbers of zero or more with kind='count': use kind='number'."
        )
    return numbers
