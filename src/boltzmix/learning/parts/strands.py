"""Short strands of curves: mixtures of lines in windows along the input."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ...data import BoolArray, FloatArray, IntArray

DRAWS = 8  # mixtures of lines tried in each window
STEPS = 25  # of EM
START_NOISE, LEAST_NOISE = 0.05, 1e-4  # as fractions of the variance of all targets
LEAST_BASE = 0.3  # of a line through two points, as a fraction of half a window
LOG_2_PI = float(np.log(2 * np.pi))


@dataclass(frozen=True)
class Strands:
    """K strands in each of several windows along the input, not yet linked between windows.

    Parameters
    ----------
    responsibilities : array, shape (n, K)
        Of the strands in the window of an observation.
    bounds : array of int, shape (g + 1,)
        Window i has observations bounds[i] to bounds[i + 1].
    """

    responsibilities: FloatArray
    bounds: IntArray


def find_strands(
    positions: FloatArray,
    targets: FloatArray,
    weights: FloatArray,
    n_strands: int,
    n_windows: int,
    rng: np.random.Generator,
) -> Strands:
    """Fit K lines in each window by EM, from several draws of lines, of which the best is kept.

    All windows then take the median noise of all, and are fitted again: few points would otherwise
    let a line pass through some of them without noise.

    Parameters
    ----------
    positions : array, shape (n,)
        In ascending order.
    targets : array, shape (n, m)
    weights : array, shape (n,)
        Sample weights.
    n_strands, n_windows : int
    rng : Generator
    """
    windows = _Windows.of(positions, targets, weights, n_windows)
    lines = windows.draw_lines(n_strands, rng)
    scores, _, noise = windows.fitted(lines, START_NOISE * windows.spread, learns_noise=True)
    typical = float(np.median(np.take_along_axis(noise, scores.argmax(axis=1)[:, None], axis=1)))
    scores, found, _ = windows.fitted(lines, typical, learns_noise=False)
    best = found[np.arange(n_windows), scores.argmax(axis=1)]
    return Strands(best.transpose(0, 2, 1)[windows.present], windows.bounds)


@dataclass(frozen=True)
class _Windows:
    """Observations by window, with room for as many as the largest window has.

    Parameters
    ----------
    bounds : array of int, shape (g + 1,)
    present : array of bool, shape (g, s)
        Where there is an observation.
    inputs : array, shape (g, s)
        From -1 to 1 in each window.
    targets : array, shape (g, s, m)
    weights : array, shape (g, s)
        Zero where there is no observation.
    spread : float
        Variance of all targets.
    """

    bounds: IntArray
    present: BoolArray
    inputs: FloatArray
    targets: FloatArray
    weights: FloatArray
    spread: float

    @classmethod
    def of(
        cls, positions: FloatArray, targets: FloatArray, weights: FloatArray, n_windows: int
    ) -> Self:
        n = len(positions)
        bounds = np.linspace(0, n, n_windows + 1).round().astype(int)
        places = bounds[:-1, None] + np.arange(np.diff(bounds).max())
        present = places < bounds[1:, None]
        places = np.minimum(places, n - 1)
        low, high = positions[bounds[:-1], None], positions[bounds[1:] - 1, None]
        half = np.where(high > low, (high - low) / 2, 1.0)
        return cls(
            bounds,
            present,
            np.where(present, (positions[places] - (low + high) / 2) / half, 0.0),
            np.where(present[:, :, None], targets[places], 0.0),
            np.where(present, weights[places], 0.0),
            float(targets.var(axis=0).mean()) or 1.0,
        )

    def draw_lines(self, n_lines: int, rng: np.random.Generator) -> FloatArray:
        """Draw levels and slopes of lines, shape (g, DRAWS, K, 2, m).

        The first draw of each window has no slopes, and levels at even ranks of the first target.
        In the others, lines go through two points; without a slope, if these are close together.
        """
        sizes = np.diff(self.bounds)
        drawn = rng.random((2, len(sizes), DRAWS, n_lines)) * sizes[:, None, None]
        window = np.arange(len(sizes))[:, None, None]
        one, other = (np.floor(drawn[i]).astype(int) for i in range(2))
        first = np.where(self.present, self.targets[:, :, 0], np.inf).argsort(axis=1)
        ranks = ((np.arange(n_lines) + 0.5) / n_lines * sizes[:, None]).astype(int)
        one[:, 0] = other[:, 0] = np.take_along_axis(first, ranks, axis=1)
        apart = (self.inputs[window, other] - self.inputs[window, one])[..., None]
        rise = self.targets[window, other] - self.targets[window, one]
        near = np.abs(apart) < LEAST_BASE
        slopes = np.where(near, 0.0, rise / np.where(near, 1.0, apart))
        middle = (self.inputs[window, other] + self.inputs[window, one])[..., None] / 2
        levels = (self.targets[window, other] + self.targets[window, one]) / 2 - slopes * middle
        return np.stack([levels, slopes], axis=3)

    def fitted(
        self, lines: FloatArray, noise: float, learns_noise: bool
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return scores (g, DRAWS), responsibilities (g, DRAWS, K, s) and noise (g, DRAWS)."""
        noises = np.full(lines.shape[:2], noise)
        counts = self.weights.sum(axis=1)[:, None]
        room = np.maximum(counts - 1.5 * lines.shape[2], 1.0) * lines.shape[4]
        for _ in range(STEPS):
            squares = self._squares(lines)
            scores, found = self._assigned(squares, noises, lines.shape[4])
            lines = self._lines(found)
            if learns_noise:
                total = (found * self._squares(lines)).sum(axis=(2, 3)) + 0.01 * self.spread
                noises = np.maximum(total / room, LEAST_NOISE * self.spread)
        return scores, found, noises

    def _squares(self, lines: FloatArray) -> FloatArray:
        """Return squared distances of points from lines, shape (g, DRAWS, K, s)."""
        squares = np.zeros((*lines.shape[:3], self.inputs.shape[1]))
        for j in range(lines.shape[4]):
            level, slope = lines[..., 0, j, None], lines[..., 1, j, None]
            squares += (self.targets[:, None, None, :, j] - level - slope * self._inputs) ** 2
        return squares

    @property
    def _inputs(self) -> FloatArray:
        return self.inputs[:, None, None]

    def _assigned(
        self, squares: FloatArray, noises: FloatArray, n_targets: int
    ) -> tuple[FloatArray, FloatArray]:
        """Return log-likelihoods (g, DRAWS), and responsibilities times weights."""
        noises = noises[:, :, None, None]
        logs = -0.5 * (squares / noises + n_targets * (np.log(noises) + LOG_2_PI))
        highest = logs.max(axis=2, keepdims=True)
        found = np.exp(logs - highest)
        total = found.sum(axis=2, keepdims=True)
        scores = ((highest + np.log(total))[:, :, 0] * self.weights[:, None]).sum(axis=2)
        return scores, found / total * self.weights[:, None, None]

    def _lines(self, found: FloatArray) -> FloatArray:
        """Fit lines to points by least squares, with a little of a ridge."""
        inputs = self._inputs
        size, first = found.sum(axis=3) + 1e-3, (found * inputs).sum(axis=3)
        second = (found * inputs**2).sum(axis=3) + 1e-2
        sums = np.einsum("gdks,gsm->gdkm", found, self.targets)
        moments = np.einsum("gdks,gsm->gdkm", found * inputs, self.targets)
        size, first, second = size[..., None], first[..., None], second[..., None]
        volume = size * second - first**2
        levels = (second * sums - first * moments) / volume
        slopes = (size * moments - first * sums) / volume
        return np.stack([levels, slopes], axis=3)
