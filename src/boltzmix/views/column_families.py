"""The families of columns, and why they were chosen, as a table."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..data import shown
from ..families.contract.description import ColumnChoice
from .tables import frame_of, html_table, text_table

LEFT_OUT = "–"


@dataclass(frozen=True, eq=False, repr=False)
class ColumnFamilies:
    """The family of each column of a table, and the reason.

    Parameters
    ----------
    choices : sequence of ColumnChoice
        Each has a `column`, the name of its `family` (None if the column is left out), and the
        `reason`.
    """

    choices: Sequence[ColumnChoice]

    def __len__(self) -> int:
        return len(self.choices)

    def __getitem__(self, column: Any) -> ColumnChoice:
        for one in self.choices:
            if one.column == str(column):
                return one
        names = ", ".join(one.column for one in self.choices)
        raise KeyError(f"There is no column {shown(column)}: columns are {names}.")

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each column, as plain values."""
        return list(map(asdict, self.choices))

    def to_frame(self) -> Any:
        """Return a pandas frame with a row for each column."""
        return frame_of(self.rows())

    def cells(self) -> list[list[str]]:
        """Return column, family and reason of each column, as text."""
        return [[one.column, one.family or LEFT_OUT, one.reason] for one in self.choices]

    def left_out(self) -> list[str]:
        """Return a sentence for each column that is left out."""
        return [
            f"Column {one.column!r} is {one.reason}; to use it, turn it into numbers, or choose its"
            f" family, as in Mixture({{{one.column!r}: 'categorical'}})."
            for one in self.choices
            if one.family is None
        ]

    def __repr__(self) -> str:
        return text_table(["column", "family", "reason"], self.cells(), n_left=3)

    def _repr_html_(self) -> str:
        return html_table(["column", "family", "reason"], self.cells())
