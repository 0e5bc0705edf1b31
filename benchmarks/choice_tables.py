"""The tables of the page of the benchmark `choice`."""

import re
from collections.abc import Mapping

import numpy as np

from .choice_methods import GIVEN, OPEN, OWN
from .choice_scores import Score, Scores, fitted, summarise
from .optimum_scores import mean
from .tables import table

COMPARED = (OWN, *GIVEN)  # where the number is given


def open_table(scores: Scores, names: list[str]) -> str:
    """Return a table with one row for each method that chooses the number."""
    cells = [
        [method, str(one.sets), str(one.errors), f"{one.ari:.3f}", _number(one.shared),
         f"{one.right:.2f}", f"{one.factor:.2f}", str(one.most), f"{one.ratio:.1f}",
         f"{one.seconds:.2f}"]
        for method, one in summarise(scores, names, OPEN).items()
    ]  # fmt: skip
    header = ["Method", "sets", "errors", "ARI", "shared", "right K", "factor", "largest K"]
    return table([*header, "largest K / classes", "median seconds"], cells)


def given_table(scores: Scores, names: list[str]) -> str:
    """Return a table with one row for each method that is given the number, and for our choice."""
    cells = [
        [method, str(one.sets), str(one.errors), f"{one.ari:.3f}", _number(one.shared),
         f"{one.seconds:.2f}"]
        for method, one in summarise(scores, names, COMPARED).items()
    ]  # fmt: skip
    return table(["Method", "sets", "errors", "ARI", "shared", "median seconds"], cells)


def published_tables(
    scores: Scores, names: list[str], published: Mapping[str, Mapping[str, float]]
) -> list[str]:
    """Return the ARI per set, with the figures that others published if there are any."""
    others = list(dict.fromkeys(one for name in names for one in published[name]))
    own = [one for one in COMPARED if any(fitted(scores, name, one) for name in names)]

    def values(name: str) -> list[float]:
        measured = [scores[name, one].ari if fitted(scores, name, one) else np.nan for one in own]
        return [*measured, *(published[name].get(one, np.nan) for one in others)]

    cells = np.array([values(name) for name in names])
    rows = [[name, *map(_number, row)] for name, row in zip(names, cells, strict=True)]
    means = [mean(column[np.isfinite(column)]) for column in cells.T]
    rows.append(["mean of those there are", *map(_number, means)])
    text = "ARI per set:"
    if others:
        text = f"ARI per set; {', '.join(others)} as published, on all rows of the sets:"
    return [text, table(["Set", *own, *others], rows)]


def kinds_table(scores: Scores, names: list[str], methods: list[str]) -> str:
    """Return a table of the share of fits that give one cluster, a row for each kind."""
    rows = []
    for kind in dict.fromkeys(map(kind_of, names)):
        own = [name for name in names if kind_of(name) == kind]
        shares = [
            mean(scores[name, one].right for name in own if fitted(scores, name, one))
            for one in methods
        ]
        rows.append([kind, *("–" if np.isnan(share) else f"{share:.2f}" for share in shares)])
    return table(["Kind", *methods], rows)


def kind_of(name: str) -> str:
    """Return the kind of a population, which may have several numbers of columns."""
    return re.sub(r"-D\d+", "", name)


def cell(one: Score) -> str:
    if one.errors == one.seeds:
        return "–"
    share = f", {one.right:.2f}" if one.seeds > 1 else ""
    return f"{one.ari:.2f} ({one.usual}{share})"


def _number(value: float) -> str:
    return f"{value:.3f}" if np.isfinite(value) else "–"
