"""How a bootstrap is made: data sets are drawn, learned and matched, several at a time."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from ...data import (
    DATA,
    Data,
    FloatArray,
    InputError,
    IntArray,
    Remote,
    WithCovariates,
    check_choice,
    check_count,
    without_covariates,
)
from ...families.contract.base import Family
from ...families.shared.constants import TINY
from ...fitted import FittedMixture
from ...inputs import as_seed, check_remote, read_labels, weigh
from ...learning import DegenerateMixtureWarning, MixtureState, TrainingData, Workers
from ...learning.parts.assignment import responsibilities
from ...parallel import thread_pool
from ..estimates import describe_left_out
from ..named_values import Name, NamedValues
from .learner import Learner, n_pilots
from .result import Bootstrap

KINDS = ("weighted", "resample", "parametric")


def default_kind(family: Family) -> str:
    """Return the kind of bootstrap that is best for a family."""
    return "weighted" if family.weighted else "resample"


def check_kind(kind: object, family: Family, data: TrainingData) -> None:
    """Raise unless a bootstrap of this kind can be made."""
    check_choice("kind", kind, KINDS)
    if kind == "weighted" and not family.weighted:
        raise ValueError(
            f"kind='weighted' weights observations, but fit of {family.name} takes no weights: use"
            " kind='resample'."
        )
    if kind == "parametric" and data.known_labels is not None:
        raise ValueError(
            "labels cannot be known of observations that are drawn from the mixture: leave them"
            " out, or use another kind than 'parametric'."
        )
    if kind == "parametric" and data.sample_weight is not None:
        raise ValueError(
            "sample_weight cannot be used with kind='parametric', which draws observations from the"
            " mixture: leave it out, or use another kind."
        )


def draw_set(
    kind: str, data: TrainingData, mixture: MixtureState, rng: np.random.Generator
) -> TrainingData:
    """Return one data set of a bootstrap.

    Parameters
    ----------
    kind : {"weighted", "resample", "parametric"}
    data : TrainingData
        What the mixture was fitted to.
    mixture : MixtureState
        The fitted mixture.
    rng : Generator
    """
    if kind == "weighted":
        weights = rng.exponential(size=len(data))
        if data.sample_weight is not None:
            weights *= data.sample_weight
        return TrainingData(data.observations, weights / weights.mean(), data.known_labels)
    if kind == "resample":
        return data.take(np.sort(rng.integers(len(data), size=len(data))))
    return TrainingData(_draw_from(mixture, data.observations, rng))


def _draw_from(mixture: MixtureState, data: Data, rng: np.random.Generator) -> Data:
    """Draw an observation from the mixture for each of `data`, grouped by component."""
    sources = mixture.sources
    labels = _draw_labels(mixture, data, rng)
    places = [np.flatnonzero(labels == k) for k in range(len(sources))]
    plain = without_covariates(data)
    drawn = [
        one.sample_like(plain.take(own), rng)
        for one, own in zip(sources, places, strict=True)
        if len(own)
    ]
    joined: Data = type(drawn[0]).joined(drawn)
    if not isinstance(data, WithCovariates):
        return joined
    return replace(data.take(np.concatenate(places)), observations=joined)


def _draw_labels(mixture: MixtureState, data: Any, rng: np.random.Generator) -> IntArray:
    """Draw the component of each observation, shape (n,)."""
    chances, gate = mixture.joint_weights, mixture.gate
    if gate is not None:
        own = (1 - mixture.noise_weight) * np.exp(gate.log_weights(data.covariates))
        rest = chances[len(mixture.bank) :]
        chances = np.hstack([own, np.broadcast_to(rest, (len(data), len(rest)))])
    limits: FloatArray = np.cumsum(np.atleast_2d(chances), axis=1)
    return np.asarray((rng.random((len(data), 1)) * limits[:, -1:] >= limits[:, :-1]).sum(axis=1))


class Match(NamedTuple):
    """Components in the order of those of another mixture.

    Parameters
    ----------
    order : array of int, shape (K,)
        Which component is the one in each place of the other mixture.
    shared : array, shape (K,)
        How much of each component is the same: the sum over observations of the smaller of its two
        responsibilities, divided by that of the larger.
    """

    order: IntArray
    shared: FloatArray


def match_components(before: FloatArray, after: FloatArray) -> Match:
    """Match components by an optimal assignment of their responsibilities (n, K) each.

    Examples
    --------
    >>> before = np.array([[1.0, 0.0], [1.0, 0.0], [0.2, 0.8]])
    >>> match_components(before, before[:, ::-1])
    Match(order=array([1, 0]), shared=array([1., 1.]))
    """
    sizes = np.sqrt((before**2).sum(axis=0)), np.sqrt((after**2).sum(axis=0))
    likeness = before.T @ after / np.maximum(np.outer(*sizes), TINY)
    order = np.asarray(linear_sum_assignment(likeness, maximize=True)[1])
    found = after[:, order]
    larger = np.maximum(before, found).sum(axis=0)
    return Match(order, np.minimum(before, found).sum(axis=0) / np.maximum(larger, TINY))


def responsibilities_of(mixture: MixtureState, data: TrainingData, workers: Workers) -> FloatArray:
    """Return the responsibilities of the components for observations, shape (n, K).

    That of noise is left out.
    """

    def evaluate(block: TrainingData, place: slice) -> FloatArray:
        found = mixture.evaluate(block.observations, is_rounded=False)
        return responsibilities(found.log_densities, found.log_weights)[0][:, : len(mixture.bank)]

    return workers.fold(evaluate, data, mixture, lambda one, other: np.concatenate([one, other]))


Measure = Callable[[TrainingData, MixtureState], tuple[list[Name], FloatArray]]

LEAST_SHARED = 0.5  # of a component, in a replicate that did not move far
MOST_LEFT_OUT = 0.05  # of the replicates, without a warning
FEWEST_REPLICATES = 20  # whose spread says how far is far
FAR, ROUNDING = 0.5, 1e-8  # standard errors from the optimum; relative size of such as are zero
ROWS_MATCHED, ROWS_OF_EACH = 2_000, 100  # observations by which components are matched


@dataclass(frozen=True, eq=False)
class Task:
    """The settings that all replicates of a bootstrap have in common.

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


def bootstrap_parameters(
    model: FittedMixture,
    X: object,
    y: object,
    covariates: object,
    n: int,
    kind: str | None,
    sample_weight: object,
    labels: object,
    random_state: object,
) -> Bootstrap:
    """Return the bootstrap of `Mixture.bootstrap`, whose parameters these are."""
    observed = model._observe(X, y, covariates)
    check_remote(observed, sample_weight, labels)
    known = read_labels(labels, len(observed), model.n_components_)
    data, weights, kept = weigh(observed, sample_weight)
    named = NamedValues.of(model._state, model._column_names())
    return make_bootstrap(
        TrainingData(data, weights, None if known is None else known[kept]),
        model._state,
        lambda _, mixture: (named.names, named.values(mixture)),
        n,
        kind,
        as_seed(random_state),
        model._workers().n_threads,
    )


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
    """Raise unless there can be a bootstrap with this number of replicates."""
    check_count("n", n)
    if n < 2:
        raise ValueError("n must be at least 2: one replicate has no spread.")
    if isinstance(data.observations, Remote) or not data.observations.in_memory:
        raise InputError(
            f"{DATA} is not in memory, and a bootstrap goes over it thousands of times: pass a"
            f" sample, such as {DATA}[:10_000].compute()."
        )
    if len(data) < len(fitted.sources):
        raise InputError(
            f"{DATA} has {len(data)} observation(s), fewer than the {len(fitted.sources)}"
            " components: pass what the mixture was fitted to."
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
    moves = errors > ROUNDING * np.abs(made.values)
    away = np.abs(optimum - made.values)[moves] / errors[moves]
    if len(away) and away.max() > FAR:
        warnings.warn(
            f"A parameter of the fit is {away.max():.1f} standard errors from where EM converges,"
            " and the replicates lie around that: let EM end the fit, as algorithm 'auto' does.",
            DegenerateMixtureWarning,
            stacklevel=5,
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
        warnings.warn(sentence, DegenerateMixtureWarning, stacklevel=5)
    components = tuple(one.owner for one in names)
    parameters = tuple(one.parameter for one in names)
    return Bootstrap(components, parameters, estimates, np.array(kept), task.kind, left_out)
