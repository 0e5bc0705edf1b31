"""The data that are clustered, and the membership of observations in components."""

from .arguments import (
    MOST_COUNT,
    MOST_SAMPLES,
    are_whole,
    as_number,
    check_choice,
    check_count,
    check_flag,
    check_number,
    check_tolerance,
    is_whole,
    read_generator,
    read_path,
)
from .arrays import with_unit_variance
from .base import BoolArray, Data, FloatArray, IntArray
from .blocks import (
    Blocked,
    BlockSizes,
    add_up,
    add_up_nested,
    block_slices,
    groups_of,
    shifted,
)
from .coding import are_numbers, decoded, in_order
from .columns import Columns
from .containers import as_array, as_known
from .design import Design
from .filling import fill_in
from .formulas import read_terms, split_sides
from .lazy import LazyTable
from .magnitudes import are_dependent, check_magnitudes
from .membership import Hard, Membership, Soft, join
from .nouns import counted, joined, shortened, shown
from .regression import Regression, read_targets
from .remote import Remote
from .sequence_checks import check_no_sequences
from .sequence_layouts import number_sequences
from .sequences import Sequences
from .source import Name, Source
from .subsets import evenly_spaced
from .table import Rows, Table
from .times import Times, given_times, read_times
from .trajectories import Trajectories
from .with_covariates import WithCovariates, without_covariates

__all__ = [
    "MOST_COUNT",
    "MOST_SAMPLES",
    "BlockSizes",
    "Blocked",
    "BoolArray",
    "Columns",
    "Data",
    "Design",
    "FloatArray",
    "Hard",
    "IntArray",
    "LazyTable",
    "Membership",
    "Name",
    "Regression",
    "Remote",
    "Rows",
    "Sequences",
    "Soft",
    "Source",
    "Table",
    "Times",
    "Trajectories",
    "WithCovariates",
    "add_up",
    "add_up_nested",
    "are_dependent",
    "are_numbers",
    "are_whole",
    "as_array",
    "as_known",
    "as_number",
    "block_slices",
    "check_choice",
    "check_count",
    "check_flag",
    "check_magnitudes",
    "check_no_sequences",
    "check_number",
    "check_tolerance",
    "counted",
    "decoded",
    "evenly_spaced",
    "fill_in",
    "given_times",
    "groups_of",
    "in_order",
    "is_whole",
    "join",
    "joined",
    "number_sequences",
    "read_generator",
    "read_path",
    "read_targets",
    "read_terms",
    "read_times",
    "shifted",
    "shortened",
    "shown",
    "split_sides",
    "with_unit_variance",
    "without_covariates",
]
