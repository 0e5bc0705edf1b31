"""Tables in files: CSV and Parquet in, labels out, and nothing half-written."""

from .columns import Read
from .places import CSV_SEPARATORS, PARQUET, STREAM, check_folder, check_writable, shown
from .tables import scan_parquet
from .way import Way
from .writing import write_table

__all__ = [
    "CSV_SEPARATORS",
    "PARQUET",
    "STREAM",
    "Read",
    "Way",
    "check_folder",
    "check_writable",
    "scan_parquet",
    "shown",
    "write_table",
]
