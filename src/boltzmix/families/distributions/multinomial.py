"""The multinomial distribution of counts, given their sum."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Integral
from typing import Self

import numpy as np
from scipy.special import gammaln

from ...data import FloatArray, Rng, Rows, Table, Weights, shown
from ..columns.exponential_family import ExponentialFamily, Totals
from ..columns.pooled_frequencies import PRIOR, log_density, pooled_frequencies, with_search_prior
from ..contract.description import Description, columns_of, text_of
from ..contract.search_hints import SearchHints
from ..shared.constants import log_factorials
from ..shared.copies import replaced
from ..shared.validation import (
    MOST,
    as_numbers,
    check_several_columns,
    check_whole,
    fitted,
    place_in_table,
    read_arrays,
    read_not_negative,
)


@dataclass(frozen=True, eq=False)
class Multinomial(ExponentialFamily):
    """Counts of categories, one column each, given how many there are in the row.

    Rows may have different totals, as texts have different lengths: components differ only in the
    proportions of the categories.

    Parameters
    ----------
    prior : float, default=1.0
        Strength of the prior, which pulls the probabilities of every component towards the
        proportions in all the data (see `boltzmix.families.columns.pooled_frequencies`): it counts
        as much as so many rows of mean total, so its effect vanishes as data grow, and categories
        that a component has not seen stay possible. Zero means no prior; such categories then
        have a log probability of about -700.
    probabilities : array, shape (d,), optional
        Probability of each category. Present once fitted.
    mean_total : float, optional
        Mean sum of the rows fitted to, and the sum of rows that are drawn, unless another is given.

    Attributes
    ----------
    pooled_counts : array, shape (d,)
        The counts of a mean row of all the data, none of them zero. Set by `prepare`, if there is
        a prior.

    Examples
    --------
    >>> Multinomial(prior=0).fit(Table.of([[2, 1, 1], [6, 3, 3]])).probabilities
    array([0.5 , 0.25, 0.25])
    """

    prior: float = PRIOR
    probabilities: FloatArray | None = None
    mean_total: float | None = None
    pooled_counts: FloatArray | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        read_not_negative(self, "prior")
        given = self.probabilities
        numbers = as_numbers(given)
        if given is not None and not (
            numbers.ndim == 1
            and numbers.size
            and numbers.min() >= 0
            and numbers.max() <= MOST
            and abs(numbers.sum() - 1) < 1e-6
        ):
            raise ValueError(
                f"probabilities must be numbers of zero or more that sum to one, not"
                f" {shown(given)}."
            )
        read_arrays(self, "probabilities", axes=(1,), least=0)
        read_arrays(self, "mean_total", axes=(0,), least=0)

    def __repr__(self) -> str:
        return text_of("Multinomial", [], {"probabilities": self.probabilities}, suppress=True)

    @property
    def n_parameters(self) -> int:
        return len(self._fitted()) - 1

    @cached_property
    def slopes(self) -> FloatArray:
        """Log probabilities, shape (d,)."""
        return np.log(np.maximum(self._fitted(), np.finfo(float).tiny))

    @property
    def intercept(self) -> float:
        """There is no term that is the same for all rows."""
        return 0.0

    @property
    def parameter_vector(self) -> FloatArray:
        """Log odds of all probabilities against the largest but that itself, shape (p,)."""
        probabilities = self._fitted()
        return np.delete(np.log(probabilities / probabilities.max()), probabilities.argmax())

    def with_parameter_vector(self, values: FloatArray) -> Self:
        odds = np.insert(np.exp(values), int(self._fitted().argmax()), 1.0)
        return replaced(self, probabilities=odds / odds.sum())

    def describe(self) -> Description:
        """Return the probability of each category, which is a column."""
        probabilities = self._fitted()
        columns = [
            replace(column, whole_numbers=True)
            for column in columns_of({"probability": probabilities})
        ]
        return Description({"probabilities": probabilities}, columns=columns)

    def prepare(self, data: Rows, n_components: int, weights: Weights = None) -> Self:
        """Check that all values are counts, and take their proportions."""
        totals = self.summarise_blocks(data, weights, check=True)
        if self.prior == 0 or self.pooled_counts is not None:
            return self
        return replaced(self, pooled_counts=_pooled(totals))

    @property
    def search_hints(self) -> SearchHints:
        """Hints by which a search learns with a prior."""
        return with_search_prior(self, super().search_hints, PRIOR, "pooled_counts")

    def check(self, data: Table, first_row: int | None = None) -> None:
        """Raise a ValueError if there are values other than counts."""
        check_several_columns(data, "Multinomial", "counts of categories")
        check_whole(
            data.values,
            place_in_table(data, first_row),
            "Multinomial takes counts, which are whole and not negative: drop the column, or use"
            " another family",
        )

    def features(self, values: FloatArray) -> FloatArray:
        """Return the counts themselves."""
        return values.astype(float, copy=False)

    def log_base(self, values: FloatArray) -> FloatArray:
        """Return the logs of the multinomial coefficients, shape (n,)."""
        counts = values.astype(float, copy=False)
        return gammaln(counts.sum(axis=1) + 1) - log_factorials(counts).sum(axis=1)

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log probability of each row, given its total, shape (n,)."""
        return super().log_prob(data)

    def sample(self, n: int, rng: np.random.Generator, total: int | None = None) -> FloatArray:
        """Draw `n` rows that sum to `total` (the mean total fitted to unless given)."""
        probabilities = self._fitted()
        if total is None:
            total = round(self.mean_total or 1)
        if not isinstance(total, Integral) or total < 0:
            raise ValueError(f"total must be a whole number of zero or more, not {shown(total)}.")
        normalised = probabilities / probabilities.sum()
        return rng.multinomial(total, normalised, size=n).astype(float)

    def moved_to(self, observation: Table) -> Self:
        """Return the mean of this component and the proportions of an observation."""
        counts = observation.values[0].astype(float)
        total = counts.sum()
        if total == 0:
            return self
        return replaced(self, probabilities=(counts / total + self._fitted()) / 2)

    def from_statistics(self, statistics: Totals, rng: Rng = None) -> Self:
        """Return the most probable component, given the sums of counts."""
        counts = statistics.sums
        if self.prior > 0:
            pooled = self.pooled_counts
            counts = counts + self.prior * (_pooled(statistics) if pooled is None else pooled)
        if not counts.any():
            counts = np.ones(len(counts))
        mean_total = float(statistics.means.sum())
        return replaced(self, probabilities=counts / counts.sum(), mean_total=mean_total)

    @property
    def log_prior(self) -> float:
        """Log density of the prior at the probabilities, but for a constant."""
        pooled = self.pooled_counts
        if self.prior == 0 or pooled is None:
            return 0.0
        total = float(pooled.sum())
        return self.prior * total * log_density(pooled / total, self._fitted())

    def _fitted(self) -> FloatArray:
        return np.asarray(fitted(self, "probabilities")[0])


def _pooled(totals: Totals) -> FloatArray:
    """Return the counts of a mean row, with the proportions of all rows, none of them zero."""
    mean_total = float(totals.means.sum()) or 1.0
    allowed = np.ones(len(totals.sums), dtype=bool)
    return mean_total * pooled_frequencies(totals.sums, allowed)
