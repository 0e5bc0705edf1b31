"""What plots, report and command have in common: colours, words, and who is shown."""

from .descriptions import describe, describe_alone, describe_emission, describe_family
from .facts import find_bic, iterations, sizes
from .look import NOISE_COLOUR, PALETTE, column_names
from .members import Group, Path, is_symbolic, largest
from .states import is_chain, stacked
from .words import Symbols, describe_columns, listed, namer

__all__ = [
    "NOISE_COLOUR",
    "PALETTE",
    "Group",
    "Path",
    "Symbols",
    "column_names",
    "describe",
    "describe_alone",
    "describe_columns",
    "describe_emission",
    "describe_family",
    "find_bic",
    "is_chain",
    "is_symbolic",
    "iterations",
    "largest",
    "listed",
    "namer",
    "sizes",
    "stacked",
]
