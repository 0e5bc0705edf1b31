"""How the data sets of a bootstrap are learned: each from the fitted mixture, by EM."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ...data import FloatArray, without_covariates
from ...families.contract.background import Background, outlier_weight
from ...learning import CEM, EM, MixtureState, Parts, Randomness, Run, TrainingData, Workers, learn
from ...learning.engine.assigned import EStep
from ...learning.engine.e_step import expect
from ...learning.engine.state import drained
from ...learning.parts import soft
from ...learning.parts.extrapolation import Leap, Recorded, StepMap, position
from ...learning.parts.stopping import either, length, negligible_gain, never

LEFT_TO_GAIN = 1e-3  # nats, so that no parameter is 0.05 standard errors from its optimum
LEFT_TO_GO = 0.05  # standard errors that the parameter furthest from its optimum may be away
MOST_LEAPS = 100  # until plain EM is taken instead
PILOTS, PILOT_STEPS = 24, 8  # data sets and steps from which the map of steps is learned
MOST_NUMBERS = 2**24  # in a map of steps


def n_pilots(n: int, origin: FloatArray) -> int:
    """Return from how many of n data sets the map of steps is learned."""
    return min(n, PILOTS, max(1, MOST_NUMBERS // (PILOT_STEPS * len(origin))))


class Learned(NamedTuple):
    """A mixture learned from one data set, and whether it converged."""

    mixture: MixtureState
    converged: bool


@dataclass(frozen=True, eq=False)
class Learner:
    """How data sets are learned that are much like the one a mixture was fitted to.

    Parameters
    ----------
    start : MixtureState
        The fitted mixture, from which all of them start.
    steps : StepMap, optional
        What is known of the steps of EM; without it, plain EM is run.
    """

    start: MixtureState
    steps: StepMap | None = None

    @classmethod
    def of(cls, fitted: MixtureState, data: TrainingData, workers: Workers) -> "Learner":
        """Start from where EM converges on the data themselves, with the outliers of the fit."""
        mixture = _with_outliers(fitted, data)
        return cls(cls(mixture).learn(data, 0, workers).mixture)

    def learn(self, data: TrainingData, seed: int, workers: Workers) -> Learned:
        """Learn a mixture from one data set."""
        if self.steps is not None:
            found = self._leap(data, self.steps, workers)
            if found is not None:
                return Learned(found, True)
        run = Run(data, Randomness.from_seed(seed), workers)
        parts = _parts(self.start)
        *_, last = learn(run, "EM", parts, self.start)
        return Learned(last.mixture, last.step.finished)

    def _leap(self, data: TrainingData, steps: StepMap, workers: Workers) -> MixtureState | None:
        """Learn by few steps that go all the way; None where that does not converge."""
        leap = Leap(steps)
        parts = replace(_parts(self.start), extrapolation=leap, stopping=never)
        run = Run(data, Randomness.from_seed(0), workers, max_iter=MOST_LEAPS)
        loop = learn(run, "EM", parts, self.start, pause=lambda _: leap.left <= LEFT_TO_GO)
        try:
            with np.errstate(all="ignore"):
                found = drained(loop)
        except (ValueError, ArithmeticError):  # what was extrapolated has no M-step
            return None
        return found if leap.left <= LEFT_TO_GO else None

    def origin(self, data: TrainingData, workers: Workers) -> FloatArray | None:
        """Return the position of the start; None where the M-step takes more than sums."""
        bank = self.start.bank
        if not bank.family.additive or bank.family.n_passes > 1 or self.start.gate is not None:
            return None
        e_step = EStep(self.start, 1.0, soft, Randomness.from_seed(0), 0)
        try:
            return position(expect(data, e_step, workers))
        except TypeError:  # the family's statistics are of a kind of their own
            return None

    def with_steps(self, origin: FloatArray, paths: Sequence[Sequence[FloatArray]]) -> "Learner":
        """Return this learner with a map of steps, learned from the paths of some data sets."""
        return replace(self, steps=StepMap.learned(origin, paths))

    def first_steps(self, data: TrainingData, workers: Workers) -> list[FloatArray]:
        """Return the positions after the first steps of EM on one data set."""
        recorded = Recorded()
        enough = either(length(PILOT_STEPS), negligible_gain(LEFT_TO_GAIN))
        parts = replace(_parts(self.start), extrapolation=recorded, stopping=enough)
        run = Run(data, Randomness.from_seed(0), workers)
        drained(learn(run, "EM", parts, self.start))
        return recorded.path


def _parts(start: MixtureState) -> Parts:
    """Return the parts of EM, or of classification EM for a family without weights."""
    if not start.bank.family.weighted:
        return CEM("keep").parts
    return replace(EM().parts, stopping=negligible_gain(LEFT_TO_GAIN))


def _with_outliers(mixture: MixtureState, data: TrainingData) -> MixtureState:
    """Return a mixture with the background of outliers that it was learned with, if any."""
    family = mixture.family
    if not family.outliers or mixture.background is not None:
        return mixture
    observations = without_covariates(data.observations)
    weight = outlier_weight(family, observations.n_features)
    background = family.outlier_background(
        observations, data.sample_weight, np.random.default_rng(0)
    )
    return mixture.with_background(Background(background, weight), weight)
