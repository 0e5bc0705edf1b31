"""A table of estimates with their covariance: standard errors, tests and intervals."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.stats import chi2, norm

from ..data import FloatArray, InputError, marked, shown
from ..look import frame_of, html_table, text_table
from .named_values import NOISE

if TYPE_CHECKING:
    from pandas import DataFrame

NOT_KNOWN = "–"


def describe_estimates(estimates: "Estimates") -> str:
    """Return estimates as a table of text, under a caption and above notes."""
    headings, rows = estimates_cells(estimates)
    caption = [estimates.caption] if estimates.caption else []
    return "\n".join([*caption, text_table(headings, rows, n_left=2), *estimates.notes])


def estimates_table(estimates: "Estimates") -> str:
    """Return estimates as a table of HTML, with notes below."""
    notes = "".join(f"<p>{escape(note)}</p>" for note in estimates.notes)
    return html_table(*estimates_cells(estimates), caption=estimates.caption) + notes


def p_value_cell(value: float) -> str:
    """Write a p-value with three decimals, or as smaller than 0.001."""
    if np.isnan(value):
        return NOT_KNOWN
    return "<0.001" if value < 0.0005 else f"{value:.3f}"


def number_cell(value: float) -> str:
    """Write a number with four digits that count, or a dash where it is not known."""
    if np.isnan(value):
        return NOT_KNOWN
    return f"{value:.4g}" if abs(value) < 1e-3 or abs(value) >= 1e4 else _decimal(value)


def _decimal(value: float) -> str:
    decimals = int(np.clip(3 - np.floor(np.log10(abs(value))), 0, 4))
    return f"{value:.{decimals}f}"


def estimates_cells(estimates: "Estimates") -> tuple[list[str], list[list[str]]]:
    """Return the headings and the cells of a table of estimates, as words."""
    headings = {
        "component": "component",
        "name": "parameter",
        "estimate": "estimate",
        "standard_error": "std. error",
        "z": "z",
        "p": "p",
        "lower": "lower",
        "upper": "upper",
        "ratio": estimates.ratio,
        "ratio_lower": "lower",
        "ratio_upper": "upper",
    }
    rows = estimates.rows()
    names = [name for name in headings if rows and name in rows[0]]
    cells = [[_cell(name, row[name]) for name in names] for row in rows]
    return [headings[name] for name in names], cells


def _cell(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if name == "z":
        return NOT_KNOWN if np.isnan(value) else f"{value:.2f}"
    return p_value_cell(value) if name == "p" else number_cell(value)


REPLICATED_HEADINGS = ("component", "parameter", "estimate", "standard error", "lower", "upper")
MOST_ROWS = 60  # of text
FEW = 0.05  # of all replicates
REASONS = {
    "moved": "moved far from the fitted mixture",
    "vanished": "lost a component",
    "not converged": "did not converge",
}


def describe_replicated(rows: Sequence[Mapping[str, object]], sentences: Sequence[str]) -> str:
    """Return a table of estimates as text, with sentences below it."""
    table = text_table(
        REPLICATED_HEADINGS, list(map(_replicated_cells, rows[:MOST_ROWS])), n_left=2
    )
    left = len(rows) - MOST_ROWS
    more = [f"… and {left} more: see to_frame() or rows()."] if left > 0 else []
    return "\n".join([table, *more, *sentences])


def replicated_table(rows: Sequence[Mapping[str, object]], sentences: Sequence[str]) -> str:
    """Return a table of estimates as HTML."""
    below = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    return html_table(REPLICATED_HEADINGS, list(map(_replicated_cells, rows))) + below


def describe_left_out(left_out: Mapping[str, int], n: int) -> str:
    """Say how many of n replicates are left out of a bootstrap, why, and what to do if many are."""
    reasons = ", ".join(f"{count} {REASONS[reason]}" for reason, count in left_out.items())
    total = sum(left_out.values())
    sentence = f"{total} of {n} replicates {'is' if total == 1 else 'are'} left out ({reasons})"
    if total <= FEW * n:
        return f"{sentence}."
    return (
        f"{sentence}: the data hardly tell some components apart, so standard errors are too small;"
        " use fewer components, or a simpler family."
    )


def _replicated_cells(row: Mapping[str, object]) -> list[str]:
    names = [str(row["component"]), str(row["parameter"])]
    numbers = (row["estimate"], row["standard_error"], row["lower"], row["upper"])
    return [*names, *(f"{number:.4g}" for number in numbers)]


LEVEL = 0.95  # of intervals, unless another is asked for


@dataclass(frozen=True)
class WaldTest:
    """A Wald test that some combinations of estimates are zero.

    Parameters
    ----------
    statistic : float
    degrees_of_freedom : int
        Number of combinations that are not redundant.
    p_value : float
        From the chi-squared distribution; NaN where nothing could be tested.
    """

    statistic: float
    degrees_of_freedom: int
    p_value: float


class Estimate(NamedTuple):
    """A number, its standard error, and an interval of 95 %."""

    value: float
    standard_error: float
    lower: float
    upper: float


@dataclass(frozen=True, eq=False, repr=False)
class NamedEstimates(ABC):
    """The base of tables of estimates, whatever their standard errors come from.

    Parameters
    ----------
    components : tuple of str, length p
        The component that each estimate belongs to, such as "0", "noise", or "0 - 1" for a
        difference.
    names : tuple of str, length p
        What is estimated, such as the name of a parameter or of a covariate.
    values : array, shape (p,)
        The estimates.
    """

    components: tuple[str, ...]
    names: tuple[str, ...]
    values: FloatArray

    @property
    @abstractmethod
    def standard_errors(self) -> FloatArray:
        """Standard errors of the estimates, shape (p,)."""

    @abstractmethod
    def intervals(self, level: float = LEVEL) -> FloatArray:
        """Return intervals, shape (p, 2), of a level such as 0.95."""

    @abstractmethod
    def rows(self, level: float = LEVEL) -> list[dict[str, Any]]:
        """Return one row for each estimate, as plain values."""

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, name: tuple[object, str]) -> Estimate:
        """Return one estimate by its component and parameter, as in ``found[0, "weight"]``."""
        component, parameter = name
        wanted = ("noise" if component == NOISE else str(component), parameter)
        for place, one in enumerate(zip(self.components, self.names, strict=True)):
            if one == wanted:
                numbers = self.values[place], self.standard_errors[place], *self.intervals()[place]
                return Estimate(*map(float, numbers))
        raise KeyError(f"There is no {shown(parameter)} of component {shown(component)}.")

    def to_frame(self, level: float = LEVEL) -> "DataFrame":
        """Return a pandas frame with one row for each estimate, and intervals of a level."""
        return frame_of(self.rows(level))

    def _rows(self, columns: Mapping[str, Any], level: float) -> list[dict[str, Any]]:
        """Return a row for each estimate: named columns between its error and its interval."""
        named = dict(columns)
        name, (lower, upper) = named.pop("name"), self.intervals(level).T.tolist()
        found: dict[str, Any] = {
            "component": self.components,
            name: self.names,
            "estimate": self.values.tolist(),
            "standard_error": self.standard_errors.tolist(),
            **named,
            "lower": lower,
            "upper": upper,
        }
        return [dict(zip(found, row, strict=True)) for row in zip(*found.values(), strict=True)]


@dataclass(frozen=True, eq=False, repr=False)
class Estimates(NamedEstimates):
    """Estimates with standard errors, one row for each.

    Standard errors that are not known are NaN, and so is what follows from them.

    Parameters
    ----------
    components : tuple of str, length p
        The component that each estimate belongs to.
    names : tuple of str, length p
        What is estimated, such as the name of a parameter or of a covariate.
    values : array, shape (p,)
        The estimates.
    covariance : array, shape (p, p)
        Covariance of the estimates. Its diagonal holds the squared standard errors.
    caption : str
        Title of the table.
    notes : tuple of str
        Sentences below the table.
    ratio : str
        What the exponential of an estimate is called, such as "odds ratio"; empty where the
        exponential means nothing.

    Examples
    --------
    >>> found = Estimates(("0", "1"), ("mean", "mean"), np.array([1.0, 3.0]), np.eye(2) / 4)
    >>> found.standard_errors
    array([0.5, 0.5])
    >>> found
    component  parameter  estimate  std. error     z       p   lower  upper
    0          mean          1.000      0.5000  2.00   0.046  0.0200  1.980
    1          mean          3.000      0.5000  6.00  <0.001   2.020  3.980
    >>> found.wald(np.array([[1.0, -1.0]])).statistic
    8.0
    """

    covariance: FloatArray
    caption: str = ""
    notes: tuple[str, ...] = ()
    ratio: str = ""

    def __repr__(self) -> str:
        return describe_estimates(self)

    def _repr_html_(self) -> str:
        return estimates_table(self)

    @cached_property
    def standard_errors(self) -> FloatArray:
        variances = np.diagonal(self.covariance)
        return np.sqrt(np.where(variances >= 0, variances, np.nan))

    @property
    def z_values(self) -> FloatArray:
        """Estimates divided by their standard errors, shape (p,); NaN where the error is zero."""
        errors = self.standard_errors
        return self.values / np.where(errors > 0, errors, np.nan)

    @property
    def p_values(self) -> FloatArray:
        """Two-sided p-values that the estimates are zero, shape (p,), by the normal law."""
        return 2 * norm.sf(np.abs(self.z_values))

    def intervals(self, level: float = LEVEL) -> FloatArray:
        """Return confidence intervals, shape (p, 2), by the normal law."""
        if not 0 < level < 1:
            raise InputError(
                f"{marked('level')} must lie between 0 and 1, such as 0.95, not {shown(level)}."
            )
        reach = norm.ppf((1 + level) / 2) * self.standard_errors
        return np.column_stack([self.values - reach, self.values + reach])

    def ratios(self, level: float = LEVEL) -> FloatArray:
        """Return exponentials of estimates and of their intervals, shape (p, 3).

        Of a logit, these are odds ratios.
        """
        with np.errstate(over="ignore"):
            return np.exp(np.column_stack([self.values, self.intervals(level)]))

    def wald(self, contrasts: FloatArray) -> WaldTest:
        """Test that linear combinations of the estimates, shape (c, p), are all zero."""
        tested = self.contrast(contrasts, ("",) * len(contrasts))
        differences, covariance = tested.values, tested.covariance
        known = bool(np.isfinite(covariance).all() and np.isfinite(differences).all())
        rank = int(np.linalg.matrix_rank(covariance, hermitian=True)) if known else 0
        if rank == 0:
            return WaldTest(np.nan, 0, np.nan)
        inverse = np.linalg.pinv(covariance, hermitian=True)
        statistic = float(differences @ inverse @ differences)
        return WaldTest(statistic, rank, float(chi2.sf(statistic, rank)))

    def contrast(self, contrasts: FloatArray, components: tuple[str, ...]) -> "Estimates":
        """Return linear combinations of the estimates, shape (c, p), with their standard errors.

        Parameters
        ----------
        contrasts : array, shape (c, p)
        components : tuple of str, length c
            What the combinations are called, such as "1 - 0".
        """
        names = tuple(self.names[int(np.argmax(row != 0))] for row in contrasts)
        unknown = (contrasts[:, np.isnan(self.values)] != 0).any(axis=1)
        values = np.where(unknown, np.nan, contrasts @ np.nan_to_num(self.values))
        covariance = combined_covariance(contrasts, self.covariance)
        return Estimates(components, names, values, covariance, ratio=self.ratio)

    def rows(self, level: float = LEVEL) -> list[dict[str, Any]]:
        tests = {"z": self.z_values.tolist(), "p": self.p_values.tolist()}
        rows = self._rows({"name": "name", **tests}, level)
        if self.ratio:
            names = ("ratio", "ratio_lower", "ratio_upper")
            for row, ratios in zip(rows, self.ratios(level).tolist(), strict=True):
                row.update(zip(names, ratios, strict=True))
        return rows


def combined_covariance(contrasts: FloatArray, covariance: FloatArray) -> FloatArray:
    """Return the covariance of linear combinations, shape (c, c).

    It is NaN only where an estimate takes part whose variance is NaN.

    Parameters
    ----------
    contrasts : array, shape (c, p)
    covariance : array, shape (p, p)
    """
    lost = np.isnan(np.diagonal(covariance))
    combined = contrasts @ np.where(np.isnan(covariance), 0.0, covariance) @ contrasts.T
    unknown = (contrasts[:, lost] != 0).any(axis=1)
    combined[unknown] = combined[:, unknown] = np.nan
    return combined
