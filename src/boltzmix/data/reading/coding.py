"""Categories as numbers: text and booleans become codes, and codes become categories again."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np

from ..data_set import AnyArray, BoolArray, FloatArray
from ..errors import DATA, InputError
from ..nouns import shown
from .source import ColumnSource, Name, are_booleans

Categories = Mapping[Name, tuple[object, ...]]

MOST_SHOWN = 10  # categories in a message


@dataclass(frozen=True, eq=False)
class ColumnReader:
    """Read columns as numbers, with codes in place of text.

    Parameters
    ----------
    source : ColumnSource
    known : mapping of column to tuple, optional
        The categories of a fitted mixture. Without them, each column gets those found in it.
    as_categories : set of columns
        Columns of numbers whose distinct values are categories.
    found : dict of column to tuple
        The categories found so far.
    """

    source: ColumnSource
    known: Categories | None
    as_categories: Collection[Name] = ()
    found: dict[Name, tuple[object, ...]] = field(default_factory=dict)

    @property
    def categories(self) -> Categories:
        """The values that the codes 0, 1, 2, … stand for, in columns that are not numbers."""
        return self.found if self.known is None else self.known

    def numbers(self, name: Name, coded: bool) -> FloatArray:
        """Return a column as numbers, shape (n,), with NaN for missing values.

        Parameters
        ----------
        name : str or int
        coded : bool
            Whether text is allowed, and becomes codes.
        """
        values, missing = self.source.column(name)
        categories = None if self.known is None else self.known.get(name)
        is_numeric = values.dtype.kind in "iuf"
        if categories is None and is_numeric and name not in self.as_categories:
            return values.astype(float)
        present = values[~missing]
        booleans = are_booleans(present)
        if not booleans and not coded:
            raise InputError(
                f"Column {shown(name)} of {DATA} holds {shown(present[0])}, which is no number:"
                " give"
                " the column a family of categories, such as Categorical."
            )
        if categories is None and not booleans and self.known is not None:
            raise InputError(
                f"Column {shown(name)} of {DATA} held numbers when the mixture was fitted, and now"
                " holds"
                f" {shown(present[0])}: pass numbers."
            )
        if categories is None:
            plain = map(_as_whole, present.tolist()) if is_numeric else present.tolist()
            categories = (False, True) if booleans else in_order(set(plain))
            if coded:
                self.found[name] = categories
        return _codes(values, missing, categories, name)


def decoded(codes: FloatArray, categories: tuple[object, ...] | None) -> Any:
    """Return the categories that codes (n,) stand for, or the codes if there are no categories."""
    if categories is None:
        return codes
    if are_numbers([categories]):
        numbers = np.array([*categories, np.nan], dtype=float)
        return numbers[np.where(np.isnan(codes), len(categories), codes).astype(int)]
    values = np.empty(len(categories) + 1, dtype=object)
    values[:-1] = categories
    return values[np.where(np.isnan(codes), len(categories), codes).astype(int)]


def are_numbers(categories: Iterable[tuple[object, ...]]) -> bool:
    """Return whether all categories of some columns are numbers, and none is a truth value."""
    every = [one for own in categories for one in own]
    return all(isinstance(one, Real) and not isinstance(one, bool) for one in every)


def _as_whole(number: float) -> float:
    """Return a whole number without decimals, so that it is written without them."""
    return int(number) if float(number).is_integer() else number


def _codes(
    values: AnyArray, missing: BoolArray, categories: tuple[object, ...], name: Name
) -> FloatArray:
    """Return the index of each value among the categories; raise if a value is not among them."""
    index = {category: code for code, category in enumerate(categories)}
    codes = np.array([index.get(value, -1) for value in values.tolist()], dtype=float)
    codes[missing] = np.nan
    unknown = np.flatnonzero(codes < 0)
    if len(unknown):
        known = ", ".join(map(shown, categories[:MOST_SHOWN]))
        raise InputError(
            f"Column {shown(name)} of {DATA} holds {shown(values.tolist()[unknown[0]])} in row"
            f" {unknown[0]}, which was not there when the mixture was fitted (its categories are"
            f" {known}{' …' if len(categories) > MOST_SHOWN else ''}): leave these rows out, or"
            " make the value a missing one."
        )
    return codes


def in_order(distinct: set[Any]) -> tuple[object, ...]:
    """Return the distinct values in order; by their text, if they cannot be compared."""
    try:
        return tuple(sorted(distinct))
    except TypeError:
        return tuple(sorted(distinct, key=str))
