"""A product of families that are chosen by the values of the columns."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from ...data import Columns, FloatArray, Rng, Weights, check_no_sequences
from ..contract.base import Family
from .parts import Key, check_parts
from .product import Product


@dataclass(frozen=True, eq=False)
class ChosenColumns(Columns):
    """Columns, and the product of families that was chosen for them."""

    product: Product | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Automatic(Family):
    """A `Product` with families for all columns, chosen when it sees the data.

    ``Mixture(family="auto")`` uses it. The components of the mixture are the `Product` that was
    chosen. Columns of numbers are modelled together, as they are often correlated.

    Parameters
    ----------
    parts : mapping of column to Family, optional
        Families of some columns, which are not chosen. A key may be a tuple of several columns,
        which are modelled together.
    independent : bool, default=False
        Whether all columns are independent within a component, but for those in `parts`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1, "a"], [0, "b"], [4, "c"]], dtype=object)
    >>> family = Automatic()
    >>> family.prepare(family.observe(X), 2).parts[1]
    Categorical(n_categories=(3,))
    """

    weighted = True
    missing = True
    observes = Columns

    parts: Mapping[Key, Family] = field(default_factory=dict)
    independent: bool = False

    def __post_init__(self) -> None:
        if self.parts:
            check_parts(self.parts)
        object.__setattr__(self, "parts", dict(self.parts))

    def __repr__(self) -> str:
        shown = [str(self.parts)] if self.parts else []
        return f"Automatic({', '.join([*shown, *['independent=True'] * self.independent])})"

    @property
    def name(self) -> str:
        return "auto"

    def observe(self, X: object, y: object = None) -> Columns:
        """Choose a family for each column, and read the columns for them."""
        check_no_sequences(X, "family='auto'")
        if isinstance(X, ChosenColumns):
            return X
        product = Product.auto(X, self.parts, self.independent)
        read = product.observe(X)
        values = {one.name: getattr(read, one.name) for one in fields(read)}
        return ChosenColumns(**values, product=product)

    def check_remote(self) -> None:
        """Raise, because families are chosen by all values of the columns."""
        raise ValueError(
            "family='auto' looks at all values of each column, which is not possible in a Dask"
            " collection: pass Product.auto of a sample in memory, such as X.head(10_000)."
        )

    def prepare(  # type: ignore[override]
        self, data: ChosenColumns, n_components: int, weights: Weights = None
    ) -> Product:
        """Return the product of the families that were chosen, prepared."""
        assert data.product is not None
        return data.product.prepare(data, n_components, weights)

    def fit(  # type: ignore[override]
        self, data: ChosenColumns, *, weights: Weights = None, rng: Rng = None
    ) -> Product:
        """Return the product of the families that were chosen, fitted."""
        return self.prepare(data, 1, weights).fit(data, weights=weights, rng=rng)

    def log_prob(self, data: Columns) -> FloatArray:
        """Raise, because no family is chosen yet."""
        raise ValueError("No family is chosen yet: call fit first.")
