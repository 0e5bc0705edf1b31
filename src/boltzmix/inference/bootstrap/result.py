"""A bootstrap of a fitted mixture: standard errors and intervals of its parameters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from ...data import shown
from ...views import describe_left_out
from .drawing import draw_intervals
from .replicated_estimates import LEVEL, ReplicatedEstimates

NOUNS = {"weighted": "weighted-likelihood", "resample": "resampling", "parametric": "parametric"}


@dataclass(frozen=True, eq=False, repr=False)
class Bootstrap(ReplicatedEstimates):
    """Standard errors and intervals of the parameters of a mixture, by a bootstrap.

    `Mixture.bootstrap` returns one.

    Parameters
    ----------
    components : tuple of str
        The component that each number belongs to; "noise" for the noise.
    parameters : tuple of str
        The name of each number, such as "weight" or "mean[height]".
    estimates : array, shape (P,)
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
    >>> found.difference(0, 1).parameters[:2]
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
            self.estimates[minuend] - self.estimates[subtrahend],
            self.replicates[:, minuend] - self.replicates[:, subtrahend],
        )

    def differences(self) -> ReplicatedEstimates:
        """Return the differences between all pairs of components."""
        if self.n_components < 2:
            raise ValueError("There is one component only, so there are no differences.")
        found = [self.difference(*pair) for pair in combinations(range(self.n_components), 2)]
        return ReplicatedEstimates(
            tuple(one for pair in found for one in pair.components),
            tuple(one for pair in found for one in pair.parameters),
            np.concatenate([pair.estimates for pair in found]),
            np.concatenate([pair.replicates for pair in found], axis=1),
        )

    def plot(self, ax: Any = None, parameter: str | None = None, level: float = LEVEL) -> Any:
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
