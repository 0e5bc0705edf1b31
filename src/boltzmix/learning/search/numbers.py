"""The numbers of components that are compared."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..auto import AutoSettings


@dataclass(frozen=True)
class Numbers:
    """The numbers of components to compare.

    Parameters
    ----------
    candidates : tuple of int
        In ascending order; only the smallest, if the number is open.
    most : int
        No mixture has more components.
    is_open : bool
        Whether to go on from the smallest, until more components are no better.
    least_patience : int
        How many numbers beyond the best one are fitted, at least.
    """

    candidates: tuple[int, ...]
    most: int
    is_open: bool = False
    least_patience: int = AutoSettings.path_patience

    @property
    def least(self) -> int:
        """The smallest number."""
        return self.candidates[0]

    def __iter__(self) -> Iterator[int]:
        """Yield all numbers from the smallest to the largest, those between candidates, too."""
        largest = self.most if self.is_open else self.candidates[-1]
        return iter(range(self.least, largest + 1))

    def is_candidate(self, k: int) -> bool:
        """Return whether a number may be chosen."""
        return self.is_open or k in self.candidates

    def is_over(self, values: Mapping[int, float]) -> bool:
        """Return whether larger numbers need not be tried, given the criterion of the others.

        That is so once the criterion has not improved for a few numbers.
        """
        if not self.is_open or not values:
            return False
        best = min(values, key=lambda k: (values[k], k))
        return max(values) - best >= self.patience(best)

    def patience(self, best: int) -> int:
        """Return how many numbers beyond the best one are fitted: more, if that is large."""
        return max(self.least_patience, best // 3)
