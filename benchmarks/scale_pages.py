"""Write the page and the picture of the benchmark `scale` from its saved results."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .scale_methods import ITERATIONS, METHODS
from .scale_model import BANDWIDTH, BLOCK, FOLD, MOST_BLOCKS, Model, fit_model
from .scale_pictures import draw_scale
from .scale_rows import D, K
from .tables import sessions_text, table

Row = dict[str, Any]
Fits = Mapping[tuple[str, str, int], Row]
OWN, LOCAL, SPARK, OWN_PARQUET = "dask-2", "local-2", "spark-2", "dask-parquet-2"
MODELLED = ("dask-1", "dask-2")
LINEAR_FROM = 10**6  # rows from which the slope is taken: below, fixed costs dominate
FUTURE_ROWS, FUTURE_WORKERS = (10**9, 10**10), (10, 100)
RULES = (
    f"Rows are {K} Gaussian clusters in {D} columns. Each row is a function of the seed and its"
    " number, and is made when it is read, at every iteration again; `Parquet` reads the same rows"
    " from files instead. boltzmix runs EM with full covariances from"
    f' `init="points"` for {ITERATIONS} iterations. The seconds of an iteration are the slope of'
    " the times at which iterations ended, so that neither the start nor the end of a fit counts."
    " Of Spark, scikit-learn and dask-ml, which do not tell when iterations end, they are the"
    " difference of a long and a short fit. Every fit has a process of its own. Scheduler and"
    " workers of Dask are processes of their own, with one thread each. Spark's threads share one"
    " process, and it keeps the rows in memory, as scikit-learn does. dask-ml has no Gaussian"
    " mixture: its K-means does less work."
)
MEMORY = (
    "Peak memory is the largest resident memory of a process since it began (VmHWM), in MB: of a"
    " worker, and of the scheduler and the client where there are such. kB are all bytes over the"
    " loopback device (/proc/net/dev) during an iteration, whoever sent them, and tasks are those"
    " that workers ran during an iteration. Workers of Dask have a limit of 1 GB each, and hold the"
    " rows in memory where these take less than 30% of the limits of all workers; then they are"
    " not read again. A worker that has less to do may take rows from another. Reading is the time"
    " to make, or to read, all rows once in one thread; it is part of the seconds of an iteration"
    " where rows are not held in memory."
)


def write_page(fits: Fits, sessions: list[Row], folder: Path) -> list[Path]:
    """Write the page and its picture; return their paths."""
    paths = [folder / "scale.md"]
    paths[0].write_text(markdown(fits, sessions))
    rows = average(fits)
    if rows:
        paths.append(folder / "scale.png")
        titles = {name: method.title for name, method in METHODS.items()}
        draw_scale(rows, titles, fitted_model(rows)).savefig(paths[-1], dpi=120)
    return paths


def average(fits: Fits) -> dict[tuple[str, int], Row]:
    """Return the medians over seeds for each method and number of rows, without errors."""
    grouped: dict[tuple[str, int], list[Row]] = {}
    for (_, method, _), row in fits.items():
        if "error" not in row:
            grouped.setdefault((method, row["n"]), []).append(row)
    ordered = sorted(grouped, key=lambda key: (list(METHODS).index(key[0]), key[1]))
    return {key: _medians(grouped[key]) for key in ordered}


def _medians(rows: list[Row]) -> Row:
    found = dict(rows[0])
    for name in ("seconds", "bytes", "tasks", "reading", "empty task"):
        if name in found:
            found[name] = float(np.median([row[name] for row in rows]))
    places = found["memory"]
    found["memory"] = {one: max(row["memory"][one] for row in rows) for one in places}
    return found


def markdown(fits: Fits, sessions: list[Row]) -> str:
    """Return the page as Markdown."""
    rows = average(fits)
    parts = [
        "# Growth with the number of rows",
        f"Measured by `python -m benchmarks scale`. Sessions:"
        f" {sessions_text(fits.values(), sessions)}.",
        RULES,
        "![Seconds and memory against the number of rows](scale.png)",
        *goals(rows),
        "## Seconds per iteration",
        by_size(rows, lambda row: f"{row['seconds']:.3g}"),
        "Nanoseconds per row and iteration:",
        by_size(rows, lambda row: f"{row['seconds'] / row['n'] * 1e9:,.0f}"),
        "## Memory and traffic",
        MEMORY,
        resources(rows),
        *errors(fits),
        *model_section(rows, fitted_model(rows)),
    ]
    return "\n\n".join(parts) + "\n"


def goals(rows: Mapping[tuple[str, int], Row]) -> list[str]:
    """Return what the measurements say about the goals, as far as there are measurements."""
    own = {n: row for (method, n), row in rows.items() if method == OWN}
    if not own:
        return []
    largest = max(own)
    memory = own[largest]["memory"]["worker"] / 1e6
    found = [
        f"- A worker of two takes at most {memory:.0f} MB for {largest:,} rows (the goal: under"
        " 1,000 MB for 100,000,000)."
    ]
    long = [n for n in own if n >= LINEAR_FROM]
    if len(long) > 1:
        found.append(
            f"- The seconds of 2 workers grow with the power {power(own, long):.3f} of the number"
            f" of rows, from {min(long):,} to {max(long):,} rows (the goal: at most 1.05)."
        )
    found += _ratio(rows, OWN, LOCAL, "2 workers take {} × the time of 2 local threads", "most 1.3")
    making = "Spark takes {} × the time of 2 workers that make the rows"
    reading = "Spark takes {} × the time of 2 workers that read the same files"
    found += _ratio(rows, SPARK, OWN, making, "least 10")
    found += _ratio(rows, SPARK, OWN_PARQUET, reading, "least 10")
    return ["\n".join(found)]


def power(own: Mapping[int, Row], sizes: list[int]) -> float:
    """Return the slope of log seconds over log rows."""
    seconds = [own[n]["seconds"] for n in sizes]
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def _ratio(
    rows: Mapping[tuple[str, int], Row], one: str, other: str, text: str, goal: str
) -> list[str]:
    """Return a line with the ratio of two methods at the largest size that both have."""
    shared = [n for method, n in rows if method == one and (other, n) in rows]
    if not shared:
        return []
    n = max(shared)
    ratio = rows[one, n]["seconds"] / rows[other, n]["seconds"]
    return [f"- {text.format(f'{ratio:.2f}')}, for {n:,} rows (the goal: at {goal})."]


def fitted_model(rows: Mapping[tuple[str, int], Row]) -> Model | None:
    """Fit the model to the clusters whose workers make the rows."""
    return fit_model(row for (method, _), row in rows.items() if method in MODELLED)


def by_size(rows: Mapping[tuple[str, int], Row], show: Callable[[Row], str]) -> str:
    """Return a table with a row for each method and a column for each number of rows."""
    sizes = sorted({n for _, n in rows})
    names = list(dict.fromkeys(method for method, _ in rows))
    cells = [
        [METHODS[name].title, *(show(rows[name, n]) if (name, n) in rows else "–" for n in sizes)]
        for name in names
    ]
    return table(["Method", *(f"{n:,} rows" for n in sizes)], cells)


def resources(rows: Mapping[tuple[str, int], Row]) -> str:
    """Return a table of memory, traffic and the time of reading."""
    header = ["Method", "rows", "worker", "scheduler", "client", "kB", "tasks", "reading"]
    cells = []
    for (method, n), row in rows.items():
        memory = [
            f"{row['memory'][place] / 1e6:,.0f}" if place in row["memory"] else "–"
            for place in ("worker", "scheduler", "client")
        ]
        traffic = f"{row['bytes'] / 1e3:,.0f}" if "bytes" in row else "–"
        tasks = f"{row['tasks']:,.0f}" if "tasks" in row else "–"
        reading = f"{row['reading'] * n:.3g} s"
        cells.append([METHODS[method].title, f"{n:,}", *memory, traffic, tasks, reading])
    return table(header, cells)


def errors(fits: Fits) -> list[str]:
    """Return a list of the fits that ended in an error."""
    found = [
        f"- {METHODS[method].title}, {row['n']:,} rows: {row['error']}"
        for (_, method, _), row in fits.items()
        if "error" in row
    ]
    return ["Fits that ended in an error:", "\n".join(found)] if found else []


def model_section(rows: Mapping[tuple[str, int], Row], model: Model | None) -> list[str]:
    """Return the model, how well it fits, what it predicts, and what it assumes."""
    if model is None:
        return []
    return [
        "## What larger clusters would take",
        "The model is seconds = a + b × rows of the busiest thread + c × tasks + bytes /"
        " bandwidth. Least squares of relative errors, with no negative coefficient, give"
        f" a = {model.start * 1e3:.3g} ms, b = {model.per_row * 1e9:.0f} ns and"
        f" c = {model.per_task * 1e3:.3g} ms. An iteration sends"
        f" {model.bytes_start / 1e3:,.0f} kB, and {model.bytes_per_task / 1e3:,.1f} kB a task.",
        "Measured on this machine, and what the model says of it (without a network):",
        compared(rows, model),
        "Predicted seconds of an iteration on workers with one thread each:",
        predicted(model),
        "\n".join(f"- {sentence}" for sentence in assumptions(model)),
    ]


def compared(rows: Mapping[tuple[str, int], Row], model: Model) -> str:
    """Return a table of measured and modelled seconds and traffic."""
    cells = []
    for (method, n), row in rows.items():
        if method in MODELLED:
            said = model.seconds(n, row["workers"], network=False)
            seconds = [f"{row['seconds']:.3g}", f"{said:.3g}"]
            traffic = [f"{value / 1e3:,.0f}" for value in (row["bytes"], model.traffic(n))]
            cells.append([METHODS[method].title, f"{n:,}", *seconds, *traffic])
    return table(["Method", "rows", "seconds", "model", "kB", "model"], cells)


def predicted(model: Model) -> str:
    """Return a table of predicted seconds, tasks and bytes."""
    cells = []
    for n in FUTURE_ROWS:
        seconds = [f"{model.seconds(n, workers):.3g}" for workers in FUTURE_WORKERS]
        tasks, traffic = f"{model.tasks(n):,.0f}", f"{model.traffic(n) / 1e6:.1f} MB"
        cells.append([f"{n:,}", *seconds, tasks, traffic])
    header = [f"{workers} workers" for workers in FUTURE_WORKERS]
    return table(["Rows", *header, "tasks", "traffic"], cells)


def assumptions(model: Model) -> list[str]:
    """Return the assumptions of the model as sentences."""
    speed = D * 8 / model.per_row / 1e6
    return [
        "These numbers are extrapolated: nothing was measured on more than two workers, nor on"
        " more rows than the tables above have.",
        "Every worker is as fast as one core of this machine while the other core is at work, and"
        " all workers are equally fast.",
        f"A thread gets its rows at {speed:.0f} MB/s or more, at every iteration: from its own"
        " memory or disk, or from a generator as here. Slower storage would set the time.",
        f"A block has {BLOCK:,} rows, or twice as many, four times and so on, until there are at"
        f" most {MOST_BLOCKS:,} blocks. {model.tasks_per_block:.1f} tasks read and summarise a"
        f" block, as at the largest size measured, because chunks are as large as blocks; further"
        f" tasks add up {FOLD} statistics each.",
        "The scheduler handles one task after the other, and not while workers compute: in truth"
        " these overlap, so the term of tasks is an upper bound. c is fitted to the iterations and"
        " to the time of tasks that do nothing.",
        f"All bytes pass one link of {BANDWIDTH * 8 / 1e9:g} Gbit/s one after the other, which is"
        " an upper bound too; latency is not modelled.",
        "Bytes depend on the number of tasks alone: no worker takes rows from another. Where the"
        " table has more kB for 2 workers than the model, they did.",
        "No worker fails, and none is lost or slow: nothing is computed twice.",
        "The start and the end of a fit are not included.",
    ]
