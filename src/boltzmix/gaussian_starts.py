"""Where scikit-learn's Gaussian mixtures start: the same draws from the same random state."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.cluster import kmeans_plusplus

from .data import FloatArray
from .families import Bank
from .families.distributions.gaussian import Gaussian
from .families.shared.covariance import COVARIANCES
from .inputs import as_seed
from .learning import MixtureState
from .learning.parts.starts import kmeans_labels

Draw = Callable[[FloatArray, int, np.random.RandomState, FloatArray | None], FloatArray]


def kmeans(
    X: FloatArray, k: int, random_state: np.random.RandomState, sample_weight: FloatArray | None
) -> FloatArray:
    """Give every row to its K-means cluster."""
    return np.eye(k)[kmeans_labels(X, k, random_state, sample_weight)]


def kmeans_plus_plus(
    X: FloatArray, k: int, random_state: np.random.RandomState, sample_weight: FloatArray | None
) -> FloatArray:
    """Give every component one row, far from the others'."""
    _, rows = kmeans_plusplus(X, k, random_state=random_state, sample_weight=sample_weight)
    return _one_each(len(X), rows)


def random(
    X: FloatArray, k: int, random_state: np.random.RandomState, sample_weight: FloatArray | None
) -> FloatArray:
    """Draw responsibilities at random."""
    found = random_state.uniform(size=(len(X), k))
    return found / found.sum(axis=1, keepdims=True)


def random_from_data(
    X: FloatArray, k: int, random_state: np.random.RandomState, sample_weight: FloatArray | None
) -> FloatArray:
    """Give every component one row."""
    return _one_each(len(X), random_state.choice(len(X), size=k, replace=False))


INIT_PARAMS: dict[str, Draw] = {
    "kmeans": kmeans,
    "k-means++": kmeans_plus_plus,
    "random": random,
    "random_from_data": random_from_data,
}


def as_random_state(random_state: Any) -> np.random.RandomState:
    """Read a random state as scikit-learn does, or else take a seed from it."""
    if isinstance(random_state, np.random.RandomState):
        return random_state
    return np.random.RandomState(as_seed(random_state) % 2**32)


def continued(model: Any, family: Any, n_features: int) -> MixtureState:
    """Start from the parameters of the fit before."""
    before = model._bank
    same = before.family.covariance == family.covariance
    if not same or before.means.shape != (model.n_components, n_features):
        raise ValueError(
            f"warm_start goes on from {len(before)} components with {before.family.covariance!r}"
            f" covariance on {before.means.shape[1]} columns, which no longer fits: keep these as"
            " they were, or set warm_start=False."
        )
    return MixtureState(family.bank(before.components), model.weights_)


@dataclass(frozen=True)
class GivenParameters:
    """The parameters a user gives a Gaussian mixture to start from, each of them optional."""

    weights: FloatArray | None
    means: FloatArray | None
    variances: FloatArray | None

    @classmethod
    def read(cls, model: Any, d: int) -> Self:
        """Check `weights_init`, `means_init` and `precisions_init` of a GaussianMixture."""
        k, shape = model.n_components, COVARIANCES[model.covariance_type]
        stack = shape.stack(k, d)
        weights = _read("weights_init", model.weights_init, (k,))
        if weights is not None and ((weights <= 0).any() or not np.isclose(weights.sum(), 1)):
            raise ValueError("weights_init must be above zero, and must sum to one.")
        means = _read("means_init", model.means_init, (k, d))
        precisions = _read(
            "precisions_init", model.precisions_init, stack[1:] if shape.shared else stack
        )
        if precisions is None:
            return cls(weights, means, None)
        precisions = np.broadcast_to(precisions, stack)
        if shape.is_full and not np.allclose(precisions, np.swapaxes(precisions, -1, -2)):
            raise ValueError("precisions_init must be symmetric.")
        try:
            with np.errstate(invalid="raise", divide="raise"):
                shape.whitening(precisions)
        except (np.linalg.LinAlgError, FloatingPointError):
            raise ValueError("precisions_init must be positive definite.") from None
        return cls(weights, means, shape.invert(precisions))

    @property
    def are_complete(self) -> bool:
        """Whether nothing is left to be drawn."""
        return self.weights is not None and self.means is not None and self.variances is not None

    def put_into(self, bank: Bank, weights: FloatArray | None = None) -> MixtureState:
        """Replace the parameters of a start by those given."""
        components = []
        for k, component in enumerate(bank.components):
            assert isinstance(component, Gaussian)
            if self.means is not None:
                component = replace(component, mean=self.means[k])
            if self.variances is not None:
                component = replace(component, variance=self.variances[k])
            components.append(component)
        weights = weights if self.weights is None else self.weights
        assert weights is not None
        return MixtureState(bank.family.bank(components), weights)


def _read(name: str, given: Any, shape: tuple[int, ...]) -> FloatArray | None:
    if given is None:
        return None
    try:
        array = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must hold numbers in shape {shape}.") from None
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(
            f"{name} must hold finite numbers in shape {shape}, but has shape {array.shape}."
        )
    return array


def _one_each(n: int, rows: Any) -> FloatArray:
    found = np.zeros((n, len(rows)))
    found[rows, np.arange(len(rows))] = 1
    return found
