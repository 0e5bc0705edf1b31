"""Restarts that race: all runs take the first recipe, and only the promising go on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .evidence import Evidence, Start
from .expectation import mean_log_likelihood
from .history import Step
from .loop import State, learn_in_turn
from .randomness import Randomness
from .recipes import Recipe
from .workers import Workers

Watcher = Callable[[int, State], None]
Begin = Callable[[Recipe], Start]  # makes the start that a recipe needs


@dataclass
class Run:
    """One of the restarts, and how far it has come.

    Parameters
    ----------
    begin : function of a recipe, returning a Start
        Where it begins.
    mixture : Start
        What it has come to.
    randomness : Randomness
        Its random numbers.
    """

    begin: Begin
    mixture: Start
    randomness: Randomness
    log_likelihood: float = float("-inf")
    converged: bool = False
    steps: list[Step] = field(default_factory=list)


def race(
    evidence: Evidence,
    recipes: Sequence[Recipe],
    starts: Sequence[Begin],
    seed: int,
    workers: Workers,
    max_iter: int,
    watch: Watcher,
) -> Run:
    """Run recipes from several starts, and return the run that comes to the highest likelihood.

    After each recipe but the last, the better half of the runs goes on.
    """
    runs = [
        Run(begin, begin(recipes[0]), Randomness.from_seed(seed, number))
        for number, begin in enumerate(starts)
    ]
    for phase, recipe in enumerate(recipes):
        if phase > 0:
            runs.sort(key=lambda run: -run.log_likelihood)
            runs = runs[: (len(runs) + 1) // 2]
        for run in runs:
            _advance(run, evidence, recipe, phase, workers, max_iter, watch)
            if len(runs) > 1 or phase == len(recipes) - 1:
                run.log_likelihood = mean_log_likelihood(evidence, run.mixture, workers)
    return max(runs, key=lambda run: run.log_likelihood)


def _advance(
    run: Run,
    evidence: Evidence,
    recipe: Recipe,
    phase: int,
    workers: Workers,
    max_iter: int,
    watch: Watcher,
) -> None:
    """Take a run through one more recipe."""
    for progress in learn_in_turn(
        evidence, [recipe], run.mixture, run.randomness, workers,
        max_iter=max_iter, first=phase, begin=run.begin,
    ):  # fmt: skip
        watch(run.randomness.run, progress.state)
        run.steps.append(progress.state.step)
    run.mixture = Start(progress.kept.bank, progress.kept.weights)
    run.converged = progress.state.finished
