"""Standard errors of a three-step analysis that include the uncertainty of the mixture."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...data import Data, FloatArray
from ...learning import MixtureState, TrainingData
from ...learning.parts.assignment import responsibilities
from ..bootstrap.making import make_bootstrap
from ..estimates import Estimates
from ..named_values import Name
from .classes import AssignedClasses

Analysis = Callable[[AssignedClasses], Estimates]


@dataclass(frozen=True, eq=False)
class Replicates:
    """How bootstrap replicates of the first two steps are made: from weighted observations.

    Parameters
    ----------
    mixture : MixtureState
        The fitted mixture.
    data : Data
    classes : AssignedClasses
        Those of the fitted mixture.
    n : int
        Number of replicates.
    seed : int
    n_threads : int
    """

    mixture: MixtureState
    data: Data
    classes: AssignedClasses
    n: int
    seed: int
    n_threads: int

    def assign(self, data: TrainingData, mixture: MixtureState) -> AssignedClasses:
        """Assign the observations of a replicate."""
        log_densities, log_weights, _ = mixture.evaluate(data.observations, is_rounded=False)
        posteriors = responsibilities(log_densities, log_weights)[0]
        names, assignment = self.classes.names, self.classes.assignment
        return AssignedClasses.of(posteriors, names, assignment, data.sample_weight)


def with_bootstrap_errors(
    estimates: Estimates, analyse: Analysis, replicates: Replicates
) -> Estimates:
    """Return estimates with the covariance of those of bootstrap replicates.

    Parameters
    ----------
    estimates : Estimates
    analyse : function
        The third step, from assigned classes to estimates.
    replicates : Replicates
    """
    names = [Name(0, name) for name in estimates.names]

    def measure(data: TrainingData, mixture: MixtureState) -> tuple[list[Name], FloatArray]:
        try:
            return names, analyse(replicates.assign(data, mixture)).values
        except ValueError:  # this replicate cannot be analysed, and is left out
            return names, np.full(len(names), np.nan)

    weighted = TrainingData(replicates.data, replicates.classes.sample_weight)
    made = make_bootstrap(
        weighted,
        replicates.mixture,
        measure,
        replicates.n,
        "weighted",
        replicates.seed,
        replicates.n_threads,
    )
    covariance = np.cov(made.replicates, rowvar=False).reshape(len(estimates), -1)
    note = f"Standard errors are those of {len(made.replicates)} bootstrap replicates."
    return replace(estimates, covariance=covariance, notes=(*estimates.notes, note))
