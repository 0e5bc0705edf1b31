"""Curves with Gaussian process priors, and points that belong to them by responsibilities.

Notation of Lázaro-Gredilla et al. (2012): K is the prior covariance at the inputs, and B the
diagonal matrix of the points' responsibilities in a curve, divided by the variance of the noise.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from scipy.optimize import Bounds, minimize
from scipy.special import softmax, xlogy
from sklearn.gaussian_process.kernels import Kernel

from boltzmix.data import FloatArray
from boltzmix.families.distributions.gaussian_process.gaussian_process_dense import factorise
from boltzmix.families.distributions.gaussian_process.gaussian_process_learning import NOISE_RANGE


@dataclass(frozen=True, eq=False)
class Curve:
    """The posterior of one curve, given points of different precision.

    Parameters
    ----------
    inputs : array, shape (n, p)
    targets : array, shape (n, m)
    precisions : array, shape (n,)
        Responsibilities of the curve for the points, divided by the variance of the noise.
    kernel : Kernel
    """

    inputs: FloatArray
    targets: FloatArray
    precisions: FloatArray
    kernel: Kernel

    @cached_property
    def roots(self) -> FloatArray:
        """Square roots of the precisions as a column, shape (n, 1)."""
        return np.sqrt(self.precisions)[:, None]

    @cached_property
    def matrix(self) -> FloatArray:
        """Prior covariance of the curve at the inputs, shape (n, n)."""
        return self.kernel(self.inputs)

    @cached_property
    def factor(self) -> FloatArray:
        """The lower Cholesky factor of I + B^½ K B^½, shape (n, n)."""
        weighted = self.roots * self.matrix * self.roots.T
        return factorise(weighted + np.eye(len(weighted)))

    @cached_property
    def whitened(self) -> FloatArray:
        """Targets times the roots, whitened by the factor, shape (n, m)."""
        return solve_triangular(self.factor, self.roots * self.targets, lower=True)

    @cached_property
    def solved(self) -> FloatArray:
        """Return (I + B^½ K B^½)⁻¹ B^½ times the targets, shape (n, m)."""
        return solve_triangular(self.factor, self.whitened, lower=True, trans=1)

    @cached_property
    def bound(self) -> float:
        """Term of the curve in the marginalised bound, without the constant of the noise."""
        n_targets = self.targets.shape[1]
        determinant = n_targets * np.log(np.diag(self.factor)).sum()
        return float(-(self.whitened**2).sum() / 2 - determinant)

    def gradient(self) -> FloatArray:
        """Return the gradient of `bound` in the parameters of the kernel, and in the log noise."""
        n, n_targets = self.targets.shape
        inverse = cho_solve((self.factor, True), np.eye(n))
        _, slopes = self.kernel(self.inputs, eval_gradient=True)
        weights = self.roots * (self.solved @ self.solved.T - n_targets * inverse) * self.roots.T
        by_kernel = np.tensordot(weights, slopes, 2) / 2
        by_noise = ((self.solved**2).sum() + n_targets * (n - np.trace(inverse))) / 2
        return np.append(by_kernel, by_noise)

    def predict(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return posterior means (n, m) and variances (n,) of the curve at inputs (n, p)."""
        is_own = inputs is self.inputs
        crossed = self.matrix if is_own else self.kernel(self.inputs, inputs)
        explained = solve_triangular(self.factor, self.roots * crossed, lower=True)
        variances = self.kernel.diag(inputs) - (explained**2).sum(axis=0)
        return explained.T @ self.whitened, np.maximum(variances, 0.0)


@dataclass(frozen=True, eq=False)
class Curves:
    """The variational posterior of K curves that is optimal for given responsibilities.

    Parameters
    ----------
    inputs : array, shape (n, p)
    targets : array, shape (n, m)
    responsibilities : array, shape (n, K)
        The responsibilities that the curves are optimal for.
    kernels : tuple of K kernels
    noise : float
        Variance of the targets around a curve.
    """

    inputs: FloatArray
    targets: FloatArray
    responsibilities: FloatArray
    kernels: tuple[Kernel, ...]
    noise: float

    @cached_property
    def curves(self) -> list[Curve]:
        """The posterior of each curve."""
        precisions = self.responsibilities.T / self.noise
        return [
            Curve(self.inputs, self.targets, own, kernel)
            for own, kernel in zip(precisions, self.kernels, strict=True)
        ]

    @cached_property
    def bound(self) -> float:
        """The marginalised bound on the log-likelihood of all targets."""
        divergence = xlogy(self.responsibilities, self.responsibilities * len(self.kernels)).sum()
        constant = self.targets.size / 2 * np.log(2 * np.pi * self.noise)
        return float(sum(curve.bound for curve in self.curves) - divergence - constant)

    @cached_property
    def next_responsibilities(self) -> FloatArray:
        """The responsibilities (n, K) that are optimal for these curves."""
        return self.assign(self.inputs, self.targets)

    def assign(self, inputs: FloatArray, targets: FloatArray) -> FloatArray:
        """Return the probability of each curve for each point, shape (n, K)."""
        means, variances = self.predict(inputs)
        squared = ((targets[:, None] - means) ** 2).sum(axis=2) + targets.shape[1] * variances
        return np.asarray(softmax(-squared / (2 * self.noise), axis=1))

    def predict(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return posterior means (n, K, m) and variances (n, K) of the curves at inputs (n, p)."""
        means, variances = zip(*(curve.predict(inputs) for curve in self.curves), strict=True)
        return np.stack(means, axis=1), np.stack(variances, axis=1)

    @property
    def parameters(self) -> FloatArray:
        """Logarithms of all hyper-parameters: those of each kernel in order, then the noise."""
        return np.concatenate([*(one.theta for one in self.kernels), [np.log(self.noise)]])

    def gradient(self) -> FloatArray:
        """Return the gradient of `bound` in the `parameters`."""
        by_curve = [curve.gradient() for curve in self.curves]
        by_noise = sum(own[-1] for own in by_curve) - self.targets.size / 2
        return np.concatenate([*(own[:-1] for own in by_curve), [by_noise]])

    def with_parameters(self, parameters: FloatArray) -> Self:
        """Return the curves for the same responsibilities and other hyper-parameters."""
        ends = np.cumsum([one.n_dims for one in self.kernels])
        parts = np.split(parameters, ends)
        kernels = tuple(
            kernel.clone_with_theta(own)
            for kernel, own in zip(self.kernels, parts[:-1], strict=True)
        )
        return replace(self, kernels=kernels, noise=float(np.exp(parts[-1][0])))


def learn(curves: Curves, n_steps: int, learn_noise: bool) -> Curves:
    """Return curves with hyper-parameters improved by `n_steps` of L-BFGS on the bound."""

    def objective(parameters: FloatArray) -> tuple[float, FloatArray]:
        moved = curves.with_parameters(parameters)
        try:
            return -moved.bound, -moved.gradient()
        except ValueError:  # the step was too large: the covariance is not positive definite
            return np.inf, np.zeros(len(parameters))

    noise = np.log(curves.noise)
    lowest, highest = np.log(np.multiply(NOISE_RANGE, curves.targets.var() or 1.0))
    noise_limits = (min(lowest, noise), max(highest, noise)) if learn_noise else (noise, noise)
    limits = np.vstack([*(one.bounds for one in curves.kernels if one.n_dims), noise_limits])
    found = minimize(
        objective,
        curves.parameters.astype(np.float64),
        method="L-BFGS-B",
        jac=True,
        bounds=Bounds(limits[:, 0], limits[:, 1]),
        options={"maxiter": n_steps},
    )
    moved = curves.with_parameters(found.x)
    return moved if moved.bound > curves.bound else curves
