"""Writing tables such as labels: the whole file, or nothing."""

from pathlib import Path

import polars as pl

from ..saving import write_whole
from .paths import CSV_SEPARATORS, PARQUET, STREAM
from .streams import standard_output


def write_table(frame: pl.DataFrame, path: Path) -> None:
    """Write a frame as CSV, TSV or Parquet, by the ending of the name; "-" is standard output."""
    if path == STREAM:
        standard_output.write_data(frame.write_csv())
    elif path.suffix in PARQUET:
        write_whole(path, frame.write_parquet)
    else:
        separator = CSV_SEPARATORS[path.suffix]
        write_whole(path, lambda file: frame.write_csv(file, separator=separator))
