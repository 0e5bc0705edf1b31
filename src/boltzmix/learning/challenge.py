"""A challenge: what another way of learning comes to is taken, if that is better."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .assignment import modified_responsibility
from .evidence import Start
from .expectation import mean_log_likelihood
from .history import Step
from .known_labels import confined
from .moves import CHALLENGED, Scene
from .stopping import Stopping

ALIKE = 0.95  # cosine of the shares that two components have, from which on they are one


@dataclass(frozen=True)
class Challenge:
    """Take what a rival comes to from where the fit began, if that is better.

    It is asked once, when the fit is over otherwise, and takes as long as the rival does. Both are
    judged by the likelihood that fits are judged by, which for curves is not the score of a step.
    By that, one curve drawn twice may be likelier than two curves whose points lie far from them,
    so the rival must tell its components apart, unless the fit does not either. With noise nothing
    is asked: outliers that are taken for a component make a fit likelier as well.

    Parameters
    ----------
    over : Stopping
        Whether the fit is over otherwise.
    rival : sequence of recipes
        What the fit should be no worse than.
    """

    over: Stopping
    rival: Sequence[Any]

    def __call__(
        self, mixture: Start, steps: Sequence[Step], scene: Scene
    ) -> tuple[Start, str | None]:
        if not self.over(steps):
            return mixture, None
        has_noise = len(mixture.bank) > len(mixture.bank.components)
        if has_noise or len(mixture.bank) == 1:
            return mixture, ""
        outcome = scene.outcome(self.rival)
        other = Start(outcome.bank, outcome.weights)
        here, there = (
            mean_log_likelihood(scene.evidence, one, scene.workers) for one in (mixture, other)
        )
        if there > here and (_tells_apart(other, scene) or not _tells_apart(mixture, scene)):
            return other, CHALLENGED
        return mixture, ""


def _tells_apart(mixture: Start, scene: Scene) -> bool:
    """Whether no two components have the same share of every observation, or nearly so."""
    data, _, known = scene.evidence.everything
    values = confined(mixture.bank.log_prob(data), known)
    shares, _ = modified_responsibility(values, np.log(mixture.weights))
    lengths = np.maximum(np.linalg.norm(shares, axis=0), np.finfo(float).tiny)
    cosines = (shares.T @ shares) / np.outer(lengths, lengths)
    return bool(cosines[np.triu_indices(len(cosines), k=1)].max() < ALIKE)
