"""Write the page and the picture of the benchmark `choice` from its saved results."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .choice_methods import CHOOSERS
from .choice_sets import OVERLAPPING, SEPARATED, TIMED
from .labelled_sets import LABELLED
from .pictures import draw_choices
from .tables import sessions_text, sets_by_methods, table

Row = dict[str, Any]
Sets = Mapping[tuple[str], Row]
Fits = Mapping[tuple[str, str, int], Row]
TITLES = {
    SEPARATED: "Separated clusters",
    OVERLAPPING: "Overlapping clusters",
    LABELLED: "Real sets with known classes",
}
RULES = (
    '`boltzmix` is `Mixture(n_components="auto")`, without a largest number, by its default'
    " criterion; columns named by another criterion are the same with that one. `14 shapes` is"
    " `compare` with `Gaussian` of all shapes of mclust. scikit-learn takes the lowest BIC of full"
    " covariances, ten runs for each number; mclust the best BIC of 14 shapes. Those that need a"
    " largest number get 1.4 K + 4. Simulated clusters have random covariances with random axes"
    " (`axes`: along the columns), 150 rows each, at least 500 in all; means lie 5 deviations apart"
    " (`far`) or 2.5 (`near`)."
)


@dataclass(frozen=True)
class Scores:
    """How a method did on a set.

    Parameters
    ----------
    found : float
        How often it chose the known number.
    numbers : tuple of int
        What it chose.
    ari, seconds : float
        Means over seeds.
    errors : int
    """

    found: float
    numbers: tuple[int, ...]
    ari: float
    seconds: float
    errors: int


def score_choices(sets: Sets, fits: Fits) -> dict[tuple[str, str], Scores]:
    """Return the scores of each method on each set."""
    grouped: dict[tuple[str, str], list[Row]] = {}
    for (name, method, _), row in fits.items():
        grouped.setdefault((name, method), []).append(row)
    return {key: _scores(rows, sets[(key[0],)]["k"]) for key, rows in grouped.items()}


def _scores(rows: list[Row], k: int) -> Scores:
    good = [row for row in rows if "error" not in row]
    numbers = tuple(row["k"] for row in good)
    if not good:
        return Scores(0.0, (), 0.0, 0.0, len(rows))
    return Scores(
        sum(one == k for one in numbers) / len(rows),
        numbers,
        float(np.mean([row["ARI"] for row in good])),
        float(np.median([row["seconds"] for row in good])),
        len(rows) - len(good),
    )


def write_page(sets: Sets, fits: Fits, sessions: list[Row], folder: Path) -> list[Path]:
    """Write the page and its picture; return their paths."""
    paths = [folder / "choice.md"]
    paths[0].write_text(markdown(sets, fits, sessions))
    scores = score_choices(sets, fits)
    if scores:
        paths.append(folder / "choice.png")
        groups = {title: names_of(sets, group) for group, title in TITLES.items()}
        draw_choices(scores, groups, list(CHOOSERS)).savefig(paths[-1], dpi=120)
    return paths


def names_of(sets: Sets, group: str) -> list[str]:
    """Return the names of the sets of a group."""
    names = [name for (name,), row in sets.items() if row["group"] == group]
    return sorted(names, key=lambda name: (sets[(name,)]["k"], sets[(name,)]["d"], name))


def markdown(sets: Sets, fits: Fits, sessions: list[Row]) -> str:
    """Return the page as Markdown."""
    scores = score_choices(sets, fits)
    seeds = 1 + max((seed for _, _, seed in fits), default=-1)
    parts = [
        "# How many clusters",
        f"Measured by `python -m benchmarks choice`, at most {seeds} seeds. Sessions:"
        f" {sessions_text(fits.values(), sessions)}.",
        RULES,
        "![How often each method finds the number](choice.png)",
    ]
    for group, title in TITLES.items():
        parts += section(title, scores, names_of(sets, group))
    parts += timed_section(scores, names_of(sets, TIMED))
    return "\n\n".join(parts) + "\n"


def section(title: str, scores: Mapping[tuple[str, str], Scores], names: list[str]) -> list[str]:
    """Return the tables of a group of sets."""
    if not any(name == key[0] for key in scores for name in names):
        return []
    return [
        f"## {title}",
        "Mean over the sets that each method was run on:",
        summary(scores, names),
        "How often the known number was found, and the mean ARI:",
        sets_by_methods(scores, names, CHOOSERS, lambda one: f"{one.found:.2f} ({one.ari:.2f})"),
    ]


def summary(scores: Mapping[tuple[str, str], Scores], names: Iterable[str]) -> str:
    """Return a table with one row for each method; the last column has the same sets for all."""
    names = set(names)
    rows = []
    for method in CHOOSERS:
        own = [one for (name, by), one in scores.items() if by == method and name in names]
        if own:
            rows.append(
                [
                    method,
                    str(len(own)),
                    f"{np.mean([one.found for one in own]):.2f}",
                    f"{np.mean([one.ari for one in own]):.3f}",
                    f"{np.median([one.seconds for one in own]):.2f}",
                ]
            )
    return table(["Method", "sets", "found", "ARI", "median seconds"], rows)


def timed_section(scores: Mapping[tuple[str, str], Scores], names: list[str]) -> list[str]:
    """Return the table of seconds."""
    if not any((name, method) in scores for name in names for method in CHOOSERS):
        return []
    return [
        "## Time for one to nine components",
        "Median seconds for 5 clusters in 8 columns:",
        sets_by_methods(scores, names, CHOOSERS, lambda one: f"{one.seconds:.2f}"),
    ]
