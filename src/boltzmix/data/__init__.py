"""The data that are clustered, and the membership of observations in components."""

from .base import BoolArray, Data, FloatArray, IntArray
from .blocks import block_size, block_slices
from .coding import decoded
from .columns import Columns
from .filling import fill_in
from .lazy import LazyTable
from .membership import Hard, Membership, Soft, join
from .nouns import noun
from .regression import Regression
from .sequence_layouts import number_sequences
from .sequences import Sequences
from .source import Source
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
    "block_slices",
    "decoded",
    "evenly_spaced",
    "fill_in",
    "join",
    "noun",
    "number_sequences",
]
