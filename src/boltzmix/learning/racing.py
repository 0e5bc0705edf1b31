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


@dataclass
class Run:
    """One of the restarts, and how far it has come.

    Parameters
    ----------
    origin : Start
        Where it began.
    randomness : Randomness
        Its random numbers.
    """

    origin: Start
    randomness: Randomness
    mixture: Start = field(init=False)  # what it has come to
    log_likelihood: float = float("-inf")
    converged: bool = False
    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.mixture = self.origin


def race(
    evidence: Evidence,
    recipes: Sequence[Recipe],
    starts: Sequence[Callable[[], Start]],
    seed: int,
    workers: Workers,
    max_iter: int,
    watch: Watcher,
) -> Run:
    """Run recipes from several starts, and return the run that comes to the highest likelihood.

    After each recipe but the last, the better half of the runs goes on.
    """
    runs = [Run(start(), Randomness.from_seed(seed, number)) for number, start in enumerate(starts)]
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
        max_iter=max_iter, first=phase, origin=run.origin,
    ):  # fmt: skip
        watch(run.randomness.run, progress.state)
        run.steps.append(progress.state.step)
    run.mixture = Start(progress.kept.bank, progress.kept.weights)
    run.converged = progress.state.finished
