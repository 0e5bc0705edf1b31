"""The parts of a product: which columns each takes, and the statistics of all of them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import add
from typing import Any, Self

import numpy as np

from ...data import DATA, Columns, InputError, Rows, shown
from ..contract.base import Family

Key = str | int | tuple[str | int, ...]


@dataclass(frozen=True, eq=False)
class Together:
    """Statistics of every part.

    Parameters
    ----------
    parts : tuple of the parts' statistics
    """

    parts: tuple[Any, ...]

    def __add__(self, other: Self) -> Self:
        return replace(self, parts=tuple(map(add, self.parts, other.parts)))

    def __mul__(self, factor: float) -> Self:
        return replace(self, parts=tuple(part * factor for part in self.parts))


def group_of(key: Key) -> tuple[str | int, ...]:
    """Return the columns of a key."""
    return key if isinstance(key, tuple) else (key,)


def check_parts(parts: Any) -> None:
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


def _check_part(key: Any, part: Any) -> None:
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
