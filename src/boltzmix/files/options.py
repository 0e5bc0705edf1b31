"""Options for reading a file, which a model file keeps to read other files in the same way."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from .columns import Read
from .curves import read_curves
from .sequences import read_sequences
from .tables import read_mixed, read_table
from .trajectories import read_trajectories


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

    def read(self, path: Path) -> Read:
        """Read a file with these options."""
        read = self._read(path)
        for option, is_given in (("--slopes", self.slopes), ("--normalise", self.normalise)):
            if is_given and (self.sequence is None or self.codes):
                raise ValueError(
                    f"{option} is for sequences of numbers: name the column that says which"
                    " sequence a row belongs to with --sequence, or leave the option out."
                )
        sequences = read.X.normalised() if self.normalise else read.X
        return read._replace(X=sequences.with_slopes() if self.slopes else sequences)

    def _read(self, path: Path) -> Read:
        if self.trajectory is not None and self.time is not None:
            return read_trajectories(
                path, self.trajectory, self.time, self.columns, self.membership
            )
        if self.targets and not self.mixed:
            return read_curves(path, self.targets, self.columns, self.membership, self.id_column)
        if self.sequence is not None:
            return read_sequences(
                path,
                self.sequence,
                self.order,
                self.columns,
                self.codes,
                self.single,
                self.symbols,
                self.membership,
            )
        if self.mixed:
            return read_mixed(path, self.columns, self.targets, self.membership, self.id_column)
        return read_table(
            path, self.columns, self.codes, self.symbols, self.membership, self.id_column
        )

    def resolved(self, read: Read) -> Self:
        """Return the options with the columns and codes found in the file that was read.

        Other files need not have the column that names rows.
        """
        n_columns = len(read.columns) // (2 if self.slopes else 1)
        columns = read.columns[:n_columns]
        return replace(self, columns=columns, symbols=read.symbols, id_column=None)

    def as_dict(self) -> dict[str, Any]:
        """Return the options as plain values, for a model file."""
        return asdict(self)
