"""Compare the clusters that methods find with known classes of sequences."""

from argparse import Namespace
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from threadpoolctl import threadpool_limits

from boltzmix.metrics import purity_score

from . import fits
from .fits import Plan, Report, Row, Task, new_session, open_tasks
from .labelled import attempt
from .labelled_methods import Method
from .sequences_labelled_methods import METHODS
from .sequences_labelled_pages import write_page
from .sequences_labelled_sets import LabelledSequences, SequencesSet, find_sets, warm_up_data

FILE = "sequences-labelled.json"


@dataclass
class Saved(fits.Saved):
    """The saved results: sessions, sets (their group and size) and fits."""

    KEYS: ClassVar[dict[str, tuple[str, ...]]] = {"sets": ("set",)} | fits.Saved.KEYS

    sets: dict[tuple[str], Row] = field(default_factory=dict)


def sequences_labelled(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Run and save what the options ask for, then write the page of all saved results."""
    sets, absent = find_sets()
    if absent:
        report(
            f"Skipped: {', '.join(absent)}; they are not in the folder given by BOLTZMIX_DATA, or"
            " it is not set."
        )
    plan, saved = Plan.of(options, sets, METHODS), Saved.load(folder / FILE)
    plan.drop_absent(report)
    measure(plan, saved, report)
    return [saved.path, *write_page(saved.sets, saved.fits, saved.sessions, folder)]


def measure(plan: Plan, saved: Saved, report: Report) -> None:
    """Run and save the fits of the plan that are not saved yet."""
    warm = set[str]()
    with threadpool_limits(plan.threads):
        for task in open_tasks(plan, saved, new_session(plan.threads), report):
            saved.sets[(task.set,)] = set_row(task, plan.sets[task.set])
            method = plan.methods[task.method]
            if task.method not in warm:
                for data in warm_up_data():
                    scored(method, data, 0, plan.threads)
                warm.add(task.method)
            row = scored(method, task.problem, task.seed, plan.threads)
            saved.add(task.row | row)
            report(_line(task.row | row))


def set_row(task: Task, one: SequencesSet) -> Row:
    """Return the group and the size of a set."""
    X, k = task.problem.sequences, task.problem.k
    shortest, longest = int(X.lengths.min()), int(X.lengths.max())
    lengths = f"{shortest}" if shortest == longest else f"{shortest}–{longest}"
    size = {"n": len(X), "lengths": lengths, "d": X.n_features, "k": k}
    return {"set": task.set, "group": one.group} | size


def scored(method: Method, data: LabelledSequences, seed: int, threads: int) -> Row:
    """Run one fit; return its scores, or the error message if it failed."""
    found, row = attempt(method, data, seed, threads)
    if found is None:
        return row
    return row | {"purity": float(purity_score(data.labels, found.labels))}


def _line(row: Row) -> str:
    what = f"{row['set']}, seed {row['seed']}, {row['method']}: "
    if "error" in row:
        return what + row["error"]
    return what + f"ARI {row['ARI']:.3f}, purity {row['purity']:.3f}, {row['seconds']:.2f} s"
