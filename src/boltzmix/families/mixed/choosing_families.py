"""Which family suits each column of a table, by its values, and why."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ...data import DATA, Columns, ColumnSource, FloatArray, InputError, evenly_spaced
from ..contract.base import Family
from ..distributions.bernoulli import Bernoulli
from ..distributions.categorical import Categorical
from ..distributions.robust_gaussian import RobustGaussian
from .families_of_numbers import Chosen, choose_for_numbers
from .logarithms import Logarithms
from .parts import Key, group_of

MOST_NAMED = 2


class NumericBlock(NamedTuple):
    """Columns of numbers that may be correlated within a component.

    Parameters
    ----------
    key : tuple of columns
        Empty, unless there are several.
    family : Family
        Of all of them.
    reasons : mapping of column to str
        Why each column is in it.
    """

    key: tuple[str | int, ...]
    family: Family
    reasons: Mapping[str | int, str]

    @classmethod
    def of(cls, columns: Mapping[str | int, Chosen]) -> "NumericBlock":
        """Return the block of columns, given the choice for each; it is empty for a single one.

        Skewed positive columns are taken as logarithms.

        Examples
        --------
        >>> chosen = Chosen(None, "numbers with a skewness of 0.1")
        >>> NumericBlock.of({"x": chosen, "y": chosen._replace(takes_logarithm=True)}).family
        Logarithms(RobustGaussian(), columns=(1,))
        """
        if len(columns) < 2:
            return cls((), RobustGaussian(), {})
        names = tuple(columns)
        logged = [place for place, one in enumerate(columns.values()) if one.takes_logarithm]
        family = Logarithms(RobustGaussian(), tuple(logged)) if logged else RobustGaussian()
        reasons = {
            name: f"{one.reason}{': logarithm' if one.takes_logarithm else ''},"
            f" together with {_others(name, names)}"
            for name, one in columns.items()
        }
        return cls(names, family, reasons)


def _others(name: str | int, names: tuple[str | int, ...]) -> str:
    """Name the other columns, or count them if there are many."""
    others = [one for one in names if one != name]
    if len(others) > MOST_NAMED:
        return f"{len(others)} others"
    return " and ".join(map(repr, others))


MOST_DISTINCT = 0.5  # categories per row, above which a column holds identifiers
FEW_CATEGORIES = 20  # up to which they are never taken for identifiers
GIVEN = "chosen by you"


class ChosenFamilies(NamedTuple):
    """The families that were chosen for the columns of a table.

    Parameters
    ----------
    parts : mapping of column to Family
        Those of the columns that are used.
    as_categories : tuple of columns
        Columns of numbers whose distinct values are categories.
    reasons : mapping of column to str
        Why each column has its family, or has none and is left out.
    """

    parts: dict[Key, Family]
    as_categories: tuple[str | int, ...]
    reasons: dict[str | int, str]


def choose_families(
    X: object, given: Mapping[Key, Family], independent: bool = False
) -> ChosenFamilies:
    """Choose families for the columns of a frame or array, but for those in `given`.

    Columns of numbers are modelled together, unless they are to be `independent`.
    """
    source = ColumnSource.of(X)
    columns = _keys_of_columns(source, given)
    read = {name: _read_column(source, name) for name, key in columns if key is None}
    chosen = {name: own for name, (own, _) in read.items()}
    values = {name: own for name, (one, own) in read.items() if one.family is not None}
    together = [name for name in values if chosen[name].is_number and not independent]
    left_out = find_linear({name: values.pop(name) for name in together}) if together else {}
    left_out |= find_copies(values)
    chosen |= {name: Chosen(None, reason) for name, reason in left_out.items()}
    together = [name for name in together if name not in left_out]
    block = NumericBlock.of({name: chosen[name] for name in together})
    parts: dict[Key, Family] = {}
    for name, key in columns:
        if key is not None:
            parts[key] = given[key]
        elif name in block.reasons:
            parts[block.key] = block.family
        elif (own := chosen[name].family) is not None:
            parts[name] = own
    if not parts:
        why = "; ".join(f"{name!r}: {one.reason}" for name, one in chosen.items())
        raise InputError(
            f"{DATA} has no column that can be clustered ({why}): add columns, or choose a family"
            " yourself, as in Product."
        )
    reasons = {name: GIVEN if key is not None else chosen[name].reason for name, key in columns}
    as_categories = tuple(name for name, one in chosen.items() if one.as_categories)
    return ChosenFamilies(parts, as_categories, reasons | dict(block.reasons))


def are_measurements(X: object) -> bool:
    """Return whether all columns of a frame or array hold numbers that can be modelled together.

    Columns of numbers that are left out do not count. Text, categories, codes of few values, small
    counts and amounts that are often zero are no measurements.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> height, code = rng.normal(170, 8, 100), rng.integers(2, size=100)
    >>> are_measurements(height[:, None]), are_measurements(np.column_stack([height, code]))
    (True, False)
    """
    source = ColumnSource.of(X)
    for name in source.all_columns:
        if source.holds_dates(name) or source.column(name)[0].dtype.kind not in "iuf":
            return False
        chosen, _ = _read_column(source, name)
        if chosen.family is not None and not chosen.is_number:
            return False
    return True


def choose_family(values: FloatArray, categories: tuple[object, ...] | None = None) -> Chosen:
    """Return the family that suits a column, and the reason.

    Text, categories and truth values are `Categorical`, or `Bernoulli` if there are two of them.
    `boltzmix.families.mixed.families_of_numbers.choose_for_numbers` has the rules of numbers. A
    column without a family is left out: one without values, one with the same value everywhere, or
    identifiers.

    Parameters
    ----------
    values : array, shape (n,)
        Numbers or codes; NaN where missing.
    categories : tuple, optional
        The categories of the codes, if the column is not numeric.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> choose_family(rng.poisson(3.0, 1000).astype(float))[:2]
    (Poisson(), 'counts, variance 0.95 times the mean')
    >>> choose_family(rng.normal(size=1000)).family
    Gaussian('diag')
    """
    present = values[~np.isnan(values)]
    if not len(present):
        return Chosen(None, "left out: it has no values")
    if (present == present[0]).all():
        return Chosen(None, "left out: it has the same value in all rows")
    if categories is None:
        with np.errstate(over="ignore", invalid="ignore"):  # numbers that are too large raise later
            return choose_for_numbers(present)
    if len(categories) > max(MOST_DISTINCT * len(present), FEW_CATEGORIES):
        return Chosen(
            None,
            f"left out: {len(categories):,} different categories in {len(present):,} rows, as"
            " identifiers have",
        )
    if len(categories) == 2:
        return Chosen(Bernoulli(), "two categories")
    return Chosen(Categorical(), f"{len(categories)} categories")


def _read_column(source: ColumnSource, name: str | int) -> tuple[Chosen, FloatArray]:
    """Choose the family of a column by its values, and return these; dates have none."""
    if source.holds_dates(name):
        return Chosen(None, "left out: it holds dates or times"), np.empty(0)
    column = Columns.of(source, [(name,)], [True], [True])
    values = column.tables[0].values[:, 0].astype(float)
    return choose_family(values, column.categories.get(name)), values


def _keys_of_columns(
    source: ColumnSource, given: Mapping[Key, Family]
) -> list[tuple[str | int, Key | None]]:
    """Return each column of a table, with the key that names it in `given`, if any."""
    keys = {source.index_of(name): key for key in given for name in group_of(key)}
    return [(name, keys.get(place)) for place, name in enumerate(source.all_columns)]


ROWS = 10_000  # that are looked at, at most
COPIED = 1e-4  # of a variance is left, at most, once a copy is known: the least that matters
ADDED_UP = 1e-8  # of a variance is left, at most, once its summands are known
FEWEST_ROWS = 10  # say that a column is a copy
ROWS_PER_COLUMN = 2  # fewer rows say nothing about sums of columns

Values = Mapping[str | int, FloatArray]


def find_copies(columns: Values) -> dict[str | int, str]:
    """Return why columns of categories and counts are left out, which are copies of others.

    The values of a copy determine those of the other column, and the other way round. Columns of
    which most values are different are not looked at.

    Examples
    --------
    >>> find_copies({"a": np.array([0, 1, 0, 1, 2, 2]), "b": np.array([2, 0, 2, 0, 1, 1])})
    {'b': "left out: it says the same as 'a'"}
    """
    seen: dict[bytes, str | int] = {}
    found = {}
    for name, values in columns.items():
        _, first, codes = np.unique(values, return_index=True, return_inverse=True)
        if 2 * len(first) > len(values):
            continue
        in_order = np.argsort(np.argsort(first))[codes]
        other = seen.setdefault(in_order.astype(np.int32).tobytes(), name)
        if other != name:
            found[name] = f"left out: it says the same as {other!r}"
    return found


def find_linear(columns: Values) -> dict[str | int, str]:
    """Return why columns of numbers are left out, which are linear functions of those before.

    A copy in other units is one, in which rounding is allowed for: less than a ten-thousandth of
    its variance is left once the other column is known. An exact sum of other columns is one, too.

    Examples
    --------
    >>> x, y = np.random.default_rng(0).normal(size=(2, 50))
    >>> find_linear({"x": x, "inches": 0.39 * x, "y": y, "sum": x + y})
    {'inches': "left out: it is a copy of 'x'", 'sum': 'left out: other columns add up to it'}
    """
    names = list(columns)
    rows = np.column_stack([columns[name] for name in names])
    rows = rows[~np.isnan(rows).any(axis=1)]
    rows = rows[evenly_spaced(len(rows), ROWS)]
    if not len(rows):
        return {}
    with np.errstate(over="ignore", invalid="ignore"):  # numbers that are too large raise later
        rows = rows / np.abs(rows).max(axis=0, initial=np.finfo(float).tiny)
        centred = rows - rows.mean(axis=0)
    sizes = np.linalg.norm(centred, axis=0)
    units = centred / np.where(sizes > 0, sizes, 1.0)
    found, kept = dict[str | int, str](), list[int]()
    basis = np.empty((len(rows), 0))
    for place, name in enumerate(names):
        likeness = np.abs(units[:, place] @ units[:, kept])
        if len(rows) > FEWEST_ROWS and (1 - likeness**2 < COPIED).any():
            found[name] = f"left out: it is a copy of {names[kept[int(likeness.argmax())]]!r}"
            continue
        left = units[:, place] - basis @ (basis.T @ units[:, place])
        left -= basis @ (basis.T @ left)
        size = float(np.linalg.norm(left))
        if kept and size**2 < ADDED_UP and len(rows) > ROWS_PER_COLUMN * (len(kept) + 1):
            found[name] = "left out: other columns add up to it"
            continue
        kept.append(place)
        if size > 0:
            basis = np.column_stack([basis, left / size])
    return found
