"""Estimates with standard errors and intervals, from replicates of a bootstrap."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...data import FloatArray, shown
from ...views import describe_replicated, replicated_table
from ..named_values import NOISE

LEVEL = 0.95  # of intervals, unless another is asked for


class Estimate(NamedTuple):
    """A number, its standard error, and an interval of 95 %."""

    value: float
    standard_error: float
    lower: float
    upper: float


@dataclass(frozen=True, eq=False, repr=False)
class ReplicatedEstimates:
    """Estimates with standard errors and intervals.

    Parameters
    ----------
    components : tuple of str
        The component that each number belongs to, such as "0", "noise", or "0 - 1" for a
        difference.
    parameters : tuple of str
        The name of each number.
    estimates : array, shape (P,)
        The numbers of the fitted mixture.
    replicates : array, shape (B, P)
        The same of each data set of the bootstrap.
    """

    components: tuple[str, ...]
    parameters: tuple[str, ...]
    estimates: FloatArray
    replicates: FloatArray

    def __len__(self) -> int:
        return len(self.estimates)

    def __repr__(self) -> str:
        return describe_replicated(self.rows(), self.words())

    def _repr_html_(self) -> str:
        return replicated_table(self.rows(), self.words())

    def __getitem__(self, name: tuple[Any, str]) -> Estimate:
        """Return one estimate by its component and parameter, as in ``found[0, "weight"]``."""
        component, parameter = name
        wanted = ("noise" if component == NOISE else str(component), parameter)
        for place, one in enumerate(zip(self.components, self.parameters, strict=True)):
            if one == wanted:
                lower, upper = self.intervals()[place]
                error = self.standard_errors[place]
                return Estimate(*map(float, (self.estimates[place], error, lower, upper)))
        raise KeyError(f"There is no {shown(parameter)} of component {shown(component)}.")

    def words(self, level: float = LEVEL) -> Sequence[str]:
        """Return sentences that belong to these estimates."""
        return [f"Intervals of {level:.0%}."]

    @property
    def standard_errors(self) -> FloatArray:
        """Standard deviations of the replicates, shape (P,)."""
        return np.asarray(self.replicates.std(axis=0, ddof=1))

    def intervals(self, level: float = LEVEL) -> FloatArray:
        """Return percentile intervals, shape (P, 2).

        Parameters
        ----------
        level : float, default=0.95
            The probability with which an interval is meant to hold the true value.
        """
        if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
            raise ValueError(
                f"level must be a number between 0 and 1, such as 0.9, not {shown(level)}."
            )
        ends = [(1 - level) / 2, (1 + level) / 2]
        return np.quantile(self.replicates, ends, axis=0).T

    def rows(self, level: float = LEVEL) -> list[dict[str, Any]]:
        """Return one row for each estimate, as plain values."""
        numbers = (self.estimates, self.standard_errors, *self.intervals(level).T)
        names = ("component", "parameter", "estimate", "standard_error", "lower", "upper")
        columns = (self.components, self.parameters, *(column.tolist() for column in numbers))
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]

    def to_frame(self, level: float = LEVEL) -> Any:
        """Return a pandas frame with one row for each estimate, and intervals of a level."""
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("to_frame needs pandas: pip install pandas.") from None
        return pd.DataFrame(self.rows(level))

    def places_of(self, component: int) -> dict[str, int]:
        """Return where the parameters of a component are, by name."""
        wanted = "noise" if component == NOISE else str(component)
        owners = zip(self.components, self.parameters, strict=True)
        return {name: place for place, (own, name) in enumerate(owners) if own == wanted}
