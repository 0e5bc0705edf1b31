"""How observations were assigned in an E-step: kept, or computed again when they are needed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from ...data import FloatArray, Membership
from .known_labels import confined
from .randomness import Randomness
from .state import Joint, MixtureState
from .training_data import TrainingData

Assignment = Callable[
    [FloatArray, FloatArray, float, Callable[[], FloatArray], FloatArray | None],
    tuple[Membership, FloatArray],
]


class Assigned(Protocol):
    """The assignment of all observations in an E-step."""

    def members(self, block: TrainingData, place: slice) -> Membership:
        """Return the assignment of the observations of a block, which has this place."""


@dataclass(frozen=True)
class Kept:
    """An assignment that is kept in memory.

    Parameters
    ----------
    membership : Membership
        That of all observations.
    """

    membership: Membership

    def members(self, block: TrainingData, place: slice) -> Membership:
        """Return the assignment of the observations of a block, which has this place."""
        return self.membership.take(place)


@dataclass(frozen=True)
class EStep:
    """Everything that the assignment in an E-step depends on, so that it can be computed again.

    Parameters
    ----------
    mixture : MixtureState
    temperature : float
    assign : function
        The recipe's part that assigns observations.
    randomness : Randomness
    step : int
        Number of the E-step among those of all phases, for random numbers.
    """

    mixture: MixtureState
    temperature: float
    assign: Assignment
    randomness: Randomness
    step: int

    def members(self, block: TrainingData, place: slice) -> Membership:
        """Return the assignment of the observations of a block, which has this place."""
        return self.evaluate(block, place)[0]

    def evaluate(self, block: TrainingData, place: slice) -> tuple[Membership, FloatArray, Joint]:
        """Return the assignment, scores (n,), and the joint log densities.

        Observations whose label is known are assigned to their component, whatever the recipe.
        """
        draw = partial(self.randomness.uniforms, self.step, place)
        found = self.mixture.evaluate(block.observations)
        log_probs = confined(found.log_densities, block.known_labels)
        membership, scores = self.assign(
            log_probs, found.log_weights, self.temperature, draw, block.sample_weight
        )
        return membership, scores, found
