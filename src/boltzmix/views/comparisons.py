"""A comparison of mixtures, as text and as a notebook shows it."""

from typing import Any

from ..data import counted
from .choices import describe_agreement, describe_spread
from .tables import html_table, text_table

AGREEMENT, HELD_OUT = "agreement", "held_out"  # which halves of the observations tell

CRITERIA = {
    AGREEMENT: "agreement of halves",
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
    HELD_OUT: "other half",
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
    AGREEMENT,
    HELD_OUT,
    "cross_validated",
    "seconds",
)
CHOSEN = "chosen"
MOST_ROWS = 40  # of text; the best ones are shown


def describe_choice(comparison: Any, model: Any = None) -> str:
    """Say in one sentence which candidate was chosen, and why.

    Parameters
    ----------
    comparison : Comparison
    model : fitted mixture, optional
        The one that was chosen, which a comparison that was read from a file has no more.
    """
    best, name = comparison.best_candidate(), comparison.chosen_by
    if name in (AGREEMENT, HELD_OUT):
        return _describe_halves(comparison, best.model if model is None else model)
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


def _describe_halves(comparison: Any, model: Any) -> str:
    """Say how sure a choice is that fits to halves of the observations made."""
    best, curve = comparison.best_candidate(), curve_of_halves(comparison)
    n_clusters = n_clusters_of(comparison) if model is None else model.n_clusters_
    sentence = describe_agreement(curve, n_clusters, comparison.noun, best.n_components)
    n_families = len({one.family for one in comparison})
    if n_families == 1:
        return sentence
    return (
        f"{sentence} Of {n_families} families, {best.family} has the highest likelihood of the"
        " other half."
    )


def curve_of_halves(comparison: Any) -> Any:
    """Return the agreement curve that chose, or None if none did."""
    if comparison.chosen_by not in (AGREEMENT, HELD_OUT):
        return None
    return comparison.clusters or comparison.agreement[comparison.best_candidate().family]


def n_clusters_of(comparison: Any) -> int:
    """Return the number of clusters that was taken, by the agreement curve that chose."""
    curve = curve_of_halves(comparison)
    return curve.chosen if curve.by_component is None else len(curve.by_component)


def describe_comparison(comparison: Any) -> str:
    """Return the tables of a comparison as text, with the best candidate marked."""
    columns, rows = shown_table(comparison)
    left = len(comparison) - len(rows)
    more = [f"… and {left} more"] if left > 0 else []
    numbers = [text_table(*table) for table in [numbers_table(comparison)] if table is not None]
    return "\n".join([text_table(columns, rows), *more, *numbers, describe_choice(comparison)])


def comparison_table(comparison: Any) -> str:
    """Return the tables of a comparison as HTML, with the best candidate in bold."""
    columns, rows = shown_table(comparison)
    found = html_table(columns, rows, describe_choice(comparison), [bool(row[-1]) for row in rows])
    numbers = numbers_table(comparison)
    if numbers is None:
        return found
    columns, rows = numbers
    return found + html_table(columns, rows, bold=[row[-1] == CHOSEN for row in rows])


def numbers_table(comparison: Any) -> tuple[list[str], list[list[str]]] | None:
    """Return headings and cells of all numbers that halves were fitted with, if these chose.

    The last cell of a row says whether that number was chosen, or is about as good.
    """
    curve = curve_of_halves(comparison)
    if curve is None or not len(curve.numbers):
        return None
    plausible, taken = curve.plausible.tolist(), n_clusters_of(comparison)
    rows = []
    for place, number in enumerate(curve.numbers.tolist()):
        is_good = number in plausible and not curve.is_low
        mark = CHOSEN if number == taken else "about as good" if is_good else ""
        shown = "" if number == 1 else describe_spread(curve.agreements[place])
        rows.append([f"{number:,}", shown, f"{curve.mean_held_out[place]:.3f}", mark])
    if comparison.clusters is None:
        return ["components", HEADINGS[AGREEMENT], HEADINGS[HELD_OUT], ""], rows
    without = [[number, agreement, mark] for number, agreement, _, mark in rows]
    return ["clusters", HEADINGS[AGREEMENT], ""], without  # merges leave the likelihood as it is


def shown_table(comparison: Any) -> tuple[list[str], list[list[str]]]:
    """Return headings, and the cells of the best candidates in their order.

    The last cell of a row is not empty if that candidate was chosen.
    """
    best, name = comparison.best_candidate(), comparison.chosen_by
    names = [one for one in SHOWN if one in comparison.rows()[0]]
    if name not in names and name not in ("cv", AGREEMENT, HELD_OUT):
        names.insert(names.index("entropy"), name)
    ranked = list(comparison)
    if name not in (AGREEMENT, HELD_OUT):
        ranked = sorted(comparison, key=lambda one: one.criterion(name))[:MOST_ROWS]
    kept = [
        (one, row)
        for one, row in zip(comparison, comparison.rows(), strict=True)
        if any(one is other for other in ranked)
    ]
    cells = [
        [*(_cell(key, row[key]) for key in names), CHOSEN if one is best else ""]
        for one, row in kept
    ]
    return [*(HEADINGS[key] for key in names), ""], cells


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if name in ("entropy", AGREEMENT, HELD_OUT, "cross_validated"):
        return f"{value:.3f}"
    if name == "seconds":
        return f"{value:.2f}"
    if name in ("n_components", "n_parameters", "smallest"):
        return f"{value:,.0f}"
    return f"{value:,.1f}"
