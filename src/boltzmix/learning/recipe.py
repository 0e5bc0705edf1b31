"""The contract of an algorithm."""

from abc import ABC, abstractmethod
from collections.abc import Generator

from ..families.contract.base import Family
from .engine.loop import Run, learn
from .engine.state import MixtureState, State
from .parts import Parts, soft


class Recipe(ABC):
    """An algorithm that learns a mixture.

    Write ``parts``, which chooses the parts of the loop; for that you get an algorithm that every
    family, `Mixture`, its history and its progress can use. To make moves of components between
    iterations, derive from `Search` instead.
    """

    @property
    def name(self) -> str:
        """The name of this recipe in messages and histories."""
        return type(self).__name__

    @property
    @abstractmethod
    def parts(self) -> Parts:
        """The parts this recipe chooses."""

    @property
    def needs_weights(self) -> bool:
        """Whether the family's fit must take weights."""
        return self.parts.assignment is soft

    def needs_start(self, family: Family, n_components: int) -> bool:
        """Whether components have to be fitted before it can learn a mixture."""
        return True

    def learn(self, run: Run, start: MixtureState) -> Generator[State, None, State]:
        """Learn a mixture: yield the state of every iteration, return the one to keep."""
        kept = yield from learn(run, self.name, self.parts, start)
        assert isinstance(kept, State)
        return kept
