"""The loop that learns every mixture: infer, record, test, move, fit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..data import Data, FloatArray, IntArray
from ..families.base import Bank
from .expectation import EStep
from .history import Step
from .known_labels import in_known_order
from .maximisation import maximise
from .moves import stay
from .randomness import Randomness
from .recipes import CEM, Recipe
from .workers import Workers

STEPS_AHEAD, SEEN_AHEAD = 5, 2_000  # what sets a temperature in the units of the data
STEPS_PER_PHASE = 2**32  # the random numbers of phases and iterations never meet


class Start(NamedTuple):
    """Where a run begins: fitted components and their weights."""

    bank: Bank
    weights: FloatArray


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
    data: Data,
    recipe: Recipe,
    start: Start,
    randomness: Randomness,
    workers: Workers,
    *,
    sample_weight: FloatArray | None = None,
    known: IntArray | None = None,
    max_iter: int = 1000,
    phase: int = 0,
) -> Iterator[State]:
    """Learn a mixture by one recipe, yielding the state of every iteration.

    Parameters
    ----------
    data : Data
        The observations.
    recipe : Recipe
        Which parts to use.
    start : Start
        Fitted components, and their weights.
    randomness : Randomness
        The random numbers of this run.
    workers : Workers
        The threads that walk over the data.
    sample_weight : array, shape (n,), optional
        Weights of the observations.
    known : array of int, shape (n,), optional
        Labels that are known, or minus one.
    max_iter : int
        At most so many M-steps.
    phase : int
        The recipe's place, where several run in turn.
    """
    parts = recipe.parts
    remembers = parts.move is not stay or start.bank.family.n_passes > 1
    infer = EStep(data, parts.assignment, randomness, workers, sample_weight, remembers, known)
    bank, weights = start.bank.settled(parts.settled), start.weights
    schedule = parts.temperature.scaled(
        lambda: _values_ahead(data, start, randomness, workers, sample_weight, known)
    )
    labels: IntArray | None = None
    steps: list[Step] = []
    for iteration in range(max_iter + 1):
        now = phase * STEPS_PER_PHASE + iteration
        temperature = schedule(iteration)
        bank, weights = in_known_order(bank, weights, data, known, workers)
        found = infer(bank, weights, temperature, now)
        changed = _count_changes(labels, found.labels)
        steps.append(
            Step(
                recipe.name, iteration, temperature, found.score, found.counts, changed,
                data.mean_size,
            )
        )  # fmt: skip
        finished = parts.stopping(steps)
        yield State(steps[-1], bank, weights, finished)
        if finished:
            return
        found = parts.move(bank, data, found, workers)
        rng = randomness.generator(now)
        statistics, kept = parts.small(bank, data, found, sample_weight, rng)
        bank = maximise(bank, data, statistics, found.membership, kept, rng, workers)
        weights = bank.weigh(parts.weights, found.counts)
        labels = found.labels


def learn_in_turn(
    data: Data,
    recipes: Sequence[Recipe],
    start: Start,
    randomness: Randomness,
    workers: Workers,
    *,
    sample_weight: FloatArray | None = None,
    known: IntArray | None = None,
    max_iter: int = 1000,
) -> Iterator[Progress]:
    """Run recipes one after the other, each from what the one before returned."""
    for phase, recipe in enumerate(recipes):
        kept: State | None = None
        states = learn(
            data, recipe, start, randomness, workers,
            sample_weight=sample_weight, known=known, max_iter=max_iter, phase=phase,
        )  # fmt: skip
        for state in states:
            kept = _better(kept, state) if recipe.parts.returns_best else state
            yield Progress(state, kept)
        assert kept is not None
        start = Start(kept.bank, kept.weights)


def _values_ahead(
    data: Data,
    start: Start,
    randomness: Randomness,
    workers: Workers,
    sample_weight: FloatArray | None,
    known: IntArray | None,
) -> FloatArray:
    """Return values of some observations, a few greedy steps from the start.

    At the start itself components hardly differ, and neither do values.
    """
    greedy = CEM(small="keep")
    for state in learn(
        data, greedy, start, randomness, workers,
        sample_weight=sample_weight, known=known, max_iter=STEPS_AHEAD,
    ):  # fmt: skip
        bank = state.bank
    step = -(-len(data) // SEEN_AHEAD)
    return bank.log_prob(data.take(np.arange(0, len(data), step)))


def _better(kept: State | None, state: State) -> State:
    return state if kept is None or state.step.score > kept.step.score else kept


def _count_changes(before: IntArray | None, after: IntArray | None) -> int | None:
    if before is None or after is None:
        return None
    return int(np.count_nonzero(before != after))
