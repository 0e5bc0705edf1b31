"""A fitted mixture as a notebook shows it."""

from html import escape
from typing import Any

from .comparisons import describe_choice
from .descriptions import describe_component
from .facts import sizes
from .look import column_names
from .problems import describe_problems


def component_table(model: Any) -> str:
    """Return the table of a fitted mixture's components, its choice and problems, as HTML."""
    given = tuple(getattr(model, "feature_names_in_", ()))
    names = column_names(given, model.n_features_in_)
    counts = sizes(model.labels_, len(model.components_))
    rows = [
        (str(k), weight, count, describe_component(component, names, {}))
        for k, (component, weight, count) in enumerate(
            zip(model.components_, model.weights_, counts, strict=True)
        )
    ]
    if model.noise:
        rows.append(("noise", model.noise_weight_, len(model.labels_) - counts.sum(), ""))
    body = "".join(
        f"<tr><td>{name}</td><td>{weight:.4g}</td><td>{count}</td><td>{_lines(text)}</td></tr>"
        for name, weight, count, text in rows
    )
    return (
        f"<table><caption>{len(model.components_)} components, objective"
        f" {model.lower_bound_:.4f}, {model.n_iter_} iterations</caption><tr><th></th>"
        f"<th>weight</th><th>observations</th><th>description</th></tr>{body}</table>"
        + "".join(f"<p>{escape(sentence)}</p>" for sentence in _sentences(model))
    )


def _sentences(model: Any) -> list[str]:
    """Say how the number of components was chosen, if it was, and what may mislead."""
    comparison = getattr(model, "comparison_", None)
    choice = [] if comparison is None else [describe_choice(comparison)]
    return [*choice, *describe_problems(model)]


def _lines(text: str) -> str:
    return escape(text).replace("\n", "<br>")
