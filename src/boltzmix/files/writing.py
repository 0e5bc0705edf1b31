"""Writing tables such as labels: the whole file, or nothing."""

import re
from pathlib import Path

import polars as pl

from ..saving import write_whole
from .paths import CSV_SEPARATORS, PARQUET, STREAM
from .streams import standard_output

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
