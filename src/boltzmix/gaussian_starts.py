"""Where a Gaussian mixture starts, as in scikit-learn, and the parameters that a user gives it.

Messages begin with scikit-learn's words, which programs written for it may look for.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.cluster import kmeans_plusplus

from .data import FloatArray, shown
from .families import Bank
from .families.covariance.covariance import COVARIANCES, Covariance
from .families.distributions.gaussian import Gaussian
from .families.shared.copies import replaced
from .families.shared.validation import as_numbers
from .inputs import as_seed
from .learning import EM, MixtureState, Parts
from .learning.parts import tolerance
from .learning.parts.starts import kmeans_labels


def read_parameter(
    argument: str, name: str, given: object, shape: tuple[int, ...]
) -> FloatArray | None:
    """Read an array of finite numbers in some shape; `name` is what scikit-learn calls it."""
    if given is None:
        return None
    array = as_numbers(given)
    if array.ndim == 0 and np.isnan(array):
        raise ValueError(f"{argument} must hold numbers in shape {shape}.")
    if array.shape != shape:
        raise ValueError(
            f"The parameter '{name}' should have the shape of {shape}, but got {array.shape}:"
            f" give {argument} in that shape."
        )
    if not np.isfinite(array).all():
        raise ValueError(f"{argument} must hold finite numbers, but has NaN or infinity.")
    return array


def check_weights(weights: FloatArray) -> None:
    """Raise unless weights (K,) are above zero and sum to one."""
    if (weights < 0).any() or (weights > 1).any():
        # scikit-learn's message takes the least for the greatest, and its tests ask for that
        raise ValueError(
            "The parameter 'weights' should be in the range [0, 1], but got max value"
            f" {weights.min():.5f}, min value {weights.max():.5f}: give weights_init as fractions."
        )
    if not np.isclose(weights.sum(), 1):
        raise ValueError(
            "The parameter 'weights' should be normalized, but got sum(weights) ="
            f" {weights.sum():.5f}: divide weights_init by its sum."
        )
    if (weights == 0).any():
        raise ValueError("weights_init must be above zero: leave out components without weight.")


def check_precisions(name: str, precisions: FloatArray, shape: Covariance) -> None:
    """Raise unless inverse covariances, stacked in the form of a shape, are positive definite."""
    is_symmetric = not shape.is_full or np.allclose(precisions, np.swapaxes(precisions, -1, -2))
    try:
        shape.whitening(precisions)
    except np.linalg.LinAlgError:
        is_positive = False
    else:
        is_positive = True
    if not is_symmetric or not is_positive:
        wanted = "symmetric, positive-definite" if shape.is_full else "positive"
        raise ValueError(f"'{name}' should be {wanted}: change precisions_init.")


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


def as_random_state(random_state: object) -> np.random.RandomState:
    """Read a random state as scikit-learn does, or else take a seed from it."""
    if isinstance(random_state, np.random.RandomState):
        return random_state
    return np.random.RandomState(as_seed(random_state) % 2**32)


def continued(model: Any, family: Any, n_features: int) -> MixtureState:
    """Start from the parameters of the fit before."""
    before = model._mixture.bank
    same = before.family.covariance == family.covariance
    if not same or before.means.shape != (model.n_components, n_features):
        raise ValueError(
            f"warm_start goes on from {len(before)} components with"
            f" {shown(before.family.covariance)}"
            f" covariance on {before.means.shape[1]} columns, which no longer fits: keep these as"
            " they were, or set warm_start=False."
        )
    return MixtureState(family.bank(before.components), model._mixture.weights)


@dataclass(frozen=True)
class ContinuedEM(EM):
    """EM that continues an earlier run, as `warm_start` asks for.

    Parameters
    ----------
    score_before : float, optional
        The score of the earlier run one step before its end.
    """

    score_before: float | None = None

    @property
    def name(self) -> str:
        return EM.__name__

    @property
    def parts(self) -> Parts:
        return replace(super().parts, stopping=tolerance(self.tolerance, self.score_before))


@dataclass(frozen=True)
class GivenParameters:
    """The parameters a user gives a Gaussian mixture to start from, each of them optional."""

    weights: FloatArray | None
    means: FloatArray | None
    variances: FloatArray | None

    @classmethod
    def read(cls, model: Any, d: int) -> Self:
        """Check `weights_init`, `means_init` and `precisions_init` of a GaussianMixture."""
        k = int(model.n_components)
        weights = read_parameter("weights_init", "weights", model.weights_init, (k,))
        if weights is not None:
            check_weights(weights)
        means = read_parameter("means_init", "means", model.means_init, (k, d))
        return cls(weights, means, _variances(model, k, d))

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
                component = replaced(component, mean=self.means[k])
            if self.variances is not None:
                component = replaced(component, variance=self.variances[k])
            components.append(component)
        weights = weights if self.weights is None else self.weights
        assert weights is not None
        return MixtureState(bank.family.bank(components), weights)


def _variances(model: Any, k: int, d: int) -> FloatArray | None:
    """Return the variances that `precisions_init` asks for, if it is given."""
    shape, name = COVARIANCES[model.covariance_type], f"{model.covariance_type} precision"
    stack = shape.stack(k, d)
    wanted = stack[1:] if shape.shared else stack
    precisions = read_parameter("precisions_init", name, model.precisions_init, wanted)
    if precisions is None:
        return None
    precisions = np.broadcast_to(precisions, stack)
    check_precisions(name, precisions, shape)
    return shape.invert(precisions)


def _one_each(n: int, rows: Any) -> FloatArray:
    found = np.zeros((n, len(rows)))
    found[rows, np.arange(len(rows))] = 1
    return found
