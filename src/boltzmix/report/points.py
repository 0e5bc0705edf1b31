"""Rows of numbers as points: on two of their columns, or on principal components."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data import FloatArray, IntArray, Rows
from ..families.contract.description import Ellipse
from ..inference.profiles.columns import Column
from ..views import picture_of, principal_components, shown_range
from .assignments import Assignments
from .numbers import plain

N_PRINCIPAL = 3


def points(
    columns: Sequence[Column], model: Any, assignments: Assignments, sample: IntArray
) -> dict[str, Any]:
    """Return a sample of rows on all axes, of which the reader chooses two."""
    rows, own = columns[0].rows, [column.place for column in columns]
    table = rows.take(sample)
    directions, offsets = _principal(rows, assignments.labels)
    turned = table.as_vectors() @ directions.T - offsets
    every = np.vstack([directions, np.eye(rows.n_features)[own]])
    offsets = np.concatenate([offsets, np.zeros(len(own))])
    return {
        "kind": "points",
        "axes": [
            *(f"principal component {j + 1}" for j in range(len(directions))),
            *(column.name for column in columns),
        ],
        "n_principal": len(directions),
        **shown([*turned.T, *table.values[:, own].T], assignments, sample),
        "ellipses": [_ellipse(one, every, offsets) for one in model.components_],
    }


def shown(axes: Sequence[FloatArray], assignments: Assignments, sample: IntArray) -> dict[str, Any]:
    """Return the values of a sample on all axes, the range to show of each, and the groups."""
    labels = assignments.labels[sample]
    return {
        "values": plain(axes),
        "ranges": plain([shown_range(values, labels) for values in axes]),
        "rows": plain(sample),
        "groups": plain(assignments.places[sample]),
        "certainty": plain(assignments.certainty[sample], 4),
    }


def _principal(rows: Rows, labels: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the directions and offsets of principal components; of few columns, there are none."""
    if rows.n_features <= 2 or len(rows) < 2:
        return np.zeros((0, rows.n_features)), np.zeros(0)
    return principal_components(rows, labels, N_PRINCIPAL)


def _ellipse(component: Any, directions: FloatArray, offsets: FloatArray) -> Any:
    """Return the centre and the covariance of a component on all axes, if it is an ellipse."""
    ellipse = picture_of(component, Ellipse)
    if ellipse is None:
        return None
    return {
        "mean": plain(directions @ ellipse.centre - offsets, 12),
        "covariance": plain(directions @ ellipse.covariance @ directions.T),
    }
