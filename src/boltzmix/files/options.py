"""Options for reading a file, which a model file keeps to read other files in the same way."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import polars as pl

from .columns import Content, Read
from .formats import FileFormat
from .reading import read_file
from .series import read_sequences, read_trajectories
from .tables import read_curves, read_mixed, read_table


@dataclass(frozen=True)
class ReadOptions:
    """How observations are read from a file.

    Parameters
    ----------
    columns : list of str, optional
        The columns that are clustered; all usable columns if absent.
    sequence, order : str, optional
        The columns that name the sequence of each row, and that sort the rows of a sequence.
    trajectory, time : str, optional
        The columns that name the trajectory of each row, and the time of the row.
    targets : list of str
        The target columns of curves, or of regressions.
    codes : bool
        Whether text becomes codes.
    mixed : bool
        Whether columns of text are kept as text beside columns of numbers.
    single : bool
        Whether sequences have one feature only.
    symbols : dict of str to list of str, optional
        The texts that codes stand for, if a fitted model has them.
    membership : str, optional
        Covariates of membership, as a formula.
    slopes, normalise : bool
        Whether sequences have the slopes of their columns, and whether they are normalised.
    id_column : str, optional
        The column that names rows, and is not clustered.
    exclude : list of str
        Columns that are not used.
    every : bool
        Whether all numeric columns are used, those with one value only, too.
    formula : str
        Text that names columns of a regression, which are used in any case.
    written : FileFormat
        How the file is written, as far as the user says so.
    """

    columns: Sequence[str] | None = None
    sequence: str | None = None
    order: str | None = None
    targets: Sequence[str] = ()
    codes: bool = False
    mixed: bool = False
    single: bool = False
    symbols: Mapping[str, Sequence[str]] = field(default_factory=dict)
    membership: str | None = None
    trajectory: str | None = None
    time: str | None = None
    slopes: bool = False
    normalise: bool = False
    id_column: str | None = None
    exclude: Sequence[str] = ()
    every: bool = False
    formula: str = ""
    written: FileFormat = field(default_factory=FileFormat)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the options that `as_dict` made plain values of."""
        written = FileFormat(**values.get("written", {}))
        return cls(**{**values, "written": written})

    def read(self, path: Path) -> Read:
        """Read the observations in a file."""
        names = self.sequence or self.trajectory or self.id_column
        content = read_file(path, self.written, names)
        own = [] if self.id_column is None else [self.id_column]
        read = self._read(content.without([*self.exclude, *own]))
        for option, is_given in (("--slopes", self.slopes), ("--normalise", self.normalise)):
            if is_given and (self.sequence is None or self.codes):
                raise ValueError(
                    f"{option} is for sequences of numbers: name the column that says which"
                    " sequence a row belongs to with --sequence, or leave the option out."
                )
        sequences = read.X.normalised() if self.normalise else read.X
        X = sequences.with_slopes() if self.slopes else sequences
        read = read._replace(X=X, content=content)
        if self.sequence or self.trajectory:
            return read
        ids = None if self.id_column is None else content.frame[self.id_column]
        return read._replace(rows=content.frame, ids=ids)

    def _read(self, content: Content) -> Read:
        columns, membership = self._named_columns(content), self.membership
        if self.trajectory is not None and self.time is not None:
            return read_trajectories(content, self.trajectory, self.time, columns, membership)
        if self.targets and not self.mixed:
            return read_curves(content, self.targets, columns, membership)
        if self.sequence is not None:
            return read_sequences(
                content,
                self.sequence,
                self.order,
                columns,
                self.codes,
                self.single,
                self.symbols,
                membership,
            )
        if self.mixed:
            return read_mixed(content, columns, self.targets, membership, self.formula)
        return read_table(content, columns, self.codes, self.symbols, membership)

    def _named_columns(self, content: Content) -> Sequence[str] | None:
        """Return the columns to use, if they are named, or if all are."""
        keys = {self.sequence, self.order, self.trajectory, self.time, *self.targets}
        if self.columns is not None or not self.every or self.membership is not None:
            return self.columns
        numeric = content.frame.select(pl.selectors.numeric()).columns
        return [name for name in numeric if name not in keys] or None

    def resolved(self, read: Read) -> Self:
        """Return the options with what was found in the file, to read others in the same way.

        Other files need not have the column that names rows.
        """
        n_columns = len(read.columns) // (2 if self.slopes else 1)
        decimal = self.written.decimal or read.content.decimal
        written = replace(self.written, usual_decimal=decimal)
        return replace(
            self,
            columns=read.columns[:n_columns],
            symbols=read.symbols,
            exclude=(),
            id_column=None,
            written=written,
        )

    def as_dict(self) -> dict[str, object]:
        """Return the options as plain values, for a model file, which sets no limit."""
        values = asdict(self)
        del values["written"]["limit"]
        return values
