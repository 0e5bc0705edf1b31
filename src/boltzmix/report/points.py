"""Rows of numbers, or points on curves, on two axes that the reader chooses."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data import FloatArray, IntArray, Regression, Rows
from ..families import Family
from ..fitted import FittedMixture
from ..inference.profiles.variables import Column
from ..pictures import component_curves, principal_components, shown_range, turned_ellipse
from .assignments import Assignments
from .numbers import plain

N_PRINCIPAL = 3


def points(
    columns: Sequence[Column], model: FittedMixture, assignments: Assignments, sample: IntArray
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


def _ellipse(component: Family, directions: FloatArray, offsets: FloatArray) -> Any:
    """Return the centre and the covariance of a component on all axes, if it is an ellipse."""
    found = turned_ellipse(component, directions, offsets)
    return found and {"mean": plain(found[0], 12), "covariance": plain(found[1])}


GRID = 200


def curves(
    data: Regression, model: FittedMixture, assignments: Assignments, sample: IntArray
) -> dict[str, Any]:
    """Return a sample of points on inputs and targets, of which the reader chooses two.

    There are curves where the input is one column.
    """
    some = data.take(sample)
    inputs = list(data.input_names or _numbered("input", data.inputs.shape[1]))
    targets = _numbered("target", data.targets.shape[1])
    return {
        "kind": "curves",
        "axes": [*inputs, *targets],
        "n_inputs": len(inputs),
        **shown([*some.inputs.T, *some.targets.T], assignments, sample),
        "curves": _curves(data, model),
    }


def _curves(data: Regression, model: FittedMixture) -> Any:
    """Return a grid of inputs, and mean and deviation of each target on it, by component."""
    found = component_curves(model.components_, data, GRID)
    return found and {
        "at": plain(found.grid),
        "components": [
            {"means": plain(means.T), "deviations": plain(deviations.T)}
            for means, deviations in zip(found.means, found.deviations, strict=True)
        ],
    }


def _numbered(what: str, n: int) -> list[str]:
    return [what] if n == 1 else [f"{what} {j}" for j in range(n)]
