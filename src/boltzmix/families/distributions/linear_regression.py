"""Linear regression: targets around a linear function of the inputs, or of features of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from ...data import FloatArray, Hard, Regression, Table, evenly_spaced
from ..base import Family
from ..description import Curve, Description
from ..shared.moments import Moments
from ..shared.pooled_noise import PooledNoiseFamily
from ..shared.statistics import fit_prepared
from ..shared.validation import check_count, check_floor, check_not_negative, fitted
from .linear_regression_bank import LinearRegressionBank
from .linear_regression_equation import equation, own_feature_names, standardised_products
from .linear_regression_features import Features, check_features, products
from .linear_regression_scales import RegressionScales, centre_and_spread, least_noise

# Mean ARI of "auto" over 12 seeds of simulated lines, with a prior of 0, 1, 4 and 16: 15 points for
# each of 3 lines 0.563, 0.615, 0.652 and 0.658; 30 points for each of 4 lines 0.549, 0.572, 0.573
# and 0.571; 100 points for each of 3 lines 0.543, 0.545, 0.550 and 0.539.
PRIOR = 4.0
SCALE_ROWS = 20_000  # from which scales are taken, at most


@dataclass(frozen=True, eq=False)
class LinearRegression(PooledNoiseFamily):
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
    prior : float, default=4.0
        Strength of the prior, which pulls the noise variances of all components of a mixture
        towards a common one (see `boltzmix.families.shared.pooled_noise`): it counts as much as
        so many observations in each component, so its effect vanishes as data grow. Zero means no
        prior.
    scales : RegressionScales, optional
        Taken from the data by `prepare` and `fit` unless present.
    intercept : array, shape (m,), optional
        Present once fitted.
    coefficients : array, shape (q, m), optional
        Present once fitted.
    variance : array, shape (m,), optional
        Variance of the noise. Present once fitted.
    pooled_noise : array, shape (m,), optional
        The variances that the prior pulls towards. Present once fitted, if there is a prior.

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
    prior: float = PRIOR
    scales: RegressionScales | None = None
    intercept: FloatArray | None = None
    coefficients: FloatArray | None = None
    variance: FloatArray | None = None
    pooled_noise: FloatArray | None = None

    def __post_init__(self) -> None:
        check_count("degree", self.degree)
        if self.features is not None and not callable(self.features):
            raise ValueError(
                "features must be a function of inputs (n, p) returning features (n, q), not"
                f" {self.features!r}."
            )
        check_not_negative("ridge", self.ridge)
        check_floor(self.floor)
        check_not_negative("prior", self.prior)

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
        return sum(array.size for array in self.fitted_parameters)

    def prepare(
        self, data: Regression, n_components: int, weights: FloatArray | None = None
    ) -> Self:
        """Take the scales of inputs, features and targets from the data, unless present."""
        if self.scales is not None:
            return self
        chosen = evenly_spaced(len(data), SCALE_ROWS)
        some, own = data.take(chosen), None if weights is None else weights[chosen]
        least = least_noise(some.targets, self.floor, n_components, own)
        centre, spread = centre_and_spread(some.inputs, own)
        unknown = np.empty(0)
        scaled = replace(self, scales=RegressionScales(centre, spread, unknown, least))
        _, features = centre_and_spread(scaled.expand(some.inputs), own)
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
            return check_features(self.features(inputs), len(inputs))
        if self.degree == 1:
            return inputs
        return products((inputs - scales.centre) / scales.spread, self.degree)

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
        intercept, coefficients, variance = self.fitted_parameters
        means = intercept + self.expand(Table.of(X).values.astype(float)) @ coefficients
        deviations = np.tile(np.sqrt(variance), (len(means), 1))
        if len(intercept) == 1:
            means, deviations = means[:, 0], deviations[:, 0]
        return (means, deviations) if return_std else means

    def describe(self) -> Description:
        """Return intercept, coefficients and noise variance, and the curve they make."""
        intercept, coefficients, variance = self.fitted_parameters
        return Description(
            {"intercept": intercept, "coefficients": coefficients, "variance": variance},
            picture=Curve(self._curve, self._formula),
        )

    def _curve(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return means and standard deviations of the targets at inputs (g, p), shapes (g, m)."""
        means, deviations = self.predict(inputs, return_std=True)
        return means.reshape(len(inputs), -1), deviations.reshape(len(inputs), -1)

    def _formula(self, names: Sequence[str]) -> str:
        """Return one equation for each target, in the inputs of these names or their features."""
        intercept, coefficients, variance = self.fitted_parameters
        terms, definitions = list(names), list[str]()
        if self.features is not None:
            terms = own_feature_names(self.features, names, len(coefficients))
        elif self.degree > 1:
            terms, definitions = standardised_products(names, self.degree, self._prepared())
        targets = zip(intercept, coefficients.T, np.sqrt(variance), strict=True)
        return "\n".join([*(equation(*target, terms) for target in targets), *definitions])

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
        intercept, coefficients, _ = self.fitted_parameters
        reached = intercept + self.expand(observation.inputs) @ coefficients
        return replace(self, intercept=intercept + (observation.targets - reached)[0])

    def summarise(self, data: Regression, weights: FloatArray | None = None) -> Moments:
        """Return the moments of features and targets together."""
        everyone = Hard(np.zeros(len(data), dtype=np.int32), 1, weights)
        return self.bank([self]).summarise(data, everyone)

    @property
    def noise_variances(self) -> FloatArray:
        """Variances of the noise, shape (m,)."""
        return self.fitted_parameters[2]

    @property
    def least_noise(self) -> FloatArray:
        """The least variances of the noise, shape (m,)."""
        return self._prepared().least_variance

    def with_noise(self, variances: FloatArray, pooled: FloatArray | None) -> Self:
        """Return this regression with other variances, and others that the prior pulls to."""
        return replace(self, variance=variances, pooled_noise=pooled)

    def without_prior(self, statistics: Moments) -> tuple[Self, float]:
        """Return the regression of least squares, with a ridge, and the total weight."""
        scales = self._prepared()
        q, mean = len(scales.features), statistics.means[0]
        covariance = statistics.scatters[0] / (statistics.counts[0] or 1.0)
        within, across = covariance[:q, :q], covariance[:q, q:]
        gram = within / np.outer(scales.features, scales.features) + self.ridge * np.eye(q)
        standard = np.linalg.lstsq(gram, across / scales.features[:, None], rcond=None)[0]
        coefficients = standard / scales.features[:, None]
        explained = (coefficients * (2 * across - within @ coefficients)).sum(axis=0)
        fit = replace(
            self,
            intercept=mean[q:] - mean[:q] @ coefficients,
            coefficients=coefficients,
            variance=np.maximum(np.diag(covariance)[q:] - explained, 0.0),
        )
        return fit, float(statistics.counts[0])

    def bank(self, components: Sequence[Family]) -> LinearRegressionBank:
        """Return regressions as a bank."""
        return LinearRegressionBank(components)

    def _prepared(self) -> RegressionScales:
        if self.scales is None:
            raise ValueError(
                "This LinearRegression has no scales yet: call fit, or prepare, first."
            )
        return self.scales

    @property
    def fitted_parameters(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Intercept, coefficients and noise variance; raise if there are none yet."""
        return fitted(self, "intercept", "coefficients", "variance")
