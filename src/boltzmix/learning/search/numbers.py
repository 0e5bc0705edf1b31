"""The numbers of components that are compared."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count

from ..auto import AUTO


@dataclass(frozen=True)
class Numbers:
    """The numbers of components to compare.

    Parameters
    ----------
    candidates : tuple of int
        In ascending order; or only the smallest, if the number is open-ended.
    most : int
        No fit has more components.
    is_open : bool
        Whether to go on from the smallest, until more components are no better.
    """

    candidates: tuple[int, ...]
    most: int
    is_open: bool = False

    @property
    def least(self) -> int:
        """The smallest number."""
        return self.candidates[0]

    def above(self, k: int) -> Iterator[int]:
        """Yield the numbers after k, in turn."""
        if self.is_open:
            yield from count(k + 1)
        yield from range(k + 1, self.candidates[-1] + 1)

    def is_candidate(self, k: int) -> bool:
        """Return whether a number may be chosen."""
        return self.is_open or k in self.candidates

    def is_over(self, k: int, values: Mapping[int, float]) -> bool:
        """Return whether more than k components need not be tried.

        That is so once a criterion has not improved for a few numbers: the more, the more
        components there are.
        """
        if not self.is_open:
            return False
        best = min(values, key=lambda one: (values[one], one))
        return k - best >= max(AUTO.patience_in_path, best // 3)
