"""All columns of a file, with their names and types."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import polars as pl

from ..data import IntArray
from ..views import listed


@dataclass(frozen=True, eq=False)
class Content:
    """All columns of a file, and notes for the user on how they were read.

    Parameters
    ----------
    frame : polars.DataFrame
    name : str
        Name of the file in messages.
    notes : list of str
        One sentence each, without a full stop.
    lines : array, shape (n,), optional
        The line of each row in the file, from 1; None if the file has no lines.
    noun : str
        What messages call a line.
    decimal : str, optional
        The decimal mark, if it was recognised.
    """

    frame: pl.DataFrame
    name: str
    notes: list[str] = field(default_factory=list)
    lines: IntArray | None = None
    noun: str = "line"
    decimal: str | None = None

    def place(self, row: int) -> str:
        """Say where a row is in the file, such as "line 5"."""
        return f"row {row}" if self.lines is None else f"{self.noun} {self.lines[row]}"

    def check_column(self, name: str) -> None:
        """Raise if there is no column of this name."""
        if name not in self.frame.columns:
            raise ValueError(
                f"{self.name} has no column {name!r}: its columns are {listed(self.frame.columns)}."
            )

    def check_not_missing(self, name: str) -> None:
        """Raise if there is no column of this name, or if it has no value in some row."""
        self.check_column(name)
        column = self.frame[name]
        missing = column.is_null()
        if column.dtype.is_float():
            missing |= column.is_nan().fill_null(True)
        if missing.any():
            raise ValueError(
                f"Column {name!r} of {self.name} has no value in"
                f" {self.place(missing.arg_max() or 0)}: fill it, or drop the row."
            )

    def check_finite(self, names: Sequence[str]) -> None:
        """Raise if some column has an infinite number."""
        floats = self.frame.select(names).select(pl.selectors.float())
        infinite = floats.select(pl.all().is_infinite().any())
        for name in infinite.columns:
            if infinite[name][0]:
                row = floats[name].is_infinite().arg_max() or 0
                raise ValueError(
                    f"Column {name!r} of {self.name} has infinity in {self.place(row)}, or a number"
                    " that is too large: correct it, or leave it empty."
                )

    def without(self, names: Sequence[str]) -> Self:
        """Return the content without some columns."""
        for name in names:
            self.check_column(name)
        return replace(self, frame=self.frame.drop(names))
