"""Weighted maximum likelihood for a law with named parameters."""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from ...data import FloatArray
from .laws import Law, Values
from .optimisation import IMPOSSIBLE, POSITIVE, Coordinate, LossOfPoints, descended, domain, line

MOST_STEPS = 200  # for each parameter, in a first fit
FEW_STEPS = 25  # the same in a fit that goes on from parameters, as an M-step does
TOO_SHARP = 0.1  # price of a nat above the greatest density
QUARTILES = (0.25, 0.5, 0.75)
LARGEST_SHAPE = 1e12  # beyond, quantiles of scipy's discrete distributions hang, or end the process
GRIDS = {
    1: (0.1, 0.3, 0.7, 1.5, 3.0, 10.0, 50.0, -0.3, -2.0),
    2: (0.1, 0.4, 0.8, 2.0, 6.0, 30.0, -1.0),
}
SMALL_GRID = (0.4, 1.5, 5.0, -1.0)


@dataclass(frozen=True, eq=False)
class Problem:
    """Which parameters make some numbers likeliest.

    Parameters
    ----------
    law : Law
    fixed : mapping of str to float
        Parameters that stay as they are.
    x : array, shape (n,)
    weights : array, shape (n,)
        They add up to one.
    highest : float
        The greatest log density a number may have: more is counted against it, so that no law
        collapses onto a point.
    """

    law: Law
    fixed: Values
    x: FloatArray
    weights: FloatArray
    highest: float

    @cached_property
    def free(self) -> tuple[str, ...]:
        """Names of the parameters that are looked for."""
        return tuple(name for name in self.law.names if name not in self.fixed)

    @cached_property
    def quartiles(self) -> FloatArray:
        """Weighted quartiles of the numbers."""
        return np.quantile(self.x, QUARTILES, method="inverted_cdf", weights=self.weights)

    @property
    def spread(self) -> float:
        """Distance of the quartiles, or if they coincide a standard deviation, or one."""
        mean = self.weights @ self.x
        deviation = float(np.sqrt(self.weights @ (self.x - mean) ** 2))
        return float(self.quartiles[2] - self.quartiles[0]) or deviation or 1.0

    @property
    def is_too_small(self) -> bool:
        """Whether there are, in effect, no more numbers than parameters that are looked for.

        The effective number is one over the sum of the squared weights.
        """
        return 1 / float(self.weights @ self.weights) <= len(self.free)

    def loss(self, values: Values) -> float:
        """Return the mean negative log-likelihood; infinity where a number is impossible."""
        with np.errstate(all="ignore"):
            try:
                found = self.law.log_density(self.x, values)
            except ArithmeticError:  # of a density that is not written for arrays
                return np.inf
            return self._mean_loss(found)

    def losses(self, many: Sequence[Values]) -> FloatArray:
        """Return the losses of several parameters, shape (m,), from one call of the density."""
        stacked = {name: np.array([[one[name]] for one in many]) for name in self.law.names}
        shape = len(many), len(self.x)
        with np.errstate(all="ignore"):
            try:
                found = self.law.log_density(self.x, stacked) if len(many) > 1 else None
            except Exception:  # of a density that takes no arrays of parameters
                found = None
            if found is None or np.shape(found) != shape:
                return np.array([self.loss(one) for one in many])
            return np.array([self._mean_loss(row) for row in found])

    def _mean_loss(self, found: FloatArray) -> float:
        loss = -float(self.weights @ (found - (1 + TOO_SHARP) * self._excess(found)))
        return np.inf if np.isnan(loss) else loss

    def _excess(self, found: FloatArray) -> FloatArray:
        return np.maximum(found - self.highest, 0.0)

    def starts(self) -> Iterator[Values]:
        """Yield parameters to start from: a grid of shapes, each moved and stretched to fit."""
        shapes = [name for name in self.law.shapes if name not in self.fixed]
        grid: tuple[float, ...] = GRIDS.get(len(shapes), SMALL_GRID)
        if len(shapes) <= 2:
            mean = float(self.weights @ self.x)
            grid = (
                *grid,
                mean,
                float(self.x.min()) - self.spread,
                float(self.x.max()) + self.spread,
            )
        for chosen in product(grid, repeat=len(shapes)):
            values = {**dict(zip(shapes, chosen, strict=True)), **self.fixed}
            moved = self.moved(values)
            if moved is not None:
                yield moved

    def moved(self, values: Values) -> Values | None:
        """Return a law moved and stretched so that quartiles agree and nothing is impossible.

        None, if there is no law of such shapes.
        """
        standard = {"loc": 0.0, "scale": 1.0}
        own = {name: standard.get(name, values.get(name, np.nan)) for name in self.law.names}
        if not self.law.allows(own):
            return None
        loc, scale = (self.fixed.get(name) for name in ("loc", "scale"))
        if "scale" not in self.law.names:
            scale = 1.0
        if "loc" not in self.law.names:
            loc = 0.0
        if loc is not None and scale is not None:
            return self._covering(own, loc, scale)
        if max(map(abs, own.values())) > LARGEST_SHAPE:
            return None
        with np.errstate(all="ignore"):
            try:
                lower, middle, upper = self.law.quantiles(QUARTILES, own)
            except ArithmeticError:
                return None
            scale = self._scale(lower, middle, upper, loc) if scale is None else scale
            off_any = self.quartiles[1] + 0.01 * self.spread  # where some densities are zero
            loc = off_any - scale * middle if loc is None else loc
        return self._covering(own, float(loc), float(scale))

    def _scale(self, lower: float, middle: float, upper: float, loc: float | None) -> float:
        """Return the stretch by which quartiles agree, or with a fixed loc the medians."""
        ratio = self.spread / (upper - lower)
        if loc is not None and middle != 0:
            to_median = (self.quartiles[1] - loc) / middle
            ratio = to_median if to_median > 0 else ratio
        return float(ratio) if 0 < ratio < np.inf else self.spread

    def _covering(self, own: Values, loc: float, scale: float) -> Values:
        """Return the law with these loc and scale, or such that nothing lies off its support."""
        edge, end = self.law.support(own)
        low, high = float(self.x.min()), float(self.x.max())
        margin = 0.05 * ((high - low) or self.spread)
        moves, stretches = "loc" in self.free, "scale" in self.free
        if stretches and moves and np.isfinite(end - edge):
            scale = max(scale, (high - low + 2 * margin) / (end - edge))
        if stretches and not moves and 0 < end < np.inf:
            scale = max(scale, (high + margin - loc) / end)
        if stretches and not moves and edge > 0 and low > loc:
            scale = min(scale, 0.99 * (low - loc) / edge)
        if moves and np.isfinite(edge):
            loc = min(loc, low - margin - scale * edge)
        if moves and np.isfinite(end) and loc + scale * end < high:
            loc = high + margin - scale * end
        placed = {"loc": loc, "scale": scale}
        return {name: placed.get(name, value) for name, value in own.items()}

    def coordinates(self, values: Values) -> dict[str, Coordinate]:
        """Return how each free parameter is written as a number that may take any value."""
        placed = {"loc": line(float(self.quartiles[1]), self.spread), "scale": POSITIVE}
        return {
            name: placed[name] if name in placed else domain(self.law, name, values)
            for name in self.free
        }

    def optimise(self, start: Values, n_steps: int) -> Values:
        """Return the likeliest parameters found from a start; never less likely ones than it.

        Parameters
        ----------
        start : mapping of str to float
        n_steps : int
            Steps of the optimiser for each parameter, at most.
        """
        if not self.free or n_steps == 0:
            return start
        return descended(LossOfPoints(self, start, self.coordinates(start)), n_steps)


def maximum_likelihood(
    problem: Problem, starts: Iterable[Values], n_optimised: int = 1, n_steps: int = MOST_STEPS
) -> Values | None:
    """Climb from the likeliest of some starts; None, if all make something impossible."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of integrals and powers at parameters that are tried
        losses = [(problem.loss(start), place, start) for place, start in enumerate(starts)]
        possible = sorted(one for one in losses if one[0] < IMPOSSIBLE)
        found = [problem.optimise(start, n_steps) for _, _, start in possible[:n_optimised]]
        return min(found, key=problem.loss, default=None)
