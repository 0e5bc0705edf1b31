"""Data that are kept elsewhere, such as on the workers of a cluster."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from .blocks import Blocked


class Remote(Blocked):
    """Observations of which only a sample, or sums over all of them, are ever held here.

    A subclass computes `fold` where the observations are, super-block by super-block, and `take`
    brings some of them here. Functions that are passed to it may run in another process.
    """

    in_memory = False

    def kept(self) -> Self:
        """Return the same observations, held in memory where they are, if there is room."""
        return self

    @abstractmethod
    def for_each(
        self, function: Callable[[Any, slice], Any], n_components: int, result: np.ndarray[Any, Any]
    ) -> Any:
        """Return the results of a function for all blocks, end to end, as a lazy collection.

        Parameters
        ----------
        function : function of a block and its place, returning one entry for each observation
        n_components : int
            For which blocks shall be small enough.
        result : array
            The results for no observation: its type, and its shape but for the first axis.
        """
