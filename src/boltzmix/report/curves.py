"""Points on curves, and the curve of each component with its band."""

from typing import Any

import numpy as np

from ..data import IntArray, Regression
from ..families.contract.description import Curve
from ..views import picture_of
from .assignments import Assignments
from .numbers import plain
from .points import shown

GRID = 200


def curves(
    data: Regression, model: Any, assignments: Assignments, sample: IntArray
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


def _curves(data: Regression, model: Any) -> Any:
    """Return a grid of inputs, and mean and deviation of each target on it, by component."""
    pictures = [picture_of(one, Curve) for one in model.components_]
    if data.positions is None or None in pictures:
        return None
    grid = np.linspace(data.positions.min(), data.positions.max(), GRID)
    drawn = []
    for curve in filter(None, pictures):
        means, deviations = curve.predict(grid[:, None])
        drawn.append({"means": plain(means.T), "deviations": plain(deviations.T)})
    return {"at": plain(grid), "components": drawn}


def _numbered(what: str, n: int) -> list[str]:
    return [what] if n == 1 else [f"{what} {j}" for j in range(n)]
