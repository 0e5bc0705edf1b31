"""Compare the clusters that methods find with known classes, on real and simulated sets."""

from argparse import Namespace
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from threadpoolctl import threadpool_limits

from boltzmix.metrics import adjusted_rand_score, normalized_mutual_info_score

from . import fits, mclust
from .fits import Plan, Report, Row, Task, error_row, new_session, open_tasks
from .labelled_methods import ABLATIONS, METHODS, REFERENCES, Fit, Method
from .labelled_pages import write_page
from .labelled_sets import LabelledSet, find_sets, warm_up_data

ALL_METHODS = METHODS | REFERENCES | ABLATIONS


@dataclass
class Saved(fits.Saved):
    """The saved results: sessions, sets, agreements and fits.

    A row of a set has its group and size. An agreement is the mean ARI between the labels of pairs
    of seeds; its key is the set and the method.
    """

    KEYS: ClassVar[dict[str, tuple[str, ...]]] = {
        "sets": ("set",),
        "agreements": ("set", "method"),
    } | fits.Saved.KEYS

    sets: dict[tuple[str], Row] = field(default_factory=dict)
    agreements: dict[tuple[str, str], Row] = field(default_factory=dict)


def labelled(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Run and save what the options ask for, then write the page of all saved results."""
    sets, absent = find_sets()
    if absent:
        report(
            f"Skipped: {', '.join(absent)}; they are not in the folder given by BOLTZMIX_DATA, or"
            " it is not set."
        )
    plan, saved = Plan.of(options, sets, ALL_METHODS), Saved.load(folder / "labelled.json")
    plan.drop_absent(report)
    measure_labelled(plan, saved, report)
    return [
        saved.path,
        *write_page(saved.sets, saved.agreements, saved.fits, saved.sessions, folder),
    ]


def measure_labelled(plan: Plan, saved: Saved, report: Report) -> None:
    """Run and save the fits of the plan that are not saved yet."""
    session = new_session(plan.threads)
    if "mclust" in plan.methods:
        session["versions"] |= mclust.versions()
    agreements, warm = Agreements(saved, plan.again), set[str]()
    with threadpool_limits(plan.threads):
        for task in open_tasks(plan, saved, session, report):
            one, method = plan.sets[task.set], plan.methods[task.method]
            saved.sets[(task.set,)] = set_row(task, one)
            if task.method not in warm:
                warm_up(method, plan.threads)
                warm.add(task.method)
            found, row = attempt(method, task.problem, task.seed, plan.threads)
            if found is not None and method.random and not one.drawn:
                agreements.add(task, found.labels)
            saved.add(task.row | row)
            report(_line(task.row | row))


@dataclass
class Agreements:
    """The agreement between the labels of different seeds, for each set and method.

    Labels are not saved. The mean is therefore over the pairs of seeds that were fitted in the same
    session; pairs of an earlier session are included unless fits are repeated.
    """

    saved: Saved
    again: bool
    labels: dict[tuple[str, str], list[Any]] = field(default_factory=dict)

    def add(self, task: Task, labels: Any) -> None:
        """Compare the labels with those of the earlier seeds, and keep the mean."""
        key = (task.set, task.method)
        if key not in self.labels and self.again:
            self.saved.agreements.pop(key, None)
        earlier = self.labels.setdefault(key, [])
        row = self.saved.agreements.get(key, {"pairs": 0, "ARI": 0.0})
        total = row["pairs"] * row["ARI"]
        total += sum(float(adjusted_rand_score(one, labels)) for one in earlier)
        pairs = row["pairs"] + len(earlier)
        if earlier:
            named = {"set": task.set, "method": task.method}
            self.saved.agreements[key] = named | {"pairs": pairs, "ARI": total / pairs}
        earlier.append(labels)


def set_row(task: Task, one: LabelledSet) -> Row:
    """Return the group and the size of a set."""
    n, d = task.problem.rows.shape
    return {"set": task.set, "group": one.group, "n": n, "d": d, "k": task.problem.k}


def attempt(method: Method, data: Any, seed: int, threads: int) -> tuple[Fit | None, Row]:
    """Run one fit; return it with its scores, or None with the error message if it failed."""
    try:
        found = method.solve(data, seed, threads)
    except (ValueError, RuntimeError) as error:
        return None, error_row(error)
    return found, {
        "seconds": found.seconds,
        "ARI": float(adjusted_rand_score(data.labels, found.labels)),
        "NMI": float(normalized_mutual_info_score(data.labels, found.labels)),
        "objective": found.objective,
        "converged": found.converged,
        "warnings": found.n_warnings,
    }


def warm_up(method: Method, threads: int) -> None:
    """Fit small sets, so that no timing includes compiling."""
    for data in warm_up_data():
        attempt(method, data, 0, threads)


def _line(row: Row) -> str:
    what = f"{row['set']}, seed {row['seed']}, {row['method']}: "
    if "error" in row:
        return what + row["error"]
    return what + f"ARI {row['ARI']:.3f}, NMI {row['NMI']:.3f}, {row['seconds']:.2f} s"
