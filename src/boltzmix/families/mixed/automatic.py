"""A product of families that are chosen by the values of the columns."""

from typing import Any

import numpy as np

from ...data import Columns, FloatArray, Source, check_no_sequences
from ..base import Family
from .choosing import choose_families, read_columns
from .product import Product


class Automatic(Family):
    """A `Product` with a family for every column, chosen when it sees the data.

    ``Mixture(family="auto")`` uses it. The components of the mixture are the `Product` that was
    chosen.

    Examples
    --------
    >>> X = np.array([[1, "a"], [0, "b"], [4, "c"]], dtype=object)
    >>> family = Automatic()
    >>> family.prepare(family.observe(X), 2).parts[1]
    Categorical(n_categories=(3,))
    """

    weighted = True
    missing = True
    observes = Columns

    @property
    def name(self) -> str:
        """The name of this family in messages."""
        return "auto"

    def observe(self, X: Any, y: Any = None) -> Columns:
        """Read every column by itself."""
        check_no_sequences(X, "family='auto'")
        return X if isinstance(X, Columns) else read_columns(X, Source.of(X).all_columns)

    def check_remote(self) -> None:
        """Raise, because families are chosen by all values of the columns."""
        raise ValueError(
            "family='auto' looks at all values of each column, which is not possible in a Dask"
            " collection: pass Product.auto of a sample in memory, such as X.head(10_000)."
        )

    def prepare(  # type: ignore[override]
        self, data: Columns, n_components: int, weights: FloatArray | None = None
    ) -> Product:
        """Choose a family for each column, and return their product, prepared."""
        return Product(choose_families(data)).prepare(data, n_components, weights)

    def fit(  # type: ignore[override]
        self,
        data: Columns,
        *,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Product:
        """Choose a family for each column, and return their product, fitted."""
        return self.prepare(data, 1, weights).fit(data, weights=weights, rng=rng)

    def log_prob(self, data: Columns) -> FloatArray:
        """Raise, because no family is chosen yet."""
        raise ValueError("No family is chosen yet: call fit first.")
