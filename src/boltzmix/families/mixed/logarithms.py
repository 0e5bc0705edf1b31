"""A family of rows in which some columns are taken as logarithms."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any, Self, cast

import numpy as np

from ...data import DATA, FloatArray, InputError, Rng, Rows, Table, Weights, derived, shown
from ..contract.bank import fitted_to, statistics_of
from ..contract.base import Family
from ..contract.description import ColumnDescription, Description
from ..contract.search_hints import SearchHints
from ..distributions.robust_gaussian import RobustGaussian
from ..shared.constants import as_finite
from ..shared.validation import place_in_table
from .logarithms_bank import LogarithmsBank


@dataclass(frozen=True, eq=False, repr=False)
class Logarithms(Family):
    """Rows that follow another family once some columns are replaced by their logarithms.

    ``Logarithms(Gaussian())`` is the multivariate log-normal distribution. Densities are those of
    the columns in their own units, so that likelihoods can be compared with those of families
    without logarithms. Values are sampled and filled in their own units, too; a missing value is
    replaced by its median.

    Parameters
    ----------
    family : Family, optional
        A family of rows, which describes the logarithms; `RobustGaussian` if absent.
    columns : tuple of int, optional
        Numbers of the columns that are replaced; all if absent. Their values are above zero.
    names : tuple of str, optional
        Names of the columns. Set by `prepare`.

    Examples
    --------
    >>> from boltzmix.families import Gaussian
    >>> family = Logarithms(Gaussian(prior=0), columns=(0,))
    >>> fitted = family.fit(Table.of(np.array([[1.0, 0.0], [np.e, 3.0], [np.e**2, 0.0]])))
    >>> fitted.family.mean.round(3)
    array([1., 1.])
    """

    observes = Rows

    family: Family = field(default_factory=RobustGaussian)
    columns: tuple[int, ...] | None = None
    names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        family, columns = self.family, self.columns
        is_of_rows = isinstance(family, Family) and issubclass(family.observes, Rows)
        if not is_of_rows or family.joint:
            raise ValueError(
                f"family must be a family of rows such as Gaussian(), not {shown(family)}."
            )
        if columns is None:
            return
        if not all(isinstance(one, Integral) and one >= 0 for one in columns):
            raise ValueError(
                f"columns must be the numbers of columns, from 0 on, not {shown(columns)}."
            )
        object.__setattr__(self, "columns", tuple(map(int, columns)))

    def __repr__(self) -> str:
        columns = "" if self.columns is None else f", columns={self.columns}"
        return f"Logarithms({self.family!r}{columns})"

    @property
    def name(self) -> str:
        """The name of the family that describes the logarithms."""
        return self.family.name

    weighted = derived(lambda self: self.family.weighted)
    missing = derived(lambda self: self.family.missing)
    additive = derived(lambda self: self.family.additive)
    movable = derived(lambda self: self.family.movable)
    min_observations = derived(lambda self: self.family.min_observations)
    n_passes = derived(lambda self: self.family.n_passes)
    outliers = derived(lambda self: self.family.outliers)
    largest_number = derived(lambda self: self.family.largest_number)
    is_degenerate = derived(lambda self: self.family.is_degenerate)
    n_parameters = derived(lambda self: self.family.n_parameters)
    log_prior = derived(lambda self: self.family.log_prior)

    @property
    def parameter_vector(self) -> FloatArray:
        """The parameters of the family of the logarithms, shape (p,)."""
        return self.family.parameter_vector

    def with_parameter_vector(self, values: FloatArray) -> Self:
        return self.of(self.family.with_parameter_vector(values))

    def of(self, family: Family) -> Self:
        """Return this family with another one for the logarithms, or a component of it."""
        return self if family is self.family else replace(self, family=family)

    def transformed(self, data: Rows) -> Table:
        """Return rows with logarithms in place of the numbers of some columns."""
        table = data if isinstance(data, Table) else data.take(slice(0, len(data)))
        values = table.values.copy()
        values[:, self._places] = np.log(values[:, self._places])
        return Table(values, table.feature_names, table.any_missing)

    def log_slopes(self, transformed: Table) -> FloatArray:
        """Return the log of the Jacobian of the logarithms at each row, shape (n,)."""
        return -np.nansum(transformed.values[:, self._places], axis=1, dtype=float)

    def restored(self, values: FloatArray) -> FloatArray:
        """Return rows (n, d) of logarithms in their own units."""
        rows = np.array(values, dtype=float)
        with np.errstate(over="ignore"):
            rows[:, self._places] = as_finite(np.exp(rows[:, self._places]))
        return rows

    @property
    def _places(self) -> slice | list[int]:
        return slice(None) if self.columns is None else list(self.columns)

    def check(self, data: Table, first_row: int | None = None) -> None:
        """Raise a ValueError if a number that is replaced by its logarithm is not above zero."""
        if self.columns and max(self.columns) >= data.n_features:
            raise InputError(
                f"columns has the number {max(self.columns)}, but {DATA} has {data.n_features}"
                " columns:"
                " name columns by the numbers from 0 on."
            )
        below = np.zeros(data.values.shape, dtype=bool)
        below[:, self._places] = data.values[:, self._places] <= 0
        if below.any():
            row, column = map(int, np.argwhere(below)[0])
            place = place_in_table(data, first_row)(row, column, f"{data.values[row, column]:.12g}")
            raise InputError(
                f"{place}, but its logarithm is taken, so it must be above zero: drop these rows,"
                " or use another family."
            )
        self.family.check(self.transformed(data), first_row)

    def check_remote(self) -> None:
        """Raise, because rows are transformed in memory."""
        raise InputError(
            f"{DATA} is a Dask collection, and Logarithms takes rows in memory: pass the logarithms"
            " themselves."
        )

    def prepare(self, data: Rows, n_components: int, weights: Weights = None) -> Self:
        """Return this family, with that of the logarithms prepared."""
        table = data if isinstance(data, Table) else data.take(slice(0, len(data)))
        self.check(table, 0)
        prepared = self.family.prepare(self.transformed(table), n_components, weights)
        return replace(self, family=prepared, names=data.feature_names)

    @property
    def search_hints(self) -> SearchHints:
        """Hints for a search, from those of the family of the logarithms."""
        inner = self.family.search_hints

        def before(data: Rows, weights: Weights) -> Family:
            return self.of(inner.searched(self.family, self.transformed(data), weights))

        def after(found: Family) -> Family:
            return self.of(inner.restored(cast(Logarithms, found).family))

        own = super().search_hints
        return replace(own, regularised=inner.regularised, before=before, after=after)

    def fit(self, data: Table, *, weights: Weights = None, rng: Rng = None) -> Self:
        given: dict[str, FloatArray] = {} if weights is None else {"weights": weights}
        return self.of(self.family.fit(self.transformed(data), rng=rng, **given))

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log density of each row in its own units, shape (n,)."""
        self.check(data)
        table = self.transformed(data)
        return self.family.log_prob(table) + self.log_slopes(table)

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` rows, shape (n, d)."""
        return self.restored(self.family.sample(n, rng))

    def expected(self, data: Table) -> FloatArray:
        """Return rows (n, d) whose missing values are replaced by medians given the others."""
        filled = self.restored(self.family.expected(self.transformed(data)))
        return np.where(np.isnan(data.values), filled, data.values)

    def moved_to(self, observation: Table) -> Self:
        return self.of(self.family.moved_to(self.transformed(observation)))

    def background(self, data: Rows, weights: Weights = None, rng: Rng = None) -> Family:
        """Return the background of the family of the logarithms."""
        return self.of(self.family.background(self.transformed(data), weights, rng))

    def outlier_background(self, data: Rows, weights: Weights = None, rng: Rng = None) -> Family:
        """Return where outliers come from, as the family of the logarithms says."""
        return self.of(self.family.outlier_background(self.transformed(data), weights, rng))

    def summarise(self, data: Table, weights: Weights = None) -> Any:
        """Return the statistics of the logarithms."""
        return statistics_of(self.family, self.transformed(data), weights)

    def from_statistics(self, statistics: Any, rng: Rng = None) -> Self:
        """Return a component fitted to statistics of logarithms."""
        return self.of(fitted_to(self.family, statistics, rng))

    def bank(self, components: Sequence[Family]) -> LogarithmsBank:
        return LogarithmsBank.of(self, cast(Sequence[Logarithms], components))

    def describe(self) -> Description:
        """Describe each column in its own units: one that is replaced by its median.

        Parameters are those of the family of the logarithms, and say of which columns they are.
        """
        inner = self.family.describe()
        d = len(inner.columns)
        logged = np.zeros(d, dtype=bool)
        logged[self._places] = True
        names = self.names or tuple(map(str, range(d)))
        labels = [f"log {name}" if log else name for name, log in zip(names, logged, strict=True)]
        columns = [
            _in_own_units(column) if log else column
            for column, log in zip(inner.columns, logged, strict=True)
        ]
        vectors = [name for name, value in inner.parameters.items() if np.shape(value) == (d,)]
        return Description(inner.parameters, columns=columns, labels=dict.fromkeys(vectors, labels))


def _in_own_units(column: ColumnDescription) -> ColumnDescription:
    """Describe a column, given the description of its logarithms."""
    if column.centre is None or column.spread is None:
        return ColumnDescription(
            parameters={f"{name} of the logarithm": one for name, one in column.parameters.items()}
        )
    median = float(as_finite(np.exp(np.array(min(column.centre, 709.0)))))
    known = {"median": median, "deviation of the logarithm": column.spread}
    return ColumnDescription(centre=median, parameters=known)
