"""A comparison of mixtures, as text and as a notebook shows it."""

from typing import Any

from ..data import counted
from .tables import html_table, text_table

CRITERIA = {
    "agreement": "agreement of halves",
    "aic": "AIC",
    "bic": "BIC",
    "sabic": "SABIC",
    "caic": "CAIC",
    "icl": "ICL",
    "effective_bic": "effective BIC",
    "effective_icl": "effective ICL",
    "cv": "cross-validation",
}
HEADINGS = {
    "family": "family",
    "n_components": "components",
    "log_likelihood": "log-likelihood",
    "n_parameters": "parameters",
    **CRITERIA,
    "entropy": "entropy",
    "smallest": "smallest",
    "held_out": "other half",
    "cross_validated": "left out",
    "seconds": "seconds",
}
SHOWN = (
    "family",
    "n_components",
    "log_likelihood",
    "n_parameters",
    "bic",
    "icl",
    "effective_icl",
    "entropy",
    "smallest",
    "agreement",
    "held_out",
    "cross_validated",
    "seconds",
)
MOST_ROWS = 40  # of text; the best ones are shown


def describe_choice(comparison: Any) -> str:
    """Say in one sentence which candidate was chosen, and why."""
    best, name = comparison.best_candidate(), comparison.chosen_by
    if name == "agreement":
        return describe_agreement(comparison.agreement[best.family], best.n_components)
    if name == "held_out":
        return f"{counted(best.n_components, 'component')}, by the likelihood of the other half."
    value = best.criterion(name)
    others = [one for one in comparison if one is not best]
    sentence = (
        f"{counted(best.n_components, 'component')} of {best.family} chosen among {len(comparison)}"
        f" candidate{'s' if len(comparison) > 1 else ''} by {CRITERIA[name]} ({value:,.1f})"
    )
    if not others:
        return sentence + "."
    second = min(others, key=lambda one: one.criterion(name))
    which = counted(second.n_components, "component")
    if second.family != best.family:
        which += f" of {second.family}"
    return f"{sentence}; next is {which} ({second.criterion(name):,.1f})."


def describe_agreement(curve: Any, n_components: int) -> str:
    """Say how sure the number of components is, by fits to halves of the observations."""
    shown = [(int(k), float(mean)) for k, mean in zip(curve.numbers, curve.mean, strict=True)]
    several = [(k, mean) for k, mean in shown if k > 1]
    if n_components == 1:
        if not several:
            return "One cluster: there are too few observations to compare fits to halves of them."
        return (
            "One cluster, no cluster structure: fits of several components to halves of the"
            f" observations agree by at most {curve.highest:.2f}."
        )
    own = dict(shown)[n_components]
    others = sorted((one for one in several if one[0] != n_components), key=lambda one: -one[1])
    sentence = f"{n_components} clusters; fits to halves of the observations agree by {own:.2f}"
    if not others:
        return sentence + "."
    return f"{sentence}; {others[0][0]} agree by {others[0][1]:.2f}."


def describe_comparison(comparison: Any) -> str:
    """Return the table of a comparison as text, with the best candidate marked."""
    columns, rows = shown_table(comparison)
    left = len(comparison) - len(rows)
    more = [f"… and {left} more"] if left > 0 else []
    return "\n".join([text_table(columns, rows), *more, describe_choice(comparison)])


def comparison_table(comparison: Any) -> str:
    """Return the table of a comparison as HTML, with the best candidate in bold."""
    columns, rows = shown_table(comparison)
    bold = [bool(row[-1]) for row in rows]
    return html_table(columns, rows, describe_choice(comparison), bold)


def shown_table(comparison: Any) -> tuple[list[str], list[list[str]]]:
    """Return headings, and the cells of the best candidates in their order.

    The last cell of a row is not empty if that candidate was chosen.
    """
    best, name = comparison.best_candidate(), comparison.chosen_by
    names = [one for one in SHOWN if one in comparison.rows()[0]]
    if name not in names and name not in ("cv", "agreement", "held_out"):
        names.insert(names.index("entropy"), name)
    ranked = list(comparison)
    if name not in ("agreement", "held_out"):
        ranked = sorted(comparison, key=lambda one: one.criterion(name))[:MOST_ROWS]
    kept = [
        (one, row)
        for one, row in zip(comparison, comparison.rows(), strict=True)
        if any(one is other for other in ranked)
    ]
    cells = [
        [*(_cell(key, row[key]) for key in names), "chosen" if one is best else ""]
        for one, row in kept
    ]
    return [*(HEADINGS[key] for key in names), ""], cells


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if name in ("entropy", "agreement", "held_out", "cross_validated"):
        return f"{value:.3f}"
    if name == "seconds":
        return f"{value:.2f}"
    if name in ("n_components", "n_parameters", "smallest"):
        return f"{value:,.0f}"
    return f"{value:,.1f}"
