"""How a bootstrap is made: data sets are drawn, learned and matched, several at a time."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...data import FloatArray, Remote, check_count
from ...learning import DegenerateMixtureWarning, MixtureState, TrainingData, Workers
from ...parallel import thread_pool
from ...views import describe_left_out
from ..named_values import NOISE, Name
from .learning import Learner, n_pilots
from .matching import match_components, responsibilities_of
from .result import Bootstrap
from .sets import check_kind, default_kind, draw_set

Measure = Callable[[TrainingData, MixtureState], tuple[list[Name], FloatArray]]

LEAST_SHARED = 0.5  # of a component, in a replicate that did not move far
MOST_LEFT_OUT = 0.05  # of the replicates, without a warning
FEWEST_REPLICATES = 20  # whose spread says how far is far
FAR, ROUNDING = 0.5, 1e-8  # standard errors from the optimum; relative size of such as are zero
ROWS_MATCHED, ROWS_OF_EACH = 2_000, 100  # observations by which components are matched


@dataclass(frozen=True, eq=False)
class Task:
    """What all replicates of a bootstrap have in common.

    Parameters
    ----------
    data : TrainingData
        What the mixture was fitted to.
    fitted : MixtureState
    measure : Measure
    kind : {"weighted", "resample", "parametric"}
    seed : int
    """

    data: TrainingData
    fitted: MixtureState
    measure: Measure
    kind: str
    seed: int

    def draw(self, number: int) -> TrainingData:
        """Return the data set of a replicate, the same in every call."""
        rng = np.random.default_rng((self.seed, number))
        return draw_set(self.kind, self.data, self.fitted, rng)

    @property
    def sample(self) -> TrainingData:
        """Observations by which components are matched."""
        most = max(ROWS_MATCHED, ROWS_OF_EACH * len(self.fitted.sources))
        return TrainingData(self.data.observations).thinned(most)


def make_bootstrap(
    data: TrainingData,
    fitted: MixtureState,
    measure: Measure,
    n: int,
    kind: str | None,
    seed: int,
    n_threads: int,
) -> Bootstrap:
    """Make a bootstrap of a fitted mixture.

    Parameters
    ----------
    data : TrainingData
        What the mixture was fitted to.
    fitted : MixtureState
    measure : function
        Takes a data set and the mixture learned from it, and returns the names of numbers and
        their values, whose uncertainty is wanted.
    n : int
        Number of replicates.
    kind : {"weighted", "resample", "parametric"} or None
        None is the first of these that the family can.
    seed : int
    n_threads : int
        Number of replicates that are made at the same time.
    """
    family = fitted.bank.family
    _check(n, data, fitted)
    kind = default_kind(family) if kind is None else kind
    check_kind(kind, family, data)
    task = Task(data, fitted, measure, kind, seed)
    task.draw(0)  # a family that cannot be sampled says so at once
    with Workers(n_threads) as workers:
        learner = Learner.of(fitted, data, workers)
        before = responsibilities_of(learner.start, task.sample, workers)
        origin = learner.origin(data, workers)
    with Workers(1), thread_pool(n_threads) as threads:
        if origin is not None:
            steps = partial(_first_steps, task, learner)
            paths = list(threads.map(steps, range(n_pilots(n, origin))))
            learner = learner.with_steps(origin, paths)
        replicate = partial(_replicate, task, learner, task.sample, before)
        found = list(threads.map(replicate, range(n)))
    made = _collected(task, found)
    _check_optimum(made, measure(data, _without_outliers(learner.start, fitted))[1])
    return made


def _check(n: Any, data: TrainingData, fitted: MixtureState) -> None:
    """Raise unless there can be a bootstrap of so many replicates."""
    check_count("n", n)
    if n < 2:
        raise ValueError("n must be at least 2: one replicate has no spread.")
    if isinstance(data.observations, Remote) or not data.observations.in_memory:
        raise ValueError(
            "X is not in memory, and a bootstrap goes over it thousands of times: pass a sample,"
            " such as X[:10_000].compute()."
        )
    if len(data) < len(fitted.sources):
        raise ValueError(
            f"X has {len(data)} observation(s), fewer than the {len(fitted.sources)} components:"
            " pass what the mixture was fitted to."
        )


def _first_steps(task: Task, learner: Learner, number: int) -> list[FloatArray]:
    with Workers(1) as workers:
        return learner.first_steps(task.draw(number), workers)


def _replicate(
    task: Task, learner: Learner, sample: TrainingData, before: FloatArray, number: int
) -> FloatArray | str:
    """Return the values (P,) of a replicate, or why it is left out."""
    with Workers(1) as workers:
        data = task.draw(number)
        mixture, converged = learner.learn(data, number, workers)
        match = match_components(before, responsibilities_of(mixture, sample, workers))
    mixture = _without_outliers(mixture, task.fitted)
    sizes = mixture.weights * len(task.data)
    if not (sizes >= mixture.family.min_observations).all():
        return "vanished"
    if not match.shared.min() >= LEAST_SHARED:
        return "moved"
    _, values = task.measure(data, mixture.in_order(match.order))
    if not converged or not np.isfinite(values).all():
        return "not converged"
    return values


def _check_optimum(made: Bootstrap, optimum: FloatArray) -> None:
    """Warn if the fitted mixture is far from where EM converges on the same data."""
    if len(made.replicates) < FEWEST_REPLICATES:
        return
    errors = made.standard_errors
    moves = errors > ROUNDING * np.abs(made.estimates)
    away = np.abs(optimum - made.estimates)[moves] / errors[moves]
    if len(away) and away.max() > FAR:
        warnings.warn(
            f"A parameter of the fit is {away.max():.1f} standard errors from where EM converges,"
            " and the replicates lie around that: let EM end the fit, as algorithm 'auto' does.",
            DegenerateMixtureWarning,
            stacklevel=4,
        )


def _without_outliers(mixture: MixtureState, fitted: MixtureState) -> MixtureState:
    """Return a replicate without a background that the fitted mixture does not have."""
    return mixture if fitted.background is not None else mixture.without_background()


def _collected(task: Task, found: Sequence[FloatArray | str]) -> Bootstrap:
    """Put replicates together; raise or warn if many are left out."""
    names, estimates = task.measure(task.data, task.fitted)
    n = len(found)
    kept = [one for one in found if not isinstance(one, str)]
    reasons = [one for one in found if isinstance(one, str)]
    left_out = {reason: reasons.count(reason) for reason in dict.fromkeys(reasons)}
    sentence = describe_left_out(left_out, n)
    if len(kept) < 2:
        raise ValueError(f"There is nothing to take standard errors from. {sentence}")
    if len(reasons) > MOST_LEFT_OUT * n:
        warnings.warn(sentence, DegenerateMixtureWarning, stacklevel=4)
    components = tuple("noise" if one.component == NOISE else str(one.component) for one in names)
    parameters = tuple(one.parameter for one in names)
    return Bootstrap(components, parameters, estimates, np.array(kept), task.kind, left_out)
