"""Fit every set with every method and many seeds, to count how often each finds the optimum.

Every fit is saved as soon as it ends, and a saved fit is not repeated unless `--again` is given, so
a long run can be stopped and continued. At each seed, all methods run one after the other, so that
a change of the machine's load affects all of them.
"""

import json
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import numpy as np
from threadpoolctl import threadpool_limits

from boltzmix.metrics import adjusted_rand_score, purity_score

from .measure import environment
from .optimum_methods import ABLATIONS, METHODS, Method, peer_reference, reference
from .optimum_pages import write_page
from .optimum_sets import SETS, WARM_UP_PROBLEMS, Evaluation, Points, Problem, Set

Row = dict[str, Any]
Report = Callable[[str], None]
ALL_METHODS = METHODS | ABLATIONS


@dataclass
class Saved:
    """The saved results: sessions, references and fits.

    A session says when and on which machine fits were run. A reference is the result of EM from the
    true labels; its key is the set and the number of the data. The key of a fit is the set, the
    method and the seed.
    """

    path: Path
    sessions: list[Row] = field(default_factory=list)
    references: dict[tuple[str, int], Row] = field(default_factory=dict)
    fits: dict[tuple[str, str, int], Row] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the saved results of the sets in `SETS`; start empty if there is no file."""
        found = json.loads(path.read_text()) if path.exists() else {}
        saved = cls(path, found.get("sessions", []))
        for row in found.get("references", []):
            if row["set"] in SETS:
                saved.references[row["set"], row["data"]] = row
        for row in found.get("fits", []):
            if row["set"] in SETS:
                saved.fits[row["set"], row["method"], row["seed"]] = row
        return saved

    def write(self) -> None:
        """Write JSON with one row per line; the file is replaced at once, never half written."""
        parts = {
            "sessions": self.sessions,
            "references": [self.references[key] for key in sorted(self.references)],
            "fits": [self.fits[key] for key in sorted(self.fits)],
        }
        texts = [
            f'"{name}": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]"
            for name, rows in parts.items()
        ]
        new = self.path.with_suffix(".new")
        new.write_text("{" + ",\n".join(texts) + "}\n")
        new.replace(self.path)


@dataclass(frozen=True)
class Plan:
    """Which sets, methods and seeds to run."""

    sets: dict[str, Set]
    methods: dict[str, Method]
    seeds: int
    threads: int = 2
    again: bool = False

    @classmethod
    def of(cls, options: Namespace) -> Self:
        """Make the plan from the command-line options."""
        for name in ("seeds", "threads"):
            if getattr(options, name) < 1:
                raise SystemExit(f"--{name} must be at least 1, not {getattr(options, name)}.")
        return cls(
            select("--sets", options.sets, SETS),
            select("--methods", options.methods, ALL_METHODS),
            options.seeds,
            options.threads,
            options.again,
        )


def select(option: str, names: str | None, known: dict[str, Any]) -> dict[str, Any]:
    """Return the entries of `known` in a comma-separated list of names, or all of them."""
    wanted = list(known) if names is None else names.split(",")
    if not set(wanted) <= set(known):
        unknown = ", ".join(name for name in wanted if name not in known)
        raise SystemExit(f"{option} accepts {', '.join(known)}, not {unknown!r}.")
    return {name: known[name] for name in wanted}


def optimum(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Run and save what the options ask for, then write the page of all saved results."""
    plan, saved = Plan.of(options), Saved.load(folder / "optimum.json")
    for name in [name for name, method in plan.methods.items() if not method.installed]:
        report(f"Skipped: {name} is not installed (pip install 'boltzmix[bench]').")
        del plan.methods[name]
    measure_optimum(plan, saved, report)
    return [saved.path, *write_page(saved.references, saved.fits, saved.sessions, folder)]


def measure_optimum(plan: Plan, saved: Saved, report: Report) -> None:
    """Run and save the fits of the plan that are not saved yet."""
    session = {"date": datetime.now(UTC).date().isoformat(), "threads": plan.threads}
    session |= environment()
    number = len(saved.sessions)
    warm: set[tuple[str, type[Problem]]] = set()
    with threadpool_limits(plan.threads):
        for name, problem, seed in open_problems(plan, saved, report):
            saved.sessions[number:] = [session]
            data = SETS[name].data_number(seed)
            if (name, data) not in saved.references:
                saved.references[name, data] = reference_row(name, data, problem, plan.threads)
            for method in missing_methods(plan, saved, name, seed, problem):
                if (method, type(problem)) not in warm:
                    warm_up(plan.methods[method], type(problem), plan.threads)
                    warm.add((method, type(problem)))
                row = {"set": name, "method": method, "seed": seed, "session": number}
                row |= attempt(plan.methods[method], problem, seed, plan.threads)
                saved.fits[name, method, seed] = row
                saved.write()
                report(_line(row, saved.references[name, data]))


def open_problems(plan: Plan, saved: Saved, report: Report) -> Iterator[tuple[str, Problem, int]]:
    """Yield each set, problem and seed with fits to run; report sets whose data are absent."""
    for name, one in plan.sets.items():
        try:
            problem = one.make(0)
        except FileNotFoundError as error:
            report(f"Skipped: {error}")
            continue
        for seed in range(plan.seeds):
            if one.drawn and seed:
                problem = one.make(seed)
            if any(missing_methods(plan, saved, name, seed, problem)):
                yield name, problem, seed


def missing_methods(
    plan: Plan, saved: Saved, name: str, seed: int, problem: Problem
) -> Iterator[str]:
    """Yield the methods that can fit the problem, and whose fit is not saved."""
    for method, one in plan.methods.items():
        if one.suits(problem) and (plan.again or (name, method, seed) not in saved.fits):
            yield method


def attempt(method: Method, problem: Problem, seed: int, threads: int) -> Row:
    """Run one fit and return its scores, or the error message if it failed."""
    try:
        seconds, evaluation = method.solve(problem, seed, threads)
    except (ValueError, RuntimeError) as error:
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
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
