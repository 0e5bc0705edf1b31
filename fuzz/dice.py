"""Random choices, all from the number of a case."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")


class Dice:
    """Random choices from one seed.

    Parameters
    ----------
    seed : int

    Attributes
    ----------
    is_valid : bool
        Whether what is drawn should be valid, so that a fit succeeds.
    """

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.is_valid = False

    def pick(self, options: Sequence[T]) -> T:
        """Return one of some options, all equally likely."""
        return options[int(self.rng.integers(len(options)))]

    def chance(self, probability: float) -> bool:
        """Return True with some probability."""
        return bool(self.rng.random() < probability)

    def hostile_chance(self, probability: float) -> bool:
        """Return True with some probability, but never where valid things are drawn."""
        return self.chance(probability) and not self.is_valid

    def pick_valid(self, valid: Sequence[T], hostile: Sequence[T]) -> T:
        """Return one of some valid options, or of these and hostile ones."""
        return self.pick(valid if self.is_valid else [*valid, *hostile])

    def some(self, options: Mapping[str, Sequence[Any]], probability: float) -> dict[str, Any]:
        """Return settings by name: each is given with some probability, as one of its values."""
        return {
            name: self.pick(values) for name, values in options.items() if self.chance(probability)
        }
