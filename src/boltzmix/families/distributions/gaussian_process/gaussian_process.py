"""The Gaussian process: a distribution of functions, given the points they go through."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
from sklearn.gaussian_process.kernels import Kernel

from ....data import (
    DATA,
    FloatArray,
    InputError,
    IntArray,
    Regression,
    Rng,
    Table,
    Weights,
    as_number,
    counted,
    shown,
)
from ...contract.capabilities import JointFamily, JointStatistics, RegressionFamily
from ...contract.description import Curve, Description
from ...shared.copies import replaced
from ...shared.validation import (
    LARGEST,
    MOST_STEPS,
    SMALLEST,
    fitted,
    read_arrays,
    read_count,
    read_flag,
)
from .gaussian_process_dense import Posterior, log_normal
from .gaussian_process_fourier import log_marginals
from .gaussian_process_learning import (
    MOST_FEATURES,
    Marginal,
    maximise_marginal,
    posterior_given,
    scaled_rbf,
)
from .gaussian_process_points import FourierSums, Points
from .gaussian_process_spectrum import Frequencies, Span, Spectrum, range_of, wider
from .gaussian_process_terms import Terms


@dataclass(frozen=True, eq=False)
class FourierStatistics:
    """Sums of points with the waves of which a kernel consists.

    Parameters
    ----------
    inputs : array, shape (n, 1)
    targets : array, shape (n, m)
        Targets less their offset.
    spectrum : Spectrum
    noise : float
    frequencies : Frequencies
    """

    inputs: FloatArray
    targets: FloatArray
    spectrum: Spectrum
    noise: float
    frequencies: Frequencies

    @classmethod
    def of(
        cls,
        inputs: FloatArray,
        targets: FloatArray,
        kernel: Kernel,
        noise: float,
        span: Span | None,
    ) -> Self | None:
        """Return the statistics of points, or None if the kernel is no sum of a few waves."""
        spectrum = Spectrum.of(Terms.of(kernel)) if inputs.shape[1] == 1 else None
        if spectrum is None or len(inputs) == 0:
            return None
        frequencies = spectrum.frequencies(*wider(span, inputs))
        if frequencies.n_features > MOST_FEATURES:
            return None
        return cls(inputs, targets, spectrum, noise, frequencies)

    def summarise(self, weights: FloatArray, bounds: IntArray) -> FloatArray:
        """Return the statistics of g stretches of weighted points, shape (g, s)."""
        points = Points(self.inputs, self.targets, weights)
        return FourierSums.by_stretch(points, self.frequencies, bounds).rows

    def log_marginals(self, statistics: FloatArray) -> FloatArray:
        """Return the joint log density of the points behind each row of statistics, shape (c,)."""
        sums = FourierSums(np.atleast_2d(statistics), self.frequencies.highest)
        return log_marginals(self.spectrum, self.noise, self.frequencies, sums)


LEAST, MOST = SMALLEST**2, LARGEST**2  # variances of noise


@dataclass(frozen=True, eq=False)
class GaussianProcess(RegressionFamily, JointFamily):
    """A function drawn from a Gaussian process, seen with noise.

    It is fitted to inputs `X` and targets `y`: ``Mixture(GaussianProcess(), 2).fit(X, y)`` finds
    from which of two functions each point comes. Several targets are independent draws with the
    same kernel. A weight makes a point more or less precise, so points may have responsibilities
    in several components (EM).

    With one input, time and memory are linear in the number of points for sums and products of RBF,
    periodic and constant kernels, the default among them, and for sums of Matérn kernels; results
    are exact to 1e-6 or better. With any other kernel, or several inputs, a fit is cubic in the
    number of a component's points up to 2,000, and approximate with inducing points above.

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
        Where a fit is not linear in time, hyper-parameters are learned from at most so many of a
        component's points, evenly spaced. The function itself is fitted to all points.
    held_out : bool, default=True
        Whether the density of a point that is assigned to the component is conditional on its
        *other* points only (leave-one-out), rather than on all of them.
    offset : array, shape (m,), optional
        Mean of the functions; that of the targets, unless given.

    Attributes
    ----------
    noise_scale : float
        The variance of the targets, which sets the range of learned noise.
    span : tuple of two floats
        The least and the greatest of one input, in all the data.
    origin : tuple of kernel and noise
        The first hyper-parameters.
    frozen : bool
        Whether fits keep the hyper-parameters; see `freeze`.
    posterior : Posterior
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

    kernel: Kernel | None = None
    noise: float | None = None
    learn_noise: bool = True
    n_steps: int = 10
    learns_from: int = 500
    held_out: bool = True
    offset: FloatArray | None = None
    noise_scale: float = field(default=1.0, init=False)
    span: Span | None = field(default=None, init=False)
    origin: tuple[object, float] | None = field(default=None, init=False)
    frozen: bool = field(default=False, init=False)
    posterior: Posterior | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        read_arrays(self, "offset", axes=(0, 1))
        if self.kernel is not None and not isinstance(self.kernel, Kernel):
            raise ValueError(
                f"kernel must be a scikit-learn kernel such as RBF(), or None, not"
                f" {shown(self.kernel)}."
            )
        if self.noise is not None and not LEAST <= as_number(self.noise) <= MOST:
            raise ValueError(
                f"noise must be a variance above 0, from {LEAST:g} to {MOST:g}, or None, not"
                f" {shown(self.noise)}."
            )
        read_flag(self, "learn_noise", "held_out")
        read_count(self, "n_steps", least=0, most=MOST_STEPS)
        read_count(self, "learns_from", least=2)

    def __repr__(self) -> str:
        noise = "None" if self.noise is None else f"{self.noise:.3g}"
        return f"GaussianProcess({self.kernel!r}, noise={noise})"

    @property
    def n_parameters(self) -> int:
        """Number of hyper-parameters that are learned."""
        return int(self._fitted()[0].n_dims) + int(self.learn_noise)

    def prepare(self, data: Regression, n_components: int, weights: Weights = None) -> Self:
        """Take kernel, noise and offset from all the data, unless given."""
        offset = data.targets.mean(axis=0) if self.offset is None else self.offset
        spread = float(((data.targets - offset) ** 2).mean()) or 1.0
        kernel = scaled_rbf(data.inputs, spread) if self.kernel is None else self.kernel
        noise = 0.3 * spread if self.noise is None else self.noise
        return replaced(
            self,
            kernel=kernel,
            noise=noise,
            offset=offset,
            noise_scale=spread,
            span=range_of(data.inputs) if data.inputs.shape[1] == 1 else None,
            origin=(kernel, noise),
        )

    def fit(self, data: Regression, *, weights: Weights = None, rng: Rng = None) -> Self:
        """Return a new component, conditional on these points."""
        ready = self if self._is_ready else self.prepare(data, 1)
        points = Points.of(data, ready._fitted()[2], weights)
        if len(points) == 0:
            raise ValueError(
                "GaussianProcess has nothing to learn from: no point has a weight above zero."
            )
        kernel, noise = ready._learn(points)
        return replaced(
            ready,
            kernel=kernel,
            noise=noise,
            posterior=posterior_given(points, kernel, noise, ready.span),
        )

    def _learn(self, points: Points) -> tuple[Kernel, float]:
        """Return hyper-parameters after some steps, unless they are frozen.

        Steps begin at the likelier of the current and the first hyper-parameters, so a component
        that was fitted to wiggly points can become smooth again.
        """
        kernel, noise, _ = self._fitted()
        if self.n_steps == 0 or self.frozen:
            return kernel, noise
        marginal = Marginal(points, kernel, self.span, self.learns_from)
        if self.origin is not None and self.origin != (kernel, noise):
            starts = (kernel, noise), self.origin
            kernel, noise = max(starts, key=lambda start: marginal.value(start[0].theta, start[1]))
        scale = self.noise_scale if self.learn_noise else None
        return maximise_marginal(marginal, kernel.theta, noise, self.n_steps, scale)

    def freeze(self, frozen: bool) -> Self:
        """Return this process with its first hyper-parameters, frozen, or free to learn them."""
        if not frozen or self.frozen or self.origin is None:
            return replaced(self, frozen=frozen)
        kernel, noise = self.origin
        posterior = self.posterior
        if posterior is not None:
            posterior = posterior_given(posterior.points, kernel, noise, self.span)
        return replaced(self, frozen=True, kernel=kernel, noise=noise, posterior=posterior)

    def log_prob(self, data: Regression) -> FloatArray:
        """Return the log predictive density of each point's targets, shape (n,)."""
        _, noise, offset = self._fitted()
        if data.targets.shape[1] != np.size(offset):
            raise ValueError(
                f"y has {data.targets.shape[1]} column(s), but {self.name} was fitted to"
                f" {np.size(offset)}."
            )
        targets = data.targets - offset
        values, others = np.empty(len(targets)), np.ones(len(targets), dtype=bool)
        if self.held_out and self.posterior is not None:
            own = self.posterior.points.places_of(data.inputs, targets)
            others = own < 0
            values[~others] = self._held_out_densities[own[~others]]
        if others.any():
            means, variances = self._predict(data.inputs[others])
            values[others] = log_normal(targets[others] - means, variances + noise)
        return values

    def log_marginal(self, data: Regression, weights: Weights = None) -> float:
        """Return the joint log density of all targets, if they are assigned to one component."""
        kernel, noise, offset = self._fitted()
        points = Points.of(data, offset, weights)
        if len(points) == 0:
            return 0.0
        return posterior_given(points, kernel, noise, self.span).log_marginal

    def joint_statistics(self, data: Regression) -> JointStatistics | None:
        """Return additive statistics of points, or None if the kernel has none."""
        kernel, noise, offset = self._fitted()
        targets = data.targets - offset
        return FourierStatistics.of(data.inputs, targets, kernel, noise, self.span)

    def predict(
        self, X: object, return_std: bool = False
    ) -> FloatArray | tuple[FloatArray, FloatArray]:
        """Return the function at inputs, shape (n,) or (n, m); with its standard deviation (n,).

        The deviation is that of the function, without the noise.
        """
        inputs = self._inputs(X)
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
        """Return means and standard deviations of targets at inputs (g, p), shapes (g, m).

        The noise is a part of these deviations.
        """
        _, noise, offset = self._fitted()
        means, variances = self._predict(inputs)
        deviations = np.sqrt(variances + noise)[:, None]
        return means + offset, np.broadcast_to(deviations, means.shape)

    def _formula(self, names: Sequence[str]) -> str:
        """Return the kernel and the standard deviation of the noise."""
        kernel, noise, _ = self._fitted()
        return f"{kernel}\nnoise ± {np.sqrt(noise):.3g}"

    def sample_targets(self, X: object, rng: np.random.Generator) -> FloatArray:
        """Draw noisy targets at inputs, independently of each other, shape (n, m)."""
        _, noise, offset = self._fitted()
        inputs = X.inputs if isinstance(X, Regression) else self._inputs(X)
        means, variances = self._predict(inputs)
        spread = np.sqrt(variances + noise)[:, None]
        return means + offset + spread * rng.standard_normal(means.shape)

    def _inputs(self, X: object) -> FloatArray:
        """Return the inputs in a table; raise if there are other columns than in the fit."""
        inputs = Table.of(X).values.astype(float)
        if self.posterior is not None and inputs.shape[1] != self.posterior.points.inputs.shape[1]:
            expected = self.posterior.points.inputs.shape[1]
            raise InputError(
                f"{DATA} has {counted(inputs.shape[1], 'column')}, but this {self.name} was fitted"
                " to"
                f" {expected}."
            )
        return inputs

    def _predict(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return means (n, m), offset excluded, and variances (n,) of the function."""
        kernel, _, offset = self._fitted()
        if self.posterior is None:
            return np.zeros((len(inputs), len(offset))), kernel.diag(inputs)
        return self.posterior.predict(inputs)

    @cached_property
    def _held_out_densities(self) -> FloatArray:
        """Log density of each own point, given the others."""
        assert self.posterior is not None
        return log_normal(*self.posterior.held_out())

    @property
    def _is_ready(self) -> bool:
        return self.kernel is not None and self.noise is not None and self.offset is not None

    def _fitted(self) -> tuple[Kernel, float, FloatArray]:
        return fitted(self, "kernel", "noise", "offset")
