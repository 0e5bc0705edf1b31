"""How covariates change membership: a table."""

from typing import Any

from ..fitted import FittedMixture
from ..views.estimates import estimates_cells
from .numbers import neat


def membership(model: FittedMixture, X: Any, y: Any) -> dict[str, Any] | None:
    """Return the effects of covariates on membership, if it depends on any."""
    if model.membership_ is None:
        return None
    effects = model.membership_effects(X, y, n_replicates=0)
    headings, lines = estimates_cells(effects)
    return {
        "headings": headings,
        "lines": [list(map(neat, line)) for line in lines],
        "notes": list(effects.notes),
    }
