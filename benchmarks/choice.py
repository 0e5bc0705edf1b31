"""Compare methods that choose the number of clusters, on sets where it is known.

`--sets` takes names of sets and of groups (real, keel, mixed, shapes, separated, overlapping,
one-population). A fit that takes longer than `--limit` seconds is stopped, and counts as an error.
"""

import signal
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from boltzmix.metrics import adjusted_rand_score

from . import fits, mclust
from .choice_methods import CHOOSERS, Chooser
from .choice_pages import write_page
from .choice_peers import Choice
from .choice_sets import GROUPS, ChoiceData, ChoiceSet, find_choice_sets, one_partition
from .fits import Plan, Report, Row, Task, error_row, new_session, open_tasks
from .labelled_sets import warm_up_data

CAN_STOP = hasattr(signal, "setitimer")


@dataclass
class Saved(fits.Saved):
    """The saved results: sessions, sets and fits. A row of a set has its group and size."""

    KEYS: ClassVar[dict[str, tuple[str, ...]]] = {"sets": ("set",)} | fits.Saved.KEYS

    sets: dict[tuple[str], Row] = field(default_factory=dict)


def choice(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Run and save what the options ask for, then write the page of all saved results."""
    sets, absent = find_choice_sets()
    if absent:
        report(f"Skipped, as they are neither installed nor in BOLTZMIX_DATA: {', '.join(absent)}.")
    named = Namespace(**vars(options) | {"sets": without_groups(options.sets, sets)})
    plan, saved = Plan.of(named, sets, CHOOSERS), Saved.load(folder / "choice.json")
    plan.drop_absent(report)
    measure_choices(plan, saved, options.limit, report)
    return [saved.path, *write_page(saved.sets, saved.fits, saved.sessions, folder)]


def without_groups(names: str | None, sets: dict[str, ChoiceSet]) -> str | None:
    """Replace the name of a group by the names of its sets, in a comma-separated list."""
    if names is None:
        return None
    found: list[str] = []
    for name in names.split(","):
        members = [one for one in sets if sets[one].group == name]
        found += members if name in GROUPS else [name]
    return ",".join(found)


def measure_choices(plan: Plan, saved: Saved, limit: float, report: Report) -> None:
    """Run and save the fits of the plan that are not saved yet."""
    session, warm = new_session(plan.threads), set[str]()
    if any(one.source and "mclust" in one.source for one in plan.methods.values()):
        session["versions"] |= mclust.versions()
    with threadpool_limits(plan.threads):
        for task in open_tasks(plan, saved, session, report):
            method = plan.methods[task.method]
            saved.sets[(task.set,)] = set_row(task, plan.sets[task.set])
            if method.own and task.method not in warm:
                warm_up(method, plan.threads)
                warm.add(task.method)
            row = task.row | attempt(method, task.problem, task.seed, plan.threads, limit)
            saved.add(row)
            report(_line(row))


def set_row(task: Task, one: ChoiceSet) -> Row:
    """Return the group and the size of a set, and the published figures."""
    n, d = task.problem.rows.shape
    row = {"set": task.set, "group": one.group, "n": n, "d": d, "k": list(task.problem.numbers)}
    return row | ({"published": one.published} if one.published else {})


def warm_up(method: Chooser, threads: int) -> None:
    """Fit small sets, so that no timing includes compiling."""
    for small in warm_up_data():
        data = one_partition(small.rows, small.labels)
        frame = pd.DataFrame(data.rows).add_prefix("x")
        frame["group"] = [f"c{number}" for number in range(4)] * (len(frame) // 4)
        for one in (data, ChoiceData(frame, data.references, mixed=True)):
            attempt(method, one, 0, threads, 600)


def attempt(method: Chooser, data: ChoiceData, seed: int, threads: int, limit: float) -> Row:
    """Cluster once; return the number and its scores, or the error message if that failed."""
    try:
        with time_limit(limit):
            found = method.solve(data, seed, threads)
    except (ValueError, RuntimeError, TimeoutError) as error:
        return error_row(error)
    scored = [scores(data, one, given) for given, one in found.items()]
    seconds = sum(one.seconds for one in found.values())
    return max(scored, key=lambda row: float(row["ARI"])) | {"seconds": seconds}


def scores(data: ChoiceData, found: Choice, given: int | None) -> Row:
    """Compare a clustering with the partition that it agrees with most.

    Its number is compared with the nearest number of classes. If the number was given, only
    partitions of that number count.
    """
    pairs = zip(data.references.T, data.numbers, strict=True)
    partitions = [one for one, k in pairs if given in (None, k)]
    ari = max(
        float(adjusted_rand_score(one[one >= 0], found.labels[one >= 0])) for one in partitions
    )
    classes = min(data.numbers, key=lambda k: abs(np.log(found.k / k))) if given is None else given
    row: Row = {"k": int(found.k), "classes": classes, "ARI": ari}
    return row | ({} if found.components is None else {"components": found.components})


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in the work that takes longer; Windows has no such limit."""
    if not CAN_STOP:
        yield
        return

    def stop(number: int, frame: Any) -> None:
        raise TimeoutError(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _line(row: Row) -> str:
    what = f"{row['set']}, seed {row['seed']}, {row['method']}: "
    if "error" in row:
        return what + row["error"]
    return what + f"{row['k']} for {row['classes']}, ARI {row['ARI']:.3f}, {row['seconds']:.2f} s"
