"""The Gaussian process: a distribution of functions, given the points they go through."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Integral, Real
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from scipy.linalg.lapack import dpotri
from scipy.optimize import minimize
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Kernel

from ...data import FloatArray, IntArray, Regression, evenly_spaced
from ..description import Curve, Description
from ..joint import JointFamily
from ..shared.constants import LOG_2_PI
from ..shared.validation import fitted

JITTERS = (0.0, 1e-10, 1e-8, 1e-6, 1e-4)  # times the diagonal, added until factorisation succeeds
NOISE_RANGE = (1e-6, 10.0)  # of learned noise, as multiples of the variance of the targets
NEGLIGIBLE = 1e-4  # times the largest weight: points with less are left out


class Points(NamedTuple):
    """The points from which a function is learned.

    The density of a point is raised to the power of its weight, which is the same as dividing its
    noise variance by the weight, up to a constant.

    Parameters
    ----------
    inputs : array, shape (n, p)
    targets : array, shape (n, m)
        Targets less their offset.
    weights : array, shape (n,)
    """

    inputs: FloatArray
    targets: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, data: Regression, offset: FloatArray, weights: FloatArray | None) -> Self:
        """Return the points whose weights are not negligible."""
        if weights is None:
            return cls(data.inputs, data.targets - offset, np.ones(len(data)))
        kept = weights > NEGLIGIBLE * weights.max(initial=0.0)
        return cls(data.inputs[kept], data.targets[kept] - offset, weights[kept])

    def thinned(self, most: int) -> Self:
        """Return at most so many points, evenly spaced in their order."""
        n = len(self.inputs)
        if n <= most:
            return self
        chosen = evenly_spaced(n, most)
        return type(self)(*(array[chosen] for array in self))

    def log_constant(self, noise: float) -> float:
        """Return the term that weights other than one add to the log density of all targets."""
        constants = np.log(2 * np.pi * noise / self.weights)
        powers = self.weights * np.log(2 * np.pi * noise)
        return 0.5 * self.targets.shape[1] * float((constants - powers).sum())


class Posterior(NamedTuple):
    """The posterior of a function, given points.

    Parameters
    ----------
    points : Points
    noise : float
        Variance of the noise of a point with weight one.
    root : array, shape (n, n)
        Lower Cholesky factor of the covariance of the targets.
    loadings : array, shape (n, m)
        Inverse covariance times targets.
    """

    points: Points
    noise: float
    root: FloatArray
    loadings: FloatArray

    @classmethod
    def of(cls, points: Points, noise: float, covariance: FloatArray) -> Self:
        """Return the posterior, given the prior covariance of the function at the inputs (n, n)."""
        root = factorise(covariance + np.diag(noise / points.weights))
        loadings = cho_solve((root, True), points.targets, check_finite=False)
        return cls(points, noise, root, loadings)

    @property
    def log_marginal(self) -> float:
        """Log density of all targets together."""
        targets = self.points.targets
        fit = float((targets * self.loadings).sum()) + targets.size * LOG_2_PI
        volume = targets.shape[1] * float(np.log(np.diagonal(self.root)).sum())
        return self.points.log_constant(self.noise) - 0.5 * fit - volume

    @property
    def inverse(self) -> FloatArray:
        """Inverse covariance of the targets, shape (n, n)."""
        lower, _ = dpotri(self.root, lower=True)
        return np.tril(lower) + np.tril(lower, -1).T

    def held_out(self) -> tuple[FloatArray, FloatArray]:
        """Return each target less its mean given the *other* points, (n, m), and its variance (n,).

        See Rasmussen & Williams, section 5.4.2.
        """
        precisions = np.diagonal(self.inverse)
        weighted = self.noise * (1 - 1 / self.points.weights)
        variances = np.maximum(1 / precisions + weighted, self.noise)
        return self.loadings / precisions[:, None], variances


@dataclass(frozen=True, eq=False)
class GaussianProcess(JointFamily):
    """A function drawn from a Gaussian process, seen with noise.

    It is fitted to inputs `X` and targets `y`: ``Mixture(GaussianProcess(), 2).fit(X, y)`` finds
    from which of two functions each point comes. Several targets are independent draws with the
    same kernel. A weight makes a point more or less precise, so points may have responsibilities
    in several components (EM).

    A fit needs one Cholesky factorisation of a component's points, cubic in their number in time
    and quadratic in memory, and some more to learn hyper-parameters. Use it for at most a few
    thousand points, or for a random subset of more.

    Parameters
    ----------
    kernel : scikit-learn kernel, optional
        A scaled RBF with the spread of the data, unless given.
    noise : float, optional
        Variance of the noise at the start; three tenths of the targets' variance, unless given.
    learn_noise : bool, default=True
        Whether the noise is learned with the kernel's hyper-parameters.
    n_steps : int, default=10
        Steps of L-BFGS on the marginal likelihood in one fit, which continue from the last fit.
    learns_from : int, default=500
        Hyper-parameters are learned from at most so many of a component's points, evenly spaced,
        because each step is cubic in their number. The function itself is fitted to all points.
    held_out : bool, default=True
        Whether the density of a point that is assigned to the component is conditional on its
        *other* points only (leave-one-out), rather than on all of them.
    offset : array, shape (m,), optional
        Mean of the functions; that of the targets, unless given.
    noise_scale : float
        The variance of the targets, which sets the range of learned noise.
    origin : tuple of kernel and noise, optional
        The first hyper-parameters.
    frozen : bool
        Whether fits keep the hyper-parameters; see `freeze`.
    posterior : Posterior, optional
        The posterior given the component's points. Present once fitted.

    Examples
    --------
    >>> X = np.linspace(0, 6, 40)[:, None]
    >>> fitted = GaussianProcess(noise=0.01).fit(Regression.of(X, np.sin(X[:, 0])))
    >>> mean, deviation = fitted.predict([[1.5]], return_std=True)
    >>> mean.round(2), (deviation < 0.1)
    (array([1.]), array([ True]))
    """

    weighted = True
    observes = Regression

    kernel: Any = None
    noise: float | None = None
    learn_noise: bool = True
    n_steps: int = 10
    learns_from: int = 500
    held_out: bool = True
    offset: FloatArray | None = None
    noise_scale: float = 1.0
    origin: tuple[Any, float] | None = None
    frozen: bool = False
    posterior: Posterior | None = None

    def __post_init__(self) -> None:
        if self.kernel is not None and not isinstance(self.kernel, Kernel):
            raise ValueError(
                f"kernel must be a scikit-learn kernel such as RBF(), or None, not {self.kernel!r}."
            )
        if self.noise is not None and not (
            isinstance(self.noise, Real) and 0 < float(self.noise) < np.inf
        ):
            raise ValueError(f"noise must be a variance above 0, or None, not {self.noise!r}.")
        if not isinstance(self.n_steps, Integral) or self.n_steps < 0:
            raise ValueError(
                f"n_steps must be a whole number of zero or more, not {self.n_steps!r}."
            )
        if not isinstance(self.learns_from, Integral) or self.learns_from < 2:
            raise ValueError(
                f"learns_from must be a whole number of at least 2, not {self.learns_from!r}."
            )

    def __repr__(self) -> str:
        noise = "None" if self.noise is None else f"{self.noise:.3g}"
        return f"GaussianProcess({self.kernel!r}, noise={noise})"

    @property
    def n_parameters(self) -> int:
        """Number of hyper-parameters that are learned."""
        return int(self._fitted()[0].n_dims) + int(self.learn_noise)

    def prepare(
        self, data: Regression, n_components: int, weights: FloatArray | None = None
    ) -> Self:
        """Take kernel, noise and offset from all the data, unless given."""
        offset = data.targets.mean(axis=0) if self.offset is None else self.offset
        spread = float(((data.targets - offset) ** 2).mean()) or 1.0
        widths = np.ptp(data.inputs, axis=0) / 6
        widths[widths == 0] = 1.0
        kernel = self.kernel
        if kernel is None:
            lowest, highest = widths.min() / 100, widths.max() * 100
            kernel = ConstantKernel(spread, (1e-4 * spread, 1e4 * spread)) * RBF(
                widths if len(widths) > 1 else widths[0], (lowest, highest)
            )
        noise = 0.3 * spread if self.noise is None else self.noise
        return replace(
            self,
            kernel=kernel,
            noise=noise,
            offset=offset,
            noise_scale=spread,
            origin=(kernel, noise),
        )

    def fit(
        self,
        data: Any,
        *,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Self:
        """Return a new component, conditional on these points."""
        ready = self if self._is_ready else self.prepare(data, 1)
        points = Points.of(data, ready._fitted()[2], weights)
        if len(points.inputs) == 0:
            raise ValueError(
                "GaussianProcess has nothing to learn from: no point has a weight above zero."
            )
        some = points.thinned(ready.learns_from)
        kernel, noise = ready._optimise(*ready._best_start(some), some)
        return replace(
            ready, kernel=kernel, noise=noise, posterior=_condition(kernel, noise, points)
        )

    def _best_start(self, points: Points) -> tuple[Any, float]:
        """Return the likelier of the current and the first hyper-parameters.

        So a component that was fitted to wiggly points can become smooth again.
        """
        kernel, noise, _ = self._fitted()
        if self.origin is None or self.n_steps == 0 or self.frozen:
            return kernel, noise
        starts = (kernel, noise), self.origin
        return max(starts, key=lambda start: _condition(start[0], start[1], points).log_marginal)

    def _optimise(self, kernel: Any, noise: float, points: Points) -> tuple[Any, float]:
        """Return hyper-parameters after some steps of L-BFGS on the marginal likelihood."""
        learned = np.append(kernel.theta, np.log(noise)) if self.learn_noise else kernel.theta
        if self.n_steps == 0 or self.frozen or len(learned) == 0:
            return kernel, noise
        bounds = kernel.bounds
        if self.learn_noise:
            lowest, highest = np.multiply(NOISE_RANGE, self.noise_scale)
            around = np.log([min(lowest, noise), max(highest, noise)])
            bounds = np.vstack([bounds.reshape(-1, 2), around])

        def loss(point: FloatArray) -> tuple[float, FloatArray]:
            own, variance = self._at(kernel, noise, point)
            value, slopes = log_marginal_with_slopes(own, variance, points)
            return -value, -slopes[: len(point)]

        found = minimize(
            loss, learned, jac=True, method="L-BFGS-B", bounds=bounds,
            options={"maxiter": int(self.n_steps)},
        )  # fmt: skip
        return self._at(kernel, noise, found.x)

    def _at(self, kernel: Any, noise: float, point: FloatArray) -> tuple[Any, float]:
        """Return kernel and noise at a point in the space of learned hyper-parameters."""
        if not self.learn_noise:
            return kernel.clone_with_theta(point), noise
        return kernel.clone_with_theta(point[:-1]), float(np.exp(point[-1]))

    def freeze(self, frozen: bool) -> Self:
        """Return this process with its first hyper-parameters, frozen, or free to learn them."""
        if not frozen or self.frozen or self.origin is None:
            return replace(self, frozen=frozen)
        kernel, noise = self.origin
        posterior = self.posterior and _condition(kernel, noise, self.posterior.points)
        return replace(self, frozen=True, kernel=kernel, noise=noise, posterior=posterior)

    def log_prob(self, data: Any) -> FloatArray:
        """Return the log predictive density of each point's targets, shape (n,)."""
        _, noise, offset = self._fitted()
        means, variances = self._predict(data.inputs)
        values = _log_normal(data.targets - offset - means, variances + noise)
        if self.held_out and self.posterior is not None:
            own = self._places(data)
            mine = own >= 0
            values[mine] = self._held_out_densities[own[mine]]
        return values

    def log_marginal(self, data: Any, weights: FloatArray | None = None) -> float:
        """Return the joint log density of all targets, if they are assigned to one component."""
        kernel, noise, offset = self._fitted()
        points = Points.of(data, offset, weights)
        return _condition(kernel, noise, points).log_marginal if len(points.inputs) else 0.0

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Return the function at inputs, shape (n,) or (n, m); with its standard deviation (n,).

        The deviation is that of the function, without the noise.
        """
        inputs = np.asarray(X, dtype=float)
        if inputs.ndim != 2:
            raise ValueError(f"X must be a table with two dimensions, but has {inputs.ndim}.")
        _, _, offset = self._fitted()
        means, variances = self._predict(inputs)
        curve = means + offset
        curve = curve[:, 0] if curve.shape[1] == 1 else curve
        return (curve, np.sqrt(variances)) if return_std else curve

    def describe(self) -> Description:
        """Return the kernel's hyper-parameters and the noise variance, and the curve."""
        kernel, noise, _ = self._fitted()
        values = kernel.get_params()
        learned = {one.name: values[one.name] for one in kernel.hyperparameters}
        return Description({**learned, "noise": noise}, picture=Curve(self._curve, self._formula))

    def _curve(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return means and standard deviations of the function at inputs (g, p), shapes (g, m)."""
        means, deviations = self.predict(inputs, return_std=True)
        means = means.reshape(len(inputs), -1)
        return means, np.broadcast_to(deviations[:, None], means.shape)

    def _formula(self, names: Sequence[str]) -> str:
        """Return the kernel and the standard deviation of the noise."""
        kernel, noise, _ = self._fitted()
        return f"{kernel}\nnoise ± {np.sqrt(noise):.3g}"

    def sample_targets(self, X: Any, rng: np.random.Generator) -> FloatArray:
        """Draw noisy targets at inputs, independently of each other, shape (n, m)."""
        _, noise, offset = self._fitted()
        means, variances = self._predict(np.asarray(X, dtype=float))
        spread = np.sqrt(variances + noise)[:, None]
        return means + offset + spread * rng.standard_normal(means.shape)

    def _predict(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return means (n, m), offset excluded, and variances (n,) of the function."""
        kernel, _, offset = self._fitted()
        prior = kernel.diag(inputs)
        if self.posterior is None:
            return np.zeros((len(inputs), len(offset))), prior
        across = kernel(self.posterior.points.inputs, inputs)
        whitened = solve_triangular(self.posterior.root, across, lower=True, check_finite=False)
        variances = prior - np.einsum("ij,ij->j", whitened, whitened)
        return across.T @ self.posterior.loadings, np.maximum(variances, 1e-12 * prior)

    @cached_property
    def _held_out_densities(self) -> FloatArray:
        """Log density of each own point, given the others."""
        assert self.posterior is not None
        return _log_normal(*self.posterior.held_out())

    def _places(self, data: Regression) -> IntArray:
        """Return the index of each point among the component's points; -1 for other points."""
        assert self.posterior is not None
        _, _, offset = self._fitted()
        own = _rows(self.posterior.points.inputs, self.posterior.points.targets)
        asked = _rows(data.inputs, data.targets - offset)
        order = np.argsort(own)
        found = np.searchsorted(own[order], asked)
        found = order[np.minimum(found, len(own) - 1)]
        return np.where(own[found] == asked, found, -1)

    @property
    def _is_ready(self) -> bool:
        return self.kernel is not None and self.noise is not None and self.offset is not None

    def _fitted(self) -> tuple[Any, float, FloatArray]:
        return fitted(self, "kernel", "noise", "offset")


def log_marginal_with_slopes(kernel: Any, noise: float, points: Points) -> tuple[float, FloatArray]:
    """Return the log marginal likelihood, and its slopes along log hyper-parameters and noise."""
    covariance, changes = kernel(points.inputs, eval_gradient=True)
    posterior = Posterior.of(points, noise, covariance)
    m, weights = points.targets.shape[1], points.weights
    inner = posterior.loadings @ posterior.loadings.T - m * posterior.inverse
    slopes = 0.5 * np.einsum("ij,ijk->k", inner, changes)
    by_noise = 0.5 * (noise * (np.diagonal(inner) / weights).sum() - m * (weights - 1).sum())
    return posterior.log_marginal, np.append(slopes, by_noise)


def _condition(kernel: Any, noise: float, points: Points) -> Posterior:
    return Posterior.of(points, noise, kernel(points.inputs))


def factorise(matrix: FloatArray) -> FloatArray:
    """Return the lower Cholesky factor, with the least jitter on the diagonal that is needed."""
    diagonal = np.diagonal(matrix)
    for jitter in JITTERS:
        try:
            return np.linalg.cholesky(matrix + jitter * np.diag(np.abs(diagonal)))
        except np.linalg.LinAlgError:
            continue
    raise ValueError(
        "The covariance of a Gaussian process is not positive definite, even with a ten-thousandth"
        " of its variance added: raise the noise, or take a smoother kernel."
    )


def _log_normal(apart: FloatArray, variances: FloatArray) -> FloatArray:
    """Return the log density of rows (n, m) that are `apart` from the mean, shape (n,)."""
    m = apart.shape[1]
    return -0.5 * ((apart**2).sum(axis=1) / variances + m * (np.log(variances) + LOG_2_PI))


def _rows(inputs: FloatArray, targets: FloatArray) -> Any:
    """Return each row as one comparable record."""
    rows = np.ascontiguousarray(np.hstack([inputs, targets]))
    return rows.view([(f"{j}", float) for j in range(rows.shape[1])]).ravel()
