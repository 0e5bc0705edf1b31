"""All parameters of a mixture as numbers with names.

Names are those that components describe themselves by. The entries of an array are named by the
columns, categories or states that they belong to, such as ``mean[height]``, ``covariance[height,
weight]`` or ``probabilities[colour=red]``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ..data import FloatArray
from ..families.description import Chain, Curve, Description
from ..learning import MixtureState

NOISE = -1  # the component of what belongs to the noise

Entries = Iterator[tuple[str, float]]
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


def named_values(mixture: MixtureState, columns: Sequence[str]) -> tuple[list[Name], FloatArray]:
    """Return the names of all parameters of a mixture, by component, and their values (P,).

    Parameters
    ----------
    mixture : MixtureState
    columns : sequence of str
        Names of the columns, or of the inputs of curves.
    """
    found = [one for source in SOURCES for one in source(mixture, columns)]
    found.sort(key=lambda one: one[0].component % (len(mixture.bank) + 1))  # noise comes last
    return [name for name, _ in found], np.array([value for _, value in found], dtype=float)


def weights(mixture: MixtureState, columns: Sequence[str]) -> Iterator[tuple[Name, float]]:
    """Yield the weights of components and noise."""
    k = len(mixture.bank.components)
    for place, weight in enumerate(mixture.weights):
        yield Name(place if place < k else NOISE, "weight"), float(weight)


def parameters(mixture: MixtureState, columns: Sequence[str]) -> Iterator[tuple[Name, float]]:
    """Yield the parameters that components describe."""
    for k, component in enumerate(mixture.bank.components):
        for name, value in described_values(component.describe(), columns):
            yield Name(k, name), value


SOURCES: tuple[Callable[[MixtureState, Sequence[str]], Iterator[tuple[Name, float]]], ...] = (
    weights,
    parameters,
)  # what a mixture has parameters of


def described_values(
    description: Description, columns: Sequence[str], categories: Categories | None = None
) -> Entries:
    """Yield the names and values of the parameters in a description."""
    known = {**(categories or {}), **description.categories}
    for part in description.parts:
        for name, value in described_values(part.description, part.columns, known):
            yield name if "[" in name else f"{name}[{', '.join(part.columns)}]", value
    for name, value in description.parameters.items():
        array = np.asarray(value)
        if array.dtype.kind in "biuf":
            yield from _entries(name, array, description, columns, known)
    if isinstance(description.picture, Chain):
        for place, state in enumerate(description.picture.states):
            for name, value in described_values(state, columns, known):
                yield f"state {place} {name}", value


def _entries(
    name: str,
    array: FloatArray,
    description: Description,
    columns: Sequence[str],
    categories: Categories,
) -> Entries:
    """Yield the entries of one parameter, with names by what they belong to."""
    labels = getattr(description, "labels", {}).get(name)
    if labels is not None and len(labels) == array.size:
        yield from zip((f"{name}[{one}]" for one in labels), array.ravel().tolist(), strict=True)
    elif array.ndim == 2 and _has_categories(description, len(array)):
        yield from _probabilities(name, description, columns, categories)
    else:
        axes = _axes(array.shape, description, columns)
        for place in _distinct(array, description, len(columns)):
            words = [axis[i] for axis, i in zip(axes, place, strict=True) if axis is not None]
            yield f"{name}[{', '.join(words)}]" if words else name, float(array[place])


def _has_categories(description: Description, n_rows: int) -> bool:
    """Return whether the rows of a parameter are the probabilities of categories."""
    described = description.columns
    return len(described) == n_rows and all(one.probabilities is not None for one in described)


def _probabilities(
    name: str, description: Description, columns: Sequence[str], categories: Categories
) -> Entries:
    for column, one in zip(columns, description.columns, strict=True):
        symbols = categories.get(column)
        for code, probability in enumerate(np.asarray(one.probabilities)):
            symbol = code if symbols is None else symbols[code]
            yield f"{name}[{column}={symbol}]", float(probability)


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
