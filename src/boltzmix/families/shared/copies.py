"""Copies of components that differ in a few fields.

The constructor of a family takes its settings, and the parameters of its distribution. What
`prepare` and `fit` find beside these is state: a field with ``init=False``, which no caller gives.
`dataclasses.replace` makes a copy by the constructor, which would lose it.
"""

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar, cast

from ...data import shown

T = TypeVar("T")


def replaced(component: T, **changes: Any) -> T:
    """Return a copy of a frozen dataclass with other values, which are validated as by its class.

    Examples
    --------
    >>> from boltzmix.families import Poisson
    >>> replaced(Poisson(rate=2.0), rate=3.0, pooled_rate=2.5).pooled_rate
    2.5
    """
    kind: Any = type(component)
    unknown = sorted({*changes} - {*_names(kind)})
    if unknown:
        raise TypeError(f"{kind.__name__} has no field {shown(unknown[0])}.")
    copy: Any = altered(component, **changes)
    if hasattr(copy, "__post_init__"):
        copy.__post_init__()
    return copy


def altered(component: T, **changes: Any) -> T:
    """Return a copy of a frozen dataclass with other values, which are not validated.

    It is for values that a fit found. `replaced` validates all fields again, which for many small
    components takes longer than to fit them.
    """
    kind: Any = type(component)
    copy: T = object.__new__(kind)
    values = component.__dict__
    copy.__dict__.update({name: values[name] for name in _names(kind) if name in values}, **changes)
    return copy


def assembled(kind: type[T], values: Mapping[str, object]) -> T:
    """Return an object of a dataclass with all of these values, those of its state among them."""
    state = {one.name for one in fields(cast(Any, kind)) if not one.init}
    made = kind(**{name: one for name, one in values.items() if name not in state})
    found = {name: one for name, one in values.items() if name in state}
    return replaced(made, **found) if found else made


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
