"""The one loop that learns every mixture: E-step, stopping rule, M-step."""

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import is_
from typing import Any

import numpy as np

from .assigned import Assigned, EStep
from .contract import Parts, Stopping, estimate_left
from .e_step import expect
from .expectation import Expectation
from .known_labels import in_known_order
from .log import NO_LOG, Log
from .m_step import maximise
from .randomness import Randomness
from .state import MixtureState, Move, State, Step
from .training_data import TrainingData
from .workers import Workers

STEPS_PER_PHASE = 2**32  # so the random numbers of two phases never meet


@dataclass
class LastEStep:
    """The last soft E-step, which a recipe that begins where another ended need not repeat."""

    given: tuple[Any, ...] = ()
    found: Expectation | None = None

    def note(self, found: Expectation, *given: Any) -> None:
        """Remember an E-step, if nothing in it was drawn at random."""
        self.given, self.found = ((), None) if found.is_hard else (given, found)

    def recall(self, *given: Any) -> Expectation | None:
        """Return the result of the last E-step, if it was given the same objects."""
        is_same = len(self.given) == len(given) and all(map(is_, self.given, given))
        return self.found if is_same else None


@dataclass(frozen=True)
class LoopSettings:
    """The numbers that the loop needs; `AutoSettings` has those of searches beside them.

    Parameters
    ----------
    observations_in_trials : int
        Searches and starts learn from at most so many observations; trials are judged by them.
    observations_in_schedule : int
        At most so many observations set the temperature at which r' has a given entropy.
    """

    observations_in_trials: int = 20_000  # bounds time; the benchmark's sets have fewer
    observations_in_schedule: int = 500


@dataclass(frozen=True)
class Run:
    """The context of one run, which stays as it is while steps are taken.

    Parameters
    ----------
    data : TrainingData
    randomness : Randomness
        The random numbers of this run.
    workers : Workers
        The threads that walk over the data.
    max_iter : int
        Greatest number of M-steps of each recipe.
    phase : int
        The place of the recipe at work, where several run in turn.
    origin : MixtureState, optional
        Where the first of them began, if that is not where this one begins.
    log : Log
        The record of the fit, for a checkpoint.
    last_e_step : LastEStep
    settings : LoopSettings
        `AutoSettings`, for searches.
    """

    data: TrainingData
    randomness: Randomness
    workers: Workers
    max_iter: int = 1000
    phase: int = 0
    origin: MixtureState | None = None
    log: Log = NO_LOG
    last_e_step: LastEStep = field(default_factory=LastEStep)
    settings: LoopSettings = LoopSettings()

    @cached_property
    def sample(self) -> TrainingData:
        """A few of the observations, for temperature schedules."""
        some = self.data.thinned(self.settings.observations_in_trials)
        return some.thinned(self.settings.observations_in_schedule)

    def count(self, iteration: int) -> int:
        """Return the number of an iteration among those of all phases."""
        return self.phase * STEPS_PER_PHASE + iteration

    def generator(self, iteration: int) -> np.random.Generator:
        """Return the random numbers of an iteration that are not drawn per observation."""
        return self.randomness.generator(self.count(iteration))

    def on(
        self, data: TrainingData, rng: np.random.Generator, max_iter: int | None = None
    ) -> "Run":
        """Return a run on other data, with random numbers of its own, as trials make."""
        randomness = Randomness.drawn_from(rng)
        most = max_iter or self.max_iter
        return Run(data, randomness, self.workers, most, log=self.log, settings=self.settings)


@dataclass
class Path:
    """The steps of a recipe so far, and the labels of the last of them, if they are hard.

    A search leaves the loop and enters it again with the same path, so that iterations count on.
    """

    steps: list[Step] = field(default_factory=list)
    labels: Assigned | None = None


def learn(
    run: Run,
    name: str,
    parts: Parts,
    start: MixtureState,
    *,
    path: Path | None = None,
    pause: Stopping | None = None,
    moves: tuple[Move, ...] = (),
) -> Generator[State, None, MixtureState]:
    """Learn a mixture by the parts that a recipe chose, yielding the state of every iteration.

    A `path` of earlier steps is continued. `pause`, a function of the steps so far, says whether to
    leave the loop after an M-step. `moves` led to `start`, and are noted at the first step.

    Returns the `State` that the recipe keeps; or, at a pause, the mixture after the M-step.

    Steps that are in the log of the run are yielded from there. It goes on from the last of them
    by its E-step, made again.
    """
    path = Path() if path is None else path
    begun = start if isinstance(start, State) else None
    mixture = start.freeze(parts.frozen)
    kept: State | None = None
    with run.log.call() as call:
        past = yield from call.recall(path.steps)
        if past is not None:
            mixture, kept, moves, begun = past.mixture, past.kept, (), None
        for iteration in range(len(path.steps) - (past is not None), run.max_iter + 1):
            if past is None:
                mixture, step, found = _e_step(run, name, parts, mixture, path, moves, begun)
                state, moves, begun = mixture.at(step), (), None
                if kept is None or not parts.returns_best or step.score > kept.step.score:
                    kept = state
                call.note(state, kept)
                yield state
            if path.steps[-1].finished or iteration == run.max_iter:
                break
            if past is not None:
                step, past = path.steps[-1], None
                found = _expect(run, parts, mixture, step.temperature, iteration)
            mixture = _m_step(run, parts, mixture, found, iteration)
            path.labels = found.assigned if found.is_hard else None
            if pause is not None and pause(path.steps):
                return mixture
    assert kept is not None
    return kept


def _e_step(
    run: Run,
    name: str,
    parts: Parts,
    mixture: MixtureState,
    path: Path,
    moves: tuple[Move, ...],
    begun: State | None,
) -> tuple[MixtureState, Step, Expectation]:
    """Take an E-step and note it; return the mixture, in the order of known labels, and both.

    `begun` is the state where the loop was entered, at the first step after that.
    """
    mixture, iteration = in_known_order(mixture, run.data, run.workers), len(path.steps)
    temperature = parts.temperature(
        path.steps, lambda: mixture.evaluate(run.sample.observations).log_densities
    )
    found = _expect(run, parts, mixture, temperature, iteration, path.labels)
    score = float((found.total_score + mixture.log_prior) / run.data.total_weight)
    step = Step(
        phase=name,
        iteration=iteration,
        temperature=temperature,
        score=score,
        gain=None if found.is_hard else _gain(score, path, begun),
        counts=found.counts,
        n_changed=found.n_changed,
        size=run.data.observations.mean_size,
        n_observations=len(run.data),
        moves=moves,
        run=run.randomness.run,
    )
    path.steps.append(step)
    n_left = estimate_left(parts.stopping, path.steps, run.max_iter)
    path.steps[-1] = step = replace(step, finished=parts.stopping(path.steps), n_left=n_left)
    return mixture, step, found


def _gain(score: float, path: Path, begun: State | None) -> float | None:
    """Return by how much the last M-step changed the score, if that is known."""
    if begun is not None:
        return begun.step.gain if score == begun.step.score else None
    return score - path.steps[-1].score if path.steps else None


def _expect(
    run: Run,
    parts: Parts,
    mixture: MixtureState,
    temperature: float,
    iteration: int,
    before: Assigned | None = None,
) -> Expectation:
    given = *vars(mixture).values(), run.data, parts.assignment
    known = run.last_e_step.recall(*given)
    if known is not None and known.e_step.temperature == temperature:
        return known
    step = run.count(iteration)
    e_step = EStep(mixture, temperature, parts.assignment, run.randomness, step)
    found = expect(run.data, e_step, run.workers, before)
    run.last_e_step.note(found, *given)
    return found


def _m_step(
    run: Run, parts: Parts, mixture: MixtureState, found: Expectation, iteration: int
) -> MixtureState:
    rng, data = run.generator(iteration), run.data
    if parts.extrapolation is not None:
        found = parts.extrapolation(found)
    statistics, kept = parts.small(mixture, data, found, run.workers)
    bank = maximise(
        mixture, data, statistics, found.assigned, kept, found.too_small, rng, run.workers
    )
    gate = mixture.gate
    if gate is not None:
        for _ in range(mixture.family.n_passes):
            gate = gate.fitted_to(*map(np.concatenate, zip(*found.gate_rows, strict=True)))
    return replace(mixture, bank=bank, gate=gate).weighed(parts.weights, found.counts)
