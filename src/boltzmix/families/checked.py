"""Families that look at values before they are fitted to them."""

from abc import abstractmethod
from typing import Any, NoReturn, Self

import numpy as np

from ..data import FloatArray, Table
from .base import AdditiveFamily, Family


class CheckedFamily(Family):
    """A family that takes some values only. Write ``check(data)``, which refuses the others."""

    @abstractmethod
    def check(self, data: Any, first_row: int | None = None) -> None:
        """Refuse values that this family does not take.

        Messages count rows from `first_row`; they name none if it is absent, as where a block's
        place is not known.
        """

    def observe(self, X: Any, y: Any = None) -> Any:
        """Read what a user passed, and check it, while its rows can still be named."""
        data = super().observe(X, y)
        if isinstance(data, Table):
            self.check(data, first_row=0)
        return data

    def _refuse_unfitted(self) -> NoReturn:
        raise ValueError(f"This {self.name} has no parameters yet: call fit first.")


class CheckedAdditiveFamily(CheckedFamily, AdditiveFamily):
    """An additive family that takes some values only, and scales from all the data."""

    def fit(
        self,
        data: Any,
        *,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Self:
        """Return a new component fitted to `data`."""
        prepared = self.prepare(data, 1, weights)
        return prepared.from_statistics(prepared.summarise(data, weights), rng)
