"""The agreement of fits to two halves of the observations, and what it says of the number K.

Two fits to halves give every observation responsibilities, r and s. The agreement of a component k
of one with a component l of the other is the soft Jaccard coefficient

    sum_n r[n,k] s[n,l]  /  sum_n (r[n,k] + s[n,l] - r[n,k] s[n,l]).

Components are matched one to one, so that the sum is largest, and the agreement of the fits is the
mean over the pairs; several splits have the median of theirs, as a fit to one half may miss a
cluster that all others find. Every cluster counts the same, large or small, and observations that
belong to no component for certain lower the agreement: components that share one population, of a
shape that one component cannot have, lie at the same places in both halves, but overlap.

The adjusted Rand index of the labels, which large clusters dominate, chose worse numbers of
components on 19 labelled tables (adjusted Rand index of the chosen mixtures 0.54, here 0.62; at the
known numbers 0.65), and so did a threshold for the worst cluster (0.49).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from ...data import BoolArray, FloatArray, IntArray
from ...merging import in_clusters, merge_order

# Halves differ by chance the less, the more observations each component has; what they still
# disagree on is no chance. Adjusted Rand indices of 19 labelled tables (three seeds), 5 mixed ones,
# and 22 that nothing was chosen by: 0.62, 0.56 and 0.35 at 1.5; 0.62, 0.59 and 0.35 at 2; 0.60,
# 0.58 and 0.36 at 3.
TOLERANCE_OF_ONE = 2.0
LARGEST_TOLERANCE = 0.25  # at 0.2: 0.62, 0.56 and 0.35; at 0.3: 0.62, 0.62 and 0.33
# The level that fits of K components to halves of a population without clusters hardly ever reach,
# 0.6 + 0.4 / K: of 40 tables of uniform rows 4 did. Overlapping clusters are found as with
# 0.55 + 0.45 / K, where 9 did; with 0.65 + 0.35 / K, 2 of 19 more become one cluster.
CHANCE, CHANCE_OF_ONE = 0.6, 0.4
# The price of a doubling of the components: in units of what the doubling beyond the plausible
# numbers gains, where only the shape of clusters is left to gain; but at least this share of the
# steepest rise. Adjusted Rand indices of 19 labelled tables, of eight of them with six other seeds,
# of 22 shapes, and of 16 tables that nothing was chosen by: 0.68, 0.68, 0.75, 0.29; from 2 to 3 and
# from 0.1 to 0.2 they are much alike; with 1 and 0, 0.63, 0.59, 0.71 and 0.30.
PRICE_OF_SHAPE, LEAST_PRICE = 2.5, 0.2


def pairwise_agreement(first: FloatArray, second: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the soft Jaccard coefficients of components, shape (K, L).

    Parameters
    ----------
    first : array, shape (n, K)
        Responsibilities.
    second : array, shape (n, L)
    weights : array, shape (n,)
        Sample weights.
    """
    weighted = first * weights[:, None]
    both = weighted.T @ second
    either = weighted.sum(axis=0)[:, None] + weights @ second - both
    return np.asarray(both / np.maximum(either, np.finfo(float).tiny))


def match(agreement: FloatArray) -> IntArray:
    """Return the column of each row (K,), so that their sum is largest; columns are not fewer."""
    return np.asarray(linear_sum_assignment(agreement, maximize=True)[1])


@dataclass(frozen=True, eq=False)
class HalfFits:
    """Fits of one number of components to halves of the observations.

    Parameters
    ----------
    n_components : int
    responsibilities : array, shape (S, 2, n, K)
        Those of all observations, from the fits to the halves of each of S splits.
    held_out : array, shape (S, 2)
        Mean log-likelihood of the observations that are not in the half.
    weights : array, shape (n,)
        Sample weights.
    degenerate : array, shape (S,)
        The share of components at the variance floor.
    """

    n_components: int
    responsibilities: FloatArray
    held_out: FloatArray
    weights: FloatArray
    degenerate: FloatArray

    @classmethod
    def joined(cls, fits: Sequence["HalfFits"]) -> "HalfFits":
        """Return the fits of several splits, of the same number of components, as one."""
        return replace(
            fits[0],
            responsibilities=np.concatenate([one.responsibilities for one in fits]),
            held_out=np.concatenate([one.held_out for one in fits]),
            degenerate=np.concatenate([one.degenerate for one in fits]),
        )

    @property
    def is_degenerate(self) -> bool:
        """Whether most components are at the variance floor."""
        return bool(np.median(self.degenerate) > 0.5)

    @property
    def agreements(self) -> FloatArray:
        """The agreement of each split, shape (S,)."""
        found = []
        for first, second in self.responsibilities:
            pairs = pairwise_agreement(first, second, self.weights)
            found.append(pairs[np.arange(len(pairs)), match(pairs)].mean())
        return np.array(found)

    def in_clusters(self, n_clusters: int) -> "HalfFits":
        """Return the same, with the components of each fit merged into so many clusters."""
        merged = np.array(
            [
                [in_clusters(one, merge_order(one, self.weights)[n_clusters - 1]) for one in both]
                for both in self.responsibilities
            ]
        )
        return replace(self, n_components=n_clusters, responsibilities=merged)

    def by_component(self, responsibilities: FloatArray) -> FloatArray:
        """Return the agreement of each component of a fit to all observations, shape (K,).

        It is the agreement of the two components, one of each half, that match it.

        Parameters
        ----------
        responsibilities : array, shape (n, K)
            Those of that fit.
        """
        found = []
        for first, second in self.responsibilities:
            pairs = pairwise_agreement(first, second, self.weights)
            own, other = (
                match(pairwise_agreement(responsibilities, one, self.weights))
                for one in (first, second)
            )
            found.append(pairs[own, other])
        return np.asarray(np.median(found, axis=0))


@dataclass(frozen=True, eq=False)
class AgreementCurve:
    """The agreement of halves for each number of components, and the number it chooses.

    Of all numbers whose agreement is within a tolerance of the highest, the one with the highest
    score is chosen; one component, if the highest agreement is low. The score is the held-out
    likelihood, less a price for components that the halves do not agree on.

    Parameters
    ----------
    numbers : array of int, shape (m,)
        Numbers of components, in ascending order.
    agreements : array, shape (m, S)
        The agreement of each split; one component agrees by definition.
    held_out : array, shape (m, S, 2)
        Mean log-likelihood of observations that were left out.
    n_observations : int
        How many observations were halved.
    by_component : array, shape (K,), optional
        The agreement of each component of the chosen mixture, in its order.
    fewest : int
        The smallest number of components that was fitted: one, unless known labels need more.
    held_out_of_fewest : float
        The mean held-out log-likelihood of that number.
    degenerate : array of bool, shape (m,), optional
        Where most components are at the variance floor, so that the number is not chosen.
    """

    numbers: IntArray
    agreements: FloatArray
    held_out: FloatArray
    n_observations: int
    by_component: FloatArray | None = None
    fewest: int = 1
    held_out_of_fewest: float = 0.0
    degenerate: BoolArray | None = None

    @classmethod
    def of(
        cls, fits: Sequence[HalfFits], is_candidate: Callable[[int], bool] = lambda k: True
    ) -> "AgreementCurve":
        """Return the curve of fits, the smallest first, with the numbers that may be chosen.

        Columns may depend on each other, so that all components are at the variance floor. If those
        of the first fits are, others may be, too.
        """
        several = [one for one in fits if is_candidate(one.n_components)]
        if not several:
            return cls(np.zeros(0, dtype=np.int64), np.zeros((0, 1)), np.zeros((0, 1, 2)), 0)
        return cls(
            np.array([one.n_components for one in several], dtype=np.int64),
            np.array([one.agreements for one in several]),
            np.array([one.held_out for one in several]),
            len(fits[0].weights),
            fewest=fits[0].n_components,
            held_out_of_fewest=float(fits[0].held_out.mean()),
            degenerate=np.array(
                [one.is_degenerate and not fits[0].is_degenerate for one in several]
            ),
        )

    @property
    def median(self) -> FloatArray:
        """Median agreement of the splits, shape (m,)."""
        return np.asarray(np.median(self.agreements, axis=1))

    @property
    def mean_held_out(self) -> FloatArray:
        """Mean log-likelihood of observations that were left out, shape (m,)."""
        return np.asarray(self.held_out.mean(axis=(1, 2)))

    @property
    def highest(self) -> float:
        """The highest agreement of several components; zero if there is no such number."""
        return float(self.median[self._several].max(initial=0.0))

    @property
    def tolerance(self) -> FloatArray:
        """By how much fits of each number may agree less than those that agree most, shape (m,)."""
        by_chance = TOLERANCE_OF_ONE * np.sqrt(self.numbers / self.n_observations)
        return np.asarray(np.minimum(by_chance, LARGEST_TOLERANCE))

    @property
    def least(self) -> FloatArray:
        """The agreement that clusters of so many components need, shape (m,)."""
        return np.asarray(CHANCE + CHANCE_OF_ONE / self.numbers)

    @property
    def is_low(self) -> bool:
        """Whether several components agree no more than those of a population without clusters."""
        return not (self._is_high & (self.median >= self.least)).any()

    @property
    def plausible(self) -> IntArray:
        """The numbers that may be those of clusters.

        Their agreement is within the tolerance of the highest, and higher than by chance.
        """
        is_plausible = self._is_high
        if 1 in self.numbers:
            is_plausible &= self.median >= self.least
        return self.numbers[is_plausible]

    @property
    def densest(self) -> int:
        """The number of components whose held-out likelihood is highest."""
        if not len(self.numbers):
            return 1
        return int(self.numbers[self.mean_held_out.argmax()])

    @property
    def chosen(self) -> int:
        """The number of components that is chosen."""
        plausible = self.plausible
        if not len(plausible):
            return int(self.numbers[0]) if len(self.numbers) else 1
        scores, agreements = self.scores, self.median
        places = (self.place(k) for k in plausible)
        return int(self.numbers[max(places, key=lambda at: (scores[at], agreements[at]))])

    @property
    def scores(self) -> FloatArray:
        """By how much the held-out likelihood rises, less the price of disagreement, shape (m,).

        The price of K components is that of a doubling, for each doubling that leads to K. It is
        less, where the halves agree by nearly one.
        """
        disagreement = np.minimum((1.0 - self.median) / self.tolerance, 1.0) ** 2
        return np.asarray(self._rises - self._price * self._doublings * disagreement)

    @property
    def _rises(self) -> FloatArray:
        """By how much the held-out likelihood is above that of the fewest components, (m,)."""
        means = self.mean_held_out
        lowest = means[np.isfinite(means)].min(initial=np.inf)  # some densities may be zero
        if not np.isfinite(lowest):
            return np.zeros(len(means))
        return np.asarray(np.maximum(means, lowest) - max(self.held_out_of_fewest, lowest))

    @property
    def _doublings(self) -> FloatArray:
        """How often the fewest components double to each number, shape (m,)."""
        return np.asarray(np.log2(self.numbers / self.fewest))

    @property
    def _price(self) -> float:
        """The price of a doubling of the components.

        Where the held-out likelihood still rises in the doubling beyond the largest plausible
        number, components describe the shape of clusters, and fewer components gained more by
        that. A rise that is small beside the steepest one between plausible numbers is no evidence
        of clusters either.
        """
        plausible = self.plausible
        if not len(plausible):
            return 0.0
        rises, doublings = self._rises, self._doublings
        at = np.searchsorted(self.numbers, plausible)
        last, beyond = at[-1], 0.0
        if last < len(rises) - 1:
            end = min(doublings[-1], doublings[last] + 1)
            rise = np.interp(end, doublings, rises) - rises[last]
            beyond = rise / (end - doublings[last])
        at = at[doublings[at] > 0]
        between = np.diff(rises[at], prepend=0.0) / np.diff(doublings[at], prepend=0.0)
        steepest = between.max(initial=0.0)
        return float(max(PRICE_OF_SHAPE * beyond, LEAST_PRICE * steepest))

    def place(self, n_components: int) -> int:
        """Return the place of a number of components among the numbers."""
        return int(np.searchsorted(self.numbers, n_components))

    @property
    def _is_high(self) -> BoolArray:
        """Which numbers of several components agree about as much as any."""
        return self._several & (self.median >= self.highest - self.tolerance)

    @property
    def _several(self) -> BoolArray:
        """Which numbers are those of several components, most of which are sound."""
        several = np.asarray(self.numbers > 1)
        return several if self.degenerate is None else several & ~self.degenerate
