"""Problems of a fitted mixture that may mislead: degenerate components, unstable runs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import add

import numpy as np

from ..data import FloatArray, IntArray, Regression, Table, without_covariates
from ..families.contract.base import Family
from ..metrics import adjusted_rand_score
from .engine.known_labels import confined
from .engine.state import MixtureState
from .engine.training_data import TrainingData
from .engine.workers import Workers
from .parts.assignment import best_component, log_likelihood, responsibilities
from .search.restarts import RestartRun

MOST_COMPARED = 20_000  # observations on which two runs are compared
LEAST_AGREEMENT = 0.8  # adjusted Rand index, below which two runs disagree
CLOSE = 0.1  # fraction of the distance between means, where columns are tried for their floor
LEAST_FOUND = 0.5  # agreement of halves, below which a cluster is not found again
EQUAL_LIKELIHOODS = 2.0  # standard errors, within which two runs are about equally likely


class DegenerateMixtureWarning(UserWarning):
    """A fitted mixture has components, or came from runs, that may mislead.

    The message says which, and what to do; `problems_` of the mixture has the same as records.
    """


@dataclass(frozen=True)
class Problem:
    """Something about a fitted mixture that may mislead.

    Parameters
    ----------
    kind : {"few", "empty", "floor", "runs", "halves"}
        "few": components have fewer observations than their parameters need, some of them perhaps
        none; "empty": components have no observation at all; "floor": components are at the
        variance floor; "runs": the two best runs disagree, and are about equally likely; "halves":
        clusters are not found again in halves of the observations. A component is in one of the
        first three at most.
    components : tuple of int
        The components it is about; empty for "runs". For "halves", the clusters.
    sizes : tuple of int
        Number of observations assigned to each of these.
    value : float
        For "few" and "empty", how many observations a component needs; for "runs", the adjusted
        Rand index between the labels of the two best; for "halves", the lowest agreement of these
        clusters; else zero.
    """

    kind: str
    components: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()
    value: float = 0.0


def find_problems(
    data: TrainingData,
    family: Family,
    finalists: Sequence[RestartRun],
    sizes: IntArray,
    workers: Workers,
) -> tuple[Problem, ...]:
    """Return what may mislead about the first of the runs that took all recipes.

    Parameters
    ----------
    data : TrainingData
    family : Family
        The template of the components.
    finalists : sequence of RestartRun
        The runs that took all recipes, the best first.
    sizes : array of int, shape (K,)
        Number of observations that are assigned to each component.
    workers : Workers
    """
    mixture = finalists[0].mixture
    found = _small(data, mixture, sizes, workers)
    named = {k for problem in found for k in problem.components}
    at_floor = [k for k in _at_floor(data, family, mixture) if k not in named]
    if at_floor:
        found.append(_problem("floor", at_floor, sizes))
    if len(finalists) > 1:
        found += _disagreement(data, mixture, finalists[1].mixture)
    return tuple(found)


def find_unstable(agreement: FloatArray, sizes: IntArray) -> tuple[Problem, ...]:
    """Return the problem of clusters that are not found again in halves, if there are any.

    Parameters
    ----------
    agreement : array, shape (C,)
        How far fits to halves of the observations agree on each cluster.
    sizes : array of int, shape (C,)
        Number of observations of each.
    """
    lost = np.flatnonzero(agreement < LEAST_FOUND)
    return (_problem("halves", lost, sizes, agreement[lost].min()),) if len(lost) else ()


def count_members(data: TrainingData, mixture: MixtureState, workers: Workers) -> IntArray:
    """Return of how many observations each component is the most probable one, shape (K,)."""

    def count(block: TrainingData, place: slice) -> IntArray:
        found = mixture.evaluate(block.observations, is_rounded=False)
        labels = best_component(found.log_densities, found.log_weights)
        return np.bincount(labels, minlength=len(found.log_weights))

    return workers.fold(count, data, mixture, add)


def observations_needed(data: TrainingData, mixture: MixtureState) -> float:
    """Return how many observations a component needs, at the least.

    These are as many as have one value for each of its free parameters. A row has as many values
    as columns, a sequence that many in each of its steps, a point on a curve as many as targets. A
    full covariance of d columns needs (d + 3) / 2 rows so; without a prior, it is at the variance
    floor up to d rows, and is found by that. One of several components also needs as many
    observations as its fit; a single component may be learned from one long sequence.
    """
    bank, observations = mixture.bank, data.observations
    columns = observations.n_features
    if isinstance(observations, Regression):
        columns = observations.targets.shape[1]
    try:
        n_parameters = bank.n_parameters / len(bank.components)
    except NotImplementedError:
        n_parameters = 0.0
    fewest = bank.family.min_observations if len(bank.components) > 1 else 0
    return max(n_parameters / (columns * observations.mean_size), fewest)


def _small(
    data: TrainingData, mixture: MixtureState, sizes: IntArray, workers: Workers
) -> list[Problem]:
    """Find components that are empty, or have fewer observations than they need.

    A broad component may be the most probable one of few observations, and yet be fitted to the
    responsibilities of many: it is not small.
    """
    needed = observations_needed(data, mixture)
    small = sizes < needed
    if small.any():
        small &= (sizes == 0) | (_total_responsibilities(data, mixture, workers) < needed)
    if not small.any():
        return []
    kind = "few" if sizes[small].any() else "empty"
    return [_problem(kind, np.flatnonzero(small), sizes, needed)]


def _total_responsibilities(
    data: TrainingData, mixture: MixtureState, workers: Workers
) -> FloatArray:
    """Return the total responsibility of each component, without sample weights, shape (K,)."""

    def total(block: TrainingData, place: slice) -> FloatArray:
        found = mixture.evaluate(block.observations, is_rounded=False)
        return np.asarray(responsibilities(found.log_densities, found.log_weights)[0].sum(axis=0))

    return np.asarray(workers.fold(total, data, mixture, add)[: len(mixture.bank)])


def _at_floor(data: TrainingData, family: Family, mixture: MixtureState) -> list[int]:
    """Return the components at the variance floor, unless it is the columns that are to blame."""
    components = enumerate(mixture.bank.components)
    degenerate = [k for k, one in components if one.is_degenerate]
    return [] if not degenerate or _columns_at_floor(data, family, mixture) else degenerate


def _columns_at_floor(data: TrainingData, family: Family, mixture: MixtureState) -> bool:
    """Whether some columns are nearly constant, or determined by others, in all the data.

    They are if one component is at the floor, too, that is fitted to all observations after the
    means of all components were brought close to each other. They are not brought together: each
    of several components may be on one value of a column that differs widely between them.
    """
    some = data.thinned(MOST_COMPARED)
    found = mixture.evaluate(some.observations, is_rounded=False)
    log_probs = confined(found.log_densities, some.known_labels)
    labels = best_component(log_probs, found.log_weights)
    members = np.flatnonzero(labels < len(mixture.bank.components))
    if len(members) == 0:  # all of them are noise
        return False
    some, labels = some.take(members), labels[members]
    observations = without_covariates(some.observations)
    if isinstance(observations, Table):
        observations = _brought_close(observations, labels)
    weights = some.sample_weight
    try:
        pooled = family.fit(observations, weights=weights, rng=np.random.default_rng(0))
    except ValueError:  # a family need not take values that were moved
        return False
    return pooled.is_degenerate


def _brought_close(table: Table, labels: IntArray) -> Table:
    """Return a table in which the means of components lie closer to that of all rows."""
    rows = np.array(table.values, dtype=float)
    common = _means(rows)
    for k in np.unique(labels):
        rows[labels == k] += (1 - CLOSE) * (common - _means(rows[labels == k]))
    return replace(table, values=rows)


def _means(rows: FloatArray) -> FloatArray:
    """Return the means (d,) of the values that are present."""
    present = ~np.isnan(rows)
    totals = np.where(present, rows, 0.0).sum(axis=0)
    return np.asarray(totals / np.maximum(present.sum(axis=0), 1))


def _disagreement(data: TrainingData, best: MixtureState, second: MixtureState) -> list[Problem]:
    """Compare the labels of two runs, if the data do not tell which mixture is better.

    They do if the log-likelihoods differ by more than two standard errors of their difference, as
    in Vuong's test (1989): then the second run has only not come as far as the best. So it has if
    an observation is impossible under it.
    """
    some = data.thinned(MOST_COMPARED).observations
    labels, scores = zip(*(_labels_and_scores(some, one) for one in (best, second)), strict=True)
    agreement = float(adjusted_rand_score(*labels))
    if agreement >= LEAST_AGREEMENT or not np.isfinite(scores).all():
        return []
    difference = scores[0] - scores[1]
    error = difference.std() / np.sqrt(len(data))
    if not abs(difference.mean()) <= EQUAL_LIKELIHOODS * error:
        return []
    return [Problem("runs", value=agreement)]


def _labels_and_scores(observations: object, mixture: MixtureState) -> tuple[IntArray, FloatArray]:
    log_probs, log_weights, _ = mixture.evaluate(observations, is_rounded=False)
    return best_component(log_probs, log_weights), log_likelihood(log_probs, log_weights)


def _problem(
    kind: str, components: Sequence[int] | IntArray, sizes: IntArray, value: float = 0.0
) -> Problem:
    places = tuple(int(k) for k in components)
    return Problem(kind, places, tuple(int(sizes[k]) for k in places), float(value))
