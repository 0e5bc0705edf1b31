"""The fit of additive families with latent variables: some steps of EM."""

from typing import Any, TypeVar

from ...data import Weights
from ..contract.additive import AdditiveFamily

Fitted = TypeVar("Fitted", bound=AdditiveFamily)


def fit_by_steps(family: Fitted, n_steps: int, data: Any, weights: Weights = None) -> Fitted:
    """Return a component that is `n_steps` of EM from `family`; a mixture's M-step takes one."""
    fitted = family.prepare(data, 1, weights)
    for _ in range(n_steps):
        fitted = fitted.from_statistics(fitted.summarise(data, weights))
    return fitted
