"""Cross-validation, and a bootstrap of the likelihood ratio."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import effective_n_jobs

from ..data import FloatArray
from ..inputs import as_seed, weigh
from ..learning import (
    CEM,
    EM,
    AutoSettings,
    GrowingFit,
    MixtureState,
    Randomness,
    Run,
    TrainingData,
    Workers,
)
from ..learning.engine.state import drained
from ..learning.parts.assignment import log_likelihood
from ..parallel import thread_pool
from .candidate import measure

FOLDS = 5  # into which observations are divided, each left out once


def cross_validate(
    mixture: MixtureState, data: TrainingData, n_folds: int, workers: Workers, max_iter: int
) -> float:
    """Return the mean log-likelihood of observations that were left out of a fit.

    Observations are divided at random into folds, which are the same for all mixtures. For each
    fold, the mixture is fitted by EM to all others, beginning as it is, in at most `max_iter`
    iterations.
    """
    rng = np.random.default_rng(0)
    folds = rng.permutation(len(data)) % n_folds
    settings, is_soft = AutoSettings(), mixture.bank.family.weighted
    recipe = EM(settings.polish_tolerance) if is_soft else CEM("keep")
    total = 0.0
    for fold in range(n_folds):
        left_out = data.take(np.flatnonzero(folds == fold))
        if not len(left_out):
            continue
        others = data.take(np.flatnonzero(folds != fold))
        run = Run(others, Randomness.drawn_from(rng), workers, max_iter, settings=settings)
        *_, last = recipe.learn(run, mixture)
        found = last.evaluate(left_out.observations, is_rounded=False)
        total += left_out.weighted_sum(log_likelihood(found.log_densities, found.log_weights))
    return total / data.total_weight


@dataclass(frozen=True, eq=False)
class BootstrapTest:
    """The result of a bootstrap test of K components against K + 1.

    Parameters
    ----------
    n_components : int
        K, the number of components under the null hypothesis.
    statistic : float
        Twice the difference of the log-likelihoods of K + 1 and K components.
    replicates : array, shape (B,)
        Likelihood ratios of data that were drawn from the mixture of K components.
    """

    n_components: int
    statistic: float
    replicates: FloatArray

    @property
    def p_value(self) -> float:
        """How often a likelihood ratio is at least as large as that of the data."""
        return float((1 + (self.replicates >= self.statistic).sum()) / (1 + len(self.replicates)))

    def __repr__(self) -> str:
        return (
            f"<BootstrapTest of {self.n_components} components against {self.n_components + 1}:"
            f" statistic {self.statistic:.4g}, p = {self.p_value:.4g}"
            f" from {len(self.replicates)} data sets>"
        )


def bootstrap_test(
    small: Any, large: Any, data: Any, n_sets: int, random_state: object, n_jobs: int | None
) -> BootstrapTest:
    """Test a fitted mixture against one with one more component.

    Parameters
    ----------
    small, large : fitted mixtures
    data : tuple of (X, y, sample_weight)
    n_sets : int
        Number of data sets to draw.
    random_state, n_jobs : as of `Comparison.bootstrap_test`
    """
    if small.membership_ is not None:
        raise ValueError(
            "A bootstrap test draws observations without covariates, on which membership depends"
            " here: compare numbers of components by a criterion instead."
        )
    family, seed = small.components_[0], as_seed(random_state)
    both = [small._state, large._state]
    X, y, sample_weight = data
    observed, weights, _ = weigh(family.observe(X, y), sample_weight)
    n = len(observed)

    def draw(number: int) -> TrainingData:
        rng = np.random.default_rng((seed, number))
        return TrainingData(family.observe(small._draw(n, rng)[0], None))

    def replicate(number: int) -> float:
        return likelihood_ratio(both, draw(number), seed)

    draw(0)  # a family that cannot be sampled says so at once
    with thread_pool(effective_n_jobs(-1 if n_jobs is None else n_jobs)) as threads:
        replicates = list(threads.map(replicate, range(n_sets)))
    statistic = likelihood_ratio(both, TrainingData(observed, weights), seed)
    return BootstrapTest(len(small.components_), statistic, np.array(replicates))


def likelihood_ratio(both: list[MixtureState], data: TrainingData, seed: int) -> float:
    """Return twice the log-likelihood ratio of K + 1 and K components that are fitted to data.

    K + 1 components begin as a split of those of K, and as they are given; the better is taken.
    """
    fewest = len(both[0].bank.components)

    def begin(
        data: TrainingData, n_components: int, split: MixtureState | None, seed: int
    ) -> MixtureState:
        return both[n_components - fewest] if split is None else split

    with Workers(1) as workers:
        settings = AutoSettings().for_halves
        run = Run(data, Randomness.from_seed(seed), workers, settings=settings)
        fit = GrowingFit(run, begin, seed, settings.polish_tolerance)
        found = [drained(fit.grow(k)).mixture for k in (fewest, fewest + 1)]
        less, more = (measure(one, data, workers).log_likelihood for one in found)
    return 2 * (more - less)
