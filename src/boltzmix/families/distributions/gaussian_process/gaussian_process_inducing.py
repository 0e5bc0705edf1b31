"""The posterior of a function given many points with any kernel, approximately."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from sklearn.gaussian_process.kernels import Kernel

from ....data import FloatArray, evenly_spaced
from ...shared.constants import LOG_2_PI
from .gaussian_process_dense import Posterior, factorise, held_out

MOST_INDUCING = 300  # inducing inputs
CANDIDATES = 2000  # points among which they are chosen
TOLERANCE = 1e-8  # of the prior variance: none is added where less is left
JITTER = 1e-10  # of the prior variance, added to that of inducing inputs
BLOCK = 4096  # points at a time


class Summary(NamedTuple):
    """The coefficients of M features given points, and the log marginal likelihood.

    Parameters
    ----------
    factor : array, shape (M, M)
        Lower Cholesky factor of the posterior precision of coefficients.
    means : array, shape (M, m)
        Their posterior means.
    log_marginal : float
    """

    factor: FloatArray
    means: FloatArray
    log_marginal: float


@dataclass(frozen=True, eq=False)
class InducingPosterior(Posterior):
    """The posterior of a function, given points, by inducing inputs.

    Function values at the inputs of different points are taken as independent, given those at the
    inducing inputs, which are some of the points (FITC: Snelson & Ghahramani 2006). They are chosen
    one after the other, each where the variance given the earlier ones is greatest. It takes a time
    linear in the number of points, and is exact where the inducing inputs determine the function.

    Parameters
    ----------
    points : Points
    kernel : scikit-learn kernel
    noise : float
        Variance of the noise of a point with weight one.
    """

    @cached_property
    def _inducing(self) -> tuple[FloatArray, FloatArray]:
        """Inducing inputs (M, p), and the lower Cholesky factor of their covariance (M, M)."""
        inputs = self.points.inputs
        chosen = choose_inducing(self.kernel, inputs[evenly_spaced(len(inputs), CANDIDATES)])
        covariance = self.kernel(chosen, chosen)
        jitter = JITTER * float(np.diagonal(covariance).mean())
        return chosen, factorise(covariance + jitter * np.eye(len(chosen)))

    def _blocks(self, inputs: FloatArray) -> Iterator[tuple[slice, FloatArray, FloatArray]]:
        """Yield places of inputs, their features (M, b), and variances (b,) that these leave."""
        chosen, root = self._inducing
        for start in range(0, len(inputs), BLOCK):
            place = slice(start, start + BLOCK)
            features = solve_triangular(
                root, self.kernel(chosen, inputs[place]), lower=True, check_finite=False
            )
            left = self.kernel.diag(inputs[place]) - np.einsum("ij,ij->j", features, features)
            yield place, features, np.maximum(left, 0.0)

    @cached_property
    def _summary(self) -> Summary:
        points, size = self.points, len(self._inducing[0])
        precision, loads = np.eye(size), np.zeros((size, points.targets.shape[1]))
        squares, volume = 0.0, 0.0
        for place, features, left in self._blocks(points.inputs):
            noises = self.noise / points.weights[place] + left
            scaled = features / noises
            targets = points.targets[place]
            precision += scaled @ features.T
            loads += scaled @ targets
            squares += float(((targets**2).sum(axis=1) / noises).sum())
            volume += float(np.log(noises).sum()) + len(targets) * LOG_2_PI
        factor = np.linalg.cholesky(precision)
        means = cho_solve((factor, True), loads, check_finite=False)
        volume += 2 * float(np.log(np.diagonal(factor)).sum())
        fit = squares - float((loads * means).sum())
        value = points.log_constant(self.noise) - 0.5 * (fit + loads.shape[1] * volume)
        return Summary(factor, means, value)

    @property
    def log_marginal(self) -> float:
        return self._summary.log_marginal

    def held_out(self) -> tuple[FloatArray, FloatArray]:
        """Return each target less its mean given the *other* points, (n, m), and its variance (n,).

        The variance is that of a target of weight one.
        """
        points, summary = self.points, self._summary
        loadings, precisions = np.empty_like(points.targets), np.empty(len(points))
        for place, features, left in self._blocks(points.inputs):
            noises = self.noise / points.weights[place] + left
            apart = points.targets[place] - features.T @ summary.means
            loadings[place] = apart / noises[:, None]
            precisions[place] = 1 / noises - _variances(summary, features) / noises**2
        return held_out(points, self.noise, loadings, precisions)

    def predict(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        summary = self._summary
        means = np.empty((len(inputs), summary.means.shape[1]))
        variances = np.empty(len(inputs))
        for place, features, left in self._blocks(inputs):
            means[place] = features.T @ summary.means
            variances[place] = _variances(summary, features) + left
        return means, np.maximum(variances, 1e-12 * self.kernel.diag(inputs))


def _variances(summary: Summary, features: FloatArray) -> FloatArray:
    """Return posterior variances of the sum of features (M, b) with their coefficients, (b,)."""
    whitened = solve_triangular(summary.factor, features, lower=True, check_finite=False)
    return np.einsum("ij,ij->j", whitened, whitened)


def choose_inducing(kernel: Kernel, candidates: FloatArray) -> FloatArray:
    """Return inputs (M, p) that determine a function at candidates (c, p) best, one by one."""
    left = np.diagonal(kernel(candidates, candidates)).copy()
    least, rows = TOLERANCE * left.max(), np.zeros((MOST_INDUCING, len(candidates)))
    chosen: list[int] = []
    for k, row in enumerate(rows):
        place = int(left.argmax())
        if left[place] <= least:
            break
        across = kernel(candidates[place : place + 1], candidates)[0]
        row[:] = (across - rows[:k, place] @ rows[:k]) / np.sqrt(left[place])
        left = np.maximum(left - row**2, 0.0)
        chosen.append(place)
    return candidates[np.sort(chosen)]
