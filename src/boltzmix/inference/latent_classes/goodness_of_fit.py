"""How well latent classes fit a table of categorical columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import chi2

from ...data import Data, FloatArray, IntArray, check_count
from ...fitted import FittedMixture
from ...inputs import as_seed
from ...learning import EM, AutoSettings, Randomness, Run, TrainingData, Workers
from ...learning.engine.state import drained
from ...learning.parts.assignment import log_likelihood
from ...look import frame_of, html_table, text_table
from ...parallel import thread_pool
from ..bootstrap.making import draw_set
from .classification import classify_observations
from .residuals import Indicators, chi_squared, indicators_of

if TYPE_CHECKING:
    from pandas import DataFrame

PURPOSE = "goodness_of_fit"  # of the columns that are looked for
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

    def to_frame(self) -> "DataFrame":
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
    model: FittedMixture, X: object, bootstrap: int = 0, random_state: object = None
) -> GoodnessOfFit:
    """Return the fit of latent classes to their columns; see `Mixture.goodness_of_fit`."""
    if model.membership_ is not None:
        raise ValueError(
            "goodness_of_fit compares the table of all columns, which depends on covariates of"
            " membership here: compare models by bic, or look at bivariate_residuals."
        )
    data = model._in_memory(X)
    indicators = indicators_of(model, data, PURPOSE)
    statistics = fit_statistics(
        indicators, lambda rows: model._over_blocks(log_likelihood, data.take(rows))
    )
    n_cells = float(np.prod(np.array(indicators.sizes, dtype=float)))
    entropy_r2 = classify_observations(model, X).entropy_r2
    n, n_parameters = len(indicators.codes), model._state.n_parameters
    fit = GoodnessOfFit(n, n_cells, n_parameters, *statistics, entropy_r2)
    if bootstrap == 0:
        return fit
    check_count("bootstrap", bootstrap)
    n_threads, seed = model._workers().n_threads, as_seed(random_state)
    with Workers(1), thread_pool(n_threads) as threads:
        found = threads.map(partial(_replicate, model, data, seed), range(bootstrap))
        return replace(fit, replicates=np.array(list(found)))


def _replicate(model: FittedMixture, data: Data, seed: int, number: int) -> tuple[float, float]:
    """Draw a data set from latent classes, fit it, and return its G² and X².

    The same cells are missing in every data set.
    """
    rng, fitted = np.random.default_rng((seed, number)), model._state
    drawn = draw_set("parametric", TrainingData(data), fitted, rng)
    with Workers(1) as workers:
        settings = AutoSettings()
        run = Run(drawn, Randomness.from_seed(seed), workers, settings=settings)
        mixture = drained(EM(settings.polish_tolerance).learn(run, fitted))
    rows_drawn = drawn.observations

    def log_prob(rows: IntArray) -> FloatArray:
        found = mixture.evaluate(rows_drawn.take(rows), is_rounded=False)
        return log_likelihood(found.log_densities, found.log_weights)

    return fit_statistics(indicators_of(model, rows_drawn, PURPOSE), log_prob)[1:]


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


MOST_CELLS = 2**18  # of a table that is filled where values are missing
MOST_ITERATIONS = 5000
TOLERANCE = 1e-8  # gain in log-likelihood of all rows at which EM stops


def saturated_log_likelihood(
    patterns: IntArray, counts: IntArray, sizes: Sequence[int]
) -> float | None:
    """Return the greatest log-likelihood of any distribution over the cells of a table.

    Without missing values, the probability of a cell is its frequency. With missing values, it is
    found by EM, which divides a row among all cells that it may belong to (Fuchs 1982).

    Parameters
    ----------
    patterns : array of int, shape (m, d)
        Different rows of codes, in which -1 means missing.
    counts : array, shape (m,)
        How many rows have each pattern.
    sizes : sequence of d ints
        Number of categories of each column.

    Returns
    -------
    float, or None if values are missing and the table has too many cells
    """
    there, total = patterns >= 0, counts.sum()
    n_there = there.sum(axis=1)
    if np.isin(n_there, (0, there.shape[1])).all():
        own = counts[n_there > 0]
        return float((own * np.log(own / own.sum())).sum()) if len(own) else 0.0
    if np.prod(np.array(sizes, dtype=float)) > MOST_CELLS:
        return None
    places = [tuple(slice(None) if one < 0 else one for one in row) for row in patterns.tolist()]
    return _maximise(places, counts, np.full(tuple(sizes), 1 / np.prod(sizes)), float(total))


def _maximise(
    places: Sequence[tuple[int | slice, ...]], counts: IntArray, cells: FloatArray, total: float
) -> float:
    """Return the log-likelihood at which EM over the probabilities of cells converges."""
    before = -np.inf
    for _ in range(MOST_ITERATIONS):
        expected, log_likelihood = np.zeros_like(cells), 0.0
        for place, count in zip(places, counts, strict=True):
            probability = cells[place].sum()
            expected[place] += count * cells[place] / probability
            log_likelihood += count * float(np.log(probability))
        if log_likelihood - before < TOLERANCE:
            break
        before, cells = log_likelihood, expected / total
    return log_likelihood
