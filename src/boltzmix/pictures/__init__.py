"""Arrays and words of pictures, which are computed once, drawn by plots and put into reports."""

from .densities import (
    column_keys,
    column_values,
    component_curves,
    densities,
    ellipses,
    marginal_densities,
    turned_ellipse,
)
from .members import Group, Line, groups_of_sequences, groups_of_trajectories, largest
from .ranges import principal_components, rows_in_range, sample_of_groups, shown_range

__all__ = [
    "Group",
    "Line",
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
