"""Whether a value matches a type annotation."""

from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Self, Union, get_args, get_origin

import numpy as np


def matches(value: Any, hint: Any, owner: type) -> bool:
    """Return whether a value matches a type annotation in the class `owner`.

    Examples
    --------
    >>> matches(3, int | None, object), matches("3", int | None, object)
    (True, False)
    """
    origin, arguments = _origin(hint), get_args(hint)
    if hint is Any:
        return True
    if hint is Self:
        return isinstance(value, owner)
    if origin in (Union, UnionType):
        return any(matches(value, one, owner) for one in arguments)
    if Callable in (hint, origin):  # files hold no functions, and what can be called is no setting
        return False
    if origin is tuple:
        return _matches_tuple(value, arguments, owner)
    if origin is np.ndarray:
        return _is_numeric(value)
    if origin is Sequence:
        items = value if isinstance(value, list | tuple) else None
        return items is not None and all(matches(one, arguments[0], owner) for one in items)
    if origin is not None and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(
            matches(key, arguments[0], owner) and matches(one, arguments[1], owner)
            for key, one in value.items()
        )
    return _is_plain(value, NoneType if hint is None else origin or hint)


def _origin(hint: Any) -> Any:
    """Return the class of a generic annotation; that of its value, if it is an alias as NDArray."""
    origin = get_origin(hint)
    return get_origin(origin.__value__) if hasattr(origin, "__value__") else origin


def _is_plain(value: Any, kind: type) -> bool:
    if kind in (int, float):
        numbers = Integral if kind is int else Real
        return isinstance(value, numbers) and not isinstance(value, bool)
    return isinstance(value, kind | np.bool_ if kind is bool else kind)


def _is_numeric(value: Any) -> bool:
    """Return whether a value is an array of numbers, or what users pass in place of one."""
    if isinstance(value, list | tuple):
        return all(map(_is_numeric, value))
    return isinstance(value, Real | np.generic) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "biufU"
    )


def _matches_tuple(value: Any, arguments: tuple[Any, ...], owner: type) -> bool:
    if not isinstance(value, tuple):
        return False
    if len(arguments) == 2 and arguments[1] is ...:
        return all(matches(one, arguments[0], owner) for one in value)
    return len(value) == len(arguments) and all(
        matches(one, hint, owner) for one, hint in zip(value, arguments, strict=True)
    )
