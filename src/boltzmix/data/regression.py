"""Inputs with targets: points on curves, or on any other function."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from .arrays import with_unit_variance
from .base import BoolArray, FloatArray, IntArray
from .blocks import Blocked
from .table import Table


@dataclass(frozen=True, eq=False)
class Regression(Blocked):
    """Observations of functions: inputs and the targets observed at them.

    Parameters
    ----------
    inputs : array, shape (n, p)
    targets : array, shape (n, m)
    feature_names : tuple of str, optional
        Names of the inputs.

    Examples
    --------
    >>> data = Regression.of([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> len(data), data.n_features, data.targets.shape
    (3, 1, (3, 1))
    """

    inputs: FloatArray
    targets: FloatArray
    feature_names: tuple[str, ...] | None = None
    mean_size: ClassVar[float] = 1.0
    noun: ClassVar[str] = "points"

    @classmethod
    def of(cls, X: Any, y: Any = None) -> Self:
        """Read inputs X (n, p) and targets y (n,) or (n, m)."""
        if isinstance(X, cls):
            return X
        if y is None:
            raise ValueError(
                "y is missing: this family learns functions from inputs X to targets y, so pass"
                " both, as in fit(X, y)."
            )
        inputs = Table.of(X)
        values = np.asarray(y.to_numpy() if hasattr(y, "to_numpy") else y)
        if values.ndim not in (1, 2) or len(values) != len(inputs):
            raise ValueError(
                f"y must have one target (or one row of targets) for each of the {len(inputs)}"
                f" rows of X, but has shape {values.shape}."
            )
        try:
            targets = Table.of(values.reshape(len(values), -1))
        except (TypeError, ValueError) as error:
            raise type(error)(str(error).replace("X ", "y ", 1)) from None
        return cls(inputs.values.astype(float), targets.values.astype(float), inputs.feature_names)

    @property
    def n_features(self) -> int:
        """Number of input columns."""
        return self.inputs.shape[1]

    @property
    def positions(self) -> FloatArray | None:
        """The inputs, shape (n,), if they have one column; else None."""
        return self.inputs[:, 0] if self.n_features == 1 else None

    def __len__(self) -> int:
        return len(self.inputs)

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.inputs.nbytes + self.targets.nbytes

    def take(self, indices: IntArray | BoolArray | slice) -> "Regression":
        """Return the observations at `indices`, in that order."""
        return Regression(self.inputs[indices], self.targets[indices], self.feature_names)

    @property
    def width(self) -> int:
        """Number of inputs and targets."""
        return self.inputs.shape[1] + self.targets.shape[1]

    @classmethod
    def joined(cls, parts: "Sequence[Regression]") -> Self:
        """Return the observations of several of these, one after the other."""
        return cls(
            np.concatenate([one.inputs for one in parts]),
            np.concatenate([one.targets for one in parts]),
            parts[0].feature_names,
        )

    def as_vectors(self) -> FloatArray:
        """Return inputs and targets side by side, each column of unit variance."""
        return with_unit_variance(np.hstack([self.inputs, self.targets]))

    def count_distinct(self, enough: int) -> int:
        """Count the distinct observations, but stop counting at `enough`."""
        return Table(np.hstack([self.inputs, self.targets])).count_distinct(enough)
