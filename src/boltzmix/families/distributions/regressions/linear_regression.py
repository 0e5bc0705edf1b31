"""Linear regression: targets around a linear function of the inputs, or of features of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self, cast

import numpy as np

from ....data import FloatArray, Hard, Membership, Regression, Weights
from ...columns.additive_fits import fit_prepared
from ...contract.bank import Evaluation, log_prob_by_bank
from ...contract.base import Family
from ...contract.description import Curve, Description, text_of
from ...covariance.covariance import COVARIANCES
from ...covariance.moments import Moments
from ...covariance.pooled_noise import PooledNoiseBank, PooledNoiseFamily
from ...regression.linear_predictor import LinearPredictor
from ...regression.regression_equation import linear_predictor
from ...regression.regression_scales import RegressionScales, centre_and_spread, least_noise
from ...shared.constants import LOG_2_PI
from ...shared.copies import replaced
from ...shared.validation import fitted, read_floor, read_not_negative

RANK = 1e-14  # of the largest eigenvalue, below which directions of features count as constant


class RidgeSolver:
    """Coefficients for any ridge, by the eigenvectors of the covariance of standardised features.

    Parameters
    ----------
    within : array, shape (q, q)
        Covariance of the features.
    across : array, shape (q, m)
        Covariance of features and targets.
    scales : RegressionScales
    """

    def __init__(self, within: FloatArray, across: FloatArray, scales: RegressionScales) -> None:
        self.within, self.across, self.spreads = within, across, scales.features[:, None]
        self.values, self.vectors = np.linalg.eigh(within / self.spreads / self.spreads.T)
        self.rotated = self.vectors.T @ (across / self.spreads)

    def coefficients(self, ridge: FloatArray) -> FloatArray:
        """Return the coefficients (q, m), for a ridge (m,) that is added to the variances."""
        values = np.maximum(self.values, 0.0)[:, None] + ridge
        least = RANK * values.max(initial=0.0)
        solved = np.where(values > least, self.rotated / np.where(values > least, values, 1.0), 0.0)
        return self.vectors @ solved / self.spreads

    def residuals(self, coefficients: FloatArray, variances: FloatArray) -> FloatArray:
        """Return the noise variances (m,) that coefficients leave of those of the targets (m,)."""
        explained = (coefficients * (2 * self.across - self.within @ coefficients)).sum(axis=0)
        return np.asarray(np.maximum(variances - explained, 0.0))


def responses(data: Regression) -> FloatArray:
    """Return the targets (n, m) without the offset."""
    return data.targets if data.offset is None else data.targets - data.offset[:, None]


# Mean ARI of "auto" over 12 seeds of simulated lines, with a prior of 0, 1, 4 and 16: 15 points for
# each of 3 lines 0.563, 0.615, 0.652 and 0.658; 30 points for each of 4 lines 0.549, 0.572, 0.573
# and 0.571; 100 points for each of 3 lines 0.543, 0.545, 0.550 and 0.539.
PRIOR = 4.0


@dataclass(frozen=True, eq=False, repr=False)
class LinearRegression(LinearPredictor, PooledNoiseFamily):
    """Targets around a linear function of the inputs, or of features of them.

    There is always an intercept. The noise is Gaussian, and independent in every column of the
    targets. Inputs have no distribution of their own: `log_prob` is the density of the targets,
    given the inputs.

    Parameters
    ----------
    degree : int, default=1
        The features are all products of up to `degree` inputs: with 1 the function is a line or
        plane, with 2 a parabola. Above 1, they are products of standardised inputs.
    features : function of inputs (n, p) returning features (n, q), optional
        Takes the place of `degree`.
    ridge : float, default=1e-6
        Precision of a Gaussian prior with mean zero of the coefficients, for features and targets
        of unit variance. The default hardly shows, and gives few or repeated inputs a solution too.
    formula : str or sequence of columns, optional
        The inputs, such as ``"age + sex"``; all columns if absent. The name of the target may
        come first, as in ``"weight ~ age + sex"``: then `y` is not needed.
    offset : str or int, optional
        A column of X that is added to the linear predictor, and is no input.
    exposure : str or int, optional
        A column of X whose logarithm is added to the linear predictor, and is no input.
    floor : float, default=1e-4
        The least noise variance, so that no component collapses onto a few points: a fraction of
        the variance that targets would have in each of K components that divided their range
        evenly, which is their variance over K². It is robust: where the quartiles imply a smaller
        variance, that one is taken.
    prior : float, default=4.0
        Strength of the prior, which pulls the noise variances of all components of a mixture
        towards a common one (see `boltzmix.families.covariance.pooled_noise`): it counts as much as
        so many observations in each component, so its effect vanishes as data grow. Zero means no
        prior.

    Attributes
    ----------
    design : Design
        How columns of X become inputs. Taken from the data by `prepare` and `fit` unless present,
        as `input_names` and `scales`.
    input_names : tuple of str
    scales : RegressionScales
    intercept : array, shape (m,)
        Present once fitted.
    coefficients : array, shape (q, m)
        Present once fitted.
    variance : array, shape (m,)
        Variance of the noise. Present once fitted.
    pooled_noise : array, shape (m,)
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

    fit = fit_prepared

    floor: float = 1e-4
    prior: float = PRIOR
    intercept: FloatArray | None = field(default=None, init=False)
    variance: FloatArray | None = field(default=None, init=False)
    pooled_noise: FloatArray | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        read_floor(self)
        read_not_negative(self, "prior")

    def __repr__(self) -> str:
        kind = f"degree={self.degree}" if self.features is None else "features=..."
        kind = kind if self.formula is None else f"formula={self.formula!r}"
        names = ("intercept", "coefficients", "variance")
        return text_of("LinearRegression", [kind], {name: getattr(self, name) for name in names})

    @property
    def n_parameters(self) -> int:
        return sum(array.size for array in self.fitted_parameters)

    def target_scales(
        self, data: Regression, n_components: int, weights: Weights
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return means, standard deviations and least noise variances of the targets."""
        targets = responses(data)
        least = least_noise(targets, self.floor, n_components, weights)
        return *centre_and_spread(targets, weights), least

    log_prob = log_prob_by_bank

    def predict(
        self, X: object, return_std: bool = False
    ) -> FloatArray | tuple[FloatArray, FloatArray]:
        """Return the expected targets of inputs X (n, p), and on demand the noise's deviations.

        Returns
        -------
        means : array, shape (n,), or (n, m) for several targets
        deviations : array of the same shape
            Only if `return_std` is set.
        """
        self.fitted_parameters  # noqa: B018 - which raises
        inputs, offset = self.read_inputs(X)
        return self._predicted(inputs, offset, return_std)

    def _predicted(
        self, inputs: FloatArray, offset: FloatArray | None, return_std: bool
    ) -> FloatArray | tuple[FloatArray, FloatArray]:
        intercept, coefficients, variance = self.fitted_parameters
        means = intercept + self.expand(inputs) @ coefficients
        if offset is not None:
            means += offset[:, None]
        deviations = np.tile(np.sqrt(variance), (len(means), 1))
        if len(intercept) == 1:
            means, deviations = means[:, 0], deviations[:, 0]
        return (means, deviations) if return_std else means

    def describe(self) -> Description:
        """Return intercept, coefficients by name and noise variance, and the curve they make."""
        intercept, coefficients, variance = self.fitted_parameters
        names, m = self.feature_names(), len(intercept)
        parameters = {"intercept": intercept, "coefficients": coefficients, "variance": variance}
        if m == 1:
            parameters = {name: array[..., 0] for name, array in parameters.items()}
        ends = [""] if m == 1 else [f" on target {j}" for j in range(m)]
        return Description(
            parameters,
            picture=Curve(self._curve, self._formula),
            labels={"coefficients": tuple(f"{name}{end}" for name in names for end in ends)},
        )

    def _curve(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return means and standard deviations of the targets at inputs (g, p), shapes (g, m)."""
        means, deviations = self._predicted(inputs, None, return_std=True)
        return means.reshape(len(inputs), -1), deviations.reshape(len(inputs), -1)

    def _formula(self, names: Sequence[str]) -> str:
        """Return one equation for each target, in the inputs of these names or their features."""
        intercept, coefficients, variance = self.fitted_parameters
        terms, targets = self.feature_names(names), zip(intercept, coefficients.T, strict=True)
        equations = [
            f"target = {linear_predictor(*target, terms)} ± {np.sqrt(noise):.2g}"
            for target, noise in zip(targets, variance, strict=True)
        ]
        return "\n".join([*equations, *self.definitions(names)])

    def sample_targets(self, X: object, rng: np.random.Generator) -> FloatArray:
        """Draw targets for inputs X (n, p), shape (n,), or (n, m) for several targets."""
        return np.asarray(rng.normal(*self.predict(X, return_std=True)))

    def moved_to(self, observation: Regression) -> Self:
        """Return this component, shifted so that it goes through a point."""
        intercept, coefficients, _ = self.fitted_parameters
        reached = intercept + self.expand(observation.inputs) @ coefficients
        return replaced(self, intercept=intercept + (responses(observation) - reached)[0])

    def summarise(self, data: Regression, weights: Weights = None) -> Moments:
        """Return the moments of features and targets together."""
        return self.bank([self]).summarise(data, Hard.of_one(len(data), weights))

    @property
    def noise_variances(self) -> FloatArray:
        return self.fitted_parameters[2]

    @property
    def least_noise(self) -> FloatArray:
        return self.prepared_scales.least_variance

    def with_noise(self, variances: FloatArray, pooled: FloatArray | None) -> Self:
        return replaced(self, variance=variances, pooled_noise=pooled)

    def without_prior(self, statistics: Moments) -> tuple[Self, float]:
        """Return the best coefficients, given the noise so far, and the likeliest noise with them.

        A component that is not fitted yet takes the noise around the best coefficients.
        """
        scales, count = self.prepared_scales, float(statistics.counts[0])
        q, mean = len(scales.features), statistics.means[0]
        covariance = statistics.scatters[0] / (count or 1.0)
        within, across = covariance[:q, :q], covariance[:q, q:]
        spread = np.diag(covariance)[q:]
        ridge = RidgeSolver(within, across, scales)
        noise = self.variance
        if noise is None:
            noise = ridge.residuals(ridge.coefficients(np.zeros_like(spread)), spread)
        penalty = self.ridge * noise / scales.unit**2 / max(count, 1.0)
        coefficients = ridge.coefficients(penalty)
        fit = replaced(
            self,
            intercept=mean[q:] - mean[:q] @ coefficients,
            coefficients=coefficients,
            variance=ridge.residuals(coefficients, spread),
        )
        return fit, count

    @property
    def log_prior(self) -> float:
        """Log density of the priors of coefficients and noise variances, but for a constant."""
        scales = self.prepared_scales
        standard = self.fitted_parameters[1] * scales.features[:, None] / scales.unit
        return super().log_prior - self.ridge / 2 * float((standard**2).sum())

    @property
    def parameter_vector(self) -> FloatArray:
        """Intercept, coefficients and log noise variance of each target, shape (p,)."""
        intercept, coefficients, variance = self.fitted_parameters
        return np.vstack([intercept, coefficients, np.log(variance)]).T.ravel()

    def with_parameter_vector(self, values: FloatArray) -> Self:
        """Return this component with other parameters."""
        rows = np.reshape(values, (self.noise_variances.size, -1)).T
        intercept, coefficients, variance = rows[0], rows[1:-1], np.exp(rows[-1])
        return replaced(self, intercept=intercept, coefficients=coefficients, variance=variance)

    def bank(self, components: Sequence[Family]) -> "LinearRegressionBank":
        """Return regressions as a bank."""
        return LinearRegressionBank(components)

    @property
    def fitted_parameters(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Intercept, coefficients and noise variance; raise if there are none yet."""
        return fitted(self, "intercept", "coefficients", "variance")


class LinearRegressionBank(PooledNoiseBank):
    """K regressions on the same features, which are computed once for all."""

    @property
    def family(self) -> "LinearRegression":
        return cast("LinearRegression", self.components[0])

    def evaluate(self, data: Regression, *, is_rounded: bool = True) -> Evaluation:
        """Return the log density of the targets under each component, shape (n, K)."""
        members = cast("Sequence[LinearRegression]", self.components)
        intercepts, coefficients, variances = map(
            np.stack, zip(*(one.fitted_parameters for one in members), strict=True)
        )
        if data.targets.shape[1] != intercepts.shape[1]:
            raise ValueError(
                f"y has {data.targets.shape[1]} column(s), but {self.family.name} was fitted to"
                f" {intercepts.shape[1]}."
            )
        means = intercepts[:, None] + self.family.expand(data.inputs) @ coefficients
        squared = (responses(data) - means) ** 2 / variances[:, None]
        constants = np.log(variances) + LOG_2_PI
        return self.evaluated(-(squared + constants[:, None]).sum(axis=2).T / 2, data)

    def summarise(self, data: Regression, membership: Membership) -> Moments:
        """Return the moments of features and targets in each component."""
        together = np.hstack([self.family.expand(data.inputs), responses(data)])
        return Moments.of(COVARIANCES["full"], together, membership)

    def refill(self, statistics: Moments, k: int, data: Regression, weights: Weights) -> Moments:
        return statistics.replaced(k, self.family.summarise(data, weights))

    def statistics_at(self, statistics: Moments, k: int) -> Moments:
        """Return the moments of component k alone."""
        own, moments = slice(k, k + 1), statistics
        return replaced(
            moments,
            counts=moments.counts[own],
            means=moments.means[own],
            scatters=moments.scatters[own],
        )
