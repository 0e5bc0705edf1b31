"""What is clustered, and who belongs to whom."""

from .base import BoolArray, Data, FloatArray, IntArray
from .blocks import block_size, places
from .columns import Columns, Source, decoded
from .filling import fill_in
from .lazy import LazyTable
from .membership import Hard, Membership, Soft, join
from .regression import Regression
from .sequences import Sequences, number_sequences
from .subsets import evenly_spaced
from .table import Rows, Table

__all__ = [
    "BoolArray",
    "Columns",
    "Data",
    "FloatArray",
    "Hard",
    "IntArray",
    "LazyTable",
    "Membership",
    "Regression",
    "Rows",
    "Sequences",
    "Soft",
    "Source",
    "Table",
    "block_size",
    "decoded",
    "evenly_spaced",
    "fill_in",
    "join",
    "number_sequences",
    "places",
]
