"""What the states of a chain emit, one row for each state."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import FloatArray
from ..views import stacked
from . import canvas

MOST_FEATURES, MOST_LETTERS = 4, 34


class Emissions(ABC):
    """What states emit: some panels, drawn one by one."""

    width: float = 1.3
    heading: str | None = None  # in place of the feature's name

    @property
    @abstractmethod
    def n_features(self) -> int:
        """Number of features, each worth a panel."""

    @abstractmethod
    def plot(self, ax: Any, feature: int, colour: Any) -> None:
        """Draw one feature on `ax`."""


@dataclass(frozen=True)
class Intervals(Emissions):
    """Numbers, with a standard deviation to either side where it is known.

    Parameters
    ----------
    means : array, shape (S, d)
    deviations : array, shape (S, d), optional
    label : str
    """

    means: FloatArray
    deviations: FloatArray | None
    label: str

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.means.shape[1]

    def plot(self, ax: Any, feature: int, colour: Any) -> None:
        """Draw one feature on `ax`."""
        sides = None if self.deviations is None else self.deviations[:, feature]
        ax.errorbar(
            self.means[:, feature], np.arange(len(self.means)), xerr=sides, fmt="o",
            color=colour, ecolor="0.35", ms=5, capsize=2, lw=1.2,
        )  # fmt: skip
        ax.set_xlabel(self.label)
        ax.locator_params(axis="x", nbins=4 if self.n_features == 1 else 2, steps=[1, 2, 5, 10])
        ax.grid(axis="x", color="0.9")
        ax.set_axisbelow(True)
        ax.margins(x=0.15)


@dataclass(frozen=True)
class Chances(Emissions):
    """Probabilities of categories.

    Parameters
    ----------
    probabilities : array, shape (S, d, C)
    """

    probabilities: FloatArray

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.probabilities.shape[1]

    def plot(self, ax: Any, feature: int, colour: Any) -> None:
        """Draw one feature on `ax`."""
        canvas.heat_map(ax, self.probabilities[:, feature], colour, "category")


@dataclass(frozen=True)
class Words(Emissions):
    """Descriptions, where nothing better is known."""

    lines: Sequence[str]
    width = 2.6
    heading = "what it emits"

    @property
    def n_features(self) -> int:
        """One panel tells all."""
        return 1

    def plot(self, ax: Any, feature: int, colour: Any) -> None:
        """Write on `ax`."""
        for state, line in enumerate(self.lines):
            short = line if len(line) <= MOST_LETTERS else f"{line[: MOST_LETTERS - 1]}…"
            ax.text(0.02, state, short, va="center", fontsize="small")
        ax.set_xticks([])


def emissions_of(states: Sequence[Any]) -> Emissions:
    """Return what fitted families, one for each state, say about themselves."""
    means, covariances = stacked(states, "mean", 1), stacked(states, "covariance_matrix", 2)
    if means is not None and covariances is not None:
        variances = np.diagonal(covariances, axis1=1, axis2=2)
        return Intervals(means, np.sqrt(variances), "mean ± sd")
    rates, probabilities = stacked(states, "rate", 1), stacked(states, "probabilities", 2)
    if rates is not None:
        return Intervals(rates, None, "rate")
    if probabilities is not None:
        return Chances(probabilities)
    return Words([repr(one) for one in states])
