"""Points on curves, and the curve of each component with its band."""

from typing import Any

import numpy as np

from ..data import IntArray, Regression
from .assignments import Assignments
from .numbers import plain
from .points import chosen

GRID = 200


def curves(
    data: Regression, model: Any, assignments: Assignments, sample: IntArray
) -> dict[str, Any]:
    """Show a sample of points, on inputs and targets that can be chosen.

    Curves are there where the input is one column.
    """
    some = data.take(sample)
    inputs = list(data.feature_names or _numbered("input", data.n_features))
    targets = _numbered("target", data.targets.shape[1])
    return {
        "kind": "curves",
        "axes": [*inputs, *targets],
        "n_inputs": len(inputs),
        "values": plain([*some.inputs.T, *some.targets.T]),
        "curves": _curves(data, model),
        **chosen(assignments, sample),
    }


def _curves(data: Regression, model: Any) -> Any:
    """Return places, and mean and deviation of each target there, for each component."""
    if data.positions is None or not all(hasattr(one, "predict") for one in model.components_):
        return None
    grid = np.linspace(data.positions.min(), data.positions.max(), GRID)
    drawn = []
    for one in model.components_:
        mean, deviation = one.predict(grid[:, None], return_std=True)
        means = np.reshape(mean, (GRID, -1)).T
        wide = np.broadcast_to(np.reshape(deviation, (GRID, -1)).T, means.shape)
        drawn.append({"means": plain(means), "deviations": plain(wide)})
    return {"at": plain(grid), "components": drawn}


def _numbered(what: str, n: int) -> list[str]:
    return [what] if n == 1 else [f"{what} {j}" for j in range(n)]
