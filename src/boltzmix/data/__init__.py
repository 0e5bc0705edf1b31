"""The data that are clustered, and the membership of observations in components."""

from .arguments import (
    MOST_COUNT,
    MOST_SAMPLES,
    are_dependent,
    are_whole,
    as_number,
    check_choice,
    check_count,
    check_flag,
    check_magnitudes,
    check_number,
    check_tolerance,
    is_whole,
    read_generator,
    read_path,
)
from .blocks import BlockSizes, add_up, add_up_nested, block_slices, groups_of, shifted
from .data_set import (
    AnyArray,
    BoolArray,
    Data,
    FloatArray,
    Indices,
    IntArray,
    Remote,
    Rng,
    Weights,
    derived,
    derived_once,
)
from .errors import (
    DATA,
    InputError,
    InputTypeError,
    MarkedError,
    marked,
    plain,
    warning,
    worded,
)
from .kinds.lazy_table import LazyTable
from .kinds.mixed_columns import Columns
from .kinds.regression_data import Regression, read_targets
from .kinds.sequence_checks import check_no_sequences
from .kinds.sequence_data import Sequences
from .kinds.table import Rows, Table
from .kinds.trajectory_data import Trajectories
from .kinds.with_covariates import WithCovariates, without_covariates
from .membership import Hard, Membership, Soft, join
from .nouns import counted, joined, shortened, shown
from .reading.arrays import evenly_spaced, with_unit_variance
from .reading.coding import are_numbers, decoded, in_order
from .reading.containers import as_array, as_known
from .reading.design import Design
from .reading.formulas import read_terms, split_sides
from .reading.sequence_layouts import number_sequences
from .reading.source import ColumnSource, Name, fill_in
from .reading.times import Times, given_times, read_times

__all__ = [
    "DATA",
    "MOST_COUNT",
    "MOST_SAMPLES",
    "AnyArray",
    "BlockSizes",
    "BoolArray",
    "ColumnSource",
    "Columns",
    "Data",
    "Design",
    "FloatArray",
    "Hard",
    "Indices",
    "InputError",
    "InputTypeError",
    "IntArray",
    "LazyTable",
    "MarkedError",
    "Membership",
    "Name",
    "Regression",
    "Remote",
    "Rng",
    "Rows",
    "Sequences",
    "Soft",
    "Table",
    "Times",
    "Trajectories",
    "Weights",
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
    "derived",
    "derived_once",
    "evenly_spaced",
    "fill_in",
    "given_times",
    "groups_of",
    "in_order",
    "is_whole",
    "join",
    "joined",
    "marked",
    "number_sequences",
    "plain",
    "read_generator",
    "read_path",
    "read_targets",
    "read_terms",
    "read_times",
    "shifted",
    "shortened",
    "shown",
    "split_sides",
    "warning",
    "with_unit_variance",
    "without_covariates",
    "worded",
]
