"""Count how often one hidden Markov model reaches the best known likelihood, from many seeds.

The series of yearly sunspots comes with statsmodels; the others are drawn from overlapping states.
"""

import logging
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from hmmlearn.hmm import GaussianHMM
from threadpoolctl import threadpool_limits

from boltzmix import Mixture, Sequences
from boltzmix.families import HMM, Gaussian

from .contenders import no_convergence_warnings, time_of
from .fits import Plan, Report, Row, Saved, error_row, new_session, open_tasks
from .single_hmm_pages import write_page


@dataclass(frozen=True)
class Problem:
    """Sequences, and the number of states that are fitted to them."""

    sequences: Sequences
    n_states: int


@dataclass(frozen=True)
class ProblemSet:
    """A function that returns the problem, which is the same for every seed."""

    make: Callable[[int], Problem]
    drawn: bool = False


@dataclass(frozen=True)
class Method:
    """A function that fits a model: from problem, seed and threads to its log-likelihood."""

    fit: Callable[[Problem, int, int], Any]
    random: bool = True
    installed: bool = True
    source: str = ""

    def suits(self, problem: Problem) -> bool:
        """Whether it can fit these data: every method can."""
        return True


def sunspots(seed: int) -> Problem:
    """Return the yearly numbers of sunspots from 1700 to 2008, and five states."""
    from statsmodels.datasets import sunspots as found

    values = found.load_pandas().data["SUNACTIVITY"].to_numpy(dtype=float)
    return Problem(Sequences.of([values[:, None]]), 5)


@cache
def simulated(
    n_states: int, n_columns: int, n: int, length: int, spread: float, seed: int
) -> Problem:
    """Draw sequences from a chain with overlapping states, whose means have this spread."""
    rng = np.random.default_rng(n_states)
    states = [
        Gaussian("diag", mean=mean, variance=variance)
        for mean, variance in zip(
            rng.normal(0, spread, (n_states, n_columns)),
            rng.uniform(0.5, 1.5, (n_states, n_columns)) ** 2,
            strict=True,
        )
    ]
    transitions = rng.dirichlet(np.full(n_states, 0.5), n_states) * 0.3 + 0.7 * np.eye(n_states)
    chain = HMM(
        n_states, states[0], initial=np.full(n_states, 1 / n_states), transitions=transitions,
        states=states[0].bank(states),
    )  # fmt: skip
    return Problem(Sequences.of(chain.sample(n, rng, length)), n_states)


SETS = {
    "sunspots": ProblemSet(sunspots),
    "3 states": ProblemSet(partial(simulated, 3, 1, 1, 500, 1.5)),
    "5 states": ProblemSet(partial(simulated, 5, 1, 20, 50, 2.0)),
    "8 states": ProblemSet(partial(simulated, 8, 2, 1, 2000, 2.0)),
}


def boltzmix(family: Callable[[int], HMM]) -> Method:
    """Return the method that fits `Mixture` of one component."""

    def fit(problem: Problem, seed: int, threads: int) -> Any:
        model = Mixture(family(problem.n_states), 1, random_state=seed, n_jobs=threads)
        model.fit(problem.sequences)
        return lambda: model.score(problem.sequences) * len(problem.sequences)

    return Method(fit)


def without_priors(n_states: int) -> HMM:
    """Return the family of likelihood alone."""
    return HMM(n_states, Gaussian("diag", prior=0, resolution=None), prior=0)


def hmmlearn(**options: Any) -> Method:
    """Return the method that fits hmmlearn's `GaussianHMM`."""

    def fit(problem: Problem, seed: int, threads: int) -> Any:
        X, lengths = problem.sequences.values, problem.sequences.lengths
        model = GaussianHMM(problem.n_states, random_state=seed, **options).fit(X, lengths)
        return lambda: model.score(X, lengths)

    return Method(fit)


METHODS = {
    "boltzmix": boltzmix(HMM),
    "boltzmix without priors": boltzmix(without_priors),
    "hmmlearn": hmmlearn(),
    "hmmlearn converged": hmmlearn(n_iter=1000, tol=1e-6),
}


def single_hmm(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Run and save what the options ask for, then write the page of all saved results."""
    plan = Plan.of(options, SETS, METHODS)
    saved = Saved.load(folder / "single-hmm.json")
    logging.getLogger("hmmlearn").setLevel(logging.ERROR)
    warm = set[str]()
    with threadpool_limits(plan.threads), no_convergence_warnings():
        for task in open_tasks(plan, saved, new_session(plan.threads), report):
            method = plan.methods[task.method]
            if task.method not in warm:
                method.fit(simulated(3, 1, 2, 50, 1.5, 0), 0, plan.threads)
                warm.add(task.method)
            row = task.row | attempt(method, task.problem, task.seed, plan.threads)
            saved.add(row)
            report(_line(row))
    return [saved.path, *write_page(saved.fits, saved.sessions, folder)]


def attempt(method: Method, problem: Problem, seed: int, threads: int) -> Row:
    """Fit once; return the log-likelihood in nats and the seconds, or the error."""
    found: list[Any] = []
    try:
        seconds = time_of(lambda: found.append(method.fit(problem, seed, threads)))
    except ValueError as error:
        return error_row(error)
    return {"log-likelihood": float(found[0]()), "seconds": seconds}


def _line(row: Row) -> str:
    what = f"{row['set']}, seed {row['seed']}, {row['method']}: "
    if "error" in row:
        return what + str(row["error"])
    return what + f"{row['log-likelihood']:.2f}, {row['seconds']:.2f} s"
