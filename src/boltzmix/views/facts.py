"""Figures of a fit that report and command both tell."""

from typing import Any

import numpy as np

from ..data import IntArray


def sizes(labels: IntArray, n_components: int) -> IntArray:
    """Count the observations of each component, shape (K,)."""
    return np.bincount(labels[labels >= 0], minlength=n_components)


def iterations(history: Any) -> dict[str, int]:
    """Return how many iterations each recipe took."""
    return {
        name: int(((history.phase == name) & (history.iteration > 0)).sum())
        for name in history.phases
    }


def find_bic(model: Any, X: Any, y: Any = None) -> float | None:
    """Return the BIC, if the family counts its parameters."""
    try:
        return float(model.bic(X, y))
    except NotImplementedError:
        return None
