"""The parts of a product: which columns each takes."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np

from ...data import DATA, Columns, InputError, Rows, shown
from ..contract.base import Family

Key = str | int | tuple[str | int, ...]


def group_of(key: Key) -> tuple[str | int, ...]:
    """Return the columns of a key."""
    return key if isinstance(key, tuple) else (key,)


def check_parts(parts: object) -> None:
    """Validate that parts are families by their columns, and that no column has two of them."""
    if not isinstance(parts, Mapping) or not parts:
        raise ValueError(
            "Product takes a dictionary of columns and their families, such as"
            f" {{'income': LogNormal(), ('x', 'y'): Gaussian()}}, not {shown(parts)}."
        )
    used: set[str | int] = set()
    for key, part in parts.items():
        _check_part(key, part)
        for name in group_of(key):
            if name in used:
                raise ValueError(
                    f"Column {shown(name)} is used twice: a column belongs to one family only."
                )
            used.add(name)


def check_groups(data: Columns, parts: Mapping[Key, Family]) -> None:
    """Validate that columns which were read before are grouped as those of the parts."""
    if data.groups != tuple(map(group_of, parts)):
        raise InputError(
            f"{DATA} was read for the columns {data.groups}, but the families have {list(parts)}:"
            " pass the frame or array itself."
        )


def _check_part(key: Key, part: object) -> None:
    """Raise if a key does not name columns, or a part is not a family of rows."""
    group = group_of(key)
    plain = [
        isinstance(name, str | int | np.integer) and not isinstance(name, bool) for name in group
    ]
    if not group or not all(plain):
        raise ValueError(
            "A key of Product must be the name or the number of a column, or a tuple of several,"
            f" not {shown(key)}."
        )
    if not isinstance(part, Family):
        raise ValueError(
            f"The family of column {shown(key)} must be a Family such as Gaussian(), not"
            f" {shown(part)}."
        )
    if not issubclass(part.observes, Rows) or part.joint:
        raise ValueError(
            f"The family of column {shown(key)} must be one of rows, and {part.name} is not:"
            " choose one such as Gaussian()."
        )


Blocks = tuple[tuple[int, ...], ...]  # the places of the parts in each


@runtime_checkable
class IndependentColumns(Protocol):
    """A component of independent columns, beside which others of its kind can be described."""

    def joins(self, other: object) -> bool:
        """Return whether the columns of another component can be described beside these."""

    def joined(self, others: Sequence[object]) -> Any:
        """Return one component for the columns of this one and of others."""

    def taken_from(self, joined: Any, columns: slice) -> Self:
        """Return this component with the parameters that a joined one has in some columns."""


def blocks_of(parts: Sequence[Family]) -> Blocks:
    """Return the places of parts that can be described together, in the order of the first ones.

    Examples
    --------
    >>> from boltzmix.families import Bernoulli, Categorical, Gaussian
    >>> coin, die = Categorical(n_categories=(2,)), Categorical(n_categories=(6,))
    >>> blocks_of([coin, Gaussian(), die, Bernoulli()])
    ((0, 2), (1,), (3,))
    """
    blocks: list[list[int]] = []
    for place, part in enumerate(parts):
        for block in blocks:
            first = parts[block[0]]
            if isinstance(first, IndependentColumns) and first.joins(part):
                block.append(place)
                break
        else:
            blocks.append([place])
    return tuple(map(tuple, blocks))


def joined(parts: Sequence[Family], block: tuple[int, ...]) -> Family:
    """Return one component for the parts in some places."""
    first, *others = (parts[place] for place in block)
    if not others:
        return first
    assert isinstance(first, IndependentColumns)
    family: Family = first.joined(others)
    return family
