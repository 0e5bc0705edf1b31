"""Draw saved measurements: a Markdown page and pictures."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

PEER = "scikit-learn EM"
COLOURS = {"EM": "#0072B2", "BEEM": "#D55E00"}


def write_pages(found: dict[str, Any], folder: Path) -> list[Path]:
    """Write the page and its pictures; return where."""
    paths = [folder / "speed.md", folder / "iterations.png", folder / "growth.png"]
    paths[0].write_text(markdown(found))
    draw_iterations(found["iterations"]).savefig(paths[1], dpi=120)
    draw_growth(found["growth"]).savefig(paths[2], dpi=120)
    return paths


def markdown(found: dict[str, Any]) -> str:
    """Return the benchmark page."""
    machine = found["machine"]
    packages = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    about = (
        "Every figure was measured in one run by `make bench`, contenders in turn, the best of"
        f" three rounds: {machine['cores']} cores ({machine['system']} {machine['architecture']},"
        f" Python {machine['python']}, {packages}). Times on another machine will differ; ratios"
        " less so."
    )
    parts = [
        "# Speed",
        about,
        "## One iteration",
        "From the same start, float64, all cores. In brackets: how many times faster than"
        " scikit-learn's EM iteration.",
        _iterations_table(found["iterations"]),
        "![Iterations](iterations.png)",
        "## Against the machine",
        "The matrix products that whitening all rows for all components takes, by the library"
        " NumPy uses; and the share of an iteration they would fill. Above 100 % an iteration"
        " takes less than that, because only half of each triangular matrix is multiplied.",
        _limits_table(found["iterations"]),
        "## Whole fits",
        "`GaussianMixture(k, random_state=0).fit(X)` to a change of 1e-3 in the mean"
        " log-likelihood: seconds, how many times faster than scikit-learn, and how much higher"
        " the mean log-likelihood of 20,000 rows is. Ours and scikit-learn's start from the same"
        " K-means run, pomegranate from its own.",
        _solutions_table(found["solutions"]),
        "## Growth",
        "Seconds of an iteration along N, D and K; the slope is that of a line through the larger"
        " half of the points.",
        "![Growth](growth.png)",
        "## Start-up",
        "Importing, the first fit of 1,000 x 2 rows (two components), and later fits of"
        " `GaussianMixture()`, in seconds. The first fit ever compiles the kernels and keeps them"
        " on disk.",
        _startup_table(found["startup"]),
        "## Memory",
        "Peak of private memory above that before the fit; rows are mapped from a file, full"
        " covariance, ten iterations.",
        _memory_table(found["memory"]),
    ]
    return "\n\n".join(parts) + "\n"


def draw_iterations(rows: list[dict[str, Any]]) -> Figure:
    """Draw how many times faster than scikit-learn each contender is."""
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
    """Draw seconds per iteration along each axis, with the slope."""
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


def _slope(along: list[float], seconds: list[float]) -> float:
    half = len(along) // 2
    return float(np.polyfit(np.log(along[half:]), np.log(seconds[half:]), 1)[0])


def _table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _size(row: dict[str, Any]) -> str:
    return f"{row['n']:,} x {row['d']}, K = {row['k']}"


def _short(n: int) -> str:
    return f"{n // 1_000_000}M" if n >= 1_000_000 else f"{n // 1000}k"


def _iterations_table(rows: list[dict[str, Any]]) -> str:
    names = list(rows[0]["seconds"])
    cells = []
    for row in rows:
        peer = row["seconds"][PEER]
        times = [
            f"{row['seconds'][name] * 1e3:.0f} ms ({peer / row['seconds'][name]:.1f})"
            for name in names
        ]
        cells.append([_size(row), row["covariance"], *times])
    return _table(["Size", "Covariance", *names], cells)


def _limits_table(rows: list[dict[str, Any]]) -> str:
    cells = []
    for row in rows:
        if row["covariance"] != "full":
            continue
        read, products = row["limits"]["read"], row["limits"]["products"]
        shares = [
            f"{products / row['seconds'][name]:.0%}" for name in ("boltzmix BEEM", "boltzmix EM")
        ]
        cells.append([_size(row), f"{read * 1e3:.1f} ms", f"{products * 1e3:.0f} ms", *shares])
    return _table(
        ["Size", "reading the rows once", "matrix products", "share of BEEM", "share of EM"], cells
    )


def _solutions_table(rows: list[dict[str, Any]]) -> str:
    names = [name for name in rows[0] if name not in ("n", "d", "k", "covariance")]
    cells = []
    for row in rows:
        peer = row["scikit-learn"]
        fits = [
            f"{row[name]['seconds']:.2f} s ({peer['seconds'] / row[name]['seconds']:.1f}),"
            f" {row[name]['score'] - peer['score']:+.4f}"
            for name in names
        ]
        cells.append([_size(row), row["covariance"], *fits])
    return _table(["Size", "Covariance", *names], cells)


def _startup_table(rows: dict[str, dict[str, float]]) -> str:
    cells = [[name, *(f"{value:.3f}" for value in row.values())] for name, row in rows.items()]
    return _table(["", "import", "first fit", "later fits"], cells)


def _memory_table(rows: list[dict[str, Any]]) -> str:
    cells = [
        [row["name"], _size(row), f"{row['bytes'] / 1e6:.0f} MB", f"{row['seconds']:.0f} s"]
        for row in rows
    ]
    return _table(["", "Size", "extra memory", "time"], cells)
