"""How well latent classes fit a table of categorical columns."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import chi2

from ...data import FloatArray, IntArray
from ...views import frame_of, html_table, text_table
from .indicators import Indicators
from .residuals import chi_squared
from .saturated import saturated_log_likelihood

WORDS = {
    "n_observations": ("observations", "{:,.0f}"),
    "n_parameters": ("parameters", "{:,.0f}"),
    "log_likelihood": ("log-likelihood", "{:,.4f}"),
    "aic": ("AIC", "{:,.4f}"),
    "bic": ("BIC", "{:,.4f}"),
    "sabic": ("SABIC", "{:,.4f}"),
    "caic": ("CAIC", "{:,.4f}"),
    "entropy_r2": ("entropy R²", "{:.4f}"),
    "degrees_of_freedom": ("degrees of freedom", "{:,.0f}"),
    "g_squared": ("G²", "{:,.4f}"),
    "g_squared_p_value": ("p-value of G²", "{:.4g}"),
    "x_squared": ("X²", "{:,.4f}"),
    "x_squared_p_value": ("p-value of X²", "{:.4g}"),
}


@dataclass(frozen=True, eq=False, repr=False)
class GoodnessOfFit:
    """The usual table on the fit of latent classes.

    Parameters
    ----------
    n_observations : int
        Number of rows.
    n_cells : float
        Number of cells of the table of all columns.
    n_parameters : int
        Number of free parameters, the sizes of the classes included.
    log_likelihood : float
        Of all rows; of a row with missing values, that of the others.
    g_squared : float
        Twice the log-likelihood ratio of the saturated model, in which every cell has its own
        probability, and this model. With missing values, the saturated model is fitted by EM to
        all rows; NaN if the table has too many cells for that.
    x_squared : float
        Pearson's chi-squared of all cells, from the rows without missing values; NaN if there are
        none.
    entropy_r2 : float
        As of `Classification`.
    replicates : array, shape (B, 2), optional
        G² and X² of data sets that were drawn from the classes and fitted, if there was a
        bootstrap. P-values are then taken from these.
    """

    n_observations: int
    n_cells: float
    n_parameters: int
    log_likelihood: float
    g_squared: float
    x_squared: float
    entropy_r2: float
    replicates: FloatArray | None = None

    @property
    def degrees_of_freedom(self) -> int:
        """Number of cells less one, or of rows if these are fewer, less that of parameters."""
        return int(min(self.n_cells - 1, self.n_observations)) - self.n_parameters

    @property
    def aic(self) -> float:
        """Akaike's information criterion."""
        return -2 * self.log_likelihood + 2 * self.n_parameters

    @property
    def bic(self) -> float:
        """Bayesian information criterion."""
        return self._penalised(np.log(self.n_observations))

    @property
    def sabic(self) -> float:
        """Sample-size adjusted BIC."""
        return self._penalised(np.log((self.n_observations + 2) / 24))

    @property
    def caic(self) -> float:
        """Consistent AIC."""
        return self._penalised(np.log(self.n_observations) + 1)

    @property
    def g_squared_p_value(self) -> float:
        """Probability of so large a G² under the model: by the bootstrap, or else asymptotic."""
        return self._p_value(self.g_squared, 0)

    @property
    def x_squared_p_value(self) -> float:
        """Probability of so large an X² under the model: by the bootstrap, or else asymptotic."""
        return self._p_value(self.x_squared, 1)

    def to_frame(self) -> Any:
        """Return a pandas frame with one row, so that those of several models can be stacked."""
        return frame_of([{name: getattr(self, name) for name in WORDS}])

    def __repr__(self) -> str:
        return text_table(("", "value"), self._cells)

    def _repr_html_(self) -> str:
        return html_table(("", "value"), self._cells, "Goodness of fit")

    @property
    def _cells(self) -> list[tuple[str, str]]:
        return [
            (words, written.format(getattr(self, name))) for name, (words, written) in WORDS.items()
        ]

    def _penalised(self, price: float) -> float:
        return float(-2 * self.log_likelihood + price * self.n_parameters)

    def _p_value(self, statistic: float, place: int) -> float:
        """Return how probable a greater statistic is; NaN without any freedom or statistic."""
        freedom = self.degrees_of_freedom
        if np.isnan(statistic):
            return float("nan")
        if self.replicates is not None:
            others = self.replicates[:, place]
            return float((1 + (others >= statistic).sum()) / (1 + len(others)))
        return float(chi2.sf(statistic, freedom)) if freedom > 0 else float("nan")


def goodness_of_fit(
    indicators: Indicators,
    log_prob: Callable[[IntArray], FloatArray],
    n_parameters: int,
    entropy_r2: float,
) -> GoodnessOfFit:
    """Return the fit of latent classes to their columns.

    Parameters
    ----------
    indicators : Indicators
    log_prob : function
        Takes the indices of some rows (m,), and returns their log probabilities (m,).
    n_parameters : int
        Of the mixture.
    entropy_r2 : float
        As of `Classification`.
    """
    likelihood, g_squared, x_squared = fit_statistics(indicators, log_prob)
    n_cells = float(np.prod(np.array(indicators.sizes, dtype=float)))
    n = len(indicators.codes)
    return GoodnessOfFit(n, n_cells, n_parameters, likelihood, g_squared, x_squared, entropy_r2)


def fit_statistics(
    indicators: Indicators, log_prob: Callable[[IntArray], FloatArray]
) -> tuple[float, float, float]:
    """Return the log-likelihood, G² and X² of latent classes."""
    patterns, first, counts = np.unique(
        indicators.codes, axis=0, return_index=True, return_counts=True
    )
    log_probs, complete = log_prob(first), (patterns >= 0).all(axis=1)
    log_likelihood = float(counts @ log_probs)
    saturated = saturated_log_likelihood(patterns, counts, indicators.sizes)
    g_squared = np.nan if saturated is None else 2 * (saturated - log_likelihood)
    x_squared = _x_squared(counts[complete], np.exp(log_probs[complete]))
    return log_likelihood, g_squared, x_squared


def _x_squared(counts: IntArray, probabilities: FloatArray) -> float:
    """Return Pearson's chi-squared of all cells, from the counts of those that occur.

    The others are expected to have the rest of the observations, and have none.
    """
    n = counts.sum()
    if n == 0:
        return float("nan")
    expected = n * probabilities
    return chi_squared(counts.astype(float), expected) + float(n - expected.sum())
