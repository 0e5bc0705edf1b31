"""What each number of the default search is good for: one at a time, halved and doubled.

A fit succeeds if its mean log-likelihood is at most 0.002 nats below what EM reaches from the true
labels. Variants take turns at every seed, so that all meet the same machine.
"""

import json
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from boltzmix import BEEM, Moves
from boltzmix.learning import AUTO

from .measure import environment
from .optimum_methods import POLISH, boltzmix, reference
from .optimum_sets import SETS

MARGIN = 0.002  # nats below the reference
SETS_TRIED = ("K15-D2-unbalanced", "K30-D2", "K20-D5-unbalanced")
EXPLORATION = ("entropy", "explore_length")
OF_MOVES = {
    "search_tolerance": "tolerance",
    "tries": "tries",
    "trial_length": "length",
    "draws": "draws",
    "restarts": "restarts",
}
ELSEWHERE = ("curve_entropy", "same_component", "polish_tolerance", "observations_in_trials")
DEFAULT = "default"
Report = Callable[[str], None]


def variants() -> Iterator[tuple[str, float | None]]:
    """Yield the name of each number and its other values; first the default as it is."""
    yield DEFAULT, None
    for one in fields(AUTO):
        if one.name.startswith("costly") or one.name in ELSEWHERE:
            continue
        value = getattr(AUTO, one.name)
        for factor in (0.5, 2.0):
            other = min(value * factor, 0.999) if one.name == "same_split" else value * factor
            yield one.name, int(other) if isinstance(value, int) else other


def algorithm(name: str, value: Any) -> list[Any]:
    """Return the default algorithm for points, with one number changed."""
    explore, moves = BEEM("auto", small="reseed"), Moves()
    if name in EXPLORATION:
        field = {"explore_length": "length"}.get(name, name)
        explore = replace(explore, **{field: value})
    elif name in OF_MOVES:
        moves = replace(moves, **{OF_MOVES[name]: value})
    elif name != DEFAULT:
        moves = replace(moves, settings=replace(AUTO, **{name: value}))
    return [explore, moves, POLISH]


def settings(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Measure all variants, and write JSON and a page; return where."""
    names = SETS_TRIED if options.sets is None else options.sets.split(",")
    found: dict[str, dict[str, list[list[float]]]] = {}
    with threadpool_limits(options.threads):
        for set_name in names:
            for seed in range(options.seeds):
                problem = SETS[set_name].make(seed)
                best = reference(problem, options.threads).likelihood
                for name, value in variants():
                    solve = boltzmix(algorithm(name, value)).solve
                    seconds, verdict = solve(problem, seed, options.threads)
                    rows = found.setdefault(f"{name}={value}", {})
                    rows.setdefault(set_name, []).append([verdict.likelihood - best, seconds])
                report(f"{set_name}, seed {seed}")
    saved = {"environment": environment(), "seeds": options.seeds, "found": found}
    paths = [folder / "settings.json", folder / "settings.md"]
    paths[0].write_text(json.dumps(saved, indent=1) + "\n")
    paths[1].write_text(page(saved))
    return paths


def page(saved: dict[str, Any]) -> str:
    """Return the table of all variants."""
    found = saved["found"]
    sets = list(next(iter(found.values())))
    base = _summary(found[f"{DEFAULT}=None"])
    lines = [
        "# The numbers of the default search",
        "",
        f"Measured by `python -m benchmarks settings --seeds {saved['seeds']}`: success is the"
        f" fraction of {saved['seeds']} seeds on each of {', '.join(sets)} whose fit is at most"
        f" {MARGIN} nats below what EM reaches from the true labels; the deficit is the mean of"
        " how far fits are below that, in 1e-4 nats; time is relative to the default in the same"
        " run. One number of `AutoSettings` is changed at a time.",
        "",
        "| Number | Value | Success | Deficit | Time |",
        "| --- | --- | --- | --- | --- |",
    ]
    for key, rows in found.items():
        name, value = key.split("=")
        success, deficit, seconds = _summary(rows)
        shown = "as they are" if name == DEFAULT else f"{float(value):g}"
        lines.append(
            f"| {name} | {shown} | {success:.2f} | {1e4 * deficit:.1f} | {seconds / base[2]:.2f} |"
        )
    return "\n".join(lines) + "\n"


def _summary(rows: dict[str, list[list[float]]]) -> tuple[float, float, float]:
    """Return success, mean deficit, and the geometric mean over sets of the mean seconds."""
    each = [np.array(fits) for fits in rows.values()]
    success = np.mean([(fits[:, 0] > -MARGIN).mean() for fits in each])
    deficit = np.mean([np.maximum(-fits[:, 0], 0).mean() for fits in each])
    seconds = np.exp(np.mean([np.log(fits[:, 1].mean()) for fits in each]))
    return float(success), float(deficit), float(seconds)
