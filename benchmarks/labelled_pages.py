"""Write the page and the picture of the benchmark `labelled` from its saved results."""

from collections.abc import Iterable, Mapping
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from .labelled_methods import ABLATIONS, FROM_CLASSES, METHODS, OWN, PEER, SAME_OBJECTIVE
from .labelled_scores import (
    BEHIND,
    Agreement,
    Scores,
    Summary,
    score_all,
    sets_behind,
    shared_sets,
    summarise,
)
from .labelled_sets import LABELLED, SIMULATED, simulated_names
from .optimum_scores import Fits, mean
from .pictures import draw_labelled
from .tables import sessions_text, sets_by_methods, table

HIGH_ARI, LEAST_AGREEMENT = 0.8, 0.95  # seeds should agree where the default's ARI is high
REACHED = 1e-3  # an objective that is lower by less than this is as good as another
LEAST_DIFFERENCE = 1e-4  # smaller differences between two objectives are not counted
Row = dict[str, Any]
Sets = Mapping[tuple[str], Row]  # the key is the name of the set
Agreements = Mapping[tuple[str, str], Row]  # the key is the set and the method


def write_page(
    sets: Sets, agreements: Agreements, fits: Fits, sessions: list[Row], folder: Path
) -> list[Path]:
    """Write the page and its picture; return their paths."""
    paths = [folder / "labelled.md"]
    paths[0].write_text(markdown(sets, agreements, fits, sessions))
    groups = {group: names_of(sets, group) for group in (LABELLED, SIMULATED)}
    groups = {group: names for group, names in groups.items() if names}
    if groups:
        paths.append(folder / "labelled.png")
        draw_labelled(score_all(fits), groups).savefig(paths[-1], dpi=120)
    return paths


def names_of(sets: Sets, group: str) -> list[str]:
    """Return the names of the sets of a group, in the order in which they are shown."""
    names = sorted(name for (name,), row in sets.items() if row["group"] == group)
    order = simulated_names()
    return sorted(names, key=lambda name: order.index(name) if name in order else -1)


def markdown(sets: Sets, agreements: Agreements, fits: Fits, sessions: list[Row]) -> str:
    """Return the page as Markdown."""
    scores = score_all(fits)
    real, drawn = names_of(sets, LABELLED), names_of(sets, SIMULATED)
    parts = ["# Finding known classes", about(fits, sessions), RULES]
    parts += ["![ARI per set](labelled.png)"] if sets else []
    parts += group_section(scores, real, "Labelled sets")
    parts += search_section(scores, fits, real)
    parts += agreement_section(scores, agreements, [*real, *drawn])
    parts += group_section(scores, drawn, "Simulated sets")
    parts += ablation_section(scores, real, drawn)
    parts += ["## Sizes", _sizes(sets, [*real, *drawn])]
    return "\n\n".join(parts) + "\n"


def about(fits: Fits, sessions: list[Row]) -> str:
    """Describe the command, the dates and the machine."""
    seeds = 1 + max((seed for _, _, seed in fits), default=-1)
    return (
        f"Measured by `python -m benchmarks labelled --seeds {seeds}`, all methods one after the"
        f" other at each seed. Sessions: {sessions_text(fits.values(), sessions)}."
    )


RULES = (
    "Every method is told the number of classes, K. The columns are standardised, and constant"
    " columns are left out. ARI and NMI compare the clusters with the classes, which no method"
    " sees. Classes that people gave need not be the clusters of the columns that were measured,"
    " so an ARI of 1 cannot be expected.\n\n"
    f"`{OWN}` is `Mixture(n_components=K)`, and `{SAME_OBJECTIVE}` climbs the same objective by EM"
    f" from K-means. `{PEER}` is `GaussianMixture` with its defaults, `scikit-learn 10 runs` the"
    " same with `n_init=10`, and `scikit-learn Bayesian` is `BayesianGaussianMixture`. `mclust` is"
    " R's `Mclust(X, G=K)`, which chooses the shape of the covariances by BIC; its time is that of"
    " this call alone. Shapes whose covariances become singular from its own start are left out of"
    " that choice. Ward and mclust are fitted once to each table. Ward does not depend on the seed;"
    " mclust does if there are more than 2,000 rows, because it then starts from a random subset,"
    " so its ARI there is that of one seed. The sets named K…-D… are drawn again for every seed."
)


def group_section(scores: Scores, sets: list[str], title: str) -> list[str]:
    """Return the section on a group of sets."""
    found = summarise(scores, sets, METHODS, PEER)
    if not found:
        return []
    return [
        f"## {title}",
        "ARI and NMI are means over the sets, and seconds are the median over the sets. Best counts"
        " the sets on which no method of this table has a higher ARI, and behind those on which"
        f" the ARI is more than {BEHIND:.2f} below that of `{PEER}`. The last column counts fits"
        " that gave a warning or did not converge.",
        _summary_table(found),
        *_behind(scores, sets),
        "ARI, mean over the seeds:",
        sets_by_methods(scores, sets, METHODS, lambda one: f"{one.ari:.3f}"),
    ]


def search_section(scores: Scores, fits: Fits, sets: list[str]) -> list[str]:
    """Return the section that compares the default with EM on the same objective."""
    shared = shared_sets(scores, sets, [OWN, SAME_OBJECTIVE])
    apart = [
        row["objective"] - fits[name, SAME_OBJECTIVE, seed]["objective"]
        for (name, method, seed), row in fits.items()
        if name in shared
        and method == OWN
        and "error" not in row
        and "error" not in fits.get((name, SAME_OBJECTIVE, seed), {"error": "not run"})
    ]
    if not apart:
        return []
    means = [mean(scores[name, one].ari for name in shared) for one in (OWN, SAME_OBJECTIVE)]
    higher = sum(one > LEAST_DIFFERENCE for one in apart)
    lower = sum(one < -LEAST_DIFFERENCE for one in apart)
    return [
        "## The search",
        f"Of {len(apart)} fits to labelled sets, the objective of `{OWN}` was higher than that of"
        f" `{SAME_OBJECTIVE}` with the same seed in {higher}, and lower in {lower} (by more than"
        f" {LEAST_DIFFERENCE:g}). Mean ARI over {len(shared)} sets: {means[0]:.3f} and"
        f" {means[1]:.3f}.",
        *success_table(fits),
    ]


def success_table(fits: Fits) -> list[str]:
    """Return the table of how often the default reaches the best objective that is known.

    That is the highest of the default and of EM on the same objective, from K-means and from the
    known classes. Sets that were not fitted from the known classes are left out.
    """
    names = list(dict.fromkeys(name for name, method, _ in fits if method == FROM_CLASSES))
    rows = []
    for name in names:
        seeds = [seed for one, method, seed in fits if (one, method) == (name, FROM_CLASSES)]
        tried = [seed for seed in seeds if objective_of(fits, name, OWN, seed) > -np.inf]
        hits = [
            objective_of(fits, name, OWN, seed)
            > max(objective_of(fits, name, one, seed) for one in (SAME_OBJECTIVE, FROM_CLASSES))
            - REACHED
            for seed in tried
        ]
        if hits:
            rows.append([name, f"{mean(hits):.2f}", str(len(hits))])
    if not rows:
        return []
    return [
        f"How often `{OWN}` reaches the best objective that is known (less {REACHED:g}): the"
        f" highest of its own, `{SAME_OBJECTIVE}` and `{FROM_CLASSES}`.",
        table(["Set", "success", "seeds"], rows),
    ]


def objective_of(fits: Fits, name: str, method: str, seed: int) -> float:
    """Return the objective of a fit; minus infinity if there is none."""
    found = fits.get((name, method, seed), {}).get("objective")
    return -np.inf if found is None else float(found)


def agreement_section(scores: Scores, agreements: Agreements, sets: list[str]) -> list[str]:
    """Return the section on how well the seeds of a method agree."""
    found = {
        key: Agreement(row["ARI"], row["pairs"] >= comb(scores[key].seeds - scores[key].errors, 2))
        for key, row in agreements.items()
    }
    if not found:
        return []
    low = [
        f"{name} ({found[name, OWN].ari:.3f})"
        for name in sets
        if (name, OWN) in found
        and scores[name, OWN].ari > HIGH_ARI
        and found[name, OWN].ari < LEAST_AGREEMENT
    ]
    return [
        "## Agreement between seeds",
        "Mean ARI between the labels of two seeds, for sets that are the same for every seed. Seeds"
        " are compared if they were fitted in the same session; a star marks means that lack some"
        f" pairs. Sets on which the ARI of `{OWN}` is above {HIGH_ARI} but its seeds agree by less"
        f" than {LEAST_AGREEMENT}: {', '.join(low) or 'none'}.",
        sets_by_methods(found, sets, METHODS, str),
    ]


def ablation_section(scores: Scores, real: list[str], drawn: list[str]) -> list[str]:
    """Return the section that compares the default with variants that lack one part."""
    shown = [OWN, *ABLATIONS]
    columns = {
        f"{title}, {len(shared)} sets": shared
        for title, names in (("labelled", real), ("simulated", drawn))
        if (shared := shared_sets(scores, names, shown))
    }
    if not columns:
        return []
    cells = [
        [
            method,
            *(f"{mean(scores[n, method].ari for n in names):.3f}" for names in columns.values()),
        ]
        for method in shown
    ]
    return [
        "## Without one part",
        f"Mean ARI of `{OWN}`, and of the same without one of its parts, over the sets on which all"
        " of them were run; then the ARI per set.",
        table(["Method", *columns], cells),
        sets_by_methods(scores, [*real, *drawn], shown, lambda one: f"{one.ari:.3f}"),
    ]


def _behind(scores: Scores, sets: Iterable[str]) -> list[str]:
    behind = sets_behind(scores, sets, OWN, PEER)
    if not behind:
        return []
    return [f"`{OWN}` is more than {BEHIND:.2f} below `{PEER}` on {', '.join(behind)}."]


def _summary_table(found: dict[str, Summary]) -> str:
    cells = [
        [method, str(one.sets), f"{one.ari:.3f}", f"{one.nmi:.3f}", f"{one.seconds:.3f}",
         str(one.best), str(one.behind), f"{one.warned} of {one.fits}"]
        for method, one in found.items()
    ]  # fmt: skip
    return table(
        ["Method", "sets", "ARI", "NMI", "seconds", "best", "behind", "fits with warnings"], cells
    )


def _sizes(sets: Sets, names: list[str]) -> str:
    rows = [sets[(name,)] for name in names]
    cells = [
        [row["set"], row["group"], f"{row['n']:,}", str(row["d"]), str(row["k"])] for row in rows
    ]
    return table(["Set", "group", "N", "D", "K"], cells)
