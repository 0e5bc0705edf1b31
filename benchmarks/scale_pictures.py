"""Draw the picture of the benchmark `scale`."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from .scale_model import Model

Rows = Mapping[tuple[str, int], dict[str, Any]]
LOOKS = {  # colour, marker, line
    "local-1": ("#56B4E9", "o", "--"),
    "local-2": ("#56B4E9", "o", "-"),
    "dask-1": ("#D55E00", "s", "--"),
    "dask-2": ("#D55E00", "s", "-"),
    "dask-parquet-2": ("#E69F00", "D", "-"),
    "spark-1": ("#777777", "^", "--"),
    "spark-2": ("#777777", "^", "-"),
    "scikit-learn": ("#009E73", "v", "-"),
    "dask-ml": ("#CC79A7", "X", "-"),
}
PREDICTED = {1: "#999999", 2: "#D55E00", 10: "#0072B2", 100: "#009E73"}


def draw_scale(rows: Rows, titles: Mapping[str, str], model: Model | None) -> Figure:
    """Draw seconds and memory against rows, and what the model says of larger clusters."""
    canvas = Figure(figsize=(14, 4.4), layout="constrained")
    time, memory, *others = canvas.subplots(1, 2 if model is None else 3)
    for name in dict.fromkeys(method for method, _ in rows):
        own = [(n, row) for (method, n), row in rows.items() if method == name]
        sizes = [n for n, _ in own]
        colour, marker, line = LOOKS[name]
        look = {"color": colour, "marker": marker, "ls": line}
        time.loglog(sizes, [row["seconds"] for _, row in own], label=titles[name], **look)
        memory.loglog(sizes, [row["memory"]["worker"] / 1e6 for _, row in own], **look)
    time.set_ylabel("seconds per iteration")
    memory.set_ylabel("peak memory of a worker or process, MB")
    memory.axhline(1_000, color="0.3", lw=0.8, ls=":")
    if model is not None:
        _draw_model(others[0], rows, model)
    for axes in canvas.axes:
        axes.set_xlabel("rows")
        axes.grid(alpha=0.3)
    canvas.legend(loc="outside lower center", ncols=4, frameon=False, fontsize="small")
    return canvas


def _draw_model(axes: Any, rows: Rows, model: Model) -> None:
    """Draw predictions as lines, and measurements as squares."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylabel("seconds per iteration")
    sizes = np.logspace(5, 10, 101).astype(int)
    for workers, colour in PREDICTED.items():
        seconds = [model.seconds(int(n), workers, network=workers > 2) for n in sizes]
        axes.plot(sizes, seconds, color=colour)
        text = f"{workers} worker{'s' * (workers > 1)}"
        axes.annotate(text, (sizes[-1], seconds[-1]), ha="right", va="bottom", color=colour)
        for (method, n), row in rows.items():
            if method == f"dask-{workers}":
                axes.plot(n, row["seconds"], "s", color=colour)
    axes.set_title("model (lines) and measurements (squares)", fontsize="medium")
