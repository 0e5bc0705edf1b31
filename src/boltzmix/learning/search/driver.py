"""The base class of searches: climb by the loop, try moves when it has converged, go on or end."""

from abc import abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...families.contract.base import Bank
from ..engine.contract import Stopping
from ..engine.loop import Path, Run, learn
from ..engine.state import MixtureState, Move, State, Step, T, mapped
from ..parts.stopping import at_once
from ..recipe import Recipe


@dataclass(frozen=True)
class Found:
    """The result of a search.

    Parameters
    ----------
    mixture : MixtureState
        The mixture to go on from.
    moves : tuple of Move
        The moves that led to it; empty if no move was accepted.
    is_last : bool
        Whether the recipe is over.
    """

    mixture: MixtureState
    moves: tuple[Move, ...] = ()
    is_last: bool = False


class Search(Recipe):
    """A recipe that also tries moves of components.

    It climbs by the loop with the parts it chooses. Whenever `is_due` says so, it leaves the loop
    after an M-step and calls `search`. Write ``parts``, ``is_due`` and ``search``.
    """

    @abstractmethod
    def is_due(self, bank: Bank) -> Stopping:
        """Return the rule, a function of the steps so far, that says when to search."""

    @abstractmethod
    def search(
        self, run: Run, mixture: MixtureState, steps: Sequence[Step], rng: np.random.Generator
    ) -> Generator[State, None, Found]:
        """Try moves: yield the states of all trials, return what was found.

        It must have no other effects, as a fit that goes on from a checkpoint does not call it
        again.
        """

    def learn(self, run: Run, start: MixtureState) -> Generator[State, None, State]:
        """Learn a mixture: yield the state of every iteration, return the one to keep."""
        run = replace(run, origin=run.origin or start)
        path, parts, found = Path(), self.parts, Found(start)
        is_due = self.is_due(start.bank)
        while True:
            mixture = yield from learn(
                run, self.name, parts, found.mixture, path=path, pause=is_due, moves=found.moves
            )
            if isinstance(mixture, State):
                return mixture
            rng = run.generator(path.steps[-1].iteration)
            search = self.search(run, mixture, path.steps, rng)
            found = yield from run.log.recorded(search)
            if found.is_last:
                parts = replace(parts, stopping=at_once)


def as_trial(states: Generator[State, None, T], *moves: Move) -> Generator[State, None, T]:
    """Yield states as those of a trial of some moves; return what they return."""
    return mapped(states, lambda state: state.in_trial(moves))


def in_turn(
    run: Run, recipes: Sequence[Recipe], start: MixtureState
) -> Generator[State, None, MixtureState]:
    """Run recipes one after the other, each from what the one before returned."""
    origin, mixture = start, start
    for phase, recipe in enumerate(recipes):
        mixture = yield from recipe.learn(replace(run, phase=phase, origin=origin), mixture)
    return mixture
