"""K Student t distributions, evaluated and fitted as stacked arrays."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, polygamma, psi

from ... import kernels
from ...data import BoolArray, FloatArray, Hard, Membership, Rng, Soft, Table, Weights
from ..columns.additive_fits import Sums, weighted_one_hot
from ..contract.bank import Evaluation
from ..covariance.elliptical_bank import EllipticalBank, Width
from ..covariance.gaussian_missing import CellMoments, expected_moments
from ..covariance.moments import Moments, as_kernel_array
from ..shared.constants import TINY

if TYPE_CHECKING:
    from .student_t import StudentT

FIRST_DEGREES = 10.0
UNCHANGED = 1e-6  # relative change of the degrees that is not computed any closer
LONGEST_STEP = 2.0  # times the step of EM: about as far as the expected log-likelihood allows


def next_degrees(family: "StudentT", d: int, totals: FloatArray, pulls: FloatArray) -> float:
    """Return the degrees of freedom after a step of EM, the same for all components.

    A step of EM is short where rows say little about their precisions. It is then taken up to
    twice as far, but only as far as the expected log-likelihood is no lower than before the step:
    that suffices for the likelihood to rise.

    Parameters
    ----------
    family : StudentT
        With the degrees before.
    d : int
        Number of columns.
    totals : array, shape (K,)
        Total responsibilities.
    pulls : array, shape (K,)
        Sums of the expected logarithms of the precisions less the precisions.
    """
    least, most = family.least_degrees_in(d), family.most_degrees
    if family.degrees is None:
        return float(np.clip(FIRST_DEGREES, least, most))
    if not family.learned or totals.sum() <= 0:
        return float(family.degrees)
    before, pull = float(family.degrees), float(pulls.sum() / totals.sum())
    found = _most_likely(pull, least, most)

    def gain(degrees: float) -> float:
        return expected_log_likelihood(degrees, pull) - expected_log_likelihood(before, pull)

    if gain(found) <= 0:
        return before
    further = found * (found / before) ** (_step_length(before, d) - 1)
    further = float(np.clip(further, least, most))
    while gain(further) < 0:
        further = float(np.sqrt(found * further))
    return further


def expected_log_likelihood(degrees: float, pull: float) -> float:
    """Return the expected log-likelihood of the precisions, per row, but for a constant."""
    half = degrees / 2
    return float(half * np.log(half) - gammaln(half) + half * pull)


def _most_likely(pull: float, least: float, most: float) -> float:
    """Return the degrees of the highest expected log-likelihood."""

    def slope(degrees: float) -> float:
        return float(np.log(degrees / 2) + 1 - psi(degrees / 2) + pull)

    if slope(most) >= 0:
        return most
    if slope(least) <= 0:
        return least
    return float(brentq(slope, least, most, rtol=UNCHANGED))


def _step_length(degrees: float, d: int) -> float:
    """Return how far to go, in steps of EM: what they lack for a step of Fisher scoring, at most 2.

    It is the information that rows and their precisions have about the degrees, over what rows
    alone have.
    """
    complete = polygamma(1, degrees / 2) - 2 / degrees
    total = degrees + d
    observed = complete - (
        polygamma(1, total / 2)
        - 2 / degrees
        + 2 * d * (total + 4) / (degrees * total * (total + 2))
    )
    return float(np.clip(complete / max(observed, complete / LONGEST_STEP), 1, LONGEST_STEP))


@dataclass(frozen=True, eq=False)
class TailMoments(Sums):
    """Statistics of the rows of K components, given their current parameters.

    Parameters
    ----------
    moments : Moments
        Moments of the rows, weighted by their expected precisions.
    totals : array, shape (K,)
        Total responsibilities.
    numbers : array, shape (K, 1) or (K, d)
        Total responsibilities of the rows that each variance is fitted to.
    pulls : array, shape (K,)
        Sums of the expected logarithms of the precisions less the precisions.
    """

    moments: Moments
    totals: FloatArray
    pulls: FloatArray
    numbers: FloatArray

    @classmethod
    def of(
        cls,
        moments: Moments,
        totals: FloatArray,
        pulls: FloatArray,
        cells: FloatArray | None = None,
    ) -> "TailMoments":
        """Return statistics, given the responsibilities of cells (K, d) where some are missing."""
        some = totals[:, None] if cells is None else moments.shape.numbers(cells)
        return cls(moments, totals, pulls, some)

    def replaced(self, k: int, other: "TailMoments") -> "TailMoments":
        """Return these statistics with those of component k taken from the only one of `other`."""
        moments = self.moments
        if isinstance(other.moments, CellMoments):
            moments = CellMoments.read(moments)
        totals, pulls = self.totals.copy(), self.pulls.copy()
        numbers = self.numbers + np.zeros_like(other.numbers)
        totals[k], pulls[k], numbers[k] = other.totals[0], other.pulls[0], other.numbers[0]
        return TailMoments(moments.replaced(k, other.moments), totals, pulls, numbers)


class StudentTBank(EllipticalBank):
    """K Student t distributions with the same degrees of freedom and one covariance shape."""

    @property
    def degrees(self) -> float:
        """Degrees of freedom of all components."""
        return float(self.family.degrees)

    @property
    def n_parameters(self) -> int:
        """Number of free parameters of all components; they have one number of degrees."""
        return super().n_parameters + int(self.family.learned)

    @cached_property
    def constants(self) -> FloatArray:
        """Log densities at the locations, shape (K,)."""
        return self.log_determinants + self._log_peak(self.means.shape[1])

    def _log_peak(self, d: Width) -> FloatArray | float:
        """Return the log density at the location in d dimensions, if the scatter is one."""
        degrees = self.degrees
        return gammaln((degrees + d) / 2) - gammaln(degrees / 2) - d / 2 * np.log(degrees * np.pi)

    def log_densities(
        self, values: FloatArray, log_determinants: FloatArray, d: Width
    ) -> FloatArray:
        degrees = self.degrees
        powers = (degrees + d) / 2
        peaks = log_determinants + self._log_peak(d)
        return np.asarray(peaks - powers * np.log1p(-2 / degrees * values))

    def _log_densities(self, data: Table, is_rounded: bool) -> FloatArray:
        """Return log densities, shape (K, n), by a kernel where no value is missing."""
        if data.has_missing:
            return super()._log_densities(data, is_rounded)
        return self._by_kernel(self.half_squared_distances(data, self.offsets(is_rounded)))

    def _by_kernel(self, values: FloatArray) -> FloatArray:
        """Return log densities, shape (K, n)."""
        found, d = np.empty(values.shape), float(self.means.shape[1])
        kernels.tails.log_densities(values, self.constants, self.degrees, d, found)
        return found

    def evaluate(self, data: Table, *, is_rounded: bool = True) -> Evaluation:
        """Return the log densities (n, K), which statistics of responsibilities reuse."""
        if data.has_missing:
            return super().evaluate(data, is_rounded=is_rounded)
        given = self._soft_values(data, is_rounded)

        def summarise(membership: Membership) -> TailMoments:
            if isinstance(membership, Hard):
                return self.summarise(data, membership)
            return self._soft_moments(data, membership, *given)

        return Evaluation(given[1].T, summarise)

    def _soft_values(self, data: Table, is_rounded: bool = True) -> tuple[FloatArray, FloatArray]:
        """Return constants less half the squared lengths, and the log densities, (K, n) each."""
        values = self.half_squared_distances(
            data, self.offsets(is_rounded and self.family.is_penalised)
        )
        return values, self._by_kernel(values)

    def summarise(self, data: Table, membership: Membership) -> TailMoments:
        """Return the statistics of the rows of each component.

        Before the first fit, all precisions are one.
        """
        totals = membership.counts
        rows = as_kernel_array(data.values)
        if not self.is_fitted:
            moments = self._moments(rows, data, membership)
            cells = moments.cells if isinstance(moments, CellMoments) else None
            return TailMoments.of(moments, totals, -totals, cells)
        if data.has_missing:
            return self._moments_of_observed(rows, data, membership)
        if isinstance(membership, Soft):
            return self._soft_moments(data, membership, *self._soft_values(data))
        values = self.half_squared_distances_at(
            data, membership, self.offsets(self.family.is_penalised)
        )
        return self._hard_moments(rows, membership, *self._precisions(values, data.n_features))

    def summarise_at(self, data: Table, membership: Hard, log_densities: FloatArray) -> TailMoments:
        """Return `summarise`, given the log density of each row under its own component."""
        if data.has_missing or not self.is_fitted:
            return self.summarise(data, membership)
        degrees, d = self.degrees, data.n_features
        rises = (log_densities - self.constants[membership.labels]) * (2 / (degrees + d))
        precisions = (1 + d / degrees) * np.exp(rises)
        constant = psi((degrees + d) / 2) - np.log(degrees / 2)
        pulls = np.where(precisions > 0, constant + rises - precisions, 0.0)
        return self._hard_moments(as_kernel_array(data.values), membership, precisions, pulls)

    def _hard_moments(
        self, rows: FloatArray, membership: Hard, precisions: FloatArray, pulls: FloatArray
    ) -> TailMoments:
        """Return the statistics for labels, given what `_precisions` returns for each row."""
        weights = np.ones(len(rows)) if membership.weights is None else membership.weights
        weighted = Hard(membership.labels, len(self), weights * precisions)
        sums = np.bincount(membership.labels, weights * pulls, len(self)).astype(float)
        moments = Moments.of(self.family.shape, rows, weighted)
        return TailMoments.of(moments, membership.counts, sums)

    def _precisions(self, values: FloatArray, d: Width) -> tuple[FloatArray, FloatArray]:
        """Return expected precisions, and their expected logarithms less these."""
        degrees = self.degrees
        precisions = (degrees + d) / (degrees - 2 * values)
        logarithms = psi((degrees + d) / 2) - np.log(degrees / 2 - values)
        return precisions, np.where(precisions > 0, logarithms - precisions, 0.0)

    def _soft_moments(
        self, data: Table, membership: Soft, values: FloatArray, log_densities: FloatArray
    ) -> TailMoments:
        """Return the statistics for responsibilities, given what `evaluate` returned."""
        (k, d), degrees, shape = self.means.shape, self.degrees, self.family.shape
        counts, means, scatters = Moments.empty(shape, k, d)
        totals, pulls = np.empty((2, k))
        kernels.tails.soft_moments(
            as_kernel_array(data.values), as_kernel_array(membership.responsibilities.T),
            values, log_densities, self.constants, degrees,
            counts, means, scatters, totals, pulls,
        )  # fmt: skip
        moments = Moments(shape, counts, means, scatters)
        constant = psi((degrees + d) / 2) - np.log(degrees / 2)
        return TailMoments.of(moments, totals, pulls + totals * constant)

    def _moments_of_observed(
        self, rows: FloatArray, data: Table, membership: Membership
    ) -> TailMoments:
        """Return the statistics of rows with missing values."""
        if isinstance(membership, Hard):
            return self._hard_moments_of_observed(rows, data, membership)
        values, _, counts = self.observed_distances(data, self.family.is_penalised)
        precisions, pulls = self._precisions(values, counts)
        found = membership.as_responsibilities().T
        weighted = Soft((found * precisions).T)
        moments = self._moments(rows, data, weighted, Soft(found.T))
        cells = found @ ~np.isnan(rows) if isinstance(moments, CellMoments) else None
        sums = (found * pulls).sum(axis=1)
        return TailMoments.of(moments, membership.counts, sums, cells)

    def _hard_moments_of_observed(
        self, rows: FloatArray, data: Table, membership: Hard
    ) -> TailMoments:
        """Return the statistics of rows with missing values, for labels."""
        values, _, counts = self.observed_distances_at(data, membership, self.family.is_penalised)
        precisions, pulls = self._precisions(values, counts)
        weights = np.ones(len(rows)) if membership.weights is None else membership.weights
        weighted = Hard(membership.labels, len(self), weights * precisions)
        moments = self._moments(rows, data, weighted, membership)
        cells = None
        if isinstance(moments, CellMoments):
            cells = weighted_one_hot(membership).T @ ~np.isnan(rows)
        sums = np.bincount(membership.labels, weights * pulls, len(self)).astype(float)
        return TailMoments.of(moments, membership.counts, sums, cells)

    def _moments(
        self,
        rows: FloatArray,
        data: Table,
        membership: Membership,
        unweighted: Membership | None = None,
    ) -> Moments:
        """Return the moments of rows, missing values replaced by their expectations."""
        family = self.family
        if not data.has_missing:
            return Moments.of(family.shape, rows, membership)
        if not family.shape.is_full:
            return CellMoments.of(family.shape, rows, membership)
        means, variances = (self.means, self.variances) if self.is_fitted else (None, None)
        return expected_moments(
            family.shape, rows, membership, family.data_moments, means, variances, unweighted
        )

    def refill(self, statistics: TailMoments, k: int, data: Table, weights: Weights) -> TailMoments:
        return statistics.replaced(k, self.family.summarise(data, weights))

    def update(self, statistics: TailMoments, keep: BoolArray, rng: Rng = None) -> "StudentTBank":
        """Return the bank after a step of EM; the components in `keep` stay as they are."""
        fitted = ~keep & ((statistics.totals > 0) | (not self.is_fitted))
        if not fitted.any():
            return self
        family, moments = self.family, statistics.moments.completed(self.family.data_moments)
        d = moments.means.shape[1]
        if not self.is_frozen:
            found = next_degrees(family, d, statistics.totals, statistics.pulls)
            family = family.with_degrees(found)
        own = self._scatters(statistics, moments, family.floor(d), fitted)
        return self.fitted_to(family, moments.means, own, statistics.numbers, fitted)

    def _scatters(
        self, statistics: TailMoments, moments: Moments, floor: FloatArray, fitted: BoolArray
    ) -> FloatArray:
        """Return the scatters (F, ...) of some components, without a prior.

        They are the moments of rows, weighted by their precisions, over the number of rows; each
        column has the rows in which it is observed.
        """
        shape, numbers = self.family.shape, np.maximum(statistics.numbers, TINY)[fitted]
        nothing = np.zeros(len(floor))
        if shape.is_full:
            added = moments.counts[fitted, None, None] * np.diag(floor)
            return shape.fit(numbers[:, 0], moments.scatters[fitted] + added, nothing)
        weights = statistics.moments.weights[fitted]
        weights = np.where(statistics.numbers[fitted] > 0, weights / numbers, 1.0)
        counts = np.maximum(moments.counts[fitted, None], TINY)
        variances = moments.scatters[fitted] / counts + floor
        return shape.fit(np.ones(len(weights)), weights * variances, nothing)
