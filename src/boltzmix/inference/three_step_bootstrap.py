"""Standard errors of a three-step analysis that include the uncertainty of the mixture."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..data import Data, FloatArray
from ..learning import EM, MixtureState, Randomness, Run, TrainingData, Workers, learn
from ..learning.parts.assignment import responsibilities
from .estimates import Estimates
from .three_step_classes import AssignedClasses

TOLERANCE, MOST_STEPS = 1e-8, 10_000  # of EM


@dataclass(frozen=True, eq=False)
class Replicates:
    """Bootstrap replicates of the first two steps: weighted observations, learned anew.

    Parameters
    ----------
    mixture : MixtureState
        The fitted mixture, from which EM starts.
    data : Data
    classes : AssignedClasses
        Those of the fitted mixture.
    n : int
        Number of replicates.
    seed : int
    workers : Workers
    """

    mixture: MixtureState
    data: Data
    classes: AssignedClasses
    n: int
    seed: int
    workers: Workers

    def __iter__(self) -> Iterator[AssignedClasses]:
        """Yield the assigned classes of each replicate."""
        for number in range(self.n):
            rng = np.random.default_rng([self.seed, number])
            weights = self.classes.sample_weight * rng.exponential(size=len(self.data))
            weights /= weights.mean()
            yield self._assign(self._learn(weights), weights)

    def _learn(self, weights: FloatArray) -> MixtureState:
        run = Run(
            TrainingData(self.data, weights), Randomness.from_seed(0), self.workers, MOST_STEPS
        )
        *_, last = learn(run, "EM", EM(TOLERANCE).parts, self.mixture)
        return MixtureState(last.bank, last.weights)

    def _assign(self, mixture: MixtureState, weights: FloatArray) -> AssignedClasses:
        log_weights = np.log(mixture.weights)
        found = self.workers.map(
            lambda block, _: responsibilities(mixture.bank.log_prob(block), log_weights)[0],
            self.data,
            mixture.bank,
        )
        posteriors = np.concatenate(list(found))
        names, assignment = self.classes.names, self.classes.assignment
        return AssignedClasses.of(posteriors, names, assignment, weights)


def with_bootstrap_errors(
    estimates: Estimates,
    analyse: Callable[[AssignedClasses], Estimates],
    replicates: Replicates,
) -> Estimates:
    """Return estimates with the covariance of those of bootstrap replicates.

    Parameters
    ----------
    estimates : Estimates
    analyse : function
        The third step, from assigned classes to estimates.
    replicates : Replicates
    """
    drawn = []
    for classes in replicates:
        try:
            drawn.append(analyse(classes).values)
        except ValueError:
            continue
    if len(drawn) < 2:
        raise ValueError("No bootstrap replicate could be analysed: use fewer components.")
    covariance = np.cov(np.array(drawn), rowvar=False).reshape(len(estimates), -1)
    lost = replicates.n - len(drawn)
    left_out = f" ({lost} could not be analysed)" if lost else ""
    note = f"Standard errors are those of {len(drawn)} bootstrap replicates{left_out}."
    return replace(estimates, covariance=covariance, notes=(*estimates.notes, note))
