"""Draw the pictures of the benchmark pages from saved results."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from .labelled_scores import Scores, has_ari
from .optimum_scores import Summary, mean

PEER = "scikit-learn EM"
COLOURS = {"EM": "#0072B2", "BEEM": "#D55E00"}
METHOD_LOOKS = {  # colour, marker, filled
    "auto": ("#D55E00", "*", True),
    "auto-by-distance": ("#CC79A7", "*", True),
    "beem": ("#D55E00", "o", False),
    "beem+em": ("#D55E00", "o", True),
    "sklearn-kmeans-1": ("#0072B2", "s", False),
    "sklearn-kmeans-10": ("#0072B2", "s", True),
    "sklearn-kmeans-10-loose": ("#56B4E9", "s", True),
    "sklearn-kmeans++-1": ("#009E73", "D", False),
    "sklearn-kmeans++-10": ("#009E73", "D", True),
    "pomegranate": ("#777777", "^", True),
}
LABELLED_LOOKS = {  # colour, marker, filled
    "boltzmix": ("#D55E00", "*", True),
    "EM from K-means": ("#CC79A7", "P", True),
    "Gaussian EM from K-means": ("#CC79A7", "P", False),
    "scikit-learn": ("#0072B2", "s", True),
    "scikit-learn 10 runs": ("#0072B2", "s", False),
    "scikit-learn Bayesian": ("#56B4E9", "D", True),
    "K-means": ("#009E73", "^", True),
    "Ward": ("#009E73", "v", False),
    "mclust": ("#777777", "X", True),
}
SEQUENCES_LOOKS = {
    "boltzmix": ("#D55E00", "*", True),
    "boltzmix without slopes": ("#D55E00", "o", False),
    "boltzmix HMM(5)": ("#CC79A7", "P", True),
    "k-Shape": ("#0072B2", "s", True),
    "DTW k-means": ("#56B4E9", "D", True),
    "K-means": ("#009E73", "^", True),
    "GMM on PCA": ("#777777", "X", True),
}
Looks = Mapping[str, tuple[str, str, bool]]
CHAIN_PEERS = ("hmmlearn", "hmmlearn, scaling")
CHAIN_COLOURS = {"boltzmix": "#0072B2", "boltzmix, HMM.fit": "#56B4E9"}


def draw_iterations(rows: list[dict[str, Any]]) -> Figure:
    """Draw how many times faster an iteration is than scikit-learn's."""
    canvas = Figure(figsize=(10, 4), layout="constrained")
    for axes, covariance in zip(canvas.subplots(1, 2, sharey=True), ("full", "diag"), strict=True):
        chosen = [row for row in rows if row["covariance"] == covariance]
        names = [name for name in chosen[0]["seconds"] if name != PEER]
        for place, name in enumerate(names):
            ratios = [row["seconds"][PEER] / row["seconds"][name] for row in chosen]
            colour = ("#999999", "#0072B2", "#D55E00")[place]
            where = np.arange(len(chosen)) + 0.27 * (place - 1)
            bars = axes.bar(where, ratios, 0.25, color=colour, label=name)
            axes.bar_label(bars, fmt="%.1f", fontsize=7)
        axes.axhline(1, color="0.3", lw=0.8)
        axes.set_xticks(
            range(len(chosen)), [f"{_short(r['n'])}\n{r['d']} × {r['k']}" for r in chosen]
        )
        axes.set_title(f"{covariance} covariance")
        axes.set_xlabel("rows, dimensions × components")
    canvas.axes[0].set_ylabel("times faster than scikit-learn's EM")
    canvas.axes[0].legend()
    return canvas


def draw_growth(growth: dict[str, list[dict[str, float]]]) -> Figure:
    """Draw seconds per iteration against N, D and K, with slopes."""
    canvas = Figure(figsize=(12, 3.8), layout="constrained")
    for axes, (axis, rows) in zip(canvas.subplots(1, 3), growth.items(), strict=True):
        along = [row[axis] for row in rows]
        for name, colour in COLOURS.items():
            seconds = [row[name] for row in rows]
            slope = _slope(along, seconds)
            axes.loglog(along, seconds, "o-", color=colour, label=f"{name}, slope {slope:.2f}")
        fixed = [other for other in ("n", "d", "k") if other != axis]
        title = ", ".join(f"{other.upper()} = {rows[0][other]:,.0f}" for other in fixed)
        axes.set_title(title, fontsize="medium")
        axes.set_xticks(along, [f"{value:,.0f}" for value in along], fontsize="small")
        axes.minorticks_off()
        axes.set_xlabel(axis.upper())
        axes.legend()
        axes.grid(alpha=0.3)
    canvas.axes[0].set_ylabel("seconds per iteration")
    return canvas


def draw_sequences(found: dict[str, Any]) -> Figure:
    """Draw how many times faster than hmmlearn an iteration of Baum–Welch is."""
    canvas = Figure(figsize=(10, 4), layout="constrained")
    rows = found["chains"]
    for axes, peer in zip(canvas.subplots(1, 2), CHAIN_PEERS, strict=True):
        for place, (name, colour) in enumerate(CHAIN_COLOURS.items()):
            ratios = [row["seconds"][peer] / row["seconds"][name] for row in rows]
            where = np.arange(len(rows)) + 0.37 * (place - 0.5)
            bars = axes.bar(where, ratios, 0.35, color=colour, label=name)
            axes.bar_label(bars, fmt="%.0f", fontsize=8)
        axes.axhline(1, color="0.3", lw=0.8)
        axes.set_xticks(
            range(len(rows)), [f"{r['n']} × {r['length']}\n{r['d']} × {r['s']}" for r in rows]
        )
        axes.set_title(f"times faster than {peer}")
        axes.set_xlabel("sequences × mean length, dimensions × states")
    canvas.axes[0].legend()
    return canvas


def draw_optimum(found: dict[str, Summary], peer: str) -> Figure:
    """Draw success against time, with one marker per method."""
    canvas = Figure(figsize=(8, 5), layout="constrained")
    axes = canvas.subplots()
    most = max(one.sets for one in found.values())
    for name, one in found.items():
        colour, marker, filled = METHOD_LOOKS[name]
        fewer = "" if one.sets == most else f" ({one.sets} sets)"
        axes.plot(
            one.time, one.success, marker, color=colour, label=name + fewer, ls="none",
            ms=14 if marker == "*" else 9, mew=1.8, mfc=colour if filled else "white",
        )  # fmt: skip
    axes.axvline(1, color="0.8", lw=0.8, zorder=0)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} ×"))
    axes.set_ylim(-0.05, 1.05)
    axes.set_xlabel(f"time of a fit, relative to {peer} (median over {most} sets)")
    axes.set_ylabel("fraction of fits that find the optimum")
    axes.grid(alpha=0.3)
    canvas.legend(loc="outside right upper", frameon=False)
    return canvas


def draw_labelled(
    scores: Scores, groups: Mapping[str, list[str]], looks: Looks = LABELLED_LOOKS
) -> Figure:
    """Draw the ARI of every method, with a row for each set and a panel for each group."""
    heights = [len(sets) + 2 for sets in groups.values()]
    canvas = Figure(figsize=(10, 1 + 0.38 * sum(heights)), layout="constrained")
    panels = canvas.subplots(len(groups), 1, sharex=True, squeeze=False, height_ratios=heights)
    shown: dict[str, Any] = {}
    for axes, (group, sets) in zip(panels[:, 0], groups.items(), strict=True):
        shown |= _draw_sets(axes, scores, sets, looks)
        axes.set_title(f"{group} sets", fontsize="medium", loc="left")
    panels[-1, 0].set_xlabel("adjusted Rand index with the classes (mean over the seeds)")
    ordered = [name for name in looks if name in shown]
    canvas.legend(
        [shown[name] for name in ordered], ordered, loc="outside right upper", frameon=False
    )
    return canvas


def _draw_sets(axes: Any, scores: Scores, sets: list[str], looks: Looks) -> dict[str, Any]:
    """Draw a row for each set and one for the mean of methods with all sets; return the markers."""
    shown = {}
    shifts = np.linspace(-0.28, 0.28, len(looks))  # so that equal scores are all seen
    for shift, (name, (colour, marker, filled)) in zip(shifts, looks.items(), strict=True):
        places = [place for place, one in enumerate(sets) if has_ari(scores, one, name)]
        values = [scores[sets[place], name].ari for place in places]
        if len(values) == len(sets):
            places, values = [*places, len(sets)], [*values, mean(values)]
        own = marker == "*"
        if values:
            (shown[name],) = axes.plot(
                values, np.array(places) + (0 if own else shift), marker, color=colour, ls="none",
                ms=14 if own else 6, mew=1.3, mfc=colour if filled else "white",
                mec="black" if own else colour, zorder=4 if own else 3,
            )  # fmt: skip
    axes.set_yticks(range(len(sets) + 1), [*sets, "mean over the sets"])
    for place in range(0, len(sets), 2):
        axes.axhspan(place - 0.5, place + 0.5, color="0.95", zorder=0)
    axes.axhline(len(sets) - 0.5, color="0.3", lw=0.8)
    axes.set_ylim(len(sets) + 0.5, -0.5)
    axes.grid(axis="x", alpha=0.3)
    return shown


PICTURES: dict[str, Callable[[Any], Figure]] = {
    "iterations": draw_iterations,
    "growth": draw_growth,
    "sequences": draw_sequences,
}


def _slope(along: list[float], seconds: list[float]) -> float:
    half = len(along) // 2
    return float(np.polyfit(np.log(along[half:]), np.log(seconds[half:]), 1)[0])


def _short(n: int) -> str:
    return f"{n // 1_000_000}M" if n >= 1_000_000 else f"{n // 1000}k"
