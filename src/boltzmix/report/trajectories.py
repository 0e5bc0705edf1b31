"""Trajectories: the members of each component, and its mean curve with a band."""

from typing import Any

import numpy as np

from ..data import Trajectories
from ..families.contract.description import Curve
from ..views import Group, column_names, largest, picture_of
from .assignments import Assignments
from .numbers import plain
from .sequences import MOST_FEATURES, MOST_MEMBERS, path_of

GRID = 100
NOTE = (
    "Thin lines are trajectories; the dark line is the mean curve of the component, with a band of"
    " two standard deviations of the values around it, noise included."
)


def trajectories(data: Trajectories, model: Any, assignments: Assignments) -> dict[str, Any]:
    """Return members of the largest components, and the mean curves of these."""
    names = (data.feature_names or column_names(None, data.n_features))[:MOST_FEATURES]
    grid = np.linspace(data.times.min(), data.times.max(), GRID)
    curves = [*(picture_of(one, Curve) for one in model.components_), None]
    return {
        "kind": "sequences",
        "noun": "trajectory",
        "step": data.time_name or "time",
        "note": NOTE,
        "axes": list(names),
        "n_features": data.n_features,
        "symbols": [[] for _ in names],
        "members": [
            _members(k, data, assignments, curves[k], grid, len(names))
            for k in largest(assignments.labels, len(model.components_))
        ],
        "chains": [],
    }


def _members(
    k: int,
    data: Trajectories,
    assignments: Assignments,
    curve: Curve | None,
    grid: Any,
    n_features: int,
) -> dict[str, Any]:
    numbers = np.flatnonzero(assignments.labels == k)
    group = Group.of_trajectories(k, data.take(numbers), curve, grid, MOST_MEMBERS)
    rows = numbers[list(group.places)]
    found = {
        "group": len(assignments.groups) - 1 if k < 0 else k,
        "size": group.size,
        "rows": plain(rows),
        "certainty": plain(assignments.certainty[rows], 4),
        "paths": [path_of(path, n_features) for path in group.paths],
        "mean": group.mean and path_of(group.mean, n_features),
    }
    if group.mean is not None and group.deviations is not None:
        spread = 2 * group.deviations
        found["band"] = {
            "low": plain((group.mean.values - spread)[:, :n_features].T, 4),
            "high": plain((group.mean.values + spread)[:, :n_features].T, 4),
        }
    return found
