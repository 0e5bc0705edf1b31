"""How observations are read from a file, so that another file can be read alike."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from .columns import Read
from .curves import read_curves
from .sequences import read_sequences
from .tables import read_mixed, read_table


@dataclass(frozen=True)
class Way:
    """A way to read a file.

    Parameters
    ----------
    columns : list of str, optional
        What is clustered; all columns that can be, if absent.
    sequence, order : str, optional
        The columns that say whose step a row is, and where it comes.
    targets : list of str
        The columns of what curves pass through.
    codes : bool
        Whether text becomes codes.
    mixed : bool
        Whether text stays text beside numbers.
    single : bool
        Whether sequences have one feature only.
    symbols : dict of str to list of str, optional
        What codes stand for, where this is known already.
    """

    columns: Sequence[str] | None = None
    sequence: str | None = None
    order: str | None = None
    targets: Sequence[str] = ()
    codes: bool = False
    mixed: bool = False
    single: bool = False
    symbols: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def read(self, path: Path) -> Read:
        """Read a file in this way."""
        if self.targets:
            return read_curves(path, self.targets, self.columns)
        if self.sequence is not None:
            return read_sequences(
                path,
                self.sequence,
                self.order,
                self.columns,
                self.codes,
                self.single,
                self.symbols,
            )
        if self.mixed:
            return read_mixed(path, self.columns)
        return read_table(path, self.columns, self.codes, self.symbols)

    def found(self, read: Read) -> Self:
        """Return the way to read more files like the one that was read."""
        return replace(self, columns=read.columns, symbols=read.symbols)

    def as_dict(self) -> dict[str, Any]:
        """Return this way in plain values, such as a model file keeps."""
        return asdict(self)
