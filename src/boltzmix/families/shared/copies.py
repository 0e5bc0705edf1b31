"""Copies of components that differ in a few fields."""

from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def altered(component: T, **changes: Any) -> T:
    """Return a copy of a frozen dataclass with other values, which are not validated.

    It is for values that a fit found. `dataclasses.replace` validates all fields again, which for
    many small components takes longer than to fit them.
    """
    kind: Any = type(component)
    copy: T = object.__new__(kind)
    values = component.__dict__
    copy.__dict__.update({name: values[name] for name in _names(kind)}, **changes)
    return copy


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
