"""Score each method on each set with known classes from the saved fits."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .optimum_scores import Fits, mean

BEHIND = 0.10  # a method is behind another on a set if its ARI is lower by more than this
Row = dict[str, Any]


@dataclass(frozen=True)
class Score:
    """The scores of a method on a set: means over the seeds, and the median of the time.

    Parameters
    ----------
    seeds, errors : int
        Number of fits, and number of fits that ended in an error; these have no other scores.
    ari, nmi, seconds : float
    warned : int
        Number of fits that gave a warning or did not converge.
    """

    seeds: int
    errors: int
    ari: float
    nmi: float
    seconds: float
    warned: int


@dataclass(frozen=True)
class Agreement:
    """The mean ARI between the labels of pairs of seeds, and whether it includes all pairs."""

    ari: float
    complete: bool = True
    errors: int = 0

    def __str__(self) -> str:
        return f"{self.ari:.3f}" + "*" * (not self.complete)


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
    return Score(
        seeds=len(rows),
        errors=len(rows) - len(whole),
        ari=mean(row["ARI"] for row in whole),
        nmi=mean(row["NMI"] for row in whole),
        seconds=float(np.median([row["seconds"] for row in whole])) if whole else np.nan,
        warned=sum(row["warnings"] > 0 or row["converged"] is False for row in whole),
    )


@dataclass(frozen=True)
class Summary:
    """The scores of a method over all its sets: mean ARI and NMI, and the median of the time.

    `best` counts the sets on which no compared method has a higher ARI, to three decimals, and
    `behind` those on which its ARI is more than `BEHIND` below that of the peer.
    """

    sets: int
    ari: float
    nmi: float
    seconds: float
    best: int
    behind: int
    warned: int
    fits: int


def summarise(
    scores: Scores, sets: Iterable[str], methods: Iterable[str], peer: str
) -> dict[str, Summary]:
    """Summarise the methods that have scores on some sets."""
    sets, methods = list(sets), list(methods)
    highest = {name: _highest(scores, name, methods) for name in sets}
    found = {}
    for method in methods:
        own = {name: scores[name, method] for name in sets if has_ari(scores, name, method)}
        if own:
            found[method] = Summary(
                sets=len(own),
                ari=mean(one.ari for one in own.values()),
                nmi=mean(one.nmi for one in own.values()),
                seconds=float(np.median([one.seconds for one in own.values()])),
                best=sum(round(one.ari, 3) >= highest[name] for name, one in own.items()),
                behind=len(sets_behind(scores, own, method, peer)),
                warned=sum(one.warned for one in own.values()),
                fits=sum(one.seeds for one in own.values()),
            )
    return found


def has_ari(scores: Scores, name: str, method: str) -> bool:
    """Whether a method was fitted to a set without an error at least once."""
    return (name, method) in scores and scores[name, method].errors < scores[name, method].seeds


def sets_behind(scores: Scores, sets: Iterable[str], method: str, peer: str) -> list[str]:
    """Return the sets on which a method is behind the peer."""
    both = [name for name in sets if all(has_ari(scores, name, one) for one in (method, peer))]
    return [n for n in both if scores[n, method].ari < scores[n, peer].ari - BEHIND]


def shared_sets(scores: Scores, sets: Iterable[str], methods: Iterable[str]) -> list[str]:
    """Return the sets that all the methods were fitted to."""
    methods = list(methods)
    return [name for name in sets if all(has_ari(scores, name, one) for one in methods)]


def _highest(scores: Scores, name: str, methods: list[str]) -> float:
    found = [scores[name, one].ari for one in methods if has_ari(scores, name, one)]
    return round(max(found, default=np.nan), 3)
