"""A fitted mixture as plain values, for machines."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

from ..families import Bank, Family
from ..views import iterations, sizes


def model_facts(model: Any) -> dict[str, Any]:
    """Return what was learned, and how."""
    counts = sizes(model.labels_, len(model.components_))
    facts = {
        "family": model.components_[0].name,
        "n_components": len(model.components_),
        "n_observations": len(model.labels_),
        "n_columns": model.n_features_in_,
        "columns": list(map(str, getattr(model, "feature_names_in_", []))) or None,
        "mean_log_likelihood": model.lower_bound_,
        "converged": bool(model.converged_),
        "iterations": iterations(model.history_),
        "components": [
            {"weight": float(weight), "size": int(size), "parameters": plain(component)}
            for component, weight, size in zip(
                model.components_, model.weights_, counts, strict=True
            )
        ],
    }
    if model.noise:
        n_noise = int((model.labels_ < 0).sum())
        facts["noise"] = {"weight": model.noise_weight_, "size": n_noise}
    return facts


def plain(value: Any) -> Any:
    """Return a value in what JSON has; of a family, its parameters by name.

    What is neither a number nor text nor made of such, is told as it is shown.
    """
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value) if np.isfinite(float(value)) else str(value)
    if isinstance(value, Bank):
        return [plain(one) for one in value.components]
    if isinstance(value, Mapping):
        return {_key(key): plain(one) for key, one in value.items()}
    if isinstance(value, Family):
        return {name: plain(own) for name, own in _parameters(value).items()}
    if type(value) in (list, tuple):
        return [plain(one) for one in value]
    return repr(value)


def _key(key: Any) -> str:
    return ",".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _parameters(family: Family) -> dict[str, Any]:
    """Return what a family is made of; what it learned from is left out."""
    own = (
        {field.name: getattr(family, field.name) for field in fields(family)}
        if is_dataclass(family)
        else {name: value for name, value in vars(family).items() if not name.startswith("_")}
    )
    return {
        name: value
        for name, value in own.items()
        if value is not None
        and name not in ("whole", "origin")
        and not hasattr(value, "_fields")
        and (isinstance(value, Family) or not is_dataclass(value))
    }
