"""Overlapping mixtures of Gaussian processes, fitted by variational inference."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Kernel
from sklearn.utils.validation import check_is_fitted

from boltzmix.data import (
    FloatArray,
    IntArray,
    Regression,
    Table,
    check_count,
    check_flag,
    check_number,
    shown,
)
from boltzmix.inputs import as_seed, check_features, remember_features
from boltzmix.learning import Workers

from .shared_curves import Curves, learn

CONCENTRATION = 10.0  # of the Dirichlet distribution that draws the initial responsibilities


class OMGP(ClusterMixin, BaseEstimator):
    """Overlapping mixture of Gaussian processes (Lázaro-Gredilla et al. 2012).

    Every point lies on one of K curves, each with a Gaussian process as its prior. The posterior
    of the curves and of the labels is approximated by independent factors q(f) and q(z), found by
    coordinate ascent on the variational bound. Kernels and noise are learned by L-BFGS on the bound
    in which q(f) is optimal for q(z) (the marginalised, or KL-corrected, bound).

    Parameters
    ----------
    n_components : int, default=2
    kernel : kernel of scikit-learn, optional
        The prior of every curve, without noise; ``ConstantKernel() * RBF()`` unless given. Each
        curve learns hyper-parameters of its own, but for those whose bounds are "fixed".
    noise : float, default=0.01
        Variance of the targets around a curve; the initial one, if it is learned.
    learn_noise : bool, default=True
        Whether the variance of the noise is learned.
    max_iter : int, default=150
        Largest number of updates of q(z).
    n_steps : int, default=10
        Number of L-BFGS steps each time hyper-parameters are learned; 0 does not learn them.
    interval : int, default=10
        Number of updates of q(z) after which hyper-parameters are learned, each time.
    tol : float, default=1e-6
        The run has converged when the bound per point rises by less than this between two updates
        of the hyper-parameters.
    random_state : int, Generator, RandomState or None
        Draws the initial responsibilities.

    Attributes
    ----------
    labels_ : array of int, shape (n,)
    responsibilities_ : array, shape (n, K)
    bound_ : array, shape (steps + 1,)
        The marginalised bound, initially and after every iteration.
    label_history_ : array of int, shape (steps + 1, n)
        Labels, initially and after every iteration.
    kernels_ : tuple of K kernels
    noise_ : float
    n_iter_ : int
    converged_ : bool
    n_features_in_ : int

    Examples
    --------
    >>> from boltzmix.datasets import make_data_association
    >>> X, y, _ = make_data_association(random_state=0)
    >>> model = OMGP(2, random_state=0).fit(X, y)
    >>> model.predict_proba(X, y).shape, model.predict_curves([[0.5], [1.0]]).shape
    ((250, 2), (2, 2))
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        kernel: Kernel | None = None,
        noise: float = 0.01,
        learn_noise: bool = True,
        max_iter: int = 150,
        n_steps: int = 10,
        interval: int = 10,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.noise = noise
        self.learn_noise = learn_noise
        self.max_iter = max_iter
        self.n_steps = n_steps
        self.interval = interval
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit the curves to inputs X (n, p) and targets y, shape (n,) or (n, m)."""
        self._check_parameters()
        data = Regression.of(X, y)
        if self.n_components > len(data):
            raise ValueError(
                f"n_components={self.n_components} is more than the {len(data)} points there are."
            )
        bounds, labels = [], []
        states = self._improve(self._start(data))
        with Workers():  # one thread: more are slower for matrices of this size
            for curves, converged in islice(states, self.max_iter + 1):
                bounds.append(curves.bound)
                labels.append(curves.next_responsibilities.argmax(axis=1))
                self.converged_ = converged
        remember_features(self, data)
        self._curves = curves
        self._flat = np.ndim(y) == 1
        self.bound_, self.label_history_ = np.array(bounds), np.array(labels)
        self.labels_, self.responsibilities_ = labels[-1], curves.next_responsibilities
        self.kernels_, self.noise_ = curves.kernels, curves.noise
        self.n_iter_ = len(bounds) - 1
        return self

    def fit_predict(self, X: Any, y: Any = None, **_: Any) -> IntArray:
        """Fit the curves, and return the most probable curve of each point, shape (n,)."""
        return self.fit(X, y).labels_

    def predict(self, X: Any, y: Any = None) -> IntArray:
        """Return the most probable curve of each point, shape (n,)."""
        return self.predict_proba(X, y).argmax(axis=1)

    def predict_proba(self, X: Any, y: Any = None) -> FloatArray:
        """Return the probability of each curve for each point, shape (n, K)."""
        check_is_fitted(self)
        data = Regression.of(X, y)
        check_features(self, data)
        n_targets = self._curves.targets.shape[1]
        if data.targets.shape[1] != n_targets:
            raise ValueError(
                f"y has {data.targets.shape[1]} column(s), but OMGP was fitted to {n_targets}."
            )
        with Workers():
            return self._curves.assign(data.inputs, data.targets)

    def predict_curves(
        self, X: Any, return_std: bool = False
    ) -> FloatArray | tuple[FloatArray, FloatArray]:
        """Return the posterior means of the curves, and optionally their standard deviations.

        Returns
        -------
        means : array, shape (n, K), or (n, K, m) if y had two dimensions
        deviations : array, shape (n, K)
            Posterior standard deviations of the curves, without noise. Only if `return_std` is set.
        """
        check_is_fitted(self)
        inputs = Table.of(X)
        check_features(self, inputs)
        with Workers():
            means, variances = self._curves.predict(inputs.values.astype(float))
        means = means[:, :, 0] if self._flat else means
        return (means, np.sqrt(variances)) if return_std else means

    def _check_parameters(self) -> None:
        for name in ("n_components", "max_iter", "interval"):
            check_count(name, getattr(self, name))
        check_count("n_steps", self.n_steps, least=0)
        check_number("noise", self.noise, "a number above 0", lambda value: 1e-75 <= value <= 1e75)
        check_flag("learn_noise", self.learn_noise)
        check_number("tol", self.tol, "a number of zero or more", lambda value: value >= 0)
        if self.kernel is not None and not isinstance(self.kernel, Kernel):
            raise ValueError(
                f"kernel must be a kernel of sklearn.gaussian_process.kernels, not"
                f" {shown(self.kernel)}."
            )

    def _start(self, data: Regression) -> Curves:
        rng = np.random.default_rng(as_seed(self.random_state))
        responsibilities = rng.dirichlet(np.full(self.n_components, CONCENTRATION), size=len(data))
        kernel = ConstantKernel() * RBF() if self.kernel is None else self.kernel
        kernels = (kernel,) * self.n_components
        return Curves(data.inputs, data.targets, responsibilities, kernels, float(self.noise))

    def _improve(self, curves: Curves) -> Iterator[tuple[Curves, bool]]:
        """Yield the curves of every iteration, and whether they have converged."""
        converged, before = False, -np.inf
        for iteration in count(1):
            yield curves, converged
            if converged:
                return
            curves = replace(curves, responsibilities=curves.next_responsibilities)
            if iteration % self.interval == 0:
                if self.n_steps:
                    curves = learn(curves, self.n_steps, self.learn_noise)
                converged = curves.bound - before < self.tol * len(curves.inputs)
                before = curves.bound
