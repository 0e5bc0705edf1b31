"""Write the page and the picture of the benchmark `sequences-labelled` from its saved results."""

from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

from .labelled_scores import Scores, Summary, has_ari, score, score_all, shared_sets, summarise
from .optimum_scores import Fits, mean
from .pictures import SEQUENCES_LOOKS, draw_labelled
from .sequences_labelled_methods import METHODS, OWN, PEER, PRINCIPAL
from .sequences_labelled_sets import PUBLISHED_K_SHAPE, PUBLISHED_MEANS, SERIES, SEVERAL
from .tables import sessions_text, sets_by_methods, table

NAME = "sequences-labelled"
PUBLISHED = "k-Shape, published"
Row = dict[str, Any]
Sets = Mapping[tuple[str], Row]  # the key is the name of the set

RULES = (
    "Every method knows the number of classes, K. ARI compares the clusters with the classes,"
    " which no method sees, and is a mean over the seeds. Train and test parts are taken together."
    " Series of the UCR archive are normalised one by one to mean 0 and deviation 1. Japanese"
    " Vowels and letters are left as they are for boltzmix; for the other methods, which need one"
    " length, they are interpolated at as many steps as the median sequence has, and their columns"
    " are standardised. Turned letters are the letters a to e as written, mirrored, upside down and"
    " written backwards: they stand for an alphabet of 20 letters.\n\n"
    f"`{OWN}` is `Mixture(HMM(), K)` fitted to `sequences.with_slopes()`, `boltzmix without slopes`"
    " the same fitted to the sequences as they are, and `boltzmix HMM(5)` has five states and"
    f" slopes. `{PEER}` and `DTW k-means` are tslearn's `KShape` and"
    " `TimeSeriesKMeans(metric='dtw')` with their defaults. `K-means` (10 starts) sees each"
    f" sequence as a row, and `GMM on PCA` is scikit-learn's `GaussianMixture` of {PRINCIPAL}"
    " principal components of these rows."
)


def write_page(sets: Sets, fits: Fits, sessions: list[Row], folder: Path) -> list[Path]:
    """Write the page and its picture; return their paths."""
    paths = [folder / f"{NAME}.md"]
    paths[0].write_text(markdown(sets, fits, sessions))
    groups = {group: names for group in (SERIES, SEVERAL) if (names := names_of(sets, group))}
    if groups:
        paths.append(folder / f"{NAME}.png")
        draw_labelled(score_all(fits), groups, SEQUENCES_LOOKS).savefig(paths[-1], dpi=120)
    return paths


def names_of(sets: Sets, group: str) -> list[str]:
    """Return the names of the sets of a group."""
    return sorted(name for (name,), row in sets.items() if row["group"] == group)


def markdown(sets: Sets, fits: Fits, sessions: list[Row]) -> str:
    """Return the page as Markdown."""
    scores = score_all(fits)
    series, several = names_of(sets, SERIES), names_of(sets, SEVERAL)
    seeds = 1 + max((seed for _, _, seed in fits), default=-1)
    parts = [
        "# Finding known classes of sequences",
        f"Measured by `python -m benchmarks {NAME} --seeds {seeds}`, in several sessions; not every"
        " method has as many seeds (see below)."
        f" Sessions: {sessions_text(fits.values(), sessions)}.",
        RULES,
    ]
    parts += [f"![ARI per set]({NAME}.png)"] if sets else []
    parts += series_section(scores, series)
    parts += several_section(scores, fits, several)
    shown = [*series, *several]
    parts += [
        "## Seeds",
        "Number of seeds of each method; the others were not run yet.",
        sets_by_methods(scores, shown, METHODS, lambda one: str(one.seeds)),
        "## Seconds",
        "The shortest fit over the seeds, as other work on the machine makes fits longer.",
        seconds_table(fits, shown),
    ]
    parts += ["## Sizes", _sizes(sets, shown)]
    return "\n\n".join(parts) + "\n"


def series_section(scores: Scores, sets: list[str]) -> list[str]:
    """Return the section on series of the archive, with the published scores of k-Shape."""
    if not sets:
        return []
    run = [method for method in METHODS if any(has_ari(scores, name, method) for name in sets)]
    shared = shared_sets(scores, sets, run)
    means = " and ".join(f"{value} for {name}" for name, value in PUBLISHED_MEANS.items())
    return [
        "## Series of the UCR archive",
        f"Means over the {len(shared)} sets that all methods were run on. Best counts the sets on"
        " which no method of this table has a higher ARI. The published means over 27 sets of the"
        f" archive are {means}.",
        summary_table(summarise(scores, shared, METHODS, PEER)),
        "ARI of each set; the last column is the mean of ten seeds that was published with"
        " tsml-eval.",
        _with_published(sets_by_methods(scores, sets, METHODS, lambda one: f"{one.ari:.3f}")),
    ]


def several_section(scores: Scores, fits: Fits, sets: list[str]) -> list[str]:
    """Return the section on sequences of different lengths and several columns."""
    if not sets:
        return []
    cells = [
        [name, method, str(len(own)), f"{scores[name, method].ari:.3f}",
         f"{mean(own):.3f}", f"{median(own):.3f}", f"{min(own):.3f}"]
        for name in sets
        for method in METHODS
        if (own := _purities(fits, name, method))
    ]  # fmt: skip
    header = ["Set", "method", "seeds", "ARI", "purity, mean", "median", "lowest"]
    return ["## Sequences of several columns", table(header, cells)]


def summary_table(found: dict[str, Summary]) -> str:
    """Return the table with a row for each method."""
    cells = [
        [name, f"{one.ari:.3f}", f"{one.nmi:.3f}", str(one.best), f"{one.warned} of {one.fits}"]
        for name, one in found.items()
    ]  # fmt: skip
    header = ["Method", "ARI", "NMI", "best", "fits with warnings"]
    return table(header, cells)


def seconds_table(fits: Fits, sets: list[str]) -> str:
    """Return the table of the seconds of the shortest fit of each method."""
    shortest: dict[tuple[str, str], Row] = {}
    for (name, method, _), row in fits.items():
        if "error" not in row:
            before = shortest.get((name, method), row)
            shortest[name, method] = min(before, row, key=lambda one: one["seconds"])
    scores = {key: score([row]) for key, row in shortest.items()}
    return sets_by_methods(scores, sets, METHODS, lambda one: f"{one.seconds:.2f}")


def _purities(fits: Fits, name: str, method: str) -> list[float]:
    chosen = [row for (one, other, _), row in fits.items() if (one, other) == (name, method)]
    return [row["purity"] for row in chosen if "error" not in row]


def _with_published(text: str) -> str:
    header, rule, *lines = text.splitlines()
    shown = [f"{header} {PUBLISHED} |", f"{rule} --- |"]
    for line in lines:
        value = PUBLISHED_K_SHAPE.get(line.split("|")[1].strip())
        shown.append(f"{line} {'–' if value is None else f'{value:.3f}'} |")
    return "\n".join(shown)


def _sizes(sets: Sets, names: list[str]) -> str:
    rows = [sets[(name,)] for name in names]
    cells = [[row["set"], str(row["n"]), row["lengths"], str(row["d"]), str(row["k"])]
             for row in rows]  # fmt: skip
    return table(["Set", "sequences", "steps", "columns", "K"], cells)
