"""What is clustered, and who belongs to whom."""

from .base import BoolArray, Data, FloatArray, IntArray
from .blocks import block_size, places
from .lazy import LazyTable
from .membership import Hard, Membership, Soft, join
from .regression import Regression
from .sequences import Sequences, number_sequences
from .table import Rows, Table

__all__ = [
    "BoolArray",
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
    "Table",
    "block_size",
    "join",
    "number_sequences",
    "places",
]
