"""The negative binomial distribution of overdispersed counts, with independent columns."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self, cast

import numpy as np
from scipy.sparse import csr_array
from scipy.special import digamma, gammaln, zeta

from ...data import BoolArray, FloatArray, Hard, IntArray, Membership, Table, Weights
from ..columns.column_family import ColumnFamily
from ..columns.roots import decreasing_root
from ..contract.bank import Bank, Evaluation
from ..contract.base import Family
from ..shared.copies import altered
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
        counts, places = _distinct(np.where(np.isnan(values), 0.0, values))
        found = _log_probs(counts[:, None], *self.fitted_parameters)
        return np.take_along_axis(found, places, axis=0)

    def estimate(self, values: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the size at which the likelihood is greatest, and the probability of the mean."""
        counts, places = _distinct(values)
        tallies = [
            np.bincount(place, weight, len(counts))
            for place, weight in zip(places.T, weights.T, strict=True)
        ]
        return self.solve(counts, np.stack(tallies, axis=1))

    def solve(self, counts: FloatArray, tallies: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return size and probability, given the total weight (m, d) of each count (m,)."""
        total = tallies.sum(axis=0)
        frequencies = tallies / total
        mean = np.maximum(counts @ frequencies, self._least_mean(total))
        variance = (frequencies * (counts[:, None] - mean) ** 2).sum(axis=0)

        rises = _rises(counts, frequencies)

        def excess(size: FloatArray) -> tuple[FloatArray, FloatArray]:
            value, slope = rises(size)
            return value - np.log1p(mean / size), slope + 1 / size - 1 / (size + mean)

        start = mean**2 / np.maximum(variance - mean, mean**2 / MOST_SIZE)
        size = decreasing_root(excess, start, LEAST_SIZE, MOST_SIZE)
        return size, size / (size + mean)

    def bank(self, components: Sequence[Family]) -> "NegativeBinomialBank":
        return NegativeBinomialBank(components)

    def at(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the parameters whose means are the values."""
        size, _ = self.fitted_parameters
        return size, size / (size + np.maximum(values, self._least_mean(1.0)))

    @property
    def means(self) -> FloatArray:
        size, probability = self.fitted_parameters
        return size * (1 - probability) / probability

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> IntArray:
        size, probability = self.fitted_parameters
        rates = rng.gamma(size, 1 / probability - 1, shape)
        return rng.poisson(np.minimum(rates, MOST_WHOLE))

    def _least_mean(self, weight: FloatArray | float) -> FloatArray | float:
        if self.whole is None:
            return 1 / weight
        size, probability = self.whole.fitted_parameters
        return self.floor * size * (1 - probability) / probability


@dataclass(frozen=True, eq=False)
class Tallies:
    """How often each count is in each column of each component.

    Parameters
    ----------
    counts : array, shape (m,)
        In ascending order.
    weights : array, shape (K, d, m)
        Total responsibilities.
    """

    counts: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, data: Table, membership: Membership) -> Self:
        """Return the tallies of the members of each component."""
        counts, places, there = _places(data)
        (n, d), m, k = places.shape, len(counts), membership.n_components
        found = np.empty((k, d, m))
        for column in range(d):
            weights = there[:, column].astype(float)
            if isinstance(membership, Hard):
                own = weights if membership.weights is None else weights * membership.weights
                cells = membership.labels.astype(np.intp) * m + places[:, column]
                found[:, column] = np.bincount(cells, own, k * m).reshape(k, m)
            else:
                rows = csr_array((weights, places[:, column], np.arange(n + 1)), (n, m))
                found[:, column] = (rows.T @ membership.responsibilities).T
        return cls(counts, found)

    def __add__(self, other: "Tallies") -> "Tallies":
        counts = np.union1d(self.counts, other.counts)
        return Tallies(counts, self.at(counts) + other.at(counts))

    def __mul__(self, factor: float) -> "Tallies":
        return replace(self, weights=self.weights * factor)

    def at(self, counts: FloatArray) -> FloatArray:
        """Return the weights of these counts, which are among others, shape (K, d, m')."""
        found = np.zeros((*self.weights.shape[:2], len(counts)))
        found[:, :, np.searchsorted(counts, self.counts)] = self.weights
        return found


class NegativeBinomialBank(Bank):
    """K components, all columns of which are evaluated and fitted together."""

    @cached_property
    def parameters(self) -> tuple[FloatArray, FloatArray]:
        """Sizes and probabilities, shape (K, d) each."""
        members = cast(Sequence[NegativeBinomial], self.components)
        sizes, probabilities = zip(*(one.fitted_parameters for one in members), strict=True)
        return np.stack(sizes), np.stack(probabilities)

    def _columns(self, data: Table) -> Iterator[tuple[FloatArray, IntArray, BoolArray]]:
        """Yield, for each column, log probabilities (m, K), the rows' places and what is there."""
        cast(NegativeBinomial, self.components[0]).check(data)
        counts, places, there = _places(data)
        for column, own in enumerate(zip(*(one.T for one in self.parameters), strict=True)):
            yield _log_probs(counts[:, None], *own), places[:, column], there[:, column]

    def evaluate(self, data: Table, *, is_rounded: bool = True) -> Evaluation:
        """Return the log probability of each row under each component, shape (n, K)."""
        total = np.zeros((len(data), len(self)))
        for found, places, there in self._columns(data):
            total += np.where(there[:, None], found[places], 0.0)
        return self.evaluated(total, data)

    def log_densities_at(self, data: Table, membership: Hard) -> FloatArray:
        """Return the log probability of each row under its own component, shape (n,)."""
        total = np.zeros(len(data))
        for found, places, there in self._columns(data):
            total += np.where(there, found[places, membership.labels], 0.0)
        return total

    def summarise(self, data: Table, membership: Membership) -> Tallies:
        """Return how often each count is in each column of each component."""
        return Tallies.of(data, membership)

    def refill(self, statistics: Tallies, k: int, data: Table, weights: Weights) -> Tallies:
        own = Tallies.of(data, Hard.of_one(len(data), weights))
        counts = np.union1d(statistics.counts, own.counts)
        changed = statistics.at(counts)
        changed[k] = own.at(counts)[0]
        return Tallies(counts, changed)

    def update(
        self, statistics: Tallies, keep: BoolArray, rng: np.random.Generator
    ) -> "NegativeBinomialBank":
        """Return the bank fitted to `statistics`; the components in `keep` stay as they are.

        A column without any observed value gets the parameters that it has in all the data.
        """
        members = [*cast(Sequence[NegativeBinomial], self.components)]
        places = np.flatnonzero(~keep).tolist()
        if not places:
            return self
        tallies = statistics.weights[places]
        m, seen = tallies.shape[2], tallies.any(axis=2).ravel()
        first, *others = (members[k] for k in places)
        wide = first.joined(others)
        by_column = np.where(seen, tallies.reshape(-1, m).T, 1.0)
        parameters = wide.solve(statistics.counts, by_column)
        if wide.whole is not None:
            pairs = zip(parameters, wide.whole.fitted_parameters, strict=True)
            found = wide.with_parameters([np.where(seen, *pair) for pair in pairs])
        else:
            found = wide.with_parameters(parameters)
        for k, own in zip(places, found.parted(len(places)), strict=True):
            members[k] = altered(members[k], **own)
        return NegativeBinomialBank(members)


def _places(data: Table) -> tuple[FloatArray, IntArray, BoolArray]:
    """Return counts (m,), the place of each cell among them (n, d), and which cells are there."""
    values = data.values.astype(float)
    there = ~np.isnan(values)
    return *_distinct(np.where(there, values, 0.0)), there


def _rises(
    counts: FloatArray, frequencies: FloatArray
) -> Callable[[FloatArray], tuple[FloatArray, FloatArray]]:
    """Return a function of sizes (d,): means of digamma(count + size) - digamma(size), and slopes.

    For whole numbers, the difference is the sum of 1 / (size + j) over all j below the count.
    """
    if len(counts) == counts[-1] + 1:
        below = counts[:-1, None]
        beyond = frequencies[::-1].cumsum(axis=0)[::-1][1:]

        def of_whole(size: FloatArray) -> tuple[FloatArray, FloatArray]:
            parts = 1 / (below + size)
            parts_beyond = beyond * parts
            return parts_beyond.sum(axis=0), -(parts_beyond * parts).sum(axis=0)

        return of_whole

    def of_any(size: FloatArray) -> tuple[FloatArray, FloatArray]:
        shifted = counts[:, None] + size
        value = (frequencies * (digamma(shifted) - digamma(size))).sum(axis=0)
        return value, (frequencies * (zeta(2, shifted) - zeta(2, size))).sum(axis=0)

    return of_any


def _log_probs(counts: FloatArray, size: FloatArray, probability: FloatArray) -> FloatArray:
    choices = gammaln(counts + size) - gammaln(size) - gammaln(counts + 1)
    return np.asarray(choices + size * np.log(probability) + counts * np.log1p(-probability))


def _distinct(counts: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return a list of counts, and the index in it of each count (n, d)."""
    highest = counts.max(initial=0)
    if highest < counts.size:
        return np.arange(highest + 1), counts.astype(np.intp)
    distinct, places = np.unique(counts, return_inverse=True)
    return distinct, places.reshape(counts.shape)
