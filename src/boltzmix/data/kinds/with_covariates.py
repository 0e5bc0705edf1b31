"""Observations together with covariates, on which their membership in components depends."""

from collections.abc import Sequence
from dataclasses import dataclass
from sys import getsizeof
from typing import Any, Self

import numpy as np

from ..data_set import Data, FloatArray, Indices, NamedColumns, derived
from ..reading.design import Design


@dataclass(frozen=True, eq=False)
class WithCovariates(Data):
    """Observations of any kind, each with covariates of its membership.

    Parameters
    ----------
    observations : Data
    covariates : array, shape (n, q)
        A design matrix whose first column is one.
    design : Design
        How the other columns were made.

    Examples
    --------
    >>> from boltzmix.data import Table
    >>> ages = np.array([[31.0], [45.0]])
    >>> both = WithCovariates.of(Table.of([[1.0], [2.0]]), Design.of([0], ages), ages)
    >>> both.take(slice(1, 2)).covariates
    array([[ 1., 45.]])
    """

    observations: Any
    covariates: FloatArray
    design: Design

    @classmethod
    def of(cls, data: Data, design: Design, table: object, argument: str = "X") -> Self:
        """Put observations and their covariates, the columns of a table, together."""
        matrix = design.with_intercept(table, argument)
        if len(data) != len(matrix):
            raise ValueError(
                f"{argument} has {len(matrix)} row(s), but there are {len(data)} {data.noun}: pass"
                " one row of covariates for each of them."
            )
        return cls(data, matrix, design)

    def __len__(self) -> int:
        return len(self.covariates)

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + getsizeof(self.observations) + self.covariates.nbytes

    n_features = derived(lambda self: self.observations.n_features)
    feature_names = derived(lambda self: self.observations.feature_names)
    mean_size = derived(lambda self: self.observations.mean_size)
    n_counted = derived(lambda self: self.observations.n_counted)
    noun = derived(lambda self: self.observations.noun)
    is_table = derived(lambda self: self.observations.is_table)
    has_distances = derived(lambda self: self.observations.has_distances)

    def as_vectors(self) -> FloatArray:
        return self.observations.as_vectors()

    def as_shapes(self) -> FloatArray | None:
        return self.observations.as_shapes()

    def count_distinct(self, enough: int) -> int:
        return self.observations.count_distinct(enough)

    @property
    def width(self) -> int:
        """Number of values in an observation, covariates included."""
        return self.observations.width + self.covariates.shape[1]

    def numbers(self) -> list[NamedColumns]:
        """Return the numbers of the observations, and the covariates."""
        names = ("intercept", *self.design.names)
        covariates = NamedColumns(self.covariates, lambda place: f"covariate {names[place]!r}")
        return [*self.observations.numbers(), covariates]

    def take(self, indices: Indices) -> "WithCovariates":
        taken = self.observations.take(indices)
        return WithCovariates(taken, self.covariates[indices], self.design)

    @classmethod
    def joined(cls, parts: "Sequence[WithCovariates]") -> Self:
        """Return the observations of several of these, one after the other."""
        kind = type(parts[0].observations)
        return cls(
            kind.joined([one.observations for one in parts]),
            np.concatenate([one.covariates for one in parts]),
            parts[0].design,
        )


def without_covariates(data: Any) -> Any:
    """Return observations alone, whether they came with covariates or not."""
    return data.observations if isinstance(data, WithCovariates) else data
