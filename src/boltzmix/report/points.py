"""Rows of numbers as points: on two of their columns, or on principal components."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data import FloatArray, IntArray, Rows
from ..families.description import Ellipse
from ..inference.profiles.columns import Column
from ..views import picture_of
from .assignments import Assignments
from .numbers import plain

N_PRINCIPAL = 3
MOST_ROWS = 50_000  # rows from which principal components are computed


def points(
    columns: Sequence[Column], model: Any, assignments: Assignments, sample: IntArray
) -> dict[str, Any]:
    """Return a sample of rows on all axes, of which the reader chooses two."""
    rows, own = columns[0].rows, [column.place for column in columns]
    table = rows.take(sample)
    directions, offsets = _principal(rows)
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
        "values": plain([*turned.T, *table.values[:, own].T]),
        "ellipses": [_ellipse(one, every, offsets) for one in model.components_],
        **chosen(assignments, sample),
    }


def chosen(assignments: Assignments, sample: IntArray) -> dict[str, Any]:
    """Return the indices of the observations shown, their groups and their certainty."""
    return {
        "rows": plain(sample),
        "groups": plain(assignments.places[sample]),
        "certainty": plain(assignments.certainty[sample], 4),
    }


def _principal(rows: Rows) -> tuple[FloatArray, FloatArray]:
    """Return principal components of columns scaled to unit variance: directions and offsets."""
    if rows.n_features <= 2 or len(rows) < 2:
        return np.zeros((0, rows.n_features)), np.zeros(0)
    step = -(-len(rows) // MOST_ROWS)
    values = rows.take(np.arange(0, len(rows), step)).as_vectors().astype(float)
    spread = values.std(axis=0)
    scale = np.where(spread > 0, spread, 1.0)
    found = np.linalg.eigh(np.cov(values / scale, rowvar=False))[1][:, ::-1][:, :N_PRINCIPAL].T
    largest = found[np.arange(len(found)), np.abs(found).argmax(axis=1)]
    directions = found * np.sign(largest)[:, None] / scale
    return directions, directions @ values.mean(axis=0)


def _ellipse(component: Any, directions: FloatArray, offsets: FloatArray) -> Any:
    """Return the centre and the covariance of a component on all axes, if it is an ellipse."""
    ellipse = picture_of(component, Ellipse)
    if ellipse is None:
        return None
    return {
        "mean": plain(directions @ ellipse.centre - offsets),
        "covariance": plain(directions @ ellipse.covariance @ directions.T),
    }
