"""Words and tables of fitted mixtures, which report, plots and command share."""

from .clusters import agreement_of_clusters, are_merged, cluster_rows, members_of
from .column_families import ColumnFamilies
from .descriptions import describe, describe_component, describe_family
from .facts import count_trials, describe_iterations, find_bic, iterations, sizes
from .marginals import marginal_densities
from .members import Group, Path, is_symbolic, largest
from .moves import describe_moves, describe_phase, moved_components
from .pictures import picture_of
from .principal import principal_components
from .problems import describe_problems
from .progress import Progress, ProgressMeter
from .progress_words import ending_sentence, progress_line, progress_sentence
from .reach import rows_in_range, shown_range
from .replicated_estimates import describe_left_out, describe_replicated, replicated_table
from .samples import sample_of_groups
from .summaries import Summary, ranked_names, sentence_of_ranking
from .watchers import InPlace, NotebookView, watcher
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
    "Group",
    "InPlace",
    "NotebookView",
    "Path",
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
    "largest",
    "listed",
    "marginal_densities",
    "members_of",
    "moved_components",
    "namer",
    "picture_of",
    "principal_components",
    "progress_line",
    "progress_sentence",
    "ranked_names",
    "replicated_table",
    "rounded",
    "rows_in_range",
    "sample_of_groups",
    "sentence_of_ranking",
    "shown_range",
    "singular",
    "sizes",
    "symbols_by_column",
    "watcher",
]
