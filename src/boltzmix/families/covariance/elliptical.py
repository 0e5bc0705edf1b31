"""The base of families with a centre and a covariance: Gaussian and Student t."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Self, cast

import numpy as np

from ...data import (
    DATA,
    FloatArray,
    Hard,
    InputError,
    IntArray,
    Rng,
    Table,
    Weights,
    counted,
    shown,
)
from ..columns.backgrounds import background_of_numbers
from ..columns.resolution import Resolution, check_resolution
from ..columns.scales import is_at_floor
from ..contract.bank import log_prob_by_bank
from ..contract.base import Family
from ..contract.capabilities import AdditiveFamily
from ..contract.search_hints import SearchHints
from ..shared.copies import replaced
from ..shared.validation import read_arrays, read_not_negative
from .covariance import COVARIANCES, Covariance, check_covariance
from .elliptical_bank import EllipticalBank
from .gaussian_missing import Patterns, conditional
from .moments import Moments, as_kernel_array

PRIOR = 20.0  # benchmarks/results/labelled.md has the mean ARI of 8 and 40, too


class EllipticalFamily(AdditiveFamily):
    """A family with a centre and a covariance, evaluated and fitted by an `EllipticalBank`.

    Subclasses are frozen dataclasses with the fields annotated here.
    """

    missing = True
    largest_number = 1e152  # whose square fits into double precision
    background = background_of_numbers

    covariance: str
    ridge: float
    prior: float
    resolution: Resolution
    added_variance: FloatArray | float | None
    data_moments: Moments | None
    rounding: FloatArray | None
    pooled_variance: FloatArray | None
    prior_observations: float | None

    def _check_arguments(self) -> None:
        check_covariance("covariance", self.covariance)
        read_not_negative(self, "ridge")
        read_not_negative(self, "prior")
        check_resolution(self.resolution)
        read_arrays(self, "added_variance", least=0)

    def _check_shapes(self, names: tuple[str, str], centre: Any, variance: Any) -> None:
        """Raise if the shapes of two parameters do not match, which kernels do not check."""
        wanted = self.shape.stack(1, np.size(centre))[1:]
        if np.ndim(centre) != 1 or np.shape(variance) != wanted:
            raise ValueError(
                f"{names[0]} must have one number per column, and {names[1]} of a"
                f" {shown(self.covariance)} covariance then the shape {wanted}, but they have"
                f" {np.shape(centre)} and {np.shape(variance)}."
            )

    @property
    @abstractmethod
    def fitted_parameters(self) -> tuple[FloatArray, FloatArray]:
        """Centre and variance; raise if there are none yet."""

    @abstractmethod
    def with_parameters(self, centre: FloatArray | None, variance: FloatArray | None) -> Self:
        """Return this family with another centre and variance, or without."""

    @property
    @abstractmethod
    def is_fitted(self) -> bool:
        """Whether it has parameters."""

    @property
    def shape(self) -> Covariance:
        """The shape of the covariance."""
        return COVARIANCES[self.covariance]

    @property
    def search_hints(self) -> SearchHints:
        """Hints for a search: components of few rows are sound if there is a prior."""
        return replace(
            super().search_hints, regularised=self.prior > 0, coarse_family=self._coarse_family
        )

    @property
    def _coarse_family(self) -> "Self | None":
        """The template for fewer columns, if there is a covariance between all of them."""
        if not self.shape.is_full:
            return None
        template = self.with_parameters(None, None)
        unknown = dict.fromkeys(
            ("added_variance", "rounding", "data_moments", "pooled_variance", "prior_observations")
        )
        return replaced(template, resolution=None, **unknown)

    @property
    def is_penalised(self) -> bool:
        """Whether learning maximises more than the likelihood."""
        return self.prior > 0 or self.rounding is not None

    def floor(self, d: int) -> FloatArray:
        """Return the least variance of each of d columns: what is added and what was rounded."""
        added = 0.0 if self.added_variance is None else self.added_variance
        if np.ndim(added) and np.size(added) != d:
            raise InputError(
                f"added_variance must be a number, or one for each of the {counted(d, 'column')} of"
                f" {DATA}, not {counted(np.size(added), 'number')}."
            )
        rounded = 0.0 if self.rounding is None else self.rounding
        return np.zeros(d) + added + rounded

    @property
    def matrix(self) -> FloatArray:
        """The variance as a (d, d) matrix, whatever its shape."""
        centre, variance = self.fitted_parameters
        return self.shape.dense(variance, len(centre))

    @property
    def log_prior(self) -> float:
        """Log density of the prior at the variance, but for a constant."""
        return float(self.bank([self]).log_prior[0])

    @property
    def is_degenerate(self) -> bool:
        """Whether a tenth or more of the variance in some direction is the variance added."""
        return self.is_fitted and is_at_floor(self.added_variance, self.matrix)

    @property
    def n_parameters(self) -> int:
        d = len(self.fitted_parameters[0])
        return d + self.shape.n_parameters(1, d)

    @property
    def parameter_vector(self) -> FloatArray:
        """Centre, and the distinct entries of the variance, shape (p,)."""
        if self.shape.has_common_parts:
            return super().parameter_vector
        centre, variance = self.fitted_parameters
        return np.concatenate([centre, variance[_half(variance)].ravel()])

    def with_parameter_vector(self, values: FloatArray) -> Self:
        centre, variance = (np.array(one, dtype=float) for one in self.fitted_parameters)
        half = _half(variance)
        variance[half] = values[len(centre) :]
        if variance.ndim == 2:
            variance.T[half] = values[len(centre) :]
        return self.with_parameters(values[: len(centre)], variance)

    log_prob = log_prob_by_bank

    def expected(self, data: Table) -> FloatArray:
        """Return rows (n, d) whose missing values are replaced by conditional means."""
        rows, (centre, _) = as_kernel_array(data.values), self.fitted_parameters
        return conditional(rows, Patterns.of(rows), centre, self.matrix)[0]

    def moved_to(self, observation: Table) -> Self:
        """Return this component at another centre."""
        values, (centre, variance) = observation.values[0].astype(float), self.fitted_parameters
        return self.with_parameters(np.where(np.isnan(values), centre, values), variance)

    def summarise(self, data: Table, weights: Weights = None) -> Any:
        """Return the moments of some rows."""
        return self.bank([self]).summarise(data, Hard.of_one(len(data), weights))

    def from_statistics(self, statistics: Any, rng: Rng = None) -> Self:
        """Return a component fitted to moments, with the variance added."""
        bank = self.bank([self]).update(
            statistics, np.zeros(1, dtype=bool), np.random.default_rng(0) if rng is None else rng
        )
        return cast(Self, bank.components[0])

    @abstractmethod
    def bank(self, components: Sequence[Family]) -> EllipticalBank: ...


def _half(variance: FloatArray) -> Any:
    """Return the places of the distinct entries of a variance in its own form."""
    return _lower_half(len(variance)) if variance.ndim == 2 else ...


@cache
def _lower_half(d: int) -> tuple[IntArray, IntArray]:
    """Return the places of the lower half of a matrix (d, d), with its diagonal."""
    return np.tril_indices(d)
