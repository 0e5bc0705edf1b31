"""Statistics that are sums over observations."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
else:
    DataclassInstance = object


class Sums(DataclassInstance):
    """A frozen dataclass all of whose fields add up, and can be multiplied by a number."""

    def __add__(self, other: Self) -> Self:
        return self._with(lambda name: getattr(self, name) + getattr(other, name))

    def __mul__(self, factor: float) -> Self:
        return self._with(lambda name: getattr(self, name) * factor)

    def _with(self, value: Callable[[str], Any]) -> Self:
        return replace(self, **{field.name: value(field.name) for field in fields(self)})
