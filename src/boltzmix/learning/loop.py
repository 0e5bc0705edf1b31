"""The loop that learns every mixture: infer, record, test, fit, move."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from ..data import FloatArray, IntArray
from ..families.base import Bank
from .evidence import Evidence, Start
from .expectation import EStep
from .history import Step
from .known_labels import in_known_order
from .maximisation import maximise
from .moves import Scene
from .randomness import Randomness
from .recipes import Recipe
from .workers import Workers

SEEN_BY_SCHEDULE = 500  # observations that a temperature is told from
STEPS_PER_PHASE = 2**32  # the random numbers of phases and iterations never meet


@dataclass(frozen=True)
class State:
    """A mixture in the making, at one iteration.

    Parameters
    ----------
    step : Step
        What happened, as numbers.
    bank : Bank
        The components.
    weights : array, shape (K,)
        Mixing weights.
    finished : bool
        Whether the recipe's own test ended the run here.
    """

    step: Step
    bank: Bank
    weights: FloatArray
    finished: bool


class Progress(NamedTuple):
    """The state of this iteration, and what its recipe would return if it ended here."""

    state: State
    kept: State


def learn(
    evidence: Evidence,
    recipe: Recipe,
    start: Start,
    randomness: Randomness,
    workers: Workers,
    *,
    max_iter: int = 1000,
    phase: int = 0,
    origin: Start | None = None,
) -> Iterator[State]:
    """Learn a mixture by one recipe, yielding the state of every iteration.

    Parameters
    ----------
    evidence : Evidence
        The observations, with their weights and known labels if there are any.
    recipe : Recipe
        Which parts to use.
    start : Start
        Fitted components, and their weights.
    randomness : Randomness
        The random numbers of this run.
    workers : Workers
        The threads that walk over the data.
    max_iter : int
        At most so many M-steps.
    phase : int
        The recipe's place, where several run in turn.
    origin : Start, optional
        Where the first of them began, if that was not here.
    """
    parts, data, known = recipe.parts, evidence.data, evidence.known
    remembers = start.bank.family.n_passes > 1
    infer = EStep(evidence, parts.assignment, randomness, workers, remembers)
    bank, weights = start.bank.freeze(parts.settled), start.weights
    few = evidence.thinned(SEEN_BY_SCHEDULE) if parts.temperature.looks else evidence
    labels: IntArray | None = None
    move: str | None = None
    steps: list[Step] = []
    for iteration in range(max_iter + 1):
        now = phase * STEPS_PER_PHASE + iteration
        bank, weights = in_known_order(bank, weights, data, known, workers)
        temperature = parts.temperature(steps, partial(bank.log_prob, few.data))
        found = infer(bank, weights, temperature, now)
        changed = _count_changes(labels, found.labels)
        steps.append(
            Step(
                recipe.name, iteration, temperature, found.score, found.counts, changed,
                data.mean_size, move,
            )
        )  # fmt: skip
        finished = parts.stopping(steps)
        yield State(steps[-1], bank, weights, finished)
        if finished:
            return
        rng = randomness.generator(now)
        statistics, kept = parts.small(bank, data, found, evidence.sample_weight, rng)
        bank = maximise(bank, data, statistics, found.membership, kept, rng, workers)
        weights = bank.weigh(parts.weights, found.counts)
        labels = found.labels
        again = partial(learn_in_turn, workers=workers)
        scene = Scene(evidence, workers, rng, again, origin or start, randomness, max_iter)
        (bank, weights), move = parts.move(Start(bank, weights), steps, scene)


def learn_in_turn(
    evidence: Evidence,
    recipes: Sequence[Recipe],
    start: Start,
    randomness: Randomness,
    workers: Workers,
    *,
    max_iter: int = 1000,
    first: int = 0,
    origin: Start | None = None,
) -> Iterator[Progress]:
    """Run recipes one after the other, each from what the one before returned.

    `first` is the place of the first of them, and `origin` where others before them began.
    """
    origin = origin or start
    for phase, recipe in enumerate(recipes, first):
        kept: State | None = None
        returns_best = recipe.parts.returns_best
        for state in learn(
            evidence, recipe, start, randomness, workers,
            max_iter=max_iter, phase=phase, origin=origin,
        ):  # fmt: skip
            kept = _better(kept, state) if returns_best else state
            yield Progress(state, kept)
        assert kept is not None
        start = Start(kept.bank, kept.weights)


def _better(kept: State | None, state: State) -> State:
    return state if kept is None or state.step.score > kept.step.score else kept


def _count_changes(before: IntArray | None, after: IntArray | None) -> int | None:
    if before is None or after is None:
        return None
    return int(np.count_nonzero(before != after))
