"""What pictures show, as arrays and words: computed once, drawn by plots, written by the report."""

from .densities import (
    column_keys,
    column_values,
    component_curves,
    densities,
    ellipses,
    marginal_densities,
    turned_ellipse,
)
from .members import Group, Path, groups_of_sequences, groups_of_trajectories, largest
from .ranges import principal_components, rows_in_range, sample_of_groups, shown_range

__all__ = [
    "Group",
    "Path",
    "column_keys",
    "column_values",
    "component_curves",
    "densities",
    "ellipses",
    "groups_of_sequences",
    "groups_of_trajectories",
    "largest",
    "marginal_densities",
    "principal_components",
    "rows_in_range",
    "sample_of_groups",
    "shown_range",
    "turned_ellipse",
]
