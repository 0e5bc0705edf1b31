"""A recipe that learns from a sample, where there are many observations."""

from collections.abc import Generator
from dataclasses import dataclass, replace

from ..auto import settings_of
from ..engine.loop import Run
from ..engine.state import MixtureState, State
from .wrapped import Wrapped


@dataclass(frozen=True)
class OnSample(Wrapped):
    """A recipe that learns from evenly spaced observations, if there are more than it needs.

    What it finds is where the next recipe begins, which learns from all of them. If some labels
    are known, it learns from all observations, too.

    Parameters
    ----------
    recipe : Recipe
    most : int, optional
        From how many observations it learns, at most; `AutoSettings.sample_size`, unless given.
    """

    most: int | None = None

    def learn(self, run: Run, start: MixtureState) -> Generator[State, None, State]:
        """Learn a mixture: yield the state of every iteration, return the one to keep."""
        most = self.most or settings_of(run).sample_size(len(start.bank))
        return (yield from self.recipe.learn(replace(run, data=run.data.sample(most)), start))
