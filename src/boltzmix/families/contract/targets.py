"""The contract of a family of targets: regressions and curves."""

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from ...data import FloatArray, Regression
from .base import Family


class RegressionFamily(Family):
    """A family of targets that depend on inputs.

    Write ``predict`` beside ``fit`` and ``log_prob``; for it you get `Mixture.predict_target`. With
    ``sample_targets`` you get a parametric bootstrap.
    """

    observes: ClassVar[type] = Regression

    def predict(self, X: Any) -> Any:
        """Return the expected targets of inputs X, shape (n,), or (n, m) for m targets."""
        raise NotImplementedError(f"{self.name} cannot predict targets: it has no predict method.")

    def sample_targets(self, X: Any, rng: np.random.Generator) -> FloatArray:
        """Draw targets for inputs X (n, p)."""
        raise NotImplementedError(
            f"{self.name} cannot draw targets for inputs: it has no sample_targets method."
        )

    def n_inputs(self, n_columns: int) -> int:
        """Return how many inputs a function has that is learned from so many columns of X."""
        return n_columns

    def sample_like(self, data: Any, rng: np.random.Generator) -> Any:
        """Draw targets at the inputs of observations."""
        targets = np.asarray(self.sample_targets(data.inputs, rng), dtype=float)
        return replace(data, targets=targets.reshape(data.targets.shape))


def as_regression(family: Family) -> RegressionFamily:
    """Return a family of targets; raise if it is none."""
    if not isinstance(family, RegressionFamily):
        raise NotImplementedError(
            f"{family.name} has no targets that could be predicted: predict_target is for"
            " regressions and curves, and predict returns the component. A family of targets is"
            " derived from RegressionFamily."
        )
    return family
