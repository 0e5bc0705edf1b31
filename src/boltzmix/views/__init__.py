"""What plots, report and command share: colours, words, and the choice of what is shown."""

from ..data import counted
from .clusters import (
    agreement_of_clusters,
    are_merged,
    cluster_rows,
    members_of,
)
from .column_families import ColumnFamilies
from .comparisons import (
    AGREEMENT,
    CRITERIA,
    HELD_OUT,
    comparison_table,
    curve_of_halves,
    describe_choice,
    describe_comparison,
    numbers_table,
    shown_table,
)
from .criterion_lines import CriterionLine, CriterionPicture, criterion_picture
from .descriptions import describe, describe_component, describe_family, describe_row
from .facts import count_trials, describe_iterations, find_bic, iterations, sizes
from .look import NOISE_COLOUR, PALETTE, column_names
from .marginals import marginal_densities
from .members import Group, Path, is_symbolic, largest
from .moves import (
    describe_moves,
    describe_phase,
    describe_step,
    moved_components,
)
from .pictures import picture_of
from .principal import principal_components
from .problems import describe_problems
from .progress import Progress, ProgressMeter
from .progress_words import ending_sentence, progress_line, progress_sentence
from .reach import rows_in_range, shown_range
from .replicated_estimates import describe_left_out, describe_replicated, replicated_table
from .samples import sample_of_groups
from .summaries import Summary, ranked_names, sentence_of_ranking
from .tables import frame_of, html_table, text_table
from .watchers import InPlace, LineView, NotebookView, watcher
from .words import (
    Symbols,
    describe_column,
    describe_columns,
    describe_parameters,
    listed,
    namer,
    number,
    rounded,
    singular,
    symbols_by_column,
)

__all__ = [
    "AGREEMENT",
    "CRITERIA",
    "HELD_OUT",
    "NOISE_COLOUR",
    "PALETTE",
    "ColumnFamilies",
    "CriterionLine",
    "CriterionPicture",
    "Group",
    "InPlace",
    "LineView",
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
    "comparison_table",
    "count_trials",
    "counted",
    "criterion_picture",
    "curve_of_halves",
    "describe",
    "describe_choice",
    "describe_column",
    "describe_columns",
    "describe_comparison",
    "describe_component",
    "describe_family",
    "describe_iterations",
    "describe_left_out",
    "describe_moves",
    "describe_parameters",
    "describe_phase",
    "describe_problems",
    "describe_replicated",
    "describe_row",
    "describe_step",
    "ending_sentence",
    "find_bic",
    "frame_of",
    "html_table",
    "is_symbolic",
    "iterations",
    "largest",
    "listed",
    "marginal_densities",
    "members_of",
    "moved_components",
    "namer",
    "number",
    "numbers_table",
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
    "shown_table",
    "singular",
    "sizes",
    "symbols_by_column",
    "text_table",
    "watcher",
]
