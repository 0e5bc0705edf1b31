"""Fit every set with every method and many seeds, to count how often each finds the optimum."""

from argparse import Namespace
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np
from threadpoolctl import threadpool_limits

from boltzmix.metrics import adjusted_rand_score, purity_score

from . import fits
from .fits import Plan, Report, Row, error_row, new_session, open_tasks
from .optimum_methods import ABLATIONS, METHODS, Method, peer_reference, reference
from .optimum_pages import write_page
from .optimum_sets import SETS, WARM_UP_PROBLEMS, Evaluation, Points, Problem

ALL_METHODS = METHODS | ABLATIONS


@dataclass
class Saved(fits.Saved):
    """The saved results: sessions, references and fits, of the sets in `SETS`.

    A reference is the result of EM from the true labels; its key is the set and the number of the
    data.
    """

    KEYS: ClassVar[dict[str, tuple[str, ...]]] = {"references": ("set", "data")} | fits.Saved.KEYS

    references: dict[tuple[str, int], Row] = field(default_factory=dict)

    @classmethod
    def keeps(cls, row: Row) -> bool:
        """Whether a saved row is read: only the rows of the sets in `SETS` are."""
        return row["set"] in SETS


def optimum(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Run and save what the options ask for, then write the page of all saved results."""
    plan, saved = Plan.of(options, SETS, ALL_METHODS), Saved.load(folder / "optimum.json")
    plan.drop_absent(report)
    measure_optimum(plan, saved, report)
    return [saved.path, *write_page(saved.references, saved.fits, saved.sessions, folder)]


def measure_optimum(plan: Plan, saved: Saved, report: Report) -> None:
    """Run and save the fits of the plan that are not saved yet."""
    warm: set[tuple[str, type[Problem]]] = set()
    with threadpool_limits(plan.threads):
        for task in open_tasks(plan, saved, new_session(plan.threads), report):
            problem, method = task.problem, plan.methods[task.method]
            key = (task.set, SETS[task.set].data_number(task.seed))
            if key not in saved.references:
                saved.references[key] = reference_row(*key, problem, plan.threads)
            if (task.method, type(problem)) not in warm:
                warm_up(method, type(problem), plan.threads)
                warm.add((task.method, type(problem)))
            row = task.row | attempt(method, problem, task.seed, plan.threads)
            saved.add(row)
            report(_line(row, saved.references[key]))


def attempt(method: Method, problem: Problem, seed: int, threads: int) -> Row:
    """Run one fit and return its scores, or the error message if it failed."""
    try:
        seconds, evaluation = method.solve(problem, seed, threads)
    except (ValueError, RuntimeError) as error:
        return error_row(error)
    if not np.isfinite(evaluation.likelihood):
        return {"error": "the likelihood is not finite", "seconds": seconds}
    return {"seconds": seconds} | scores(problem, evaluation)


def reference_row(name: str, data: int, problem: Problem, threads: int) -> Row:
    """Return the scores of EM from the true labels; on data 0, also of scikit-learn's EM."""
    row = {"set": name, "data": data, "n": len(problem.labels), "k": problem.k}
    row |= scores(problem, reference(problem, threads))
    if isinstance(problem, Points):
        row["d"] = problem.rows.shape[1]
        if data == 0:
            row["scikit-learn"] = peer_reference(problem).likelihood
    return row


def scores(problem: Problem, evaluation: Evaluation) -> Row:
    """Return likelihood, adjusted Rand index and purity."""
    return {
        "likelihood": evaluation.likelihood,
        "ARI": float(adjusted_rand_score(problem.labels, evaluation.labels)),
        "purity": float(purity_score(problem.labels, evaluation.labels)),
    }


def warm_up(method: Method, kind: type[Problem], threads: int) -> None:
    """Fit small problems, so that no timing includes compiling."""
    for problem in WARM_UP_PROBLEMS[kind]():
        attempt(method, problem, 0, threads)


def _line(row: Row, expected: Row) -> str:
    what = f"{row['set']}, seed {row['seed']}, {row['method']}: "
    if "error" in row:
        return what + row["error"]
    above = row["likelihood"] - expected["likelihood"]
    return what + f"{above:+.4f} nats, ARI {row['ARI']:.3f}, {row['seconds']:.2f} s"
