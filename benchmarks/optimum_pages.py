"""Write the page and the picture of the benchmark `optimum` from its saved results."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .optimum_methods import (
    ABLATIONS,
    MAX_ITERATIONS,
    METHODS,
    PEER,
    REFERENCE_TOLERANCE,
    TOLERANCE,
)
from .optimum_scores import (
    MARGIN,
    Fits,
    References,
    Scores,
    Summary,
    differences,
    highest,
    score_all,
    summarise,
)
from .optimum_sets import SETS, Points
from .pictures import draw_optimum
from .tables import sessions_text, sets_by_methods, table

POINTS = [name for name, one in SETS.items() if one.kind is Points]
OTHERS = [name for name in SETS if name not in POINTS]
OWN, PAPER = "auto", "beem+em"
LEAST_DIFFERENCE = 1e-4  # nats; smaller differences between two fits are not counted


def write_page(
    references: References, fits: Fits, sessions: list[dict[str, Any]], folder: Path
) -> list[Path]:
    """Write the page and its picture; return their paths."""
    scores = score_all(references, fits)
    paths = [folder / "optimum.md"]
    paths[0].write_text(markdown(references, fits, sessions))
    found = summaries(scores, POINTS, METHODS)
    if PEER in found:
        paths.append(folder / "optimum.png")
        draw_optimum(found, PEER).savefig(paths[-1], dpi=120)
    return paths


def markdown(references: References, fits: Fits, sessions: list[dict[str, Any]]) -> str:
    """Return the page as Markdown."""
    scores = score_all(references, fits)
    parts = ["# Finding the optimum", about(fits, sessions), rules()]
    if any((name, PEER) in scores for name in POINTS):
        parts += ["![Success against time](optimum.png)"]
    parts += points_sections(scores, fits)
    parts += others_section(scores)
    parts += ablation_section(scores)
    parts += ["## Sets", SETS_TEXT, _sets_table(references, fits)]
    return "\n\n".join(parts) + "\n"


def about(fits: Fits, sessions: list[dict[str, Any]]) -> str:
    """Describe the command, the dates and the machine."""
    seeds = 1 + max((seed for _, _, seed in fits), default=-1)
    counts = {name: sum(key[:2] == (name, OWN) for key in fits) for name in SETS}
    few = [f"{name} ({n})" for name, n in counts.items() if 0 < n < seeds]
    return (
        f"Measured by `python -m benchmarks optimum --seeds {seeds}`, all methods one after the"
        f" other at each seed. Sessions: {sessions_text(fits.values(), sessions)}."
        + (f" Sets with fewer seeds: {', '.join(few)}." if few else "")
    )


def rules() -> str:
    """Define the scores, and explain how the methods are made comparable."""
    return (
        f"A fit succeeds if its mean log-likelihood is at most {MARGIN:g} nats below that of the"
        " reference, or above it. The reference is our EM from the true labels, to a tolerance of"
        f" {REFERENCE_TOLERANCE:g}. The gap is the difference to the highest likelihood that any"
        " method found on the same data. The likelihood of every method is computed by the same"
        " function, from its weights, means and covariances. Fits that ended in an error are"
        " counted in brackets.\n\n"
        "All methods maximise the same likelihood: the columns are scaled so that the ridge of"
        " `Gaussian` is the same number in all of them, which does not change our fits, and this"
        " number is also scikit-learn's `reg_covar`. pomegranate has no ridge for full"
        " covariances, so the ridge is added to the covariances it found. Every EM has a tolerance"
        f" of {TOLERANCE:g} and at most {MAX_ITERATIONS} iterations. scikit-learn's default"
        " tolerance of 1e-3 is faster, but where clusters overlap most fits stop further below the"
        " optimum than the margin; `sklearn-kmeans-10-loose` uses it.\n\n"
        "In the names of methods, `sklearn-kmeans-10` is `GaussianMixture` with"
        ' `init_params="kmeans"` and `n_init=10`, and so on; `beem+em` is the paper\'s BEEM, then'
        ' EM. Sets named "K…-D…", sequences and curves are drawn again for every seed.'
    )


def points_sections(scores: Scores, fits: Fits) -> list[str]:
    """Return the sections on points."""
    found = summaries(scores, POINTS, METHODS)
    if not found:
        return []
    return [
        "## Points",
        "Success, gap and ARI are means over the sets. Certain sets are those with a success of at"
        f" least 0.95. Time is relative to `{PEER}` on the same set; the median over the sets is"
        " shown.",
        _summary_table(found),
        *shortfalls(scores),
        *below_the_paper(fits),
        "### Success",
        sets_by_methods(scores, POINTS, METHODS, lambda one: f"{one.success:.2f}"),
        "### Gap to the best likelihood, in nats",
        sets_by_methods(scores, POINTS, METHODS, lambda one: f"{one.gap:.4f}"),
        "### Adjusted Rand index",
        sets_by_methods(scores, POINTS, METHODS, lambda one: f"{one.ari:.3f}"),
        "### Seconds",
        "Medians over the seeds.",
        sets_by_methods(scores, POINTS, METHODS, lambda one: f"{one.seconds:.2f}"),
    ]


def shortfalls(scores: Scores) -> list[str]:
    """List the sets on which `auto` succeeds less often, or takes longer, than the peer."""
    both = [name for name in POINTS if (name, OWN) in scores and (name, PEER) in scores]
    if not both:
        return []
    rarer = [n for n in both if scores[n, OWN].success < scores[n, PEER].success]
    slower = [n for n in both if scores[n, OWN].seconds >= scores[n, PEER].seconds]
    return [
        f"Of {len(both)} sets, `{OWN}` succeeds less often than `{PEER}` on"
        f" {', '.join(rarer) or 'none'}, and takes longer on {', '.join(slower) or 'none'}."
    ]


def below_the_paper(fits: Fits) -> list[str]:
    """Count the fits of `auto` on any set that end below the paper's BEEM followed by EM."""
    apart = differences(fits, OWN, PAPER)
    if not apart:
        return []
    below = [(name, -one) for name, one in apart if one < -LEAST_DIFFERENCE]
    where = [
        f"{n} of {name}, by {max(one for other, one in below if other == name):.4f} at most"
        for name, n in Counter(name for name, _ in below).items()
    ]
    details = f": {'; '.join(where)}" if where else ""
    return [
        f"Of {len(apart):,} fits, `{OWN}` ended more than {LEAST_DIFFERENCE:g} nats below `{PAPER}`"
        f" with the same seed in {len(below)}{details}."
    ]


def others_section(scores: Scores) -> list[str]:
    """Return the section on sequences and curves."""
    tried = [
        (name, method)
        for name in OTHERS
        for method in [*METHODS, *ABLATIONS]
        if (name, method) in scores
    ]
    if not tried:
        return []
    cells = []
    for key in tried:
        one = scores[key]
        cells.append(
            [*key, f"{one.success:.2f}", f"{one.gap:.4f}", f"{one.purity:.3f}",
             f"{one.ari:.3f}", f"{one.seconds:.2f}"]
        )  # fmt: skip
    return [
        "## Sequences and curves",
        "Sequences of lengths 20 to 50 are drawn from three random hidden Markov models, and points"
        " are drawn on two functions that cross. Gaps are in nats per sequence, or per point."
        " Points on curves depend on each other, so the lower bound on their joint likelihood"
        " (`lower_bound_`) replaces the likelihood.",
        table(["Set", "Method", "success", "gap", "purity", "ARI", "seconds"], cells),
    ]


def ablation_section(scores: Scores) -> list[str]:
    """Return the section that compares `auto` with variants of it that lack one part."""
    shown = [OWN, *ABLATIONS]
    shared = [name for name in POINTS if all((name, method) in scores for method in shown)]
    found = summaries(scores, shared, shown)
    if not found:
        return []
    return [
        "## Without one part",
        f"`{OWN}`, and the same algorithm without one of its parts: means over the {len(shared)}"
        " sets of points on which all of them were run. The second table shows success.",
        _summary_table(found),
        sets_by_methods(scores, [*shared, *OTHERS], shown, lambda one: f"{one.success:.2f}"),
    ]


SETS_TEXT = (
    "The first data of each set: the ARI between the true labels and those of EM started from them,"
    " which is lower where clusters overlap; by how many nats the best fit of any method was above"
    " that EM; and by how many nats scikit-learn's EM from the true labels ended above ours."
)


def summaries(scores: Scores, sets: list[str], methods: Iterable[str]) -> dict[str, Summary]:
    """Summarise the methods that have scores on the sets."""
    found = {method: summarise(scores, sets, method, PEER) for method in methods}
    return {method: one for method, one in found.items() if one is not None}


def _summary_table(found: dict[str, Summary]) -> str:
    cells = [
        [method, f"{one.success:.2f}", f"{one.certain} of {one.sets}", f"{one.gap:.4f}",
         f"{one.ari:.3f}", f"{one.time:.2f}"]
        for method, one in found.items()
    ]  # fmt: skip
    return table(["Method", "success", "certain sets", "gap", "ARI", "time"], cells)


def _sets_table(references: References, fits: Fits) -> str:
    best, cells = highest(references, fits), []
    for name in SETS:
        row = references.get((name, 0))
        if row is not None:
            peer = row["scikit-learn"] - row["likelihood"] if "scikit-learn" in row else None
            cells.append(
                [name, f"{row['n']:,}", str(row.get("d", "–")), str(row["k"]), f"{row['ARI']:.3f}",
                 f"{best[name, 0] - row['likelihood']:.4f}",
                 "–" if peer is None else f"{peer:+.1e}"]
            )  # fmt: skip
    return table(
        ["Set", "N", "D", "K", "ARI of EM from true labels", "best fit", "scikit-learn's EM"],
        cells,
    )
