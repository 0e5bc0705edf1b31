"""Random numbers that depend on where they are used, never on when.

Each number is a function of (seed, run, step, observation), drawn from a counter-based generator.
So a fit is the same for any number of threads, blocks or workers, and can go on from any state.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ...data import FloatArray

NUMBERS_PER_COUNT = 4  # Philox 4x64 makes four numbers at each value of its counter


@dataclass(frozen=True)
class Randomness:
    """All random numbers of one run.

    Parameters
    ----------
    key : tuple of two ints
        Made from the seed.
    run : int
        Which of the restarts this is.
    rng : Generator, optional
        If given, all numbers are this generator's, in the order in which they are asked for. For
        trials that see all observations as one block, so that there is only one order.
    """

    key: tuple[int, int] = (0, 0)
    run: int = 0
    rng: np.random.Generator | None = None

    @classmethod
    def from_seed(cls, seed: int | None, run: int = 0) -> Self:
        """Make the random numbers of a run; a seed of None takes one from the system."""
        first, second = np.random.SeedSequence(seed).generate_state(2, np.uint64)
        return cls((int(first), int(second)), run)

    @classmethod
    def drawn_from(cls, rng: np.random.Generator) -> Self:
        """Make the random numbers of a trial, with a seed drawn from a generator."""
        return cls.from_seed(int(rng.integers(2**63)))

    def uniforms(self, step: int, place: slice, purpose: int = 0) -> FloatArray:
        """Return one uniform number for each of the observations in `place` at a step.

        Numbers for different purposes are independent. One and two are taken (see below).
        """
        if self.rng is not None:
            return self.rng.random(place.stop - place.start)
        skipped = place.start % NUMBERS_PER_COUNT
        rng = self._generator(place.start // NUMBERS_PER_COUNT, purpose, step)
        return rng.random(skipped + place.stop - place.start)[skipped:]

    def generator(self, step: int) -> np.random.Generator:
        """Return a generator for all that is not drawn per observation at a step."""
        return self._generator(0, 1, step)

    def starter(self) -> np.random.Generator:
        """Return a generator for what comes before the first step."""
        return self._generator(0, 2, 0)

    def _generator(self, count: int, purpose: int, step: int) -> np.random.Generator:
        if self.rng is not None:
            return self.rng
        counter = np.array([count, purpose, step, self.run], dtype=np.uint64)
        return np.random.Generator(
            np.random.Philox(counter=counter, key=np.array(self.key, dtype=np.uint64))
        )
