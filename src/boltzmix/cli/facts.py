"""A fitted mixture as plain values, for machines."""

from collections.abc import Mapping
from numbers import Integral, Real

import numpy as np

from ..comparison import Comparison
from ..comparison.words import curve_of_halves, describe_choice
from ..families.contract.description import Chain, Description
from ..fitted import FittedMixture
from ..views import (
    agreement_of_clusters,
    are_merged,
    cluster_rows,
    count_trials,
    iterations,
    marked_problems,
    sizes,
)
from .errors import in_options


def model_facts(model: FittedMixture) -> dict[str, object]:
    """Return the components of a fitted mixture, and how they were learned."""
    counts = sizes(model.component_labels_, len(model.components_))
    agreement = None if are_merged(model) else agreement_of_clusters(model)
    facts = {
        "family": model.components_[0].name,
        "n_components": len(model.components_),
        "n_clusters": model.n_clusters_,
        "n_observations": len(model.labels_),
        "n_columns": model.n_features_in_,
        "columns": list(map(str, getattr(model, "feature_names_in_", []))) or None,
        "objective": model.lower_bound_,
        "converged": bool(model.converged_),
        "iterations": iterations(model.history_),
        "trials": count_trials(model.history_),
        "problems": _problems(model),
        "components": [
            {
                "weight": float(weight),
                "size": int(size),
                **({} if agreement is None else {"agreement": float(agreement[k])}),
                "parameters": parameters(component.describe()),
            }
            for k, (component, weight, size) in enumerate(
                zip(model.components_, model.weights_, counts, strict=True)
            )
        ],
    }
    if are_merged(model):
        facts["clusters"] = cluster_rows(model)
    if model.column_families_ is not None:
        facts["column_families"] = model.column_families_.rows()
    comparison = model._comparison
    if comparison is not None:
        facts["choice"] = comparison_facts(comparison, model)
    if model.noise:
        n_noise = int((model.component_labels_ < 0).sum())
        facts["noise"] = {"weight": model.noise_weight_, "size": n_noise}
    return facts


def membership_facts(model: FittedMixture, X: object) -> dict[str, object]:
    """Return how covariates change membership, if it depends on any."""
    if model.membership_ is None:
        return {}
    return {"membership": plain(model.membership_effects(X, n_replicates=0).rows())}


def comparison_facts(
    comparison: Comparison, model: FittedMixture | None = None
) -> dict[str, object]:
    """Return the candidates that were compared, and which was chosen, with its sentence."""
    best = comparison.best_candidate()
    rows = [
        {**row, "chosen": one is best}
        for one, row in zip(comparison, comparison.rows(), strict=True)
    ]
    return {
        "sentence": describe_choice(comparison, model),
        "criterion": comparison.chosen_by,
        "candidates": plain(rows),
        **_halves(comparison),
    }


def _halves(comparison: Comparison) -> dict[str, object]:
    """Return how far halves of the data agree on each number of clusters, if they chose."""
    curve = curve_of_halves(comparison)
    if curve is None:
        return {}
    rows = [
        {
            "number": k,
            "agreement": middle,
            "lowest": min(own),
            "highest": max(own),
            "held_out": score,
        }
        for k, middle, own, score in zip(
            curve.numbers.tolist(),
            curve.median.tolist(),
            curve.agreements.tolist(),
            curve.mean_held_out.tolist(),
            strict=True,
        )
    ]
    plausible = [] if curve.is_low else curve.plausible.tolist()
    return {"halves": plain({"numbers": rows, "plausible": plausible})}


def _problems(model: FittedMixture) -> list[dict[str, object]]:
    """Return what may mislead about a fit: each as a record, with its sentence."""
    return [
        {
            "kind": problem.kind,
            "components": list(problem.components),
            "sizes": list(problem.sizes),
            "value": problem.value,
            "sentence": in_options(sentence),
        }
        for problem, sentence in zip(
            getattr(model, "problems_", ()), marked_problems(model), strict=True
        )
    ]


def parameters(description: Description) -> dict[str, object]:
    """Return the named parameters of a component, and those of its states and its parts."""
    found = {name: plain(one) for name, one in description.parameters.items()}
    for name, labels in description.labels.items():
        found[name] = dict(
            zip(labels, np.ravel(description.parameters[name]).tolist(), strict=True)
        )
    picture = description.picture
    if isinstance(picture, Chain) and picture.states:
        found["states"] = list(map(parameters, picture.states))
    for part in description.parts:
        found[",".join(part.columns)] = parameters(part.description)
    return found


def plain(value: object) -> object:
    """Return a value as JSON has it.

    Anything that is not made of numbers and text is represented by its `repr`.
    """
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value) if np.isfinite(float(value)) else str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return [plain(one) for one in value]
    return repr(value)
