"""A challenge: what another way of learning comes to is taken, if that is better."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .evidence import Start
from .expectation import mean_log_likelihood
from .history import Step
from .moves import CHALLENGED, Scene
from .stopping import Stopping


@dataclass(frozen=True)
class Challenge:
    """Take what a rival comes to from where the fit began, if that is better.

    It is asked once, when the fit is over otherwise, and takes as long as the rival does. Both are
    judged by the likelihood that fits are judged by, which for curves is not the score of a step.
    With noise nothing is asked: whoever takes outliers for a component is likelier, and wrong.

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
        if has_noise:
            return mixture, ""
        outcome = scene.outcome(self.rival)
        other = Start(outcome.bank, outcome.weights)
        here, there = (
            mean_log_likelihood(scene.evidence, one, scene.workers) for one in (mixture, other)
        )
        return (other, CHALLENGED) if there > here else (mixture, "")
