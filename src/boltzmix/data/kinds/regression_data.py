"""Inputs with targets: points on curves, or on any other function."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from ..data_set import Data, FloatArray, Indices, NamedColumns, derived
from ..errors import DATA, InputError
from ..reading.arrays import with_unit_variance
from ..reading.containers import as_array
from ..reading.design import Design
from .table import Table


@dataclass(frozen=True, eq=False)
class Regression(Data):
    """Observations of functions: inputs and the targets observed at them.

    Parameters
    ----------
    inputs : array, shape (n, p)
    targets : array, shape (n, m)
    feature_names : tuple of str, optional
        Names of the columns of X.
    offset : array, shape (n,), optional
        What is added to the linear predictor of a regression.
    trials : array, shape (n,), optional
        Numbers of trials, of which the targets are the successes.
    design : Design, optional
        How the columns of X became the inputs, if not one by one.
    n_columns : int, optional
        Number of columns that X must have, where there is a design.

    Examples
    --------
    >>> data = Regression.of([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> len(data), data.n_features, data.targets.shape
    (3, 1, (3, 1))
    """

    inputs: FloatArray
    targets: FloatArray
    feature_names: tuple[str, ...] | None = None
    offset: FloatArray | None = None
    trials: FloatArray | None = None
    design: Design | None = None
    n_columns: int | None = None
    mean_size: ClassVar[float] = 1.0
    noun: ClassVar[str] = "points"

    @classmethod
    def of(cls, X: object, y: object = None) -> Self:
        """Read inputs X (n, p) and targets y (n,) or (n, m)."""
        if isinstance(X, cls):
            return X
        if y is None:
            raise InputError(
                f"y is missing: this family learns functions from inputs {DATA} to targets y, so"
                " pass"
                " both, as in fit(X, y)."
            )
        inputs = Table.of(X)
        values = inputs.values.astype(float)
        return cls(values, read_targets(y, len(values)), inputs.feature_names)

    @derived
    def n_features(self) -> int:
        """Number of columns of X."""
        return self.inputs.shape[1] if self.n_columns is None else self.n_columns

    @property
    def input_names(self) -> tuple[str, ...] | None:
        """Names of the inputs, or None if they have no names."""
        return self.feature_names if self.design is None else self.design.names

    @property
    def positions(self) -> FloatArray | None:
        """The inputs, shape (n,), if the targets depend on one column alone; else None."""
        alone = self.inputs.shape[1] == 1 and self.offset is None and self.trials is None
        return self.inputs[:, 0] if alone else None

    def numbers(self) -> list[NamedColumns]:
        """Return inputs and targets."""
        names = self.input_names or range(self.inputs.shape[1])
        return [
            NamedColumns(self.inputs, lambda place: f"column {names[place]!r} of {DATA}"),
            NamedColumns(self.targets, lambda place: f"target {place} of y"),
        ]

    def __len__(self) -> int:
        return len(self.inputs)

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.inputs.nbytes + self.targets.nbytes

    def take(self, indices: Indices) -> "Regression":
        return replace(
            self,
            inputs=self.inputs[indices],
            targets=self.targets[indices],
            offset=None if self.offset is None else self.offset[indices],
            trials=None if self.trials is None else self.trials[indices],
        )

    @property
    def width(self) -> int:
        """Number of inputs and targets."""
        return self.inputs.shape[1] + self.targets.shape[1]

    @classmethod
    def joined(cls, parts: "Sequence[Regression]") -> "Regression":
        """Return the observations of several of these, one after the other."""
        return replace(
            parts[0],
            inputs=np.concatenate([one.inputs for one in parts]),
            targets=np.concatenate([one.targets for one in parts]),
            offset=_joined([one.offset for one in parts]),
            trials=_joined([one.trials for one in parts]),
        )

    def as_vectors(self) -> FloatArray:
        """Return inputs and targets side by side, each column of unit variance."""
        return with_unit_variance(np.hstack([self.inputs, self.targets]))

    def count_distinct(self, enough: int) -> int:
        return Table(np.hstack([self.inputs, self.targets])).count_distinct(enough)


def read_targets(y: object, n: int) -> FloatArray:
    """Read the targets of n rows, shape (n, m)."""
    values = as_array(y, "y")
    if values.ndim not in (1, 2) or len(values) != n:
        raise InputError(
            f"y must have one target (or one row of targets) for each of the {n} rows of {DATA},"
            " but has"
            f" shape {values.shape}."
        )
    try:
        return Table.of(values.reshape(n, -1)).values.astype(float)
    except (TypeError, ValueError) as error:
        raise type(error)(str(error).replace("X ", "y ", 1)) from None


def _joined(parts: "Sequence[FloatArray | None]") -> FloatArray | None:
    """Return arrays one after the other, or None where there are none."""
    present = [one for one in parts if one is not None]
    return np.concatenate(present) if present else None
