"""A bootstrap of a fitted mixture: standard errors and intervals, and their picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from ...data import FloatArray, InputError, marked, shown
from ...look import NOISE_COLOUR, PALETTE
from ..estimates import (
    LEVEL,
    NamedEstimates,
    describe_left_out,
    describe_replicated,
    replicated_table,
)
from ..named_values import NOISE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAND = 0.7  # of the distance between two parameters, for the components of one
MOST_NAMED = 40  # parameters whose names have room beside the axes


def draw_intervals(
    estimates: NamedEstimates, ax: "Axes | None", parameter: str | None, level: float
) -> "Axes":
    """Draw the entries of one parameter with intervals, by component; return the axes."""
    from matplotlib import pyplot as plt

    wanted = _wanted(estimates, parameter)
    rows = [row for row in estimates.rows(level) if _stem(row["parameter"]) == wanted]
    names = list(dict.fromkeys(row["parameter"] for row in rows))
    components = list(dict.fromkeys(row["component"] for row in rows))
    if ax is None:
        height = 1.2 + 0.3 * min(len(names) * max(1.0, len(components) / 3), 40)
        _, ax = plt.subplots(figsize=(6.4, height), layout="constrained")
    shifts = BAND * (np.arange(len(components)) - (len(components) - 1) / 2) / len(components)
    for place, (component, shift) in enumerate(zip(components, shifts, strict=True)):
        own = [row for row in rows if row["component"] == component]
        heights = np.array([names.index(row["parameter"]) for row in own]) + shift
        values = np.array([row["estimate"] for row in own])
        ends = np.array([[row["lower"], row["upper"]] for row in own])
        colour = NOISE_COLOUR if component == "noise" else PALETTE[place % len(PALETTE)]
        ax.hlines(heights, *ends.T, color=colour, lw=1.6)
        ax.plot(values, heights, "o", color=colour, ms=4, label=component)
    if len(names) <= MOST_NAMED:
        ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel(f"estimate and interval of {level:.0%}")
    if len(components) <= len(PALETTE):
        ax.legend(title="component", frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax


def _wanted(estimates: NamedEstimates, parameter: str | None) -> str:
    """Return the parameter to draw; raise if there is no such."""
    stems = list(dict.fromkeys(map(_stem, estimates.names)))
    if parameter is None:
        entries = [_stem(name) for name in estimates.names if "[" in name]
        return next(iter(entries), stems[-1])
    if parameter not in stems:
        raise ValueError(f"parameter must be one of {', '.join(stems)}, not {shown(parameter)}.")
    return parameter


def _stem(name: str) -> str:
    """Return the name of a parameter without that of its entry."""
    return name.partition("[")[0]


@dataclass(frozen=True, eq=False, repr=False)
class ReplicatedEstimates(NamedEstimates):
    """Estimates whose standard errors and intervals are those of replicates.

    Parameters
    ----------
    components, names, values
        As of `Estimates`: the numbers of the fitted mixture.
    replicates : array, shape (B, p)
        The same of each data set of the bootstrap.
    """

    replicates: FloatArray

    def __repr__(self) -> str:
        return describe_replicated(self.rows(), self.words())

    def _repr_html_(self) -> str:
        return replicated_table(self.rows(), self.words())

    def words(self, level: float = LEVEL) -> Sequence[str]:
        """Return sentences that belong to these estimates."""
        return [f"Intervals of {level:.0%}."]

    @property
    def standard_errors(self) -> FloatArray:
        """Standard deviations of the replicates, shape (P,)."""
        return np.asarray(self.replicates.std(axis=0, ddof=1))

    def intervals(self, level: float = LEVEL) -> FloatArray:
        """Return percentile intervals, shape (P, 2).

        Parameters
        ----------
        level : float, default=0.95
            The probability with which an interval is meant to hold the true value.
        """
        if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
            raise InputError(
                f"{marked('level')} must be a number between 0 and 1, such as 0.9, not"
                f" {shown(level)}."
            )
        ends = [(1 - level) / 2, (1 + level) / 2]
        return np.quantile(self.replicates, ends, axis=0).T

    def rows(self, level: float = LEVEL) -> list[dict[str, Any]]:
        return self._rows({"name": "parameter"}, level)

    def places_of(self, component: int) -> dict[str, int]:
        """Return where the parameters of a component are, by name."""
        wanted = "noise" if component == NOISE else str(component)
        owners = zip(self.components, self.names, strict=True)
        return {name: place for place, (own, name) in enumerate(owners) if own == wanted}


NOUNS = {"weighted": "weighted-likelihood", "resample": "resampling", "parametric": "parametric"}


@dataclass(frozen=True, eq=False, repr=False)
class Bootstrap(ReplicatedEstimates):
    """Standard errors and intervals of the parameters of a mixture, by a bootstrap.

    `Mixture.bootstrap` returns one.

    Parameters
    ----------
    components : tuple of str
        The component that each number belongs to; "noise" for the noise.
    names : tuple of str
        The name of each number, such as "weight" or "mean[height]".
    values : array, shape (P,)
        The numbers of the fitted mixture.
    replicates : array, shape (B, P)
        The same of each replicate that is not left out, with components in the order of the fitted
        mixture.
    kind : {"weighted", "resample", "parametric"}
    left_out : mapping of str to int
        How many replicates are left out, by reason: "moved" (less than half of a component's
        responsibilities are its own in the fitted mixture), "vanished" (a component was left with
        too few observations) or "not converged".

    Examples
    --------
    >>> from boltzmix import Mixture
    >>> from boltzmix.datasets import make_square
    >>> from boltzmix.families import Gaussian
    >>> X, _ = make_square(random_state=0)
    >>> model = Mixture(Gaussian(), 4, random_state=0).fit(X)
    >>> found = model.bootstrap(X, n=100, random_state=0)
    >>> found[0, "weight"]._fields
    ('value', 'standard_error', 'lower', 'upper')
    >>> found.intervals(level=0.9).shape == (len(found), 2)
    True
    >>> found.difference(0, 1).names[:2]
    ('weight', 'mean[0]')
    """

    kind: str = "weighted"
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def n_moved(self) -> int:
        """Number of replicates that are left out, for any reason."""
        return sum(self.left_out.values())

    @property
    def n_components(self) -> int:
        """Number of components."""
        return len(set(self.components) - {"noise"})

    def words(self, level: float = LEVEL) -> Sequence[str]:
        """Say how the estimates were made, and what was left out."""
        n = len(self.replicates) + self.n_moved
        made = f"{n} replicates of a {NOUNS[self.kind]} bootstrap; intervals of {level:.0%}."
        return [made, *([describe_left_out(self.left_out, n)] if self.n_moved else [])]

    def difference(self, first: int, second: int) -> ReplicatedEstimates:
        """Return the parameters of one component less those of another.

        Their standard errors and intervals are those of the difference itself, as both components
        are estimated from the same observations.

        Parameters
        ----------
        first, second : int
            Numbers of components.
        """
        one, other = self._places(first), self._places(second)
        names = [name for name in one if name in other]
        minuend, subtrahend = [one[name] for name in names], [other[name] for name in names]
        return ReplicatedEstimates(
            (f"{first} - {second}",) * len(names),
            tuple(names),
            self.values[minuend] - self.values[subtrahend],
            self.replicates[:, minuend] - self.replicates[:, subtrahend],
        )

    def differences(self) -> ReplicatedEstimates:
        """Return the differences between all pairs of components."""
        if self.n_components < 2:
            raise ValueError("There is one component only, so there are no differences.")
        found = [self.difference(*pair) for pair in combinations(range(self.n_components), 2)]
        return ReplicatedEstimates(
            tuple(one for pair in found for one in pair.components),
            tuple(one for pair in found for one in pair.names),
            np.concatenate([pair.values for pair in found]),
            np.concatenate([pair.replicates for pair in found], axis=1),
        )

    def plot(
        self, ax: "Axes | None" = None, parameter: str | None = None, level: float = LEVEL
    ) -> "Axes":
        """Draw estimates with their intervals, one colour for each component; return the axes.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Those of a new figure if absent.
        parameter : str, optional
            The parameter to draw, such as "mean", with all its entries; the first that has several
            if absent.
        level : float, default=0.95
        """
        return draw_intervals(self, ax, parameter, level)

    def _places(self, component: int) -> dict[str, int]:
        places = self.places_of(component)
        if not places:
            raise ValueError(
                f"There is no component {shown(component)}: components are numbered from 0 to"
                f" {self.n_components - 1}."
            )
        return places
