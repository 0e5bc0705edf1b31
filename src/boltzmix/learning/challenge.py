"""A challenge: what another way of learning comes to is taken, if that is better."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .evidence import Start
from .expectation import mean_log_likelihood
from .history import Step
from .moves import CHALLENGED, Scene, has_settled


@dataclass(frozen=True)
class Challenge:
    """Take what a rival comes to from where the fit began, if that is better.

    It is asked once, when the score has settled, and takes as long as the rival does. Both are
    judged by the likelihood a fit is judged by, which for curves is not the score of a step.

    Parameters
    ----------
    rival : sequence of recipes
    tolerance : float
        The score has settled when it changes by less.
    """

    rival: Sequence[Any]
    tolerance: float

    def __call__(
        self, mixture: Start, steps: Sequence[Step], scene: Scene
    ) -> tuple[Start, str | None]:
        if not has_settled(steps, self.tolerance):
            return mixture, None
        if any(step.move for step in steps):
            return mixture, ""
        outcome = scene.outcome(self.rival)
        other = Start(outcome.bank, outcome.weights)
        here, there = (
            mean_log_likelihood(scene.evidence, one, scene.workers) for one in (mixture, other)
        )
        return (other, CHALLENGED) if there > here else (mixture, "")
