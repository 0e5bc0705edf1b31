"""Clusters of a fitted mixture: their components, and how far each is found again in halves."""

from typing import Any

import numpy as np

from ..data import FloatArray
from ..fitted import FittedMixture
from .facts import sizes


def are_merged(model: FittedMixture) -> bool:
    """Whether some components of a fitted mixture are one cluster together."""
    return bool(model.n_clusters_ < len(model.components_))


def members_of(model: FittedMixture) -> str:
    """Return what a fitted mixture calls its observations, such as "rows"."""
    observes: Any = model.components_[0].observes
    return str(observes.noun)


def agreement_of_clusters(model: FittedMixture) -> FloatArray | None:
    """Return how far each cluster is found again in halves of the observations, shape (C,).

    None where no halves were fitted, and for one cluster, which all halves have.
    """
    comparison = model._comparison
    if comparison is None or model.n_clusters_ == 1:
        return None
    family = comparison.best_candidate().family
    curve = comparison.clusters or comparison.agreement.get(family)
    found = None if curve is None else curve.by_component
    return None if found is None or len(found) != model.n_clusters_ else np.asarray(found)


def cluster_rows(model: FittedMixture) -> list[dict[str, Any]]:
    """Return a row for each cluster, the largest first; none unless components are merged."""
    if not are_merged(model):
        return []
    counts, found = sizes(model.labels_, model.n_clusters_), agreement_of_clusters(model)
    rows = []
    for place, count in enumerate(counts):
        own = np.flatnonzero(model.clusters_ == place)
        known = {} if found is None else {"agreement": float(found[place])}
        rows.append(
            {
                "cluster": place,
                "components": own.tolist(),
                "weight": float(model.weights_[own].sum()),
                "observations": int(count),
                **known,
            }
        )
    return rows
