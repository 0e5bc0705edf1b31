"""Restarts that race: all runs take the first recipe, and the better half goes on after each."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..engine.loop import Run
from ..engine.state import MixtureState, State, Step, mapped
from ..parts.objective import mean_objective
from ..recipe import Recipe

NO_COUNTS = np.zeros(0)


@dataclass
class Racer:
    """One of the restarts, and how far it has come.

    Parameters
    ----------
    run : Run
        Its data, random numbers and origin.
    mixture : MixtureState
        Its mixture after the last recipe.
    objective : float
        Of that mixture, where runs are compared.
    converged : bool
        Whether the last recipe ended by its own stopping rule.
    steps : list of Step
        Those of its trials have no counts, which would take much memory.
    """

    run: Run
    mixture: MixtureState
    objective: float = float("-inf")
    converged: bool = False
    steps: list[Step] = field(default_factory=list)

    def advance(self, recipe: Recipe, phase: int) -> Generator[State, None, None]:
        """Take one more recipe."""
        states = recipe.learn(replace(self.run, phase=phase), self.mixture)
        self.mixture = yield from mapped(states, self._recorded)
        self.converged = next(step for step in reversed(self.steps) if not step.trial).finished

    def _recorded(self, state: State) -> State:
        """Note a step, and return the state with the number of this run."""
        step = replace(state.step, run=self.run.randomness.run)
        self.steps.append(replace(step, counts=NO_COUNTS) if step.trial else step)
        return replace(state, step=step)


def race(
    recipes: Sequence[Recipe], runs: Sequence[Callable[[], Run]]
) -> Generator[State, None, Racer]:
    """Run recipes from several starts; yield all states, return the run of the highest objective.

    Parameters
    ----------
    recipes : sequence of recipes, run in turn
    runs : sequence of functions that return a Run with its origin
    """
    racers = []
    for make in runs:
        run = make()
        assert run.origin is not None
        racers.append(Racer(run, run.origin))
    for phase, recipe in enumerate(recipes):
        if phase > 0:
            racers.sort(key=lambda racer: -racer.objective)
            racers = racers[: (len(racers) + 1) // 2]
        for racer in racers:
            yield from racer.advance(recipe, phase)
            if len(racers) > 1 or phase == len(recipes) - 1:
                run = racer.run
                racer.objective = mean_objective(run.data, racer.mixture, run.workers)
    return max(racers, key=lambda racer: racer.objective)
