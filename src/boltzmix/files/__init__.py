"""Reading observations from files of many formats, and writing labels to them."""

from .columns import Content, Read
from .formats import FileFormat, Limit
from .options import ReadOptions
from .streams import Stream, harmless, standard_error, standard_output
from .tables import scan_parquet
from .writing import (
    CSV_SEPARATORS,
    PARQUET,
    STREAM,
    check_folder,
    check_writable,
    shown,
    without_formulas,
    write_table,
)

__all__ = [
    "CSV_SEPARATORS",
    "PARQUET",
    "STREAM",
    "Content",
    "FileFormat",
    "Limit",
    "Read",
    "ReadOptions",
    "Stream",
    "check_folder",
    "check_writable",
    "harmless",
    "scan_parquet",
    "shown",
    "standard_error",
    "standard_output",
    "without_formulas",
    "write_table",
]
