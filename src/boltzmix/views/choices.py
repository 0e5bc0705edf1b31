"""How sure the choice of a number of clusters is, in one sentence."""

from typing import Any

import numpy as np

from ..data import counted
from .words import joined

MOST_NAMED = 4  # numbers that a sentence names one by one


def describe_agreement(curve: Any, n_clusters: int, noun: str, n_components: int) -> str:
    """Say how far fits to halves of the observations agree, and which numbers are as good.

    Parameters
    ----------
    curve : AgreementCurve
        Over numbers of clusters.
    n_clusters : int
        The number that was taken.
    noun : str
        What the observations are called, in the plural.
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


def _chosen(curve: Any, known: dict[int, float]) -> str:
    """Say which number halves agree on, where another one was asked for."""
    if curve.chosen == 1:
        return "no number agrees by more than that of one cluster"
    return f"{curve.chosen} agree by {known[curve.chosen]:.2f}"


def _others(curve: Any, known: dict[int, float], n_clusters: int) -> str:
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
    if len(others) == 1:
        return f"{others[0]} are"
    low, high = min(others), max(others)
    inside = {k for k in known if low <= k <= high}
    if inside - {n_clusters} == set(others):
        except_own = f" other than {n_clusters}" if n_clusters in inside else ""
        return f"all numbers from {low} to {high}{except_own} are"
    if len(others) <= MOST_NAMED:
        return f"{joined(others)} are"
    return f"{counted(len(others), 'other number')} from {low} to {high} are"


def describe_spread(agreements: Any) -> str:
    """Write the median agreement of the splits, and its range: "0.93 (0.88 to 0.97)"."""
    return f"{np.median(agreements):.2f} ({np.min(agreements):.2f} to {np.max(agreements):.2f})"
