"""The posterior of a sum of Matérn processes of one input, in linear time by Kalman filters."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from .... import kernels
from ....data import FloatArray, IntArray
from .gaussian_process_dense import Posterior, held_out
from .gaussian_process_points import Points
from .gaussian_process_terms import Terms

IMAGINARY = 1e-30  # step of derivatives by an imaginary part, which has no rounding error


class StateSpace(NamedTuple):
    """A sum of Matérn kernels with smoothness 1/2, 3/2 or 5/2, and constants."""

    terms: Terms

    @classmethod
    def of(cls, terms: Terms | None) -> Self | None:
        """Return the state space of a kernel, or None if it is no such sum."""
        if terms is None or not any(one.materns for one in terms.terms):
            return None
        known = (not one.lengths + one.waves and len(one.materns) <= 1 for one in terms.terms)
        return cls(terms) if all(known) else None

    def at(self, theta: FloatArray) -> Self:
        """Return this approximation with other logarithms of the learned hyper-parameters."""
        return self._replace(terms=self.terms.at(theta))

    @property
    def kinds(self) -> IntArray:
        """Number of entries in the state of each process, shape (b,)."""
        return np.array([one.materns[0][0] if one.materns else 1 for one in self.terms.terms])

    def parameters(self, logs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return rates and variances of processes, shape (b,), at logarithms that may be complex.

        A constant has rate zero.
        """
        variances = [np.exp(logs[list(one.constants)].sum()) for one in self.terms.terms]
        rates = [
            np.sqrt(2 * one.materns[0][0] - 1) * np.exp(-logs[one.materns[0][1]])
            if one.materns
            else 0.0 * logs[0]
            for one in self.terms.terms
        ]
        return np.array(rates), np.array(variances)

    def log_marginal_with_slopes(self, noise: float, points: Points) -> tuple[float, FloatArray]:
        """Return the log marginal likelihood, and slopes along log hyper-parameters and noise."""
        slopes = []
        at = np.append(self.terms.logs, np.log(noise)).astype(complex)
        constant = points.log_constant(noise)
        for place in np.flatnonzero(np.append(self.terms.free, True)):
            moved = at.copy()
            moved[place] += 1j * IMAGINARY
            value = self._log_density(moved[:-1], np.exp(moved[-1:]), points)
            slopes.append(value.imag / IMAGINARY)
        slopes[-1] += 0.5 * points.targets.shape[1] * float((1 - points.weights).sum())
        return float(value.real) + constant, np.array(slopes)

    def log_marginal(self, noise: float, points: Points) -> float:
        """Return the log marginal likelihood."""
        value = self._log_density(self.terms.logs, np.array([noise]), points)
        return value.real + points.log_constant(noise)

    def _log_density(self, logs: FloatArray, noise: FloatArray, points: Points) -> complex:
        inputs, targets, weights = points.by_input
        found: complex = kernels.state_space.log_density(
            inputs, targets, weights, self.kinds, *self.parameters(logs), noise
        )
        return found


@dataclass(frozen=True, eq=False)
class StateSpacePosterior(Posterior):
    """The posterior of a function that is a sum of Matérn processes, given points.

    Parameters
    ----------
    points : Points
    kernel : scikit-learn kernel
        One that `StateSpace` can read.
    noise : float
        Variance of the noise of a point with weight one.
    """

    @cached_property
    def _space(self) -> StateSpace:
        space = StateSpace.of(Terms.of(self.kernel))
        assert space is not None
        return space

    @cached_property
    def log_marginal(self) -> float:
        return self._space.log_marginal(self.noise, self.points)

    def held_out(self) -> tuple[FloatArray, FloatArray]:
        """Return each target less its mean given the *other* points, (n, m), and its variance (n,).

        The variance is that of a target of weight one.
        """
        order = self.points.order
        loadings, precisions = np.empty_like(self.points.targets), np.empty(len(order))
        loadings[order], precisions[order], _, _ = self._smooth(*self.points.by_input)
        return held_out(self.points, self.noise, loadings, precisions)

    def predict(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        points, n = self.points, len(self.points)
        together = np.append(points.inputs[:, 0], inputs[:, 0])
        targets = np.vstack([points.targets, np.zeros((len(inputs), points.targets.shape[1]))])
        weights = np.append(points.weights, np.zeros(len(inputs)))
        order = np.argsort(together, kind="stable")
        means, variances = np.empty_like(targets), np.empty(len(order))
        _, _, means[order], variances[order] = self._smooth(
            together[order], targets[order], weights[order]
        )
        prior = self.kernel.diag(inputs)
        return means[n:], np.maximum(variances[n:], 1e-12 * prior)

    def _smooth(
        self, inputs: FloatArray, targets: FloatArray, weights: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        rates, variances = self._space.parameters(self._space.terms.logs)
        (n, m), kinds = targets.shape, self._space.kinds
        found = np.zeros((n, m)), np.zeros(n), np.zeros((n, m)), np.zeros(n)
        kernels.state_space.smooth(
            inputs, targets, weights, kinds, rates, variances, self.noise, *found
        )
        return found
