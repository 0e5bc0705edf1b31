"""Components in chosen columns of a table: ellipses, and densities of one column."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data import FloatArray, IntArray
from ..families.contract.description import Ellipse
from ..views import marginal_densities, picture_of
from .tables import column_values

GRID = 300  # values at which a density is drawn


def ellipses(
    components: Sequence[Any], wanted: IntArray
) -> tuple[FloatArray | None, FloatArray | None]:
    """Return means (K, c) and covariances (K, c, c) in the wanted columns, if all have them."""
    found = [picture_of(one, Ellipse) for one in components]
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return None, None
    pairs = np.ix_(wanted, wanted)
    means = np.stack([one.centre[wanted] for one in known])
    return means, np.stack([one.covariance[pairs] for one in known])


def densities(
    components: Sequence[Any],
    weights: FloatArray,
    data: Any,
    place: int,
    ends: tuple[float, float],
) -> FloatArray | None:
    """Return a grid between two ends, and each component's weighted density on it (K + 1, g)."""
    low, high = ends
    values = column_values(data)[:, place]
    known = values[(values >= low) & (values <= high)]
    if not len(known):
        return None
    whole = not (known % 1).any() and high - low <= GRID
    grid = np.arange(low, high + 1) if whole else np.linspace(low, high, GRID)
    found = marginal_densities(components, weights, data, place, grid)
    return None if found is None else np.vstack([grid, found])
