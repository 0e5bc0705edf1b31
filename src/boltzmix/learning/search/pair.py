"""Two components and the observations they may exchange."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...data import BoolArray, Data, FloatArray, IntArray
from ...families.base import Family


@dataclass(frozen=True)
class Pair:
    """Two components, and their responsibilities.

    Parameters
    ----------
    components : tuple of two families
    data : Data
        The observations of both.
    responsibilities : array, shape (n, 2)
        Zero or one, where labels are hard.
    free : array of bool, shape (n,)
        Which responsibilities may be exchanged: those of observations whose label is not known.
    """

    components: tuple[Family, Family]
    data: Data
    responsibilities: FloatArray
    free: BoolArray

    @cached_property
    def joint(self) -> float:
        """The joint log-likelihood of both."""
        bank = self.components[0].bank(self.components)
        return sum(bank.log_marginal(k, *own) for k, own in enumerate(self._members()))

    def joints_of_exchanges(self, bounds: IntArray, moved: BoolArray) -> FloatArray | None:
        """Return the joint log-likelihood after each of c exchanges, from additive statistics.

        Parameters
        ----------
        bounds : array of int, shape (g + 1,)
            Stretch i has observations bounds[i] to bounds[i + 1].
        moved : array of bool, shape (c, g)
            The stretches in which the responsibilities are exchanged, where they are free.

        Returns
        -------
        array, shape (c,), or None if the family has no additive statistics.
        """
        bank = self.components[0].bank(self.components)
        joints = np.zeros(len(moved))
        exchanged = self.exchanged(np.ones(len(self.data), dtype=bool)).responsibilities
        for k in range(2):
            statistics = bank.joint_statistics(k, self.data)
            if statistics is None:
                return None
            before = statistics.summarise(self.responsibilities[:, k], bounds)
            after = statistics.summarise(exchanged[:, k], bounds)
            rows = before.sum(axis=0) + moved.astype(float) @ (after - before)
            joints += statistics.log_marginals(rows)
        return joints

    def fitted(self) -> "Pair":
        """Return both, fitted to their members."""
        one, other = (
            component.fit(data, weights=weights)
            for component, (data, weights) in zip(self.components, self._members(), strict=True)
        )
        return replace(self, components=(one, other))

    def exchanged(self, places: BoolArray) -> "Pair":
        """Return both with the responsibilities for some observations exchanged, where free."""
        moved = (places & self.free)[:, None]
        found = self.responsibilities
        return replace(self, responsibilities=np.where(moved, found[:, ::-1], found))

    def part(self, places: IntArray) -> "Pair":
        """Return both with some of the observations only."""
        own = self.data.take(places)
        found, free = self.responsibilities[places], self.free[places]
        return replace(self, data=own, responsibilities=found, free=free)

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
