"""The profile of one variable: its mean or its probabilities in each component."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from ...data import FloatArray
from .column_information import binned, counts_of, cramers_v, information
from .variables import Variable


@dataclass(frozen=True, eq=False)
class ColumnProfile:
    """The profile of one column in each of K components.

    Arrays have one row, or one for each category.

    Parameters
    ----------
    name : str
    categories : tuple of str, or None
        Names of the categories; None for numbers.
    sizes : array, shape (K,)
        Number of observed values, weighted by responsibilities.
    means : array, shape (C, K)
        Mean of numbers, or probability of each category.
    deviations : array, shape (C, K)
        Standard deviation of numbers, or of the indicator of each category.
    errors : array, shape (C, K)
        Standard error of each mean, by the delta method.
    low, high : arrays, shape (C, K)
        The ends of a confidence interval of each mean.
    differences : array, shape (C, K)
        Mean of the component less that of all other components, over the standard deviation within
        both groups: Cohen's d. That of noise is less the mean of all components.
    effect : float
        Eta squared of numbers, the fraction of their variance that lies between components;
        Cramér's V of categories.
    information : float
        Fraction of the information about the component that the column carries, from 0 to 1.
    n_components : int
        Number of components; one group more is noise, which no component is compared with.
    """

    name: str
    categories: tuple[str, ...] | None
    sizes: FloatArray
    means: FloatArray
    deviations: FloatArray
    errors: FloatArray
    low: FloatArray
    high: FloatArray
    differences: FloatArray
    effect: float
    information: float
    n_components: int

    @property
    def effect_name(self) -> str:
        """The name of `effect`."""
        return "η²" if self.categories is None else "V"

    @property
    def labels(self) -> Sequence[str]:
        """The name of each row: that of the column, and of the category if there is one."""
        return (
            [self.name]
            if self.categories is None
            else [f"{self.name} = {c}" for c in self.categories]
        )


def profile_column(
    variable: Variable, probabilities: FloatArray, level: float, n_components: int
) -> ColumnProfile:
    """Return the profile of a variable of n observations with probabilities (n, K)."""
    if variable.categories is None:
        return _profile_numbers(variable, probabilities, level, n_components)
    return _profile_categories(variable, probabilities, level, n_components)


def column_means(variable: Variable, probabilities: FloatArray) -> FloatArray:
    """Return only the means of a column, shape (1 or C, K); see `ColumnProfile`."""
    values, owners = variable.observed
    if variable.categories is None:
        return _ratio(values @ probabilities[owners], probabilities[owners].sum(axis=0))[None]
    codes, n = values.astype(np.int64), len(variable.categories)
    own = np.asarray(counts_of(codes, owners, len(probabilities), n).T @ probabilities)
    return _ratio(own, own.sum(axis=0))


def _profile_numbers(
    variable: Variable, probabilities: FloatArray, level: float, n_components: int
) -> ColumnProfile:
    values, owners = variable.observed
    n = len(probabilities)
    centre = values.mean() if len(values) else 0.0
    centred = values - centre
    m, s, q = (np.bincount(owners, one, n) for one in (np.ones(len(values)), centred, centred**2))
    sums = _Sums(m @ probabilities, s @ probabilities, q @ probabilities, n_components)
    means = sums.means
    away = probabilities * (s[:, None] - m[:, None] * np.nan_to_num(means))
    errors = _ratio(np.sqrt((away**2).sum(axis=0)), sums.sizes)
    reach = norm.ppf((1 + level) / 2) * errors
    codes = binned(values, int((m > 0).sum()), probabilities.shape[1])
    counts = counts_of(codes, owners, n, int(codes.max(initial=0)) + 1)
    means = means + centre
    return ColumnProfile(
        variable.name, None, sums.sizes, means[None], np.sqrt(sums.variances)[None], errors[None],
        (means - reach)[None], (means + reach)[None], sums.differences[None], sums.eta_squared,
        information(counts, probabilities), n_components,
    )  # fmt: skip


def _profile_categories(
    variable: Variable, probabilities: FloatArray, level: float, n_components: int
) -> ColumnProfile:
    values, owners = variable.observed
    names = tuple(map(str, variable.categories or ()))
    counts = counts_of(values.astype(np.int64), owners, len(probabilities), len(names))
    m, squared = counts.sum(axis=1), probabilities**2
    sizes, own = m @ probabilities, np.asarray(counts.T @ probabilities)
    means = np.minimum(_ratio(own, sizes), 1)
    rest = 1 - means
    twice: FloatArray = counts.power(2).T @ squared
    both: FloatArray = counts.T @ (m[:, None] * squared)
    spread = rest**2 * twice - 2 * means * rest * (both - twice)
    spread += means**2 * (m**2 @ squared - 2 * both + twice)
    errors = _ratio(np.sqrt(np.maximum(spread, 0)), sizes)
    effective = np.broadcast_to(_ratio(sizes**2, m @ squared), means.shape)
    low, high = wilson_interval(means, _effective_sizes(means, errors, effective), level)
    differences = np.stack([_Sums(sizes, one, one, n_components).differences for one in own])
    return ColumnProfile(
        variable.name, names, sizes, means, np.sqrt(means * rest), errors, low, high,
        differences, cramers_v(counts, probabilities), information(counts, probabilities),
        n_components,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Sums:
    """Number, sum and sum of squares of values in each component, shape (K,) each."""

    sizes: FloatArray
    sums: FloatArray
    squares: FloatArray
    n_components: int

    @property
    def means(self) -> FloatArray:
        return _ratio(self.sums, self.sizes)

    @property
    def variances(self) -> FloatArray:
        return np.maximum(_ratio(self.squares, self.sizes) - self.means**2, 0)

    @property
    def others(self) -> "_Sums":
        """The sums over all other components, to which noise does not belong."""
        own = np.arange(len(self.sizes)) < self.n_components
        sizes, sums, squares = (
            one[own].sum() - one * own for one in (self.sizes, self.sums, self.squares)
        )
        return _Sums(sizes, sums, squares, self.n_components)

    @property
    def differences(self) -> FloatArray:
        """Means less those of all others, over the deviation within both groups; NaN if zero."""
        others = self.others
        within = self.sizes * self.variances + others.sizes * others.variances
        deviations = np.sqrt(_ratio(within, self.sizes + others.sizes))
        return _ratio(self.means - others.means, deviations)

    @property
    def eta_squared(self) -> float:
        """The fraction of all squared deviations that lies between components; NaN if none."""
        own = slice(self.n_components)
        sizes, means = self.sizes[own], self.means[own]
        centre = self.sums[own].sum() / max(sizes.sum(), np.finfo(float).tiny)
        between = np.nansum(sizes * (means - centre) ** 2)
        within = np.nansum(sizes * self.variances[own])
        return float(_ratio(between, between + within))


def wilson_interval(
    probabilities: FloatArray, sizes: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    """Return Wilson's interval of probabilities, given the number of observations."""
    z = norm.ppf((1 + level) / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = z**2 / sizes
        centre = (probabilities + shift / 2) / (1 + shift)
        reach = z * np.sqrt(probabilities * (1 - probabilities) / sizes + shift / (4 * sizes))
        reach = reach / (1 + shift)
    return np.maximum(centre - reach, 0), np.minimum(centre + reach, 1)


def _effective_sizes(means: FloatArray, errors: FloatArray, kish: FloatArray) -> FloatArray:
    """Return how many observations would give such standard errors, at most Kish's number."""
    with np.errstate(divide="ignore", invalid="ignore"):
        implied = means * (1 - means) / errors**2
    return np.fmin(implied, kish)


def _ratio(above: FloatArray | float, below: FloatArray | float) -> FloatArray:
    """Divide; NaN where the divisor is not positive."""
    above, below = np.broadcast_arrays(above, below)
    return np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
