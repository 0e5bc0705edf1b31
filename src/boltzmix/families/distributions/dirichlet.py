"""The Dirichlet distribution of proportions that sum to one."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from scipy.special import gammaln, polygamma, psi

from ...data import DATA, FloatArray, InputError, Rng, Rows, Table, Weights
from ..columns.exponential_family import ExponentialFamily, Totals
from ..contract.description import Description, columns_of, text_of
from ..shared.copies import replaced
from ..shared.validation import (
    check_several_columns,
    check_width,
    fitted,
    place_in_table,
    read_floor,
    read_positive,
    row_name,
)

SUM_TOLERANCE = 1e-6
LEAST_CONCENTRATION, MOST_PRECISION = 1e-6, 1e8
NEWTON_STEPS, LARGEST_FACTOR = 200, 5.0
CLOSE = 1e-10  # relative change of the concentrations that ends Newton's method


@dataclass(frozen=True, eq=False)
class Dirichlet(ExponentialFamily):
    """Proportions of a whole: rows of positive numbers that sum to one.

    Parameters
    ----------
    floor : float, default=1e-4
        The least variance of a component, so that none collapses onto a few rows: a fraction of
        the variance that rows would have in each of K components that filled the space of the
        data evenly.
    highest_precision : float, optional
        The largest sum of the concentrations, in place of `floor`.
    concentrations : array, shape (d,), optional
        Present once fitted. Over their sum, which is the precision, they are the mean.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> rows = Table.of(rng.dirichlet([2.0, 3.0, 5.0], size=10_000))
    >>> Dirichlet().fit(rows).concentrations.round(1)
    array([2. , 3. , 4.9])
    """

    floor: float = 1e-4
    highest_precision: float | None = None
    concentrations: FloatArray | None = None

    def __post_init__(self) -> None:
        read_floor(self)
        read_positive(self, "highest_precision", axes=(0,))
        read_positive(self, "concentrations", axes=(1,))
        if self.highest_precision is not None and self.highest_precision < LEAST_CONCENTRATION:
            raise ValueError(
                f"highest_precision must be at least {LEAST_CONCENTRATION:g}, not"
                f" {self.highest_precision:g}."
            )

    def __repr__(self) -> str:
        return text_of("Dirichlet", [], {"concentrations": self.concentrations})

    @property
    def n_parameters(self) -> int:
        return len(self._fitted())

    @property
    def mean(self) -> FloatArray:
        """Mean of each column, shape (d,)."""
        concentrations = self._fitted()
        return concentrations / concentrations.sum()

    @property
    def slopes(self) -> FloatArray:
        """Concentrations less one, shape (d,)."""
        return self._fitted() - 1

    @cached_property
    def intercept(self) -> float:
        """Log of the inverse beta function."""
        concentrations = self._fitted()
        return float(gammaln(concentrations.sum()) - gammaln(concentrations).sum())

    def describe(self) -> Description:
        """Return the concentrations, and the mean of each column."""
        concentrations = self._fitted()
        columns = [
            replace(column, centre=float(mean))
            for column, mean in zip(
                columns_of({"concentration": concentrations}), self.mean, strict=True
            )
        ]
        return Description({"concentrations": concentrations}, columns=columns)

    def prepare(self, data: Rows, n_components: int, weights: Weights = None) -> Self:
        """Check the rows, and take the highest precision from them."""
        check_width(self, "concentrations", data)
        totals = self.summarise_blocks(data, weights, check=True)
        if self.highest_precision is not None:
            return self
        whole = _most_likely(totals.means, None, MOST_PRECISION)
        narrower = n_components ** (2 / (data.n_features - 1)) / self.floor
        highest = min((1 + whole.sum()) * narrower, MOST_PRECISION)
        return replaced(self, highest_precision=float(highest))

    def check(self, data: Table, first_row: int | None = None) -> None:
        """Raise a ValueError if there are rows other than proportions that sum to one."""
        check_several_columns(data, "Dirichlet", "proportions")
        if len(data) == 0:
            return
        if data.values.min() <= 0:
            row, column = map(int, np.argwhere(data.values <= 0)[0])
            value = f"{data.values[row, column]:.12g}"
            raise InputError(
                f"{place_in_table(data, first_row)(row, column, value)}, but Dirichlet takes"
                " proportions above zero: replace zeros by a small proportion, then divide each"
                " row by its sum."
            )
        sums = data.values.sum(axis=1, dtype=float)
        off = np.abs(sums - 1) > SUM_TOLERANCE
        if off.any():
            row = int(off.argmax())
            raise InputError(
                f"{row_name(row, first_row)} of {DATA} sums to {sums[row]:.9g}, but Dirichlet takes"
                " proportions that sum to one: divide each row by its sum."
            )

    def features(self, values: FloatArray) -> FloatArray:
        """Return the logarithms of the proportions, shape (n, d)."""
        return np.log(values, dtype=float)

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` rows, shape (n, d)."""
        drawn = rng.dirichlet(self._fitted(), size=n)
        drawn = np.maximum(drawn, np.finfo(float).tiny)
        return drawn / drawn.sum(axis=1, keepdims=True)

    def moved_to(self, observation: Table) -> Self:
        """Return the component of the same precision whose mean is an observation."""
        precision = self._fitted().sum()
        return replaced(self, concentrations=precision * observation.values[0].astype(float))

    def from_statistics(self, statistics: Totals, rng: Rng = None) -> Self:
        """Return the component whose expected logarithms are the mean ones."""
        if statistics.weight <= 0:
            start = np.ones(len(statistics.sums)) if self.concentrations is None else self._fitted()
            return replaced(self, concentrations=start)
        highest = MOST_PRECISION if self.highest_precision is None else self.highest_precision
        found = _most_likely(statistics.means, self.concentrations, highest)
        return replaced(self, concentrations=found)

    def _fitted(self) -> FloatArray:
        return np.asarray(fitted(self, "concentrations")[0], dtype=float)


def _most_likely(
    mean_logs: FloatArray, start: FloatArray | None, highest_precision: float
) -> FloatArray:
    """Return the concentrations (d,) of greatest likelihood, given mean logarithms (d,).

    Newton's method with the Hessian of Minka (2000), a diagonal and a constant, inverted in
    closed form. The likelihood is concave, so steps that change no concentration by more than a
    constant factor converge from any start.
    """
    found = _start(mean_logs) if start is None else np.asarray(start, dtype=float)
    for _ in range(NEWTON_STEPS):
        before = found
        step = _newton_step(found, mean_logs)
        found = np.clip(found - step, found / LARGEST_FACTOR, found * LARGEST_FACTOR)
        found = np.maximum(found, LEAST_CONCENTRATION)
        if found.sum() > highest_precision:
            found = found * (highest_precision / found.sum())
        if (np.abs(found - before) <= CLOSE * found).all():
            break
    return found


def _start(mean_logs: FloatArray) -> FloatArray:
    """Return first concentrations: normalised geometric means, and a precision to match."""
    geometric = np.exp(mean_logs - mean_logs.max())
    mean = geometric / geometric.sum()
    lacking = max(float(mean @ (np.log(mean) - mean_logs)), 1e-9)
    return np.maximum(mean * (len(mean) - 1) / (2 * lacking), 1e-3)


def _newton_step(concentrations: FloatArray, mean_logs: FloatArray) -> FloatArray:
    gradient = psi(concentrations.sum()) - psi(concentrations) + mean_logs
    diagonal = -polygamma(1, concentrations)
    constant = polygamma(1, concentrations.sum())
    common = (gradient / diagonal).sum() / (1 / constant + (1 / diagonal).sum())
    return (gradient - common) / diagonal
