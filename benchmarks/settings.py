"""How each number of the default algorithm matters: one at a time, halved and doubled.

A fit succeeds if its mean log-likelihood is at most 0.002 nats below what EM reaches from the true
labels. Variants take turns at every seed, so that all meet the same machine.
"""

import json
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from boltzmix import Moves, Tracks
from boltzmix.families import NegativeBinomial
from boltzmix.learning import AutoSettings

from .measure import environment
from .optimum_methods import EXPLORE, POLISH, boltzmix, reference
from .optimum_sets import SETS, Chains, Problem

MARGIN = 0.002  # nats below the reference
DEFAULT = "default"
Report = Callable[[str], None]
Rows = dict[str, list[list[float]]]
AUTO = AutoSettings()


@dataclass(frozen=True)
class Group:
    """Numbers that are tried on the same sets.

    Parameters
    ----------
    sets : mapping of names to functions of a seed that return a Problem
    names : tuple of str
        Numbers of `AutoSettings`.
    algorithm : function of a number's name and value that returns recipes
    """

    sets: dict[str, Callable[[int], Problem]]
    names: tuple[str, ...]
    algorithm: Callable[[str, Any], list[Any]]

    def variants(self) -> Iterator[tuple[str, Any]]:
        """Yield the name of each number with its other values; first the default as it is."""
        yield DEFAULT, None
        for name in self.names:
            for value in other_values(getattr(AUTO, name)):
                yield name, value


def other_values(value: Any) -> list[Any]:
    """Return half and twice a number: whole numbers stay whole, fractions near one below one."""
    if isinstance(value, int):
        return [max(value // 2, 0 if value == 1 else 1), 2 * value] if value else [1]
    return [value / 2, min(2 * value, 0.999) if 0.9 < value < 1 else 2 * value]


def counts(seed: int) -> Problem:
    """Draw counts from six negative binomial distributions, which are costly to fit."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(6, size=900)
    means = 2.0 * 2.2 ** np.arange(6)
    X = rng.negative_binomial(20, 20 / (20 + means[labels, None]), (900, 2)).astype(float)
    return Chains((X,), labels, NegativeBinomial())


def for_points(name: str, value: Any) -> list[Any]:
    """Return the default algorithm for points, with one number changed."""
    of_moves = {
        "search_tolerance": "tolerance", "tries": "tries", "trial_length": "length",
        "draws": "draws", "restarts": "restarts",
    }  # fmt: skip
    explore, moves = EXPLORE, Moves()
    if name in ("entropy", "explore_length"):
        explore = replace(explore, **{name.removeprefix("explore_"): value})
    elif name in of_moves:
        moves = replace(moves, **{of_moves[name]: value})
    elif name != DEFAULT:
        moves = replace(moves, settings=replace(AUTO, **{name: value}))
    return [explore, moves, POLISH]


def for_costly_families(name: str, value: Any) -> list[Any]:
    """Return the default algorithm for families that are not additive, with one number changed."""
    settings = AUTO if name == DEFAULT else replace(AUTO, **{name: value})
    moves = Moves(
        tries=settings.costly_tries,
        length=settings.costly_trial_length,
        draws=settings.costly_draws,
        restarts=settings.costly_restarts,
        always_compare=True,
    )
    return [EXPLORE, moves, POLISH]


def for_curves(name: str, value: Any) -> list[Any]:
    """Return the default algorithm for curves, with one number changed."""
    settings = AUTO if name == DEFAULT else replace(AUTO, **{name: value})
    tracks = Tracks(settings.track_windows, settings.track_length, settings.tracks_kept, soft=True)
    return [tracks, POLISH]


GROUPS: dict[str, Group] = {
    "points": Group(
        {name: SETS[name].make for name in ("K15-D2-unbalanced", "K30-D2", "K20-D5-unbalanced")},
        (
            "entropy", "explore_length", "search_tolerance", "tries", "trial_length", "draws",
            "restarts", "members_in_proposals", "least_gain", "negligible", "sound_within",
            "alike", "loss_moved", "loss_resplit", "tail", "split_explore", "split_polish",
            "split_heat", "same_split", "least_responsibility", "least_overlap",
        ),
        for_points,
    ),
    "costly families": Group(
        {"counts": counts},
        ("costly_tries", "costly_trial_length", "costly_restarts"),
        for_costly_families,
    ),
    "curves": Group(
        {"curves": SETS["curves"].make},
        ("track_length", "tracks_kept"),
        for_curves,
    ),
}  # fmt: skip


def settings(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Measure the groups named by --sets, or all; write JSON and a page; return where."""
    paths = [folder / "settings.json", folder / "settings.md"]
    saved = json.loads(paths[0].read_text()) if paths[0].exists() else {}
    for name in GROUPS if options.sets is None else options.sets.split(","):
        if name not in GROUPS:
            raise SystemExit(f"--sets may name {', '.join(GROUPS)}, not {name!r}.")
        with threadpool_limits(options.threads):
            found = measured(GROUPS[name], options.seeds, options.threads, report)
        saved[name] = {"environment": environment(), "seeds": options.seeds, "found": found}
        paths[0].write_text(json.dumps(saved, indent=1) + "\n")
        paths[1].write_text(page(saved))
    return paths


def measured(group: Group, n_seeds: int, threads: int, report: Report) -> dict[str, Rows]:
    """Return the gain over the reference, and the seconds, of every variant, set and seed."""
    found: dict[str, Rows] = {}
    for set_name, make in group.sets.items():
        for seed in range(n_seeds):
            problem = make(seed)
            best = reference(problem, threads).likelihood
            for name, value in group.variants():
                solve = boltzmix(group.algorithm(name, value)).solve
                seconds, evaluation = solve(problem, seed, threads)
                rows = found.setdefault(f"{name}={value}", {}).setdefault(set_name, [])
                rows.append([evaluation.likelihood - best, seconds])
            report(f"{set_name}, seed {seed}")
    return found


def page(saved: dict[str, Any]) -> str:
    """Return the tables of all groups."""
    parts = [
        "# The numbers of the default algorithm\n\nMeasured by `python -m benchmarks settings`."
        " One number of `AutoSettings` is halved or doubled at a time. Success is the fraction of"
        f" fits at most {MARGIN} nats below what EM reaches from the true labels; the deficit is"
        " the mean of how far fits are below that, in 1e-4 nats; time is relative to the default"
        " in the same run. Where a row differs from the default by less than two fits, it may be"
        " chance."
    ]
    parts += [_table(name, one) for name, one in saved.items()]
    return "\n\n".join(parts) + "\n"


def _table(group: str, saved: dict[str, Any]) -> str:
    found = saved["found"]
    sets = list(next(iter(found.values())))
    base = _summary(found[f"{DEFAULT}=None"])
    lines = [
        f"## {group.capitalize()}\n\n{saved['seeds']} seeds on {', '.join(sets)}.\n",
        "| Number | Value | Success | Deficit | Time |",
        "| --- | --- | --- | --- | --- |",
    ]
    for key, rows in found.items():
        name, value = key.split("=")
        success, deficit, seconds = _summary(rows)
        shown = "as it is" if name == DEFAULT else f"{float(value):g}"
        lines.append(
            f"| {name} | {shown} | {success:.2f} | {1e4 * deficit:.1f} | {seconds / base[2]:.2f} |"
        )
    return "\n".join(lines)


def _summary(rows: Rows) -> tuple[float, float, float]:
    """Return success, mean deficit, and the geometric mean over sets of the mean seconds."""
    each = [np.array(fits) for fits in rows.values()]
    success = np.mean([(fits[:, 0] > -MARGIN).mean() for fits in each])
    deficit = np.mean([np.maximum(-fits[:, 0], 0).mean() for fits in each])
    seconds = np.exp(np.mean([np.log(fits[:, 1].mean()) for fits in each]))
    return float(success), float(deficit), float(seconds)
