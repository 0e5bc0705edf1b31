"""The clusters that merged components make up."""

from typing import Any

from ..fitted import FittedMixture
from ..views import are_merged, cluster_rows
from .numbers import plain


def clusters(model: FittedMixture) -> dict[str, Any] | None:
    """Return the cluster of each component and a row for each cluster, if some are merged."""
    if not are_merged(model):
        return None
    return {
        "of_components": plain(model.clusters_),
        "rows": [
            {
                "components": row["components"],
                "weight": plain(row["weight"], 4),
                "size": row["observations"],
                "agreement": plain(row["agreement"], 4) if "agreement" in row else None,
            }
            for row in cluster_rows(model)
        ],
    }
