"""What is clustered, and who belongs to whom."""

from .base import BoolArray, Data, FloatArray, IntArray
from .membership import Hard, Membership, Soft
from .table import Table

__all__ = [
    "BoolArray",
    "Data",
    "FloatArray",
    "Hard",
    "IntArray",
    "Membership",
    "Soft",
    "Table",
]
