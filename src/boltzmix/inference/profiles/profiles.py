"""Profiles: what each column is like in each component, and which columns tell them apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...data import (
    Data,
    FloatArray,
    InputError,
    as_number,
    block_slices,
    check_count,
    evenly_spaced,
    marked,
    shown,
    without_covariates,
)
from ...fitted import FittedMixture
from ...inputs import as_seed
from ...learning import MixtureState, TrainingData
from ...learning.parts.assignment import responsibilities
from ...look import PALETTE, frame_of, html_table, text_table
from ...views import Symbols
from ..bootstrap.making import make_bootstrap
from ..latent_classes.classification import group_names
from ..named_values import NOISE, Name
from .column_profile import ColumnProfile, column_means, profile_column
from .differences import describe_differences
from .variables import variables_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

MOST_DRAWN = 24  # columns or categories that are drawn
SHARED = 0.5  # of the height of a row, over which components are spread
MARKERS = "os^Dv*PX"
INCHES = (6.4, 0.32, 1.3)  # width, height of a row, and height of all else


class ProfileRow(NamedTuple):
    """One row of the picture: a column or category, with a value for each component (K,).

    Noise is not a component.
    """

    label: str
    means: FloatArray
    low: FloatArray
    high: FloatArray


def profile_rows(profiles: "Profiles", most: int = MOST_DRAWN) -> tuple[list[ProfileRow], bool]:
    """Return the rows to draw, of the columns that differ most, and whether they are standardised.

    Where all columns are categories, the rows are probabilities. Else every mean and probability
    is the distance from that of all components together, in standard deviations. Of two categories,
    only the second is drawn. Noise is left out.
    """
    is_standardised = any(column.categories is None for column in profiles.columns)
    rows: list[ProfileRow] = []
    for column in profiles.ranked:
        own = _rows_of(column, is_standardised)
        if rows and len(rows) + len(own) > most:
            break
        rows += own[:most]
    return rows, is_standardised


def draw_profiles(profiles: "Profiles", ax: "Axes | None") -> "Axes":
    """Draw profiles: a row for each column or category, a line for each component."""
    from matplotlib import pyplot as plt

    rows, is_standardised = profile_rows(profiles)
    if ax is None:
        width, each, rest = INCHES
        _, ax = plt.subplots(figsize=(width, rest + each * len(rows)), layout="constrained")
    places, n = np.arange(len(rows)), profiles.n_components
    for k in range(n):
        shift = SHARED * ((k + 0.5) / n - 0.5)
        _draw_component(
            ax, k, np.array([[r.means[k], r.low[k], r.high[k]] for r in rows]), places + shift
        )
    if is_standardised:
        ax.axvline(0, color="0.7", lw=0.8, zorder=0)
    ax.set_yticks(places, [_cut(row.label) for row in rows])
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.grid(axis="y", color="0.92")
    ax.set_axisbelow(True)
    words = "standard deviations from the mean of all"
    ax.set_xlabel(words if is_standardised else "probability")
    ax.set_title(f"Profiles, with intervals of {profiles.level:.0%}")
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax


def _draw_component(ax: "Axes", k: int, values: FloatArray, places: FloatArray) -> None:
    """Draw means and intervals (rows, 3) of one component at these places."""
    colour = PALETTE[k % len(PALETTE)]
    marker = MARKERS[(k // len(PALETTE)) % len(MARKERS)]
    means, low, high = values.T
    ax.plot(means, places, color=colour, lw=0.9, alpha=0.5)
    ax.hlines(places, low, high, color=colour, lw=2)
    ax.plot(means, places, marker, color=colour, ms=5, label=f"component {k}")


def _rows_of(column: ColumnProfile, is_standardised: bool) -> list[ProfileRow]:
    """Return the rows of one column; of two categories, only the second."""
    own = slice(column.n_components)
    values = (one[:, own] for one in (column.means, column.low, column.high))
    rows = list(map(ProfileRow, column.labels, *values))
    if is_standardised:
        rows = [
            _standardised(row, column.sizes[own], deviations[own])
            for row, deviations in zip(rows, column.deviations, strict=True)
        ]
    return rows[1:] if len(rows) == 2 else rows


def _standardised(row: ProfileRow, sizes: FloatArray, deviations: FloatArray) -> ProfileRow:
    """Return a row relative to the mean of all components, over their standard deviation."""
    there = sizes > 0
    fractions = sizes[there] / sizes[there].sum()
    centre = float(fractions @ row.means[there])
    variance = fractions @ (deviations[there] ** 2 + (row.means[there] - centre) ** 2)
    scale = float(np.sqrt(variance)) or 1.0
    return ProfileRow(row.label, *((one - centre) / scale for one in row[1:]))


def _cut(label: str, letters: int = 32) -> str:
    return label if len(label) <= letters else f"{label[: letters - 1]}…"


MOST_ROWS = 60  # of the table as text
MOST_NAMED = 5
MOST_READ = 2**20  # observations that are read where these are not in memory


@dataclass(frozen=True, eq=False, repr=False)
class Profiles:
    """Profiles of all columns in each component of a mixture.

    Every observation counts in every component, by its responsibility there; missing values are
    left out.

    Parameters
    ----------
    columns : sequence of ColumnProfile
    names : sequence of str
        The number of each component; "noise" last, if there is any.
    sizes : array, shape (K,)
        Expected number of observations from each component.
    level : float
        Confidence level of the intervals.
    """

    columns: Sequence[ColumnProfile]
    names: Sequence[str]
    sizes: FloatArray
    level: float

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, name: str) -> ColumnProfile:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(f"There is no column {shown(name)}: columns are {', '.join(self.ranking)}.")

    @property
    def n_components(self) -> int:
        """Number of components; noise is not one of them."""
        return len(self.names) - ("noise" in self.names)

    @property
    def ranking(self) -> tuple[str, ...]:
        """Names of the columns, those first that say most about the component."""
        return tuple(column.name for column in self.ranked)

    @property
    def ranked(self) -> list[ColumnProfile]:
        """The columns, those first that say most about the component."""
        return sorted(self.columns, key=lambda column: -column.information)

    @property
    def differences(self) -> list[str]:
        """One sentence for each component: how it differs from all others."""
        return describe_differences(self)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each column, or category, and component, as plain values."""
        return [
            row
            for column in self.columns
            for place, category in enumerate(column.categories or (None,))
            for row in self._rows_of(column, place, category)
        ]

    def to_frame(self) -> "DataFrame":
        """Return a pandas frame with a row for each column, or category, and component."""
        return frame_of(self.rows())

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw standardised means, or probabilities, of the columns that differ most.

        Numbers are drawn as their distance from the mean of all, in standard deviations, and
        categories as probabilities, side by side where there are both. Noise is left out.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Those of a new figure if absent.
        """
        return draw_profiles(self, ax)

    def __repr__(self) -> str:
        headings, rows = self.table()
        more = [f"… and {len(rows) - MOST_ROWS} more"] if len(rows) > MOST_ROWS else []
        return "\n".join([text_table(headings, rows[:MOST_ROWS]), *more, self.sentence])

    def _repr_html_(self) -> str:
        return html_table(*self.table(), self.sentence)

    def _rows_of(
        self, column: ColumnProfile, place: int, category: str | None
    ) -> list[dict[str, object]]:
        return [
            {
                "column": column.name,
                "category": category,
                "component": name,
                "mean": float(column.means[place, k]),
                "deviation": float(column.deviations[place, k]),
                "standard_error": float(column.errors[place, k]),
                "low": float(column.low[place, k]),
                "high": float(column.high[place, k]),
                "difference": float(column.differences[place, k]),
                "size": float(column.sizes[k]),
                "effect": column.effect,
                "information": column.information,
            }
            for k, name in enumerate(self.names)
        ]

    def table(
        self, columns: Sequence[ColumnProfile] | None = None
    ) -> tuple[list[str], list[list[str]]]:
        """Return headings, and the cells of a row for each column or category, as text.

        Parameters
        ----------
        columns : sequence of ColumnProfile, optional
            Those to show; all if absent.
        """
        headings = ["", *(name if name == "noise" else f"component {name}" for name in self.names)]
        sizes = ["observations", *(f"{size:,.1f}" for size in self.sizes), "", ""]
        rows = [
            [
                label,
                *map(interval_cell, column.means[place], column.low[place], column.high[place]),
                f"{column.effect_name} {column.effect:.3f}" if place == 0 else "",
                f"{column.information:.3f}" if place == 0 else "",
            ]
            for column in (self.columns if columns is None else columns)
            for place, label in enumerate(column.labels)
        ]
        return [*headings, "effect", "information"], [sizes, *rows]

    @property
    def sentence(self) -> str:
        """The columns that say most about the component, in words."""
        first = [f"{one.name} ({one.information:.2f})" for one in self.ranked[:MOST_NAMED]]
        return (
            f"Means and probabilities with intervals of {self.level:.0%}. Most information about"
            f" the component: {', '.join(first)}."
        )


def interval_cell(mean: float, low: float, high: float) -> str:
    """Write a mean with its interval, such as "5.01 [4.91, 5.10]"."""
    if np.isnan(mean):
        return "–"
    width = high - low
    decimals = int(np.clip(1 - np.floor(np.log10(width)), 0, 6)) if width > 0 else 2
    mean, low, high = (round(float(one), decimals) + 0.0 for one in (mean, low, high))
    return f"{mean:,.{decimals}f} [{low:,.{decimals}f}, {high:,.{decimals}f}]"


def profile(
    model: FittedMixture,
    data: Data,
    probabilities: FloatArray,
    level: float,
    symbols: Symbols | None = None,
) -> Profiles:
    """Return the profiles of a fitted mixture's components in some observations.

    Parameters
    ----------
    model : fitted mixture
    data : Data
    probabilities : array, shape (n, K)
        Of each component for each observation.
    level : float
        Confidence level of the intervals.
    symbols : mapping of column names to sequences, optional
        What codes stand for.
    """
    if not 0 < as_number(level) < 1:
        raise InputError(
            f"{marked('level')} must lie between 0 and 1, as 0.95 does, not {shown(level)}."
        )
    if symbols is not None and not isinstance(symbols, Mapping):
        raise TypeError(
            "symbols must be a dict of lists of what codes stand for, by columns, not"
            f" {shown(symbols)}."
        )
    level = float(level)
    names, sizes = group_names(model, probabilities), probabilities.sum(axis=0)
    if not data.in_memory:
        read = evenly_spaced(len(data), MOST_READ)
        data, probabilities = data.take(read), probabilities[read]
    columns = [
        profile_column(variable, probabilities, level, len(model.components_))
        for variable in variables_of(data, model, {} if symbols is None else symbols)
    ]
    return Profiles(columns, names, sizes, level)


ROWS_AT_A_TIME = 2**14


def profile_mixture(
    model: FittedMixture,
    X: object,
    y: object,
    covariates: object,
    level: float,
    bootstrap: int,
    random_state: object,
    symbols: Symbols | None,
) -> Profiles:
    """Return the profiles of `Mixture.profiles`, whose parameters these are."""
    check_count("bootstrap", bootstrap, least=0)
    data = model._in_memory(X, y, covariates)
    probabilities = model.predict_component_proba(X, y, covariates)
    found = profile(model, without_covariates(data), probabilities, level, symbols)
    if bootstrap == 0:
        return found
    seed = as_seed(random_state)
    return _bootstrapped(found, model, data, bootstrap, seed, symbols or {})


def _bootstrapped(
    profiles: Profiles, model: FittedMixture, data: Data, n: int, seed: int, symbols: Symbols
) -> Profiles:
    """Return profiles with standard errors and intervals from n replicates of the mixture."""

    def measure(given: TrainingData, mixture: MixtureState) -> tuple[list[Name], FloatArray]:
        """Return the means of all columns in each component of a mixture."""
        weighted = _weighted(given, mixture)
        tables = [
            column_means(variable, weighted)
            for variable in variables_of(without_covariates(given.observations), model, symbols)
        ]
        return names, np.concatenate([table.ravel() for table in tables])

    k = len(model.components_)
    names = [
        Name(place if place < k else NOISE, label)
        for column in profiles.columns
        for label in column.labels
        for place in range(len(profiles.names))
    ]
    n_threads = model._workers().n_threads
    made = make_bootstrap(TrainingData(data), model._state, measure, n, None, seed, n_threads)
    return _with_intervals(profiles, made.replicates)


def _with_intervals(profiles: Profiles, replicates: FloatArray) -> Profiles:
    """Return profiles with the deviations and percentiles of replicates (B, P)."""
    tails = [(1 - profiles.level) / 2, (1 + profiles.level) / 2]
    errors, (low, high) = replicates.std(axis=0, ddof=1), np.quantile(replicates, tails, axis=0)
    ends = np.cumsum([column.means.size for column in profiles.columns])[:-1]
    columns = [
        replace(
            column,
            errors=error.reshape(column.means.shape),
            low=first.reshape(column.means.shape),
            high=last.reshape(column.means.shape),
        )
        for column, error, first, last in zip(
            profiles.columns, *(np.split(one, ends) for one in (errors, low, high)), strict=True
        )
    ]
    return replace(profiles, columns=columns)


def _weighted(data: TrainingData, mixture: MixtureState) -> FloatArray:
    """Return responsibilities times sample weights, shape (n, K)."""
    blocks = map(data.observations.take, block_slices(len(data), ROWS_AT_A_TIME))
    evaluated = (mixture.evaluate(block, is_rounded=False) for block in blocks)
    found = np.concatenate(
        [responsibilities(one.log_densities, one.log_weights)[0] for one in evaluated]
    )
    return found if data.sample_weight is None else found * data.sample_weight[:, None]
