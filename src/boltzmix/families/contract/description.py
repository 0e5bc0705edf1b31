"""The description of a fitted component, for reports, plots and the command.

`Family.describe` returns a `Description`. Nothing outside `families/` looks at the attributes of a
component: surfaces show what its description has.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np

from ...data import FloatArray


@dataclass(frozen=True, eq=False)
class ColumnDescription:
    """The description of a component in one column of a table. Give what applies.

    Parameters
    ----------
    centre : float, optional
        Mean or location of the column.
    spread : float, optional
        Standard deviation, or scale, of the column.
    probabilities : array, shape (C,), optional
        Probabilities of the codes 0, 1, …, C - 1, for a column of categories.
    parameters : mapping of str to float
        Named parameters of the column, such as ``{"shape": 2.0, "rate": 0.5}``.
    whole_numbers : bool
        Whether the column only takes whole numbers, so that its density is drawn at these.
    atoms : mapping of float to float
        Numbers that have a probability of their own beside a density, and that probability.
    """

    centre: float | None = None
    spread: float | None = None
    probabilities: FloatArray | None = None
    parameters: Mapping[str, float] = field(default_factory=dict)
    whole_numbers: bool = False
    atoms: Mapping[float, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Ellipse:
    """A component drawn as an ellipse: centre (d,) and covariance (d, d)."""

    centre: FloatArray
    covariance: FloatArray


@dataclass(frozen=True, eq=False)
class Chain:
    """A component drawn as a chain of states.

    Parameters
    ----------
    initial : array, shape (S,)
        Probabilities of the first state.
    transitions : array, shape (S, S)
        Probabilities from row to column.
    states : sequence of S descriptions, or empty
        What each hidden state emits; empty where the states are the observed symbols.
    occupancy : function
        Takes `Sequences` and returns the fraction of steps that these spend in each state, (S,).
    symbolic : bool
        Whether the steps of a sequence are codes of symbols rather than numbers.
    """

    initial: FloatArray
    transitions: FloatArray
    states: Sequence["Description"]
    occupancy: Callable[[Any], FloatArray]
    symbolic: bool


@dataclass(frozen=True, eq=False)
class Curve:
    """A component drawn as a curve with a band.

    Parameters
    ----------
    predict : function
        Takes inputs (g, p) and returns means (g, m) and standard deviations (g, m): those of an
        observed target, noise included, so that bands mean the same in all families.
    formula : function
        Takes the names of the inputs and returns the curve in words or as an equation.
    """

    predict: Callable[[FloatArray], tuple[FloatArray, FloatArray]]
    formula: Callable[[Sequence[str]], str]


@dataclass(frozen=True, eq=False)
class Part:
    """One part of a component that describes groups of columns by different families.

    Parameters
    ----------
    columns : tuple of str
        Names of the columns that the part describes.
    family : str
        Name of the part's family.
    description : Description
    """

    columns: tuple[str, ...]
    family: str
    description: "Description"


@dataclass(frozen=True)
class ColumnChoice:
    """The family of a column, and why it was chosen.

    Parameters
    ----------
    column : str
    family : str or None
        Name of the family; None, if the column is left out.
    reason : str
    """

    column: str
    family: str | None
    reason: str


@dataclass(frozen=True, eq=False)
class Description:
    """The description of a fitted component.

    Parameters
    ----------
    parameters : mapping of str to number or array
        Named parameters of the component, in the order in which they are read.
    columns : sequence of ColumnDescription, or empty
        What each column is like, where columns can be described one by one.
    picture : Ellipse, Chain, Curve or None
        How the component is drawn.
    parts : sequence of Part, or empty
        Descriptions by groups of columns, for components that have such.
    categories : mapping of column names to sequences
        What the codes of a column stand for, where the component knows.
    labels : mapping of parameter names to sequences of str
        Names of the entries of a parameter that is an array, in the order of its ``ravel()``, where
        entries have names.
    choices : sequence of ColumnChoice, or empty
        The family of each column of the table, where columns have families of their own.
    """

    parameters: Mapping[str, Any]
    columns: Sequence[ColumnDescription] = ()
    picture: Ellipse | Chain | Curve | None = None
    parts: Sequence[Part] = ()
    categories: Mapping[str, Sequence[object]] = field(default_factory=dict)
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    choices: Sequence[ColumnChoice] = ()


def description_of_attributes(attributes: Mapping[str, object]) -> Description:
    """Describe a component by those of its public attributes that are numbers or arrays of them.

    Columns are described where all arrays have one number for each of them, or where there are
    only numbers, which are then those of a single column.

    Examples
    --------
    >>> found = description_of_attributes({"rate": 0.5, "scale": np.array([1.0, 2.0]), "_n": 3})
    >>> [dict(column.parameters) for column in found.columns]
    [{'rate': 0.5, 'scale': 1.0}, {'rate': 0.5, 'scale': 2.0}]
    """
    parameters = {
        name: value
        for name, value in attributes.items()
        if not name.startswith("_") and _is_numeric(value)
    }
    return Description(parameters, columns=columns_of(parameters))


def columns_of(parameters: Mapping[str, object]) -> list[ColumnDescription]:
    """Describe columns by parameters that are one number, or one number for each column."""
    arrays = [np.asarray(value) for value in parameters.values()]
    lengths = {array.size for array in arrays if array.ndim == 1}
    if not arrays or len(lengths) > 1 or any(array.ndim > 1 for array in arrays):
        return []
    n_columns = lengths.pop() if lengths else 1
    by_column = np.transpose([np.broadcast_to(array, n_columns) for array in arrays]).tolist()
    return [
        ColumnDescription(parameters=dict(zip(parameters, numbers, strict=True)))
        for numbers in by_column
    ]


def columns_around(centres: FloatArray, covariance: FloatArray) -> list[ColumnDescription]:
    """Describe columns by their centres (d,) and the diagonal of a covariance (d, d)."""
    spreads = np.sqrt(np.diagonal(covariance))
    return [
        ColumnDescription(centre=float(centre), spread=float(spread))
        for centre, spread in zip(centres, spreads, strict=True)
    ]


def _is_numeric(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "iuf"
    return isinstance(value, Real) and not isinstance(value, bool)


def text_of(
    name: str,
    settings: Iterable[str],
    parameters: Mapping[str, object],
    *,
    precision: int = 4,
    threshold: int = 12,
    edgeitems: int | None = None,
    suppress: bool | None = None,
) -> str:
    """Return a family as text: its name, its settings, and those parameters that are known.

    Parameters
    ----------
    name : str
    settings : iterable of str
    parameters : mapping of str to number, array or None
    precision, threshold, edgeitems, suppress
        Options of `numpy.printoptions`, by which arrays are written.

    Examples
    --------
    >>> text_of("Gaussian", ["'diag'"], {"mean": np.array([1.0, 2.0]), "variance": None})
    "Gaussian('diag', mean=[1. 2.])"
    """
    with np.printoptions(precision, threshold, edgeitems, suppress=suppress):
        shown = [f"{key}={value}" for key, value in parameters.items() if value is not None]
    return f"{name}({', '.join([*settings, *shown])})".replace("\n", "")
