"""The variables that a profile shows: columns of tables, features of steps, inputs and targets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data import Columns, FloatArray, IntArray, Regression, Rows, Sequences, Trajectories
from ...views import Symbols, column_names, is_symbolic
from .columns import columns_of


@dataclass(frozen=True, eq=False)
class Variable:
    """One variable of all observations.

    Parameters
    ----------
    name : str
    values : array, shape (m,)
        Numbers, or codes of categories; NaN where a value is missing.
    owners : array of int, shape (m,), optional
        The observation that each value belongs to; observation i has value i if absent.
    categories : sequence, optional
        What codes stand for; None if values are numbers.
    """

    name: str
    values: FloatArray
    owners: IntArray | None = None
    categories: Sequence[Any] | None = None

    @property
    def observed(self) -> tuple[FloatArray, IntArray]:
        """The values that are not missing, and the observations that they belong to."""
        there = ~np.isnan(self.values)
        owners = np.arange(len(self.values)) if self.owners is None else self.owners
        return self.values[there].astype(float), owners[there]


def variables_of(data: Any, model: Any, symbols: Symbols) -> Iterator[Variable]:
    """Return the variables of observations, one after the other."""
    if isinstance(data, Sequences):
        return _of_sequences(data, model, symbols)
    if isinstance(data, Trajectories):
        return _of_trajectories(data)
    if isinstance(data, Regression):
        return _of_curves(data)
    if isinstance(data, Rows | Columns):
        return _of_table(data, model, symbols)
    raise ValueError(
        "Profiles show rows, sequences, trajectories or curves, and the data of"
        f" {model.components_[0].name} are something else."
    )


def _of_table(data: Any, model: Any, symbols: Symbols) -> Iterator[Variable]:
    for column in columns_of(data, model.components_, symbols):
        values = column.values(slice(0, len(data)))
        yield Variable(column.name, values, categories=column.categories)


def _of_sequences(data: Sequences, model: Any, symbols: Symbols) -> Iterator[Variable]:
    """Return the features of all steps, and the lengths of sequences."""
    owners = np.repeat(np.arange(len(data)), data.lengths)
    names = data.feature_names or column_names(None, data.n_features)
    symbolic = is_symbolic(model.components_[0])
    for name, values in zip(names, data.values.T, strict=True):
        codes = range(int(values.max()) + 1) if symbolic else None
        yield Variable(name, values, owners, symbols.get(name, codes) if symbolic else None)
    yield Variable("length", data.lengths.astype(float))


def _of_trajectories(data: Trajectories) -> Iterator[Variable]:
    """Return the outputs at all points, and the numbers of points."""
    owners = np.repeat(np.arange(len(data)), data.lengths)
    names = data.feature_names or column_names(None, data.n_features)
    for name, values in zip(names, data.values.T, strict=True):
        yield Variable(name, values, owners)
    yield Variable("points", data.lengths.astype(float))


def _of_curves(data: Regression) -> Iterator[Variable]:
    names = data.input_names or [f"input {j}" for j in range(data.inputs.shape[1])]
    targets = data.targets.shape[1]
    names = [*names, *(["target"] if targets == 1 else [f"target {j}" for j in range(targets)])]
    for name, values in zip(names, np.hstack([data.inputs, data.targets]).T, strict=True):
        yield Variable(name, values)
