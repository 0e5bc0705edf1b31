"""Who finds the optimum: fits of every method on every set, over many seeds, saved as they come.

A fit that is saved is not run again, unless asked for, so a long run may be stopped and continued.
Methods take turns at every seed, so that all meet the same machine.
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
from .optimum_sets import FIRST, SETS, Points, Problem, Set, Verdict

Row = dict[str, Any]
Tell = Callable[[str], None]
EVERYONE = METHODS | ABLATIONS


@dataclass
class Saved:
    """What was measured so far: where and when, what EM finds from the true labels, and fits.

    References are kept by set and data, fits by set, method and seed.
    """

    path: Path
    sessions: list[Row] = field(default_factory=list)
    references: dict[tuple[str, int], Row] = field(default_factory=dict)
    fits: dict[tuple[str, str, int], Row] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `write` wrote, if anything, of the sets there are."""
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
        """Write as JSON, a row a line; a run that is stopped leaves the file before or after."""
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
    """What is to be measured."""

    sets: dict[str, Set]
    methods: dict[str, Method]
    seeds: int
    threads: int = 2
    again: bool = False

    @classmethod
    def of(cls, options: Namespace) -> Self:
        """Read the options of the command."""
        for name in ("seeds", "threads"):
            if getattr(options, name) < 1:
                raise SystemExit(f"--{name} must be at least 1, not {getattr(options, name)}.")
        return cls(
            chosen("--sets", options.sets, SETS),
            chosen("--methods", options.methods, EVERYONE),
            options.seeds,
            options.threads,
            options.again,
        )


def chosen(option: str, names: str | None, known: dict[str, Any]) -> dict[str, Any]:
    """Return what a list of names with commas names, or everything."""
    wanted = list(known) if names is None else names.split(",")
    if not set(wanted) <= set(known):
        unknown = ", ".join(name for name in wanted if name not in known)
        raise SystemExit(f"{option} may name {', '.join(known)}, not {unknown!r}.")
    return {name: known[name] for name in wanted}


def optimum(options: Namespace, folder: Path, tell: Tell) -> list[Path]:
    """Measure what the options say, save it, and show all that is saved; return where."""
    plan, saved = Plan.of(options), Saved.load(folder / "optimum.json")
    for name in [name for name, method in plan.methods.items() if not method.installed]:
        tell(f"Left out: {name} is not installed (pip install 'boltzmix[bench]').")
        del plan.methods[name]
    measure_optimum(plan, saved, tell)
    return [saved.path, *write_page(saved.references, saved.fits, saved.sessions, folder)]


def measure_optimum(plan: Plan, saved: Saved, tell: Tell) -> None:
    """Fit what is not saved yet."""
    session = {"date": datetime.now(UTC).date().isoformat(), "threads": plan.threads}
    session |= environment()
    number = len(saved.sessions)
    warm: set[tuple[str, type[Problem]]] = set()
    with threadpool_limits(plan.threads):
        for name, problem, seed in problems(plan, saved, tell):
            saved.sessions[number:] = [session]
            data = SETS[name].draw(seed)
            if (name, data) not in saved.references:
                saved.references[name, data] = refer(name, data, problem, plan.threads)
            for method in wanted(plan, saved, name, seed, problem):
                if (method, type(problem)) not in warm:
                    warm_up(plan.methods[method], type(problem), plan.threads)
                    warm.add((method, type(problem)))
                row = {"set": name, "method": method, "seed": seed, "session": number}
                row |= attempt(plan.methods[method], problem, seed, plan.threads)
                saved.fits[name, method, seed] = row
                saved.write()
                tell(_line(row, saved.references[name, data]))


def problems(plan: Plan, saved: Saved, tell: Tell) -> Iterator[tuple[str, Problem, int]]:
    """Yield the problems there is something to be done about; say what is missing."""
    for name, one in plan.sets.items():
        try:
            problem = one.make(0)
        except FileNotFoundError as error:
            tell(f"Left out: {error}")
            continue
        for seed in range(plan.seeds):
            if one.drawn and seed:
                problem = one.make(seed)
            if any(wanted(plan, saved, name, seed, problem)):
                yield name, problem, seed


def wanted(plan: Plan, saved: Saved, name: str, seed: int, problem: Problem) -> Iterator[str]:
    """Yield the names of methods that are for a problem, and not yet saved."""
    for method, one in plan.methods.items():
        if one.suits(problem) and (plan.again or (name, method, seed) not in saved.fits):
            yield method


def attempt(method: Method, problem: Problem, seed: int, threads: int) -> Row:
    """Return what came of a fit; failures are kept as such."""
    try:
        seconds, verdict = method.solve(problem, seed, threads)
    except (ValueError, RuntimeError) as error:
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
    if not np.isfinite(verdict.likelihood):
        return {"error": "the likelihood is not finite", "seconds": seconds}
    return {"seconds": seconds} | scores(problem, verdict)


def refer(name: str, data: int, problem: Problem, threads: int) -> Row:
    """Return what EM comes to from the true labels; of the first data, scikit-learn's EM too."""
    row = {"set": name, "data": data, "n": len(problem.labels), "k": problem.k}
    row |= scores(problem, reference(problem, threads))
    if isinstance(problem, Points):
        row["d"] = problem.rows.shape[1]
        if data == 0:
            row["scikit-learn"] = peer_reference(problem).likelihood
    return row


def scores(problem: Problem, verdict: Verdict) -> Row:
    """Return likelihood, adjusted Rand index and purity."""
    return {
        "likelihood": verdict.likelihood,
        "ARI": float(adjusted_rand_score(problem.labels, verdict.labels)),
        "purity": float(purity_score(problem.labels, verdict.labels)),
    }


def warm_up(method: Method, kind: type[Problem], threads: int) -> None:
    """Fit small problems, so that no timing includes compiling."""
    for problem in FIRST[kind]():
        attempt(method, problem, 0, threads)


def _line(row: Row, reached: Row) -> str:
    what = f"{row['set']}, seed {row['seed']}, {row['method']}: "
    if "error" in row:
        return what + row["error"]
    above = row["likelihood"] - reached["likelihood"]
    return what + f"{above:+.4f} nats, ARI {row['ARI']:.3f}, {row['seconds']:.2f} s"
