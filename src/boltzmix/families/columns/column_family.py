"""Independent columns, each with a distribution of one number."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import ClassVar, Self, cast

import numpy as np

from ...data import (
    DATA,
    AnyArray,
    BoolArray,
    FloatArray,
    InputError,
    Rng,
    Rows,
    Table,
    Weights,
    shown,
)
from ..contract.base import Family
from ..contract.description import Description, columns_of, text_of
from ..shared.constants import as_finite
from ..shared.copies import altered, replaced
from ..shared.validation import as_numbers, fitted, place_in_table, read_floor
from .backgrounds import Box

REQUIREMENTS = {
    "finite": lambda numbers: np.isfinite(numbers),
    "finite and above zero": lambda numbers: np.isfinite(numbers) & (numbers > 0),
    "finite and not negative": lambda numbers: np.isfinite(numbers) & (numbers >= 0),
    "between 0 and 1": lambda numbers: (numbers > 0) & (numbers < 1),
}


def one_per_column(
    family: str, given: Mapping[str, object], requirements: Mapping[str, str]
) -> dict[str, FloatArray]:
    """Return parameters as arrays with one number per column, shape (d,) each; none if absent.

    Parameters
    ----------
    family : str
        The name of the family in messages.
    given : mapping of str to number or array
        The parameters, all of which are None before a fit.
    requirements : mapping of str to str
        What each parameter must be: a key of `REQUIREMENTS`.

    Examples
    --------
    >>> one_per_column("Poisson", {"rate": [2, 3]}, {"rate": "finite and above zero"})
    {'rate': array([2., 3.])}
    """
    absent = [name for name, value in given.items() if value is None]
    if absent and len(absent) < len(given):
        raise ValueError(
            f"{family} has the parameters {' and '.join(given)}: {absent[0]} is absent."
        )
    if absent:
        return {}
    arrays = [_as_parameter(name, value, requirements[name]) for name, value in given.items()]
    lengths = {len(array) for array in arrays}
    if len(lengths - {1}) > 1:
        raise ValueError(
            f"The parameters of {family} must have one number per column each, but there"
            f" are {' and '.join(str(len(array)) for array in arrays)}."
        )
    return {
        name: np.broadcast_to(array, max(lengths))
        for name, array in zip(given, arrays, strict=True)
    }


def _as_parameter(name: str, value: object, requirement: str) -> FloatArray:
    """Return a parameter as one number per column, or raise if it does not meet a requirement."""
    numbers = np.atleast_1d(as_numbers(value))
    if numbers.ndim != 1 or not numbers.size or not REQUIREMENTS[requirement](numbers).all():
        raise ValueError(
            f"{name} must be {requirement}, one number for each column, not {shown(value)}."
        )
    return numbers


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ColumnFamily(Family):
    """A family of rows whose columns are independent, each with a distribution of one number.

    Missing values are left out cell by cell: the density of a row is that of its observed values,
    and a column is fitted to its observed values. A component without an observed value in a
    column gets the parameters that the column has in all the data.

    Write, with arrays of shape (n, d) for cells and (d,) for parameters:

    - ``parameters``: the names of the parameters, and what each must be (see `column_parameters`);
    - ``outside(values)``: which cells are invalid, if there are such, and ``takes``: a description
      of the valid ones for messages;
    - ``log_prob_of_cells(values)``: the log density of each cell;
    - ``estimate(values, weights)``: the parameters fitted to weighted cells;
    - ``draw(shape, rng)``: random cells;
    - ``means``, if there are such: the means of the columns;
    - ``at(values)``, if movable: the parameters of this component moved to values (d,);
    - ``whole_numbers = True``, if values are whole numbers.

    Derive from `ExponentialColumns` instead where weighted sums of a few functions of each value
    are all that a fit needs.

    Parameters
    ----------
    floor : float, default=0.01
        The smallest width of a component, as a fraction of the width of the distribution fitted
        to all the data, so that no component collapses onto a few values. In a mixture of K
        components, it is divided by K^(1/d).

    Attributes
    ----------
    whole : ColumnFamily
        The distribution fitted to all the data. Set by `prepare`.
    """

    weighted = True
    missing = True
    parameters: ClassVar[Mapping[str, str]]
    smooth: ClassVar[bool] = True  # whether the log density has derivatives by all parameters
    takes: ClassVar[str] = "numbers"
    whole_numbers: ClassVar[bool] = False
    of_columns: ClassVar[tuple[str, ...]] = ()  # what `prepare` finds of each column, beside limits

    floor: float = 0.01
    whole: Self | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        read_floor(self)
        given = {name: getattr(self, name) for name in self.parameters}
        for name, array in one_per_column(self.name, given, self.parameters).items():
            object.__setattr__(self, name, array)

    def __repr__(self) -> str:
        known = {name: getattr(self, name) for name in self.parameters} if self.is_fitted else {}
        return text_of(self.name, [], known)

    def outside(self, values: FloatArray) -> BoolArray:
        """Return which cells hold invalid values; missing ones are valid."""
        return np.zeros(values.shape, dtype=bool)

    @abstractmethod
    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> AnyArray:
        """Draw cells."""

    def log_prob_of_cells(self, values: FloatArray) -> FloatArray:
        """Return the log density of each cell, shape (n, d); any number where one is missing."""
        raise NotImplementedError

    def estimate(self, values: FloatArray, weights: FloatArray) -> tuple[FloatArray, ...]:
        """Return the parameters fitted to cells with weights, both of shape (n, d).

        Every column has some weight. Missing cells have a weight of zero, and some valid value.
        """
        raise NotImplementedError

    def at(self, values: FloatArray) -> tuple[FloatArray, ...]:
        """Return the parameters of this component moved to a row (d,)."""
        raise NotImplementedError

    @property
    def means(self) -> FloatArray:
        """Means of the columns, shape (d,)."""
        raise NotImplementedError(
            f"{self.name} cannot fill missing values: it has no mean that could be averaged."
        )

    def expected(self, data: Table) -> FloatArray:
        """Return rows (n, d) whose missing values are replaced by the means of their columns."""
        with np.errstate(over="ignore"):
            return np.where(np.isnan(data.values), as_finite(self.means), data.values)

    @property
    def is_fitted(self) -> bool:
        """Whether this component has parameters."""
        return all(getattr(self, name) is not None for name in self.parameters)

    @property
    def fitted_parameters(self) -> tuple[FloatArray, ...]:
        """The parameters, in order, shape (d,) each."""
        return fitted(self, *self.parameters)

    @property
    def n_parameters(self) -> int:
        return sum(map(len, self.fitted_parameters))

    def describe(self) -> Description:
        """Return the parameters by name, and the mean of each column where it has one."""
        parameters = dict(zip(self.parameters, self.fitted_parameters, strict=True))
        try:
            with np.errstate(over="ignore"):
                centres = as_finite(self.means).tolist()
        except NotImplementedError:
            centres = [None] * len(self.fitted_parameters[0])
        columns = [
            replace(column, centre=centre, whole_numbers=self.whole_numbers)
            for column, centre in zip(columns_of(parameters), centres, strict=True)
        ]
        return Description(parameters, columns=columns)

    @property
    def parameter_vector(self) -> FloatArray:
        """All parameters, one after the other, shape (p,)."""
        if not self.smooth:
            return super().parameter_vector
        return np.concatenate(self.fitted_parameters)

    def with_parameter_vector(self, values: FloatArray) -> Self:
        return self.with_parameters(np.split(values, len(self.parameters)))

    def check(self, data: Table, first_row: int | None = None) -> None:
        bad = self.outside(data.values)
        if bad.any():
            row, column = map(int, np.argwhere(bad)[0])
            value = f"{data.values[row, column]:.12g}"
            raise InputError(
                f"{place_in_table(data, first_row)(row, column, value)}, but {self.name} takes"
                f" {self.takes}: drop these rows, or use another family."
            )

    def prepare(self, data: Rows, n_components: int, weights: Weights = None) -> Self:
        """Check the data, and fit the distribution to all of them, to take limits from it."""

        def look(block: Table, place: slice) -> BoolArray:
            """Check a block; return which of its columns have a value."""
            self.check(block, place.start)
            weighty = slice(None) if weights is None else weights[place] > 0
            return np.asarray(~np.isnan(block.values[weighty]).all(axis=0))

        seen = data.fold(look, np.logical_or)
        if self.whole is not None:
            return self
        if not seen.all():
            raise InputError(
                f"Column {data.column_name(int(np.argmin(seen)))} of {DATA} has no value in any"
                " row, so"
                " nothing can be learned of it: drop it."
            )
        floor = self.floor / n_components ** (1 / data.n_features)
        return replaced(self.with_limits_from(data, weights), floor=floor)

    def with_limits_from(self, data: Rows, weights: Weights) -> Self:
        """Return this family with limits taken from all the data."""
        all_rows = data.take(slice(0, len(data)))
        return replaced(self, whole=self.with_parameters(self._estimate(all_rows, weights)))

    def fit(self, data: Table, *, weights: Weights = None, rng: Rng = None) -> Self:
        prepared = self.prepare(data, 1, weights)
        return prepared.with_parameters(prepared._estimate(data, weights))

    def with_parameters(self, parameters: Sequence[FloatArray]) -> Self:
        """Return this family with other parameters."""
        changes: dict[str, object] = dict(zip(self.parameters, parameters, strict=True))
        return replaced(self, **changes)

    def log_prob(self, data: Table) -> FloatArray:
        fitted(self, *self.parameters)
        self.check(data)
        values = data.values.astype(float)
        return self.log_prob_of_cells(values).sum(axis=1, where=~np.isnan(values))

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` rows, shape (n, d)."""
        n_columns = len(self.fitted_parameters[0])
        with np.errstate(over="ignore"):
            return as_finite(np.asarray(self.draw((n, n_columns), rng), dtype=float))

    @property
    def movable(self) -> bool:
        """Whether this family has an `at`."""
        return type(self).at is not ColumnFamily.at

    def moved_to(self, observation: Table) -> Self:
        """Return this component moved to an observation, except in its missing columns."""
        if not self.movable:
            return super().moved_to(observation)
        values, own = observation.values[0].astype(float), self.fitted_parameters
        there = ~np.isnan(values)
        moved = zip(self.at(np.where(there, values, 1.0)), own, strict=True)
        return self.with_parameters([np.where(there, *pair) for pair in moved])

    def background(self, data: Rows, weights: Weights = None, rng: Rng = None) -> Family:
        """Return a uniform distribution over the box that holds all rows."""
        return Box.around(data, spacing=float(self.whole_numbers))

    def _estimate(self, data: Table, weights: Weights) -> list[FloatArray]:
        """Return the parameters fitted to the observed values of some rows."""
        values = data.values.astype(float)
        there = ~np.isnan(values)
        cell_weights = there * (1.0 if weights is None else weights[:, None])
        seen = cell_weights.sum(axis=0) > 0
        if seen.all():
            filler = np.fmax.reduce(values, axis=0)
            return list(self.estimate(np.where(there, values, filler), cell_weights))
        assert self.whole is not None
        parameters = [own.copy() for own in self.whole.fitted_parameters]
        if seen.any():
            part = replaced(self.columns(seen), whole=self.whole.columns(seen))
            found = part._estimate(Table(values[:, seen]), weights)
            for own, new in zip(parameters, found, strict=True):
                own[seen] = new
        return parameters

    def joins(self, other: Family) -> bool:
        """Return whether the columns of another component can be described beside these."""
        if not isinstance(other, ColumnFamily) or type(other) is not type(self):
            return False
        own = {*self.parameters, *self.of_columns, "whole", "data_moments"}
        settings = [one.name for one in fields(self) if one.name not in own]
        return (
            all(getattr(self, name) == getattr(other, name) for name in settings)
            and self.is_fitted == other.is_fitted
            and self.whole is not None
            and other.whole is not None
        )

    def joined(self, others: Sequence[Self]) -> Self:
        """Return one component for the columns of this one and of others."""
        every = (self, *others)
        changes: dict[str, object] = {}
        if self.is_fitted:
            found = zip(*(one.fitted_parameters for one in every), strict=True)
            changes |= dict(zip(self.parameters, map(np.concatenate, found), strict=True))
        if self.whole is not None:
            for name in self.of_columns:
                changes[name] = np.concatenate([getattr(one, name) for one in every])
            wholes = [cast(Self, one.whole) for one in every]
            changes["whole"] = wholes[0].joined(wholes[1:])
        return altered(self, **changes)

    def taken_from(self, joined: Self, columns: slice) -> Self:
        """Return this component with the parameters that a joined one has in some columns."""
        if not joined.is_fitted:
            return self
        found = (own[columns] for own in joined.fitted_parameters)
        return altered(self, **dict(zip(self.parameters, found, strict=True)))

    def parted(self, n_parts: int) -> list[dict[str, object]]:
        """Return the parameters of each of the components that were joined, by name."""
        own = [one.reshape(n_parts, -1) for one in self.fitted_parameters]
        return [dict(zip(self.parameters, part, strict=True)) for part in zip(*own, strict=True)]

    def columns(self, chosen: BoolArray) -> Self:
        """Return this component's parameters of some of the columns only."""
        if not self.is_fitted:
            return self
        return self.with_parameters([own[chosen] for own in self.fitted_parameters])
