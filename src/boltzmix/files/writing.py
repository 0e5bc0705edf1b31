"""Where files are, and writing labels to them."""

import errno
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from ..saving import write_whole
from .streams import standard_output

CSV_SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": ","}
PARQUET = (".parquet", ".pq")
STREAM = Path("-")  # standard input, or standard output


def shown(path: Path) -> str:
    """Return the name of an input file in messages."""
    return "standard input" if path == STREAM else str(path)


def unreadable(path: Path | str, error: Exception) -> ValueError:
    """Return the error of a file that is damaged."""
    reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
    return ValueError(f"{path} could not be read: {reason}.")


def check_name(what: str, path: Path) -> None:
    """Raise if no file can have this name."""
    try:
        path.lstat()
    except (OSError, ValueError) as error:
        if getattr(error, "errno", None) == errno.ENAMETOOLONG:
            raise ValueError(
                f"{what} is too long ({len(path.name)} characters): choose a shorter one."
            ) from None
        if isinstance(error, ValueError):
            raise ValueError(f"{what} cannot be the name of a file: {error}.") from None


def check_writable(option: str, path: Path, endings: Sequence[str]) -> None:
    """Raise if a file cannot be written to this path, or has none of the endings."""
    if path.suffix not in endings:
        raise ValueError(f"{option} must end in {', '.join(endings)}, but is {path}.")
    check_name(f"The file name of {option}", path)
    if path.is_dir():
        raise ValueError(f"{option} must name a file, but {path} is a folder.")
    check_folder(option, path.parent)


def check_folder(option: str, folder: Path) -> None:
    """Raise if a folder does not exist or cannot be written to."""
    if not folder.is_dir():
        raise ValueError(f"The folder {folder} of {option} does not exist: make it first.")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ValueError(
            f"The folder {folder} of {option} cannot be written to ({error.strerror}):"
            " choose another."
        ) from None


FORMULA = r"^[=+\-@\t\r]"  # the beginning of a text that a spreadsheet takes for a formula


def without_formulas(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame in which an apostrophe stands before names and texts like formulas.

    Examples
    --------
    >>> without_formulas(pl.DataFrame({"=a": ["=1+1", "b"], "n": [-1, 2]})).rows()
    [("'=1+1", -1), ('b', 2)]
    """
    texts = pl.selectors.by_dtype(pl.String, pl.Categorical, pl.Enum)
    escaped = frame.with_columns(texts.cast(pl.String).str.replace(FORMULA, "'${0}"))
    return escaped.rename(lambda name: f"'{name}" if re.match(FORMULA, name) else name)


def write_table(frame: pl.DataFrame, path: Path) -> None:
    """Write a frame as CSV, TSV or Parquet, by the ending of the name; "-" is standard output."""
    if path == STREAM:
        standard_output.write_data(frame.write_csv())
    elif path.suffix in PARQUET:
        write_whole(path, frame.write_parquet)
    else:
        separator = CSV_SEPARATORS[path.suffix]
        write_whole(path, lambda file: frame.write_csv(file, separator=separator))
