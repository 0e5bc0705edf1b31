"""Tables in files: CSV and Parquet in, labels out, and nothing half-written."""

from .columns import Read
from .curves import read_curves
from .places import CSV_SEPARATORS, PARQUET, check_folder, check_writable
from .sequences import read_sequences
from .tables import read_mixed, read_table, scan_parquet
from .writing import write_table

__all__ = [
    "CSV_SEPARATORS",
    "PARQUET",
    "Read",
    "check_folder",
    "check_writable",
    "read_curves",
    "read_mixed",
    "read_sequences",
    "read_table",
    "scan_parquet",
    "write_table",
]
