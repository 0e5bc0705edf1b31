"""Compare methods that choose the number of clusters, on sets where it is known."""

from argparse import Namespace
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from threadpoolctl import threadpool_limits

from boltzmix.metrics import adjusted_rand_score

from . import fits, mclust
from .choice_methods import CHOOSERS, MCLUST, Chooser
from .choice_pages import write_page
from .choice_sets import ChoiceSet, find_choice_sets
from .fits import Plan, Report, Row, Task, error_row, new_session, open_tasks
from .labelled_sets import Labelled, warm_up_data


@dataclass
class Saved(fits.Saved):
    """The saved results: sessions, sets and fits. A row of a set has its group and size."""

    KEYS: ClassVar[dict[str, tuple[str, ...]]] = {"sets": ("set",)} | fits.Saved.KEYS

    sets: dict[tuple[str], Row] = field(default_factory=dict)


def choice(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Run and save what the options ask for, then write the page of all saved results."""
    sets, absent = find_choice_sets()
    if absent:
        report(f"Skipped: {', '.join(absent)}; they are not in the folder BOLTZMIX_DATA.")
    plan, saved = Plan.of(options, sets, CHOOSERS), Saved.load(folder / "choice.json")
    plan.drop_absent(report)
    measure_choices(plan, saved, report)
    return [saved.path, *write_page(saved.sets, saved.fits, saved.sessions, folder)]


def measure_choices(plan: Plan, saved: Saved, report: Report) -> None:
    """Run and save the fits of the plan that are not saved yet."""
    session, warm = new_session(plan.threads), set[str]()
    if MCLUST in plan.methods:
        session["versions"] |= mclust.versions()
    with threadpool_limits(plan.threads):
        for task in open_tasks(plan, saved, session, report):
            method = plan.methods[task.method]
            saved.sets[(task.set,)] = set_row(task, plan.sets[task.set])
            if task.method not in warm:
                for data in warm_up_data():
                    attempt(method, data, 0, plan.threads)
                warm.add(task.method)
            row = task.row | attempt(method, task.problem, task.seed, plan.threads)
            saved.add(row)
            report(_line(row, task.problem.k))


def set_row(task: Task, one: ChoiceSet) -> Row:
    """Return the group and the size of a set."""
    n, d = task.problem.rows.shape
    return {"set": task.set, "group": one.group, "n": n, "d": d, "k": task.problem.k}


def attempt(method: Chooser, data: Labelled, seed: int, threads: int) -> Row:
    """Choose once; return the number and its scores, or the error message if that failed."""
    try:
        found = method.solve(data, seed, threads)
    except (ValueError, RuntimeError) as error:
        return error_row(error)
    score = float(adjusted_rand_score(data.labels, found.labels))
    return {"seconds": found.seconds, "k": int(found.k), "ARI": score}


def _line(row: Row, k: int) -> str:
    what = f"{row['set']}, seed {row['seed']}, {row['method']}: "
    if "error" in row:
        return what + row["error"]
    return what + f"{row['k']} for {k}, ARI {row['ARI']:.3f}, {row['seconds']:.2f} s"
