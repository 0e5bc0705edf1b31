"""The categorical columns of a latent class model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data import BoolArray, Columns, Data, FloatArray, IntArray, Rows
from ...fitted import FittedMixture
from ..profiles.variables import columns_of


@dataclass(frozen=True, eq=False)
class Indicators:
    """Codes of categorical columns, and their probabilities in each latent class.

    Parameters
    ----------
    names : sequence of d str
    codes : array of int, shape (n, d)
        -1 where a value is missing.
    probabilities : sequence of d arrays, shape (K, C_j)
        Probability of each category of a column in each class.
    categories : sequence of d sequences
        What the codes of each column stand for.
    """

    names: Sequence[str]
    codes: IntArray
    probabilities: Sequence[FloatArray]
    categories: Sequence[Sequence[Any]]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of categories of each column."""
        return tuple(table.shape[1] for table in self.probabilities)

    @property
    def complete(self) -> BoolArray:
        """Which rows have no missing value, shape (n,)."""
        return np.asarray((self.codes >= 0).all(axis=1))


def indicators_of(model: FittedMixture, data: Data, purpose: str) -> Indicators:
    """Return the columns of a latent class model; raise if the mixture is none.

    Parameters
    ----------
    model : fitted mixture
    data : Data
    purpose : str
        The method that needs the columns, for the message.
    """
    if model.noise:
        raise ValueError(f"{purpose} is for latent classes without noise: fit with noise=False.")
    columns = columns_of(data, model.components_, {}) if isinstance(data, Rows | Columns) else []
    other = next((one.name for one in columns if one.categories is None), None)
    if not columns or other is not None:
        what = f"column {other} is not" if other else f"{model.components_[0].name} has no columns"
        raise ValueError(
            f"{purpose} is for latent classes, whose columns are categories, but {what}: use a"
            " mixture of Categorical or Bernoulli, or a Product of these."
        )
    values = np.column_stack([column.values(slice(0, len(data))) for column in columns])
    tables = [np.stack([_probabilities(one) for one in own.descriptions]) for own in columns]
    return Indicators(
        [column.name for column in columns],
        np.where(np.isnan(values), -1, values).astype(np.int64),
        tables,
        [column.categories or () for column in columns],
    )


def _probabilities(column: Any) -> FloatArray:
    return np.asarray(column.probabilities)
