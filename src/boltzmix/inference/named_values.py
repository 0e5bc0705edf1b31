"""All parameters of a mixture as numbers with names.

Names are those that components describe themselves by. The entries of an array are named by the
columns, categories or states that they belong to, such as ``mean[height]``, ``covariance[height,
weight]`` or ``probabilities[colour=red]``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..data import FloatArray, IntArray
from ..families.contract.description import Chain, Curve, Description
from ..fitted import FittedMixture
from ..learning import MixtureState
from ..look import frame_of

if TYPE_CHECKING:
    from pandas import DataFrame

NOISE = -1  # the component of what belongs to the noise
MEMBERSHIP = "membership"  # what names of coefficients of covariates begin with

Categories = Mapping[str, Sequence[Any]]


class Name(NamedTuple):
    """The name of a number in a mixture.

    Parameters
    ----------
    component : int
        The component that it belongs to; -1 for noise.
    parameter : str
    """

    component: int
    parameter: str

    @property
    def owner(self) -> str:
        """The component that it belongs to, or "noise"."""
        return "noise" if self.component == NOISE else str(self.component)


class Entries(NamedTuple):
    """Entries of one array in a description, and their names.

    Parameters
    ----------
    find : function of a Description
        Returns the array.
    places : array of int, shape (m,)
        The places of the entries in the flattened array.
    names : list of m str
    """

    find: Callable[[Description], Any]
    places: IntArray
    names: list[str]

    def within(self, find: Callable[[Any], Description], names: list[str]) -> "Entries":
        """Return these entries of a description that is part of another, under other names."""
        return Entries(lambda whole: self.find(find(whole)), self.places, names)

    def values(self, description: Description) -> FloatArray:
        """Return the entries of a description like the one that was named, shape (m,)."""
        return np.asarray(self.find(description), dtype=float).ravel()[self.places]


@dataclass(frozen=True, eq=False)
class NamedValues:
    """All parameters of mixtures that are alike, as numbers with names, in the same order.

    Parameters
    ----------
    names : list of Name
        By component; noise comes last.
    by_component : list of lists of Entries
        What each component describes.
    """

    names: list[Name]
    by_component: list[list[Entries]]

    @classmethod
    def of(cls, mixture: MixtureState, columns: Sequence[str]) -> "NamedValues":
        """Name the parameters of a mixture.

        Parameters
        ----------
        mixture : MixtureState
        columns : sequence of str
            Names of the columns, or of the inputs of curves.
        """
        described = [one.describe() for one in mixture.components]
        by_component = [list(entries_of(one, columns)) for one in described]
        gate, names = mixture.gate, list[Name]()
        for k, entries in enumerate(by_component):
            names.append(Name(k, "weight"))
            if gate is not None and k > 0:
                names += [Name(k, f"{MEMBERSHIP}[{one}]") for one in gate.names]
            names += [Name(k, name) for one in entries for name in one.names]
        noise = [] if mixture.background is None else [Name(NOISE, "weight")]
        return cls(names + noise, by_component)

    def values(self, mixture: MixtureState) -> FloatArray:
        """Return the values of all parameters of a mixture, shape (P,)."""
        weights, gate = mixture.joint_weights, mixture.gate
        found: list[Any] = []
        for k, entries in enumerate(self.by_component):
            found.append(weights[k : k + 1])
            if gate is not None and k > 0:
                found.append(gate.coefficients[:, k])
            description = mixture.components[k].describe()
            found += [one.values(description) for one in entries]
        return np.concatenate([*found, weights[len(self.by_component) :]])


def entries_of(
    description: Description, columns: Sequence[str], categories: Categories | None = None
) -> Iterator[Entries]:
    """Yield the entries of all parameters in a description."""
    known = {**(categories or {}), **description.categories}
    for place, part in enumerate(description.parts):
        own = f"[{', '.join(part.columns)}]"
        for entries in entries_of(part.description, part.columns, known):
            names = [one if "[" in one else f"{one}{own}" for one in entries.names]
            yield entries.within(partial(_part, place), names)
    for name, value in description.parameters.items():
        array = np.asarray(value)
        if array.dtype.kind in "biuf":
            yield from _entries(name, array, description, columns, known)
    if isinstance(description.picture, Chain):
        for place, state in enumerate(description.picture.states):
            for entries in entries_of(state, columns, known):
                names = [f"state {place} {one}" for one in entries.names]
                yield entries.within(partial(_state, place), names)


def _part(place: int, whole: Description) -> Description:
    return whole.parts[place].description


def _state(place: int, whole: Any) -> Description:
    found: Description = whole.picture.states[place]
    return found


def _entries(
    name: str,
    array: FloatArray,
    description: Description,
    columns: Sequence[str],
    categories: Categories,
) -> Iterator[Entries]:
    """Yield the entries of one parameter, with names by what they belong to."""
    if array.ndim == 2 and _has_categories(description, len(array)):
        yield from _probabilities(name, description, columns, categories)
        return
    labels = description.labels.get(name)
    if labels is not None and len(labels) == array.size:
        places, names = np.arange(array.size), [f"{name}[{one}]" for one in labels]
    else:
        cells = list(_distinct(array, description, len(columns)))
        axes = _axes(array.shape, description, columns)
        names = [_named(name, axes, cell) for cell in cells]
        shape = array.shape
        places = np.array([np.ravel_multi_index(one, shape) if one else 0 for one in cells], int)
    yield Entries(lambda whole: whole.parameters[name], places, names)


def _named(name: str, axes: Sequence[Sequence[str] | None], cell: tuple[int, ...]) -> str:
    words = [axis[i] for axis, i in zip(axes, cell, strict=True) if axis is not None]
    return f"{name}[{', '.join(words)}]" if words else name


def _has_categories(description: Description, n_rows: int) -> bool:
    """Return whether the rows of a parameter are the probabilities of categories."""
    described = description.columns
    return len(described) == n_rows and all(one.probabilities is not None for one in described)


def _probabilities(
    name: str, description: Description, columns: Sequence[str], categories: Categories
) -> Iterator[Entries]:
    """Yield the probabilities of the categories of each column."""
    for place, (column, one) in enumerate(zip(columns, description.columns, strict=True)):
        codes = range(len(np.asarray(one.probabilities)))
        symbols = categories.get(column, codes)
        yield Entries(
            partial(_probabilities_of, place),
            np.array(codes),
            [f"{name}[{column}={symbols[code]}]" for code in codes],
        )


def _probabilities_of(place: int, whole: Description) -> Any:
    return whole.columns[place].probabilities


def _axes(
    shape: tuple[int, ...], description: Description, columns: Sequence[str]
) -> list[Sequence[str] | None]:
    """Return the labels of each axis of an array; None where it needs none.

    An axis as long as there are columns is labelled by these. The states of chains and the targets
    of curves have numbers.
    """
    numbers = [tuple(map(str, range(length))) for length in shape]
    if isinstance(description.picture, Chain):
        return list(numbers)
    if isinstance(description.picture, Curve):
        inputs = columns if shape and shape[0] == len(columns) else None
        targets: list[Sequence[str] | None] = [
            None if length == 1 else axis for length, axis in zip(shape, numbers, strict=True)
        ]
        return [inputs or numbers[0], *targets[1:]] if len(shape) > 1 else targets
    return [
        columns if length == len(columns) else None if length == 1 else axis
        for length, axis in zip(shape, numbers, strict=True)
    ]


def _distinct(
    array: FloatArray, description: Description, n_columns: int
) -> Iterator[tuple[int, ...]]:
    """Yield the places of entries that say something: of a symmetric matrix, one half.

    Of a diagonal matrix, only the diagonal.
    """
    places = product(*map(range, array.shape))
    is_square = array.shape == (n_columns, n_columns)
    if not is_square or isinstance(description.picture, Chain | Curve):
        return places
    if not np.allclose(array, array.T):
        return places
    is_diagonal = np.count_nonzero(array) == np.count_nonzero(np.diagonal(array))
    return (one for one in places if one[0] == one[1] or (one[0] < one[1] and not is_diagonal))


def parameters_frame(model: FittedMixture) -> "DataFrame":
    """Return all parameters as a pandas frame, with a row for each number."""
    check_is_fitted(model)
    named = NamedValues.of(model._state, model._column_names())
    values = named.values(model._state).tolist()
    rows = [
        {
            "component": "noise" if name.component == NOISE else name.component,
            **_entry_of(name.parameter),
            "value": value,
        }
        for name, value in zip(named.names, values, strict=True)
    ]
    return frame_of(rows)


def _entry_of(name: str) -> dict[str, str]:
    """Return the name of a parameter, and that of its entry, which is in brackets if any.

    Examples
    --------
    >>> _entry_of("mean[height]"), _entry_of("weight")
    ({'parameter': 'mean', 'entry': 'height'}, {'parameter': 'weight', 'entry': ''})
    """
    parameter, _, entry = name.partition("[")
    return {"parameter": parameter, "entry": entry.removesuffix("]")}
