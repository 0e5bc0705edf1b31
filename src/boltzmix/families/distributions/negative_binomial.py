"""The negative binomial distribution of overdispersed counts, with independent columns."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import digamma, gammaln, polygamma

from ...data import BoolArray, FloatArray, IntArray
from ..shared.columns import ColumnFamily
from ..shared.roots import decreasing_root
from ..shared.validation import MOST_WHOLE, are_no_counts

LEAST_SIZE, MOST_SIZE = 1e-6, 1e6


@dataclass(frozen=True, eq=False, repr=False)
class NegativeBinomial(ColumnFamily):
    """Counts whose variance is larger than their mean; columns are independent.

    They are numbers of failures before `size` successes, as in `scipy.stats.nbinom`: the mean is
    size (1 - probability) / probability, and the variance the mean over the probability.

    Parameters
    ----------
    size : array, shape (d,), optional
        The larger, the closer to Poisson. It is at most a million, which is the size of counts
        that are not overdispersed. Present once fitted.
    probability : array, shape (d,), optional
        Present once fitted.
    floor : float, default=0.01
        The least mean of a component, as a fraction of the column's mean. A column of zeros is
        taken to have one event. In a mixture of K components, it is divided by K^(1/d).

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> NegativeBinomial().fit(Table.of([[0], [3], [1], [12]]))
    NegativeBinomial(size=[0.6697], probability=[0.1434])
    """

    parameters: ClassVar = {"size": "finite and above zero", "probability": "between 0 and 1"}
    takes = "counts, which are whole and not negative, up to 9e15"
    whole_numbers = True

    size: FloatArray | None = None
    probability: FloatArray | None = None

    def outside(self, values: FloatArray) -> BoolArray:
        """Return which cells are not counts."""
        return are_no_counts(values)

    def log_prob_of_cells(self, values: FloatArray) -> FloatArray:
        """Return the log probability of each cell."""
        size, probability = self.fitted_parameters

        def log_prob(counts: FloatArray) -> FloatArray:
            choices = gammaln(counts + size) - gammaln(size) - gammaln(counts + 1)
            return choices + size * np.log(probability) + counts * np.log1p(-probability)

        return _of_distinct(log_prob, np.where(np.isnan(values), 0.0, values))

    def estimate(self, values: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the size at which the likelihood is greatest, and the probability of the mean."""
        counts, places = _distinct(values)
        total = weights.sum(axis=0)
        tallies = [
            np.bincount(place, weight, len(counts))
            for place, weight in zip(places.T, weights.T, strict=True)
        ]
        frequencies = np.stack(tallies, axis=1) / total
        mean = np.maximum(counts @ frequencies, self._least_mean(total))
        variance = (frequencies * (counts[:, None] - mean) ** 2).sum(axis=0)

        def excess(size: FloatArray) -> tuple[FloatArray, FloatArray]:
            shifted = counts[:, None] + size
            value = (frequencies * (digamma(shifted) - digamma(size))).sum(axis=0)
            slope = (frequencies * (polygamma(1, shifted) - polygamma(1, size))).sum(axis=0)
            return value - np.log1p(mean / size), slope + 1 / size - 1 / (size + mean)

        start = mean**2 / np.maximum(variance - mean, mean**2 / MOST_SIZE)
        size = decreasing_root(excess, start, LEAST_SIZE, MOST_SIZE)
        return size, size / (size + mean)

    def at(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the parameters whose means are the values."""
        size, _ = self.fitted_parameters
        return size, size / (size + np.maximum(values, self._least_mean(1.0)))

    @property
    def means(self) -> FloatArray:
        """Means of the columns, shape (d,)."""
        size, probability = self.fitted_parameters
        return size * (1 - probability) / probability

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> IntArray:
        """Draw cells."""
        size, probability = self.fitted_parameters
        rates = rng.gamma(size, 1 / probability - 1, shape)
        return rng.poisson(np.minimum(rates, MOST_WHOLE))

    def _least_mean(self, weight: FloatArray | float) -> FloatArray | float:
        if self.whole is None:
            return 1 / weight
        size, probability = self.whole.fitted_parameters
        return self.floor * size * (1 - probability) / probability


def _distinct(counts: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return a list of counts, and the index in it of each count (n, d)."""
    highest = counts.max(initial=0)
    if highest < counts.size:
        return np.arange(highest + 1), counts.astype(np.intp)
    distinct, places = np.unique(counts, return_inverse=True)
    return distinct, places.reshape(counts.shape)


def _of_distinct(function: Callable[[FloatArray], FloatArray], counts: FloatArray) -> FloatArray:
    """Return a function of counts (n, d), evaluated once for each distinct count."""
    distinct, places = _distinct(counts)
    return np.take_along_axis(function(distinct[:, None]), places, axis=0)
