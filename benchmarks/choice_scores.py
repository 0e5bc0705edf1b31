"""Score each method on each set, and over groups of sets, from the saved fits of `choice`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import mode
from typing import Any

import numpy as np

from .optimum_scores import Fits, mean

Row = dict[str, Any]


@dataclass(frozen=True)
class Score:
    """The scores of a method on a set: means over the seeds, and the median of the time.

    Parameters
    ----------
    seeds, errors : int
        Number of fits, and number of fits that ended in an error; these have no other scores.
    ari : float
    right : float
        Share of the fits whose number of clusters is that of the classes.
    factor : float
        Mean of the absolute base-2 logarithm of clusters per class.
    most : int
        The largest number of clusters.
    usual : int
        The most frequent number of clusters.
    ratio : float
        The largest number of clusters per class.
    seconds : float
    """

    seeds: int
    errors: int
    ari: float
    right: float
    factor: float
    most: int
    usual: int
    ratio: float
    seconds: float


Scores = Mapping[tuple[str, str], Score]  # the key is the set and the method


def score_all(fits: Fits) -> dict[tuple[str, str], Score]:
    """Score every method on every set."""
    rows: dict[tuple[str, str], list[Row]] = {}
    for (name, method, _), row in fits.items():
        rows.setdefault((name, method), []).append(row)
    return {key: score(some) for key, some in rows.items()}


def score(rows: list[Row]) -> Score:
    """Score the fits of one method on one set."""
    whole = [row for row in rows if "error" not in row]
    ratios = [row["k"] / row["classes"] for row in whole]
    return Score(
        seeds=len(rows),
        errors=len(rows) - len(whole),
        ari=mean(row["ARI"] for row in whole),
        right=mean(one == 1 for one in ratios),
        factor=mean(abs(np.log2(one)) for one in ratios),
        most=max((row["k"] for row in whole), default=0),
        usual=mode(row["k"] for row in whole) if whole else 0,
        ratio=max(ratios, default=np.nan),
        seconds=float(np.median([row["seconds"] for row in whole])) if whole else np.nan,
    )


@dataclass(frozen=True)
class Summary:
    """The scores of a method over sets: means of their scores, and the median of the time.

    `shared` is the mean ARI over the sets that all compared methods have scores on. `errors` counts
    the fits that ended in an error; sets without another fit are left out of the means.
    """

    sets: int
    errors: int
    ari: float
    shared: float
    right: float
    factor: float
    most: int
    ratio: float
    seconds: float


def fitted(scores: Scores, name: str, method: str) -> bool:
    """Whether a method was fitted to a set without an error at least once."""
    return (name, method) in scores and scores[name, method].errors < scores[name, method].seeds


def summarise(scores: Scores, sets: Iterable[str], methods: Iterable[str]) -> dict[str, Summary]:
    """Summarise the methods that have scores on some sets."""
    sets = list(sets)
    tried = [one for one in methods if any(fitted(scores, name, one) for name in sets)]
    shared = [name for name in sets if all(fitted(scores, name, one) for one in tried)]
    return {method: _summary(scores, sets, shared, method) for method in tried}


def _summary(scores: Scores, sets: list[str], shared: list[str], method: str) -> Summary:
    own = [scores[name, method] for name in sets if fitted(scores, name, method)]
    return Summary(
        sets=len(own),
        errors=sum(scores[name, method].errors for name in sets if (name, method) in scores),
        ari=mean(one.ari for one in own),
        shared=mean(scores[name, method].ari for name in shared),
        right=mean(one.right for one in own),
        factor=mean(one.factor for one in own),
        most=max(one.most for one in own),
        ratio=max(one.ratio for one in own),
        seconds=float(np.median([one.seconds for one in own])),
    )
