"""Linear regression: targets around a linear function of the inputs, or of features of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any, NamedTuple, Self, cast

import numpy as np

from ...data import BoolArray, FloatArray, Hard, Membership, Regression, Table
from ..additive import AdditiveFamily
from ..base import Bank, Family
from ..description import Curve, Description
from ..shared.constants import LOG_2_PI
from ..shared.covariance import COVARIANCES
from ..shared.moments import Moments
from ..shared.scales import robust_variances
from ..shared.statistics import fit_prepared
from ..shared.validation import check_count, check_floor, check_not_negative, fitted

Features = Callable[[FloatArray], Any]


class RegressionScales(NamedTuple):
    """Scales of all the data, which are known before components are fitted to some of them.

    Parameters
    ----------
    centre, spread : arrays, shape (p,)
        Means and standard deviations of the inputs.
    features : array, shape (q,)
        Standard deviations of the features.
    least_variance : array, shape (m,)
        Least noise variances.
    """

    centre: FloatArray
    spread: FloatArray
    features: FloatArray
    least_variance: FloatArray


@dataclass(frozen=True, eq=False)
class LinearRegression(AdditiveFamily):
    """Targets around a linear function of the inputs, or of features of them.

    There is always an intercept. The noise is Gaussian, and independent in every column of the
    targets. Inputs have no distribution of their own: `log_prob` is the density of the targets,
    given the inputs.

    Parameters
    ----------
    degree : int, default=1
        The features are all products of up to so many inputs: with 1 the function is a line or
        plane, with 2 a parabola. Above 1, they are products of standardised inputs.
    features : function of inputs (n, p) returning features (n, q), optional
        Takes the place of `degree`.
    ridge : float, default=1e-6
        Variance that is added to every feature, as a fraction of its variance in all the data, so
        that few or repeated inputs have a solution too.
    floor : float, default=1e-4
        The least noise variance, so that no component collapses onto a few points: a fraction of
        the variance that targets would have in each of K components that divided their range
        evenly, which is their variance over K². It is robust: where the quartiles imply a smaller
        variance, that one is taken.
    scales : RegressionScales, optional
        Taken from the data by `prepare` and `fit` unless present.
    intercept : array, shape (m,), optional
        Present once fitted.
    coefficients : array, shape (q, m), optional
        Present once fitted.
    variance : array, shape (m,), optional
        Variance of the noise. Present once fitted.

    Examples
    --------
    >>> data = Regression.of([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.2, 4.8, 7.0])
    >>> fitted = LinearRegression().fit(data)
    >>> fitted.intercept.round(2), fitted.coefficients.round(2)
    (array([1.06]), array([[1.96]]))
    >>> fitted.predict([[10.0]]).round(2)
    array([20.66])
    """

    observes = Regression
    fit = fit_prepared

    degree: int = 1
    features: Features | None = None
    ridge: float = 1e-6
    floor: float = 1e-4
    scales: RegressionScales | None = None
    intercept: FloatArray | None = None
    coefficients: FloatArray | None = None
    variance: FloatArray | None = None

    def __post_init__(self) -> None:
        check_count("degree", self.degree)
        if self.features is not None and not callable(self.features):
            raise ValueError(
                "features must be a function of inputs (n, p) returning features (n, q), not"
                f" {self.features!r}."
            )
        check_not_negative("ridge", self.ridge)
        check_floor(self.floor)

    def __repr__(self) -> str:
        kind = f"degree={self.degree}" if self.features is None else "features=..."
        if self.coefficients is None:
            return f"LinearRegression({kind})"
        with np.printoptions(precision=4, threshold=12):
            return (
                f"LinearRegression({kind}, intercept={self.intercept},"
                f" coefficients={self.coefficients}, variance={self.variance})".replace("\n", "")
            )

    @property
    def min_observations(self) -> int:  # type: ignore[override]
        """One more than the number of coefficients, including the intercept."""
        return 3 if self.scales is None else len(self.scales.features) + 2

    @property
    def n_parameters(self) -> int:
        """Number of free parameters."""
        return sum(array.size for array in self._fitted())

    def prepare(
        self, data: Regression, n_components: int, weights: FloatArray | None = None
    ) -> Self:
        """Take the scales of inputs, features and targets from the data, unless present."""
        if self.scales is not None:
            return self
        least = self.floor * _robust_variance(data.targets, weights) / n_components**2
        fits = (least > np.finfo(float).tiny) & (least < np.inf)
        if not fits.all():
            raise _unusable_targets(data.targets, int(np.argmin(fits)))
        centre, spread = _centre_and_spread(data.inputs, weights)
        unknown = np.empty(0)
        scaled = replace(self, scales=RegressionScales(centre, spread, unknown, least))
        _, features = _centre_and_spread(scaled.expand(data.inputs), weights)
        return replace(self, scales=RegressionScales(centre, spread, features, least))

    def expand(self, inputs: FloatArray) -> FloatArray:
        """Return the features of inputs (n, p), without the intercept, shape (n, q)."""
        scales = self._prepared()
        if inputs.shape[1] != len(scales.centre):
            raise ValueError(
                f"X has {inputs.shape[1]} column(s), but LinearRegression was fitted to"
                f" {len(scales.centre)}."
            )
        if self.features is not None:
            return _check_features(self.features(inputs), len(inputs))
        if self.degree == 1:
            return inputs
        return _products((inputs - scales.centre) / scales.spread, self.degree)

    def log_prob(self, data: Regression) -> FloatArray:
        """Return the log density of each observation's targets, given its inputs, shape (n,)."""
        return self.bank([self]).log_prob(data)[:, 0]

    def predict(
        self, X: Any, return_std: bool = False
    ) -> FloatArray | tuple[FloatArray, FloatArray]:
        """Return the expected targets of inputs X (n, p), and on demand the noise's deviations.

        Returns
        -------
        means : array, shape (n,), or (n, m) for several targets
        deviations : array of the same shape
            Only if `return_std` is set.
        """
        intercept, coefficients, variance = self._fitted()
        means = intercept + self.expand(Table.of(X).values.astype(float)) @ coefficients
        deviations = np.tile(np.sqrt(variance), (len(means), 1))
        if len(intercept) == 1:
            means, deviations = means[:, 0], deviations[:, 0]
        return (means, deviations) if return_std else means

    def describe(self) -> Description:
        """Return intercept, coefficients and noise variance, and the curve they make."""
        intercept, coefficients, variance = self._fitted()
        return Description(
            {"intercept": intercept, "coefficients": coefficients, "variance": variance},
            picture=Curve(self._curve, self._formula),
        )

    def _curve(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return means and standard deviations of the targets at inputs (g, p), shapes (g, m)."""
        means, deviations = self.predict(inputs, return_std=True)
        return means.reshape(len(inputs), -1), deviations.reshape(len(inputs), -1)

    def _formula(self, names: Sequence[str]) -> str:
        """Return one equation for each target, where it is linear in the inputs of these names."""
        intercept, coefficients, variance = self._fitted()
        if self.features is not None or self.degree > 1:
            return repr(self)
        return "\n".join(
            _equation(start, slopes, float(np.sqrt(noise)), names)
            for start, slopes, noise in zip(intercept, coefficients.T, variance, strict=True)
        )

    def sample(self, n: int, rng: np.random.Generator) -> Any:
        """Raise, because there is no distribution of the inputs."""
        raise NotImplementedError(
            "LinearRegression knows no distribution of inputs, so it cannot draw observations:"
            " draw targets for inputs X of your own by a component's sample_targets(X, rng)."
        )

    def sample_targets(self, X: Any, rng: np.random.Generator) -> FloatArray:
        """Draw targets for inputs X (n, p), shape (n,), or (n, m) for several targets."""
        return np.asarray(rng.normal(*self.predict(X, return_std=True)))

    def moved_to(self, observation: Regression) -> Self:
        """Return this component, shifted so that it goes through a point."""
        intercept, coefficients, _ = self._fitted()
        reached = intercept + self.expand(observation.inputs) @ coefficients
        return replace(self, intercept=intercept + (observation.targets - reached)[0])

    def summarise(self, data: Regression, weights: FloatArray | None = None) -> Moments:
        """Return the moments of features and targets together."""
        everyone = Hard(np.zeros(len(data), dtype=np.int32), 1, weights)
        return self.bank([self]).summarise(data, everyone)

    def from_statistics(self, statistics: Moments, rng: np.random.Generator | None = None) -> Self:
        """Return the regression of least squares, with a ridge."""
        scales = self._prepared()
        q, mean = len(scales.features), statistics.means[0]
        covariance = statistics.scatters[0] / (statistics.counts[0] or 1.0)
        within, across = covariance[:q, :q], covariance[:q, q:]
        gram = within / np.outer(scales.features, scales.features) + self.ridge * np.eye(q)
        standard = np.linalg.lstsq(gram, across / scales.features[:, None], rcond=None)[0]
        coefficients = standard / scales.features[:, None]
        explained = (coefficients * (2 * across - within @ coefficients)).sum(axis=0)
        return replace(
            self,
            intercept=mean[q:] - mean[:q] @ coefficients,
            coefficients=coefficients,
            variance=np.maximum(np.diag(covariance)[q:] - explained, scales.least_variance),
        )

    def bank(self, components: Sequence[Family]) -> "LinearRegressionBank":
        """Return regressions as a bank."""
        return LinearRegressionBank(components)

    def _prepared(self) -> RegressionScales:
        if self.scales is None:
            raise ValueError(
                "This LinearRegression has no scales yet: call fit, or prepare, first."
            )
        return self.scales

    def _fitted(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        return fitted(self, "intercept", "coefficients", "variance")


class LinearRegressionBank(Bank):
    """K regressions on the same features, which are computed once for all."""

    @property
    def family(self) -> LinearRegression:
        """One of the components, which knows what all of them have in common."""
        return cast(LinearRegression, self.components[0])

    def log_prob(self, data: Regression) -> FloatArray:
        """Return the log density of the targets under each component, shape (n, K)."""
        members = cast(Sequence[LinearRegression], self.components)
        intercepts, coefficients, variances = map(
            np.stack, zip(*(one._fitted() for one in members), strict=True)
        )
        if data.targets.shape[1] != intercepts.shape[1]:
            raise ValueError(
                f"y has {data.targets.shape[1]} column(s), but {self.family.name} was fitted to"
                f" {intercepts.shape[1]}."
            )
        means = intercepts[:, None] + self.family.expand(data.inputs) @ coefficients
        squared = (data.targets - means) ** 2 / variances[:, None]
        constants = np.log(variances) + LOG_2_PI
        return -(squared + constants[:, None]).sum(axis=2).T / 2

    def summarise(self, data: Regression, membership: Membership) -> Moments:
        """Return the moments of features and targets in each component."""
        together = np.hstack([self.family.expand(data.inputs), data.targets])
        return Moments.of(COVARIANCES["full"], together, membership)

    def add(self, one: Moments, other: Moments) -> Moments:
        """Return the moments of two sets of observations together."""
        return one + other

    def scale(self, statistics: Moments, factor: float) -> Moments:
        """Return the moments of the same observations, with all weights times `factor`."""
        return statistics * factor

    def refill(
        self, statistics: Moments, k: int, data: Regression, weights: FloatArray | None
    ) -> Moments:
        """Return `statistics` with those of component k replaced by those of `data`."""
        return statistics.replaced(k, self.family.summarise(data, weights))

    def update(
        self, statistics: Moments, keep: BoolArray, rng: np.random.Generator | None = None
    ) -> "LinearRegressionBank":
        """Return the bank fitted to moments; the components in `keep` stay as they are."""
        return LinearRegressionBank(
            [
                one if keep[k] else one.from_statistics(_only(statistics, k))
                for k, one in enumerate(cast(Sequence[LinearRegression], self.components))
            ]
        )


def _equation(start: float, slopes: FloatArray, deviation: float, names: Sequence[str]) -> str:
    """Return a linear function of named inputs as text."""
    terms = [
        f"{'−' if slope < 0 else '+'} {abs(slope):.3g} {name}"
        for slope, name in zip(slopes, names, strict=True)
    ]
    return f"target = {start:.3g} {' '.join(terms)} ± {deviation:.2g}"


def _products(inputs: FloatArray, degree: int) -> FloatArray:
    """Return all products of one to `degree` columns, shape (n, q)."""
    columns = range(inputs.shape[1])
    return np.column_stack(
        [
            inputs[:, factors].prod(axis=1)
            for n_factors in range(1, degree + 1)
            for factors in combinations_with_replacement(columns, n_factors)
        ]
    )


def _only(moments: Moments, k: int) -> Moments:
    """Return the moments of component k alone."""
    own = slice(k, k + 1)
    return Moments(moments.shape, moments.counts[own], moments.means[own], moments.scatters[own])


def _centre_and_spread(
    rows: FloatArray, weights: FloatArray | None
) -> tuple[FloatArray, FloatArray]:
    """Return means and standard deviations of the columns; a constant one is given a spread."""
    centre = np.average(rows, axis=0, weights=weights)
    spread = np.sqrt(np.average((rows - centre) ** 2, axis=0, weights=weights))
    return centre, np.where(spread > 0, spread, 1.0)


def _robust_variance(rows: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Return each column's variance, or that its quartiles imply if this is less; 0 if constant."""
    centre = np.average(rows, axis=0, weights=weights)
    with np.errstate(over="ignore"):
        variance = np.average((rows - centre) ** 2, axis=0, weights=weights)
    robust = robust_variances(rows, variance, weights)
    return np.where(rows.min(axis=0) < rows.max(axis=0), robust, 0.0)


def _unusable_targets(targets: FloatArray, column: int) -> ValueError:
    """Return the error for a column of targets whose variance is zero or does not fit."""
    values = targets[:, column]
    if values.min() < values.max():
        return ValueError(
            f"The variance of column {column} of y does not fit into double precision: rescale the"
            " column, for example to unit variance."
        )
    return ValueError(
        f"Column {column} of y is constant (every value is {values[0]:g}), so it tells no"
        " component from another: drop it."
    )


def _check_features(found: Any, n: int) -> FloatArray:
    features = np.asarray(found, dtype=float)
    if features.ndim != 2 or len(features) != n:
        raise ValueError(
            f"features must return one row of features for each of {n} inputs, but returned shape"
            f" {features.shape}."
        )
    if not np.isfinite(features).all():
        raise ValueError(
            "features returned NaN or infinity for some inputs: let it return finite numbers, or"
            " drop these inputs."
        )
    return features
