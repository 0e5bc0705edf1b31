"""Score each method on each set from the saved fits: success, gap, ARI, purity and time."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .optimum_sets import SETS

MARGIN = 2e-3  # a successful fit is at most so many nats below the reference
Row = dict[str, Any]
References = Mapping[tuple[str, int], Row]  # the key is the set and the number of the data
Fits = Mapping[tuple[str, str, int], Row]  # the key is the set, the method and the seed


@dataclass(frozen=True)
class Score:
    """The scores of a method on a set: means over the seeds, and the median of the time.

    A fit that ended in an error counts as no success, and is left out of the other scores.

    Parameters
    ----------
    seeds, errors : int
        Number of fits, and number of fits that ended in an error.
    success : float
        Fraction of fits that are at most MARGIN nats below the reference.
    gap : float
        Nats below the highest likelihood that any method found on the same data.
    ari, purity, seconds : float
    """

    seeds: int
    errors: int
    success: float
    gap: float
    ari: float
    purity: float
    seconds: float


Scores = dict[tuple[str, str], Score]  # the key is the set and the method


def score_all(references: References, fits: Fits) -> Scores:
    """Score every method on every set."""
    best = highest(references, fits)
    compared: dict[tuple[str, str], list[Row]] = {}
    for (name, method, seed), row in fits.items():
        data = (name, SETS[name].data_number(seed))
        own = dict(row)
        if "likelihood" in row:
            own["above"] = row["likelihood"] - references[data]["likelihood"]
            own["gap"] = best[data] - row["likelihood"]
        compared.setdefault((name, method), []).append(own)
    return {key: score(rows) for key, rows in compared.items()}


def highest(references: References, fits: Fits) -> dict[tuple[str, int], float]:
    """Return the highest likelihood of any fit or reference, for each set and its data."""
    best = {key: row["likelihood"] for key, row in references.items()}
    for (name, _, seed), row in fits.items():
        key = (name, SETS[name].data_number(seed))
        best[key] = max(best[key], row.get("likelihood", -np.inf))
    return best


def differences(fits: Fits, method: str, other: str) -> list[tuple[str, float]]:
    """Return set and difference in nats between two methods, for each seed that both fitted."""
    return [
        (name, row["likelihood"] - fits[name, other, seed]["likelihood"])
        for (name, one, seed), row in fits.items()
        if one == method
        and "likelihood" in row
        and "likelihood" in fits.get((name, other, seed), {})
    ]


def score(rows: list[Row]) -> Score:
    """Score the fits of one method on one set."""
    whole = [row for row in rows if "above" in row]
    return Score(
        seeds=len(rows),
        errors=len(rows) - len(whole),
        success=sum(row["above"] >= -MARGIN for row in whole) / len(rows),
        gap=mean(row["gap"] for row in whole),
        ari=mean(row["ARI"] for row in whole),
        purity=mean(row["purity"] for row in whole),
        seconds=float(np.median([row["seconds"] for row in whole])) if whole else np.nan,
    )


@dataclass(frozen=True)
class Summary:
    """The scores of a method over all its sets: mean success, gap and ARI, and median time.

    `certain` counts the sets on which at least 0.95 of the fits succeeded, and `time` is relative
    to a peer on the same set.
    """

    sets: int
    success: float
    certain: int
    gap: float
    ari: float
    time: float


def summarise(scores: Scores, sets: Iterable[str], method: str, peer: str) -> Summary | None:
    """Summarise the scores of a method on some sets; return None if it has no scores on them."""
    tried = [name for name in sets if (name, method) in scores]
    if not tried:
        return None
    own = [scores[name, method] for name in tried]
    ratios = [
        scores[name, method].seconds / scores[name, peer].seconds
        for name in tried
        if (name, peer) in scores
    ]
    return Summary(
        sets=len(tried),
        success=mean(one.success for one in own),
        certain=sum(one.success >= 0.95 for one in own),
        gap=mean(one.gap for one in own if one.errors < one.seeds),
        ari=mean(one.ari for one in own if one.errors < one.seeds),
        time=float(np.nanmedian(ratios)) if np.isfinite(ratios).any() else np.nan,
    )


def mean(values: Iterable[float]) -> float:
    """Return the mean; NaN if there are no values."""
    listed = list(values)
    return float(np.mean(listed)) if listed else np.nan
