"""Words and tables of fitted mixtures, which report, plots and command share."""

from .column_families import ColumnFamilies
from .descriptions import describe, describe_component, describe_family, is_symbolic, picture_of
from .estimates import describe_left_out, describe_replicated, replicated_table
from .facts import (
    agreement_of_clusters,
    are_merged,
    cluster_rows,
    count_trials,
    describe_iterations,
    find_bic,
    iterations,
    members_of,
    sizes,
)
from .moves import describe_moves, describe_phase, moved_components
from .problems import describe_problems
from .progress import (
    InPlace,
    NotebookView,
    Progress,
    ProgressMeter,
    ending_sentence,
    progress_line,
    progress_sentence,
    watcher,
)
from .summaries import Summary, ranked_names, sentence_of_ranking
from .words import (
    Symbols,
    column_names,
    describe_column,
    describe_columns,
    describe_parameters,
    listed,
    namer,
    rounded,
    singular,
    symbols_by_column,
)

__all__ = [
    "ColumnFamilies",
    "InPlace",
    "NotebookView",
    "Progress",
    "ProgressMeter",
    "Summary",
    "Symbols",
    "agreement_of_clusters",
    "are_merged",
    "cluster_rows",
    "column_names",
    "count_trials",
    "describe",
    "describe_column",
    "describe_columns",
    "describe_component",
    "describe_family",
    "describe_iterations",
    "describe_left_out",
    "describe_moves",
    "describe_parameters",
    "describe_phase",
    "describe_problems",
    "describe_replicated",
    "ending_sentence",
    "find_bic",
    "is_symbolic",
    "iterations",
    "listed",
    "members_of",
    "moved_components",
    "namer",
    "picture_of",
    "progress_line",
    "progress_sentence",
    "ranked_names",
    "replicated_table",
    "rounded",
    "sentence_of_ranking",
    "singular",
    "sizes",
    "symbols_by_column",
    "watcher",
]
