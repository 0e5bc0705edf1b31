"""Two components and the observations they may exchange."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from ....data import BoolArray, Data, FloatArray, IntArray
from ....families.contract.base import Family
from .marginals import joint_statistics


@dataclass(frozen=True)
class Pair:
    """Two components, and their responsibilities.

    Parameters
    ----------
    components : tuple of two families
    data : Data
        The observations of both, in the order of their positions.
    responsibilities : array, shape (n, 2)
        Zero or one, where labels are hard.
    free : array of bool, shape (n,)
        Which responsibilities may be exchanged: those of observations whose label is not known.
    """

    components: tuple[Family, Family]
    data: Data
    responsibilities: FloatArray
    free: BoolArray

    def joints_of_exchanges(
        self, bounds: IntArray, judged: int
    ) -> Callable[[BoolArray], FloatArray]:
        """Return a function that prices exchanges by the joint log-likelihood of both after them.

        Parameters
        ----------
        bounds : array of int, shape (g + 1,)
            Stretch i has observations bounds[i] to bounds[i + 1].
        judged : int
            How many observations count, at most, if the family has no additive statistics.

        Returns
        -------
        function of an array of bool, shape (c, g), that returns an array, shape (c,)
            Each exchange moves some of the stretches, where they are free.
        """
        priced = []
        swapped = self.exchanged(np.ones(len(self.data), dtype=bool)).responsibilities
        for k, component in enumerate(self.components):
            statistics = joint_statistics(component, self.data, judged)
            before = statistics.summarise(self.responsibilities[:, k], bounds)
            after = statistics.summarise(swapped[:, k], bounds)
            priced.append((statistics, before, after))

        def joints(moved: BoolArray) -> FloatArray:
            total = np.zeros(len(moved))
            for statistics, before, after in priced:
                chosen = moved.astype(float)
                total += statistics.log_marginals((1 - chosen) @ before + chosen @ after)
            return total

        return joints

    def fitted(self) -> tuple[Family, ...]:
        """Return both components, fitted to their members."""
        return tuple(
            component.fit(data, weights=weights)
            for component, (data, weights) in zip(self.components, self._members(), strict=True)
        )

    def exchanged(self, places: BoolArray) -> "Pair":
        """Return both with the responsibilities for some observations exchanged, where free."""
        moved = (places & self.free)[:, None]
        found = self.responsibilities
        return replace(self, responsibilities=np.where(moved, found[:, ::-1], found))

    def without(self, places: BoolArray) -> "Pair":
        """Return both without responsibilities for some observations, where free."""
        left_out = (places & self.free)[:, None]
        return replace(self, responsibilities=np.where(left_out, 0.0, self.responsibilities))

    @property
    def is_viable(self) -> bool:
        """Whether both have enough members."""
        least = self.components[0].min_observations
        return bool(self.responsibilities.sum(axis=0).min() >= least)

    def _members(self) -> Iterator[tuple[Data, FloatArray | None]]:
        """Yield the members of either, and their responsibilities if any is not one."""
        for found in self.responsibilities.T:
            members = np.flatnonzero(found)
            whole = bool((found[members] == 1).all())
            yield self.data.take(members), None if whole else found[members]
