"""Distributions of one number that a few sums determine, applied to every column by itself."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from ..data import FloatArray
from .columns import AdditiveColumnFamily
from .exponential_family import ExponentialFamily, Totals


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ExponentialColumns(AdditiveColumnFamily, ExponentialFamily):
    """Columns whose log density is linear in a few functions of a value.

    Write, in place of `log_prob_of_cells` and `estimate`:

    - ``functions(values)``: f arrays of the shape of `values`;
    - ``natural``: what each function is multiplied by, shape (1 + f, d), after a constant;
    - ``remainder(values)``, if any: what the log density has besides, whatever the parameters;
    - ``solve(weight, means)``: the parameters for which the functions have these means, (f, d).

    For these you get a fit from sums, and K components evaluated by one matrix product. The
    features of a row are, for each column, whether it has a value, and the functions of it.
    """

    intercept = 0.0
    log_prob = ExponentialFamily.log_prob

    @abstractmethod
    def functions(self, values: FloatArray) -> Sequence[FloatArray]:
        """Return the functions of each cell; whatever where cells are missing."""

    @property
    @abstractmethod
    def natural(self) -> FloatArray:
        """A constant, and the factors of the functions, shape (1 + f, d)."""

    @abstractmethod
    def solve(self, weight: FloatArray, means: FloatArray) -> tuple[FloatArray, ...]:
        """Return the parameters of columns with this weight (d,) and means of functions (f, d)."""

    def remainder(self, values: FloatArray) -> FloatArray | None:
        """Return what the log density of each cell has besides."""
        return None

    def features(self, values: FloatArray) -> FloatArray:
        """Return one, and the functions, of each cell; zero where missing: (n, (1 + f) d)."""
        values = values.astype(float)
        there = ~np.isnan(values)
        columns = np.concatenate([there, *self.functions(values)], axis=1, dtype=float)
        if not there.all():
            columns[~np.tile(there, columns.shape[1] // values.shape[1])] = 0.0
        return columns

    @property
    def slopes(self) -> FloatArray:
        """Constants and factors of all columns, shape ((1 + f) d,)."""
        return self.natural.ravel()

    def log_base(self, values: FloatArray) -> FloatArray | float:
        """Return what is the same for all components, shape (n,)."""
        values = values.astype(float)
        besides = self.remainder(values)
        return 0.0 if besides is None else besides.sum(axis=1, where=~np.isnan(values))

    def from_statistics(self, statistics: Totals, rng: np.random.Generator | None = None) -> Self:
        """Return the component whose functions have the means of these sums.

        Columns of which nothing was seen are taken to be as in all the data.
        """
        sums = self._by_column(statistics)
        if self.everything is not None:
            sums = np.where(sums[0] > 0, sums, self._by_column(self.everything))
        return self.with_parameters(self.solve(sums[0], sums[1:] / sums[0]))

    def _by_column(self, statistics: Totals) -> FloatArray:
        """Return weights and sums of functions, shape (1 + f, d)."""
        n_functions = len(self.functions(np.ones((0, 1))))
        return statistics.sums.reshape(1 + n_functions, -1)
