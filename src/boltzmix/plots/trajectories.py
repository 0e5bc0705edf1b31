"""The trajectories of each component, with its mean curve and its band."""

from typing import Any

import numpy as np

from ..data import Trajectories
from ..families.contract.description import Curve
from ..views import Group, column_names, largest, picture_of
from . import canvas
from .members import Members

GRID = 200


def trajectories(model: Any, X: Any) -> Members:
    """Show the trajectories that are assigned to each component.

    Every trajectory is a thin line through its points. The dark line is the mean curve of the
    component, with a band of two standard deviations of the values around it.

    Parameters
    ----------
    model : fitted mixture of a family on trajectories
    X : Trajectories, or list of pairs (times, values)
    """
    canvas.check_mixture(model)
    data = canvas.observed(model, X)
    if not isinstance(data, Trajectories):
        raise ValueError(
            "trajectories draws trajectories: use plots.sequences for sequences, and plots.clusters"
            " for the rows of a table."
        )
    labels = model.predict_components(X)
    grid = np.linspace(data.times.min(), data.times.max(), GRID)
    curves = [*(picture_of(one, Curve) for one in model.components_), None]
    shown = largest(labels, len(model.components_))
    return Members(
        [Group.of_trajectories(k, data.take(labels == k), curves[k], grid) for k in shown],
        len(model.components_),
        column_names(data.feature_names, data.n_features),
        step_name=data.time_name or "time",
        are_dates=data.has_dates,
        in_rows=True,
        clusters=canvas.merged_clusters(model),
    )
