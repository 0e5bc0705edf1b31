"""Facts of a fit that both report and command show: sizes, iterations, clusters of components."""

from typing import Any, NotRequired, TypedDict

import numpy as np

from ..data import FloatArray, IntArray, counted
from ..fitted import FittedMixture
from ..learning import History


def sizes(labels: IntArray, n_components: int) -> IntArray:
    """Count the observations assigned to each component, shape (K,)."""
    return np.bincount(labels[labels >= 0], minlength=n_components)


def iterations(history: History) -> dict[str, int]:
    """Return the number of iterations of each recipe, without those of trials."""
    return {
        name: int(((history.phase == name) & (history.iteration > 0)).sum())
        for name in history.phases
    }


def count_trials(history: History, phase: str | None = None) -> dict[str, int]:
    """Count the trials of a search, their iterations, and the changes that were accepted.

    Parameters
    ----------
    history : History
    phase : str, optional
        Name of a recipe; only what was done while it was at work is counted.
    """
    trials = [
        trial
        for trial in history.trials
        if phase is None or history.phase[max(trial.after - 1, 0)] == phase
    ]
    return {
        "number": len(trials),
        "accepted": sum(phase in (None, history.phase[step]) for step in history.moved),
        "iterations": sum(trial.n_iter for trial in trials),
    }


def describe_iterations(history: History) -> str:
    """Say how many iterations each recipe took, and how many trials, if any."""
    parts = []
    for name, n in iterations(history).items():
        trials = count_trials(history, name)
        more = f", {counted(trials['number'], 'trial')} of" if trials["number"] else ""
        more += f" {counted(trials['iterations'], 'iteration')}" if more else ""
        parts.append(f"{name}: {counted(n, 'iteration')}{more}")
    return "; ".join(parts)


def find_bic(model: FittedMixture, X: object, y: object = None) -> float | None:
    """Return the BIC, if the family counts its parameters."""
    try:
        return float(model.bic(X, y))
    except NotImplementedError:
        return None


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


class ClusterRow(TypedDict):
    """A row of the table of clusters; it has the agreement of halves where that is known."""

    cluster: int
    components: list[int]
    weight: float
    observations: int
    agreement: NotRequired[float]


def cluster_rows(model: FittedMixture) -> list[ClusterRow]:
    """Return a row for each cluster, the largest first; none unless components are merged."""
    if not are_merged(model):
        return []
    counts, found = sizes(model.labels_, model.n_clusters_), agreement_of_clusters(model)
    rows: list[ClusterRow] = []
    for place, count in enumerate(counts):
        own = np.flatnonzero(model.clusters_ == place)
        row: ClusterRow = {
            "cluster": place,
            "components": own.tolist(),
            "weight": float(model.weights_[own].sum()),
            "observations": int(count),
        }
        if found is not None:
            row["agreement"] = float(found[place])
        rows.append(row)
    return rows
