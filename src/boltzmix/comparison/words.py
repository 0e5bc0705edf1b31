"""A comparison of mixtures in words: which was chosen, how sure that is, and its tables."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..data import FloatArray, counted, joined
from ..learning import AgreementCurve
from ..look import html_table, text_table

if TYPE_CHECKING:
    from ..comparison import Comparison

MOST_NAMED = 4  # numbers that a sentence names one by one


def describe_agreement(curve: AgreementCurve, n_clusters: int, noun: str, n_components: int) -> str:
    """Say how far fits to halves of the observations agree, and which numbers are as good.

    Parameters
    ----------
    curve : AgreementCurve
        Over numbers of clusters.
    n_clusters : int
        The number that was taken.
    noun : str
        The plural noun for the observations.
    n_components : int
        Number of components; if there are more than clusters, some are merged.
    """
    what = "One cluster" if n_clusters == 1 else f"{n_clusters} clusters"
    if n_components > n_clusters:
        what += f" of {n_components} components"
    known = {
        int(k): float(one) for k, one in zip(curve.numbers, curve.median, strict=True) if k > 1
    }
    halves = f"fits to halves of the {noun}"
    if not known:
        return f"{what}: {halves} were not compared for several clusters."
    if n_clusters == 1:
        best = max(known, key=lambda k: known[k])
        needed = float(curve.least[curve.place(best)])
        return (
            f"{what}, no cluster structure: {halves} agree by {known[best]:.2f} at most, where"
            f" {best} clusters need {needed:.2f}."
        )
    if n_clusters not in known:
        return f"{what}; {halves} were not compared for so many."
    if n_clusters != curve.chosen:
        return f"{what}; {halves} agree by {known[n_clusters]:.2f}; {_chosen(curve, known)}."
    if curve.is_low:
        return (
            f"{what}, the best of the numbers compared, but no cluster structure: {halves} agree by"
            f" {curve.highest:.2f} at most."
        )
    return f"{what}; {halves} agree by {known[n_clusters]:.2f}{_others(curve, known, n_clusters)}."


def _chosen(curve: AgreementCurve, known: dict[int, float]) -> str:
    """Say which number halves agree on, where another one was asked for."""
    if curve.chosen == 1:
        return "no number agrees by more than that of one cluster"
    return f"{curve.chosen} agree by {known[curve.chosen]:.2f}"


def _others(curve: AgreementCurve, known: dict[int, float], n_clusters: int) -> str:
    """Say which other numbers are about as good, or how far the next best is from it."""
    others = [int(k) for k in curve.plausible if k != n_clusters]
    if not others:
        rest = {k: one for k, one in known.items() if k != n_clusters}
        best = max(rest, key=lambda k: rest[k], default=None)
        return "" if best is None else f"; {best} agree by {rest[best]:.2f}"
    means = sorted(known[k] for k in others)
    by = f"{means[0]:.2f}"
    if f"{means[-1]:.2f}" != by:
        by += f" to {means[-1]:.2f}"
    score = {int(k): one for k, one in zip(curve.numbers, curve.mean_held_out, strict=True)}
    is_better = max(score[k] for k in others) > score[n_clusters]
    why = ", but predict the other half less well"
    if is_better:
        why = ", and predict the other half better, but by too little"
    return f"; {_range(others, [*known], n_clusters)} about as good ({by}){why}"


def _range(others: list[int], known: list[int], n_clusters: int) -> str:
    """Name several numbers: as a range, where all that were compared in it are among them."""
    if len(others) <= 2:
        return f"{joined(others)} are"
    low, high = min(others), max(others)
    inside = {k for k in known if low <= k <= high}
    if inside - {n_clusters} == set(others):
        except_own = f" other than {n_clusters}" if n_clusters in inside else ""
        return f"all numbers from {low} to {high}{except_own} are"
    if len(others) <= MOST_NAMED:
        return f"{joined(others)} are"
    return f"{counted(len(others), 'other number')} from {low} to {high} are"


def describe_spread(agreements: FloatArray) -> str:
    """Write the median agreement of the splits, and its range: "0.93 (0.88 to 0.97)"."""
    return f"{np.median(agreements):.2f} ({np.min(agreements):.2f} to {np.max(agreements):.2f})"


AGREEMENT, HELD_OUT = "agreement", "held_out"  # which halves of the observations tell

CRITERION_NAMES = {
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
    **CRITERION_NAMES,
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


def describe_choice(comparison: "Comparison", model: object = None) -> str:
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
        f" candidate{'s' if len(comparison) > 1 else ''} by {CRITERION_NAMES[name]} ({value:,.1f})"
    )
    if not others:
        return sentence + "."
    second = min(others, key=lambda one: one.criterion(name))
    which = counted(second.n_components, "component")
    if second.family != best.family:
        which += f" of {second.family}"
    return f"{sentence}; next is {which} ({second.criterion(name):,.1f})."


def _describe_halves(comparison: "Comparison", model: Any) -> str:
    """Say how sure a choice is that fits to halves of the observations made."""
    best, curve = comparison.best_candidate(), curve_of_halves(comparison)
    assert curve is not None
    n_clusters = n_clusters_of(comparison) if model is None else model.n_clusters_
    sentence = describe_agreement(curve, n_clusters, comparison.noun, best.n_components)
    n_families = len({one.family for one in comparison})
    if n_families == 1:
        return sentence
    return (
        f"{sentence} Of {n_families} families, {best.family} has the highest likelihood of the"
        " other half."
    )


def curve_of_halves(comparison: "Comparison") -> AgreementCurve | None:
    """Return the agreement curve that chose, or None if none did."""
    if comparison.chosen_by not in (AGREEMENT, HELD_OUT):
        return None
    return comparison.clusters or comparison.agreement[comparison.best_candidate().family]


def n_clusters_of(comparison: "Comparison") -> int:
    """Return the number of clusters that was taken, by the agreement curve that chose."""
    curve = curve_of_halves(comparison)
    assert curve is not None
    return curve.chosen if curve.by_component is None else len(curve.by_component)


def describe_comparison(comparison: "Comparison") -> str:
    """Return the tables of a comparison as text, with the best candidate marked."""
    columns, rows = shown_table(comparison)
    left = len(comparison) - len(rows)
    more = [f"… and {left} more"] if left > 0 else []
    numbers = [text_table(*table) for table in [numbers_table(comparison)] if table is not None]
    return "\n".join([text_table(columns, rows), *more, *numbers, describe_choice(comparison)])


def comparison_table(comparison: "Comparison") -> str:
    """Return the tables of a comparison as HTML, with the best candidate in bold."""
    columns, rows = shown_table(comparison)
    found = html_table(columns, rows, describe_choice(comparison), [bool(row[-1]) for row in rows])
    numbers = numbers_table(comparison)
    if numbers is None:
        return found
    columns, rows = numbers
    return found + html_table(columns, rows, bold=[row[-1] == CHOSEN for row in rows])


def numbers_table(comparison: "Comparison") -> tuple[list[str], list[list[str]]] | None:
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


def shown_table(comparison: "Comparison") -> tuple[list[str], list[list[str]]]:
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


def _cell(name: str, value: object) -> str:
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
