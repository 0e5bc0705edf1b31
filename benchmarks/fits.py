"""What the benchmarks of many fits share: which fits to run, and how their results are saved.

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
from typing import Any, ClassVar, NamedTuple, Self

from .measure import environment

Row = dict[str, Any]
Report = Callable[[str], None]


@dataclass
class Saved:
    """The saved results of a benchmark: sessions and fits; a benchmark may add other tables.

    A session says when and on which machine fits were run. The key of a fit is the set, the method
    and the seed. `KEYS` has the columns of the key of each table.
    """

    KEYS: ClassVar[dict[str, tuple[str, ...]]] = {"fits": ("set", "method", "seed")}

    path: Path
    sessions: list[Row] = field(default_factory=list)
    fits: dict[tuple[str, str, int], Row] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the saved results; start empty if there is no file."""
        found = json.loads(path.read_text()) if path.exists() else {}
        saved = cls(path, found.get("sessions", []))
        for name, columns in cls.KEYS.items():
            rows = filter(cls.keeps, found.get(name, []))
            getattr(saved, name).update({tuple(row[one] for one in columns): row for row in rows})
        return saved

    @classmethod
    def keeps(cls, row: Row) -> bool:
        """Whether a saved row is read; by default, every row is."""
        return True

    def add(self, row: Row) -> None:
        """Keep a fit, and write all results."""
        self.fits[row["set"], row["method"], row["seed"]] = row
        self.write()

    def write(self) -> None:
        """Write JSON with one row per line; the file is replaced at once, never half written."""
        parts = {"sessions": self.sessions}
        for name in self.KEYS:
            rows = getattr(self, name)
            parts[name] = [rows[key] for key in sorted(rows)]
        texts = [
            f'"{name}": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]"
            for name, rows in parts.items()
        ]
        new = self.path.with_suffix(".new")
        new.write_text("{" + ",\n".join(texts) + "}\n")
        new.replace(self.path)


@dataclass(frozen=True)
class Plan:
    """Which sets, methods and seeds to run.

    Parameters
    ----------
    sets : dict
        Each set has `make(seed)`, which returns a problem, and `drawn`, whether each seed draws new
        data.
    methods : dict
        Each method has `suits(problem)`, `installed`, `source` (how to install it) and `random`,
        whether it is fitted with every seed. If not, it is fitted once to the same data.
    seeds, threads : int
    again : bool
        Whether fits that are saved are repeated.
    """

    sets: dict[str, Any]
    methods: dict[str, Any]
    seeds: int
    threads: int = 2
    again: bool = False

    @classmethod
    def of(cls, options: Namespace, sets: dict[str, Any], methods: dict[str, Any]) -> Self:
        """Make the plan from the command-line options."""
        for name in ("seeds", "threads"):
            if getattr(options, name) < 1:
                raise SystemExit(f"--{name} must be at least 1, not {getattr(options, name)}.")
        return cls(
            select("--sets", options.sets, sets),
            select("--methods", options.methods, methods),
            options.seeds,
            options.threads,
            options.again,
        )

    def drop_absent(self, report: Report) -> None:
        """Remove the methods that are not installed, and report each of them."""
        for name in [name for name, method in self.methods.items() if not method.installed]:
            report(f"Skipped: {name} is not installed ({self.methods[name].source}).")
            del self.methods[name]


def select(option: str, names: str | None, known: dict[str, Any]) -> dict[str, Any]:
    """Return the entries of `known` in a comma-separated list of names, or all of them."""
    wanted = list(known) if names is None else names.split(",")
    if not set(wanted) <= set(known):
        unknown = ", ".join(name for name in wanted if name not in known)
        raise SystemExit(f"{option} accepts {', '.join(known)}, not {unknown!r}.")
    return {name: known[name] for name in wanted}


class Task(NamedTuple):
    """A fit to run: the names of set and method, the seed, the session and the problem."""

    set: str
    method: str
    seed: int
    session: int
    problem: Any

    @property
    def row(self) -> Row:
        """The columns that a saved fit begins with."""
        return {"set": self.set, "method": self.method, "seed": self.seed, "session": self.session}


def new_session(threads: int) -> Row:
    """Return the date, the number of threads, the machine and the versions of packages."""
    return {"date": datetime.now(UTC).date().isoformat(), "threads": threads} | environment()


def open_tasks(plan: Plan, saved: Saved, session: Row, report: Report) -> Iterator[Task]:
    """Yield the fits to run; the session is saved with the first of them."""
    number = len(saved.sessions)
    for name, problem, seed in problems(plan, report):
        for method in missing_methods(plan, saved, name, seed, problem):
            saved.sessions[number:] = [session]
            yield Task(name, method, seed, number, problem)


def problems(plan: Plan, report: Report) -> Iterator[tuple[str, Any, int]]:
    """Yield each set, problem and seed; report sets whose data are absent."""
    for name, one in plan.sets.items():
        try:
            problem = one.make(0)
        except FileNotFoundError as error:
            report(f"Skipped: {error}")
            continue
        for seed in range(plan.seeds):
            if one.drawn and seed:
                problem = one.make(seed)
            yield name, problem, seed


def missing_methods(plan: Plan, saved: Saved, name: str, seed: int, problem: Any) -> Iterator[str]:
    """Yield the methods that can fit the problem, and whose fit is not saved."""
    for method, one in plan.methods.items():
        same = seed > 0 and not one.random and not plan.sets[name].drawn
        if same or not one.suits(problem):
            continue
        if plan.again or (name, method, seed) not in saved.fits:
            yield method


def error_row(error: Exception) -> Row:
    """Return what is saved of a fit that ended in an error: the first line of the message."""
    return {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
