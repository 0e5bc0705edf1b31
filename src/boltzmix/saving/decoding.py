"""JSON as objects again, of known classes only, each field checked against its annotation."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Self, Union, get_args, get_origin, get_type_hints

import numpy as np
from sklearn.gaussian_process.kernels import Kernel

from ..families import Bank, Family
from ..families.covariance.covariance import COVARIANCES
from ..families.shared.copies import assembled
from .container import from_bytes
from .registry import CLASSES, RENAMED_FIELDS, distribution_named, known_classes


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


def _is_plain(value: object, kind: type) -> bool:
    if kind in (int, float):
        numbers = Integral if kind is int else Real
        return isinstance(value, numbers) and not isinstance(value, bool)
    return isinstance(value, kind | np.bool_ if kind is bool else kind)


def _is_numeric(value: object) -> bool:
    """Return whether a value is an array of numbers, or what users pass in place of one."""
    if isinstance(value, list | tuple):
        return all(map(_is_numeric, value))
    return isinstance(value, Real | np.generic) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "biufU"
    )


def _matches_tuple(value: object, arguments: tuple[Any, ...], owner: type) -> bool:
    if not isinstance(value, tuple):
        return False
    if len(arguments) == 2 and arguments[1] is ...:
        return all(matches(one, arguments[0], owner) for one in value)
    return len(value) == len(arguments) and all(
        matches(one, hint, owner) for one, hint in zip(value, arguments, strict=True)
    )


NUMBERS = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
NUMBERS |= {"float32", "float64"}
ESCAPE = "\x1b"
POSITIONS = {"MT19937": ("pos", 624), "Philox": ("buffer_pos", 4)}  # of the next number, and most
GENERATORS = {"MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"}


class Decoder:
    """Turns JSON into objects, whose arrays are stored separately.

    Parameters
    ----------
    arrays : sequence of bytes
    families : iterable of type
        Classes of families that the user passed to `load`.
    """

    def __init__(self, arrays: Sequence[bytes], families: Iterable[type] = ()) -> None:
        self._arrays = [from_bytes(content) for content in arrays]
        self._classes = known_classes(families)
        self._readers: Mapping[str, Callable[[Any], Any]] = {
            "array": lambda number: self._arrays[_checked(number, int)],
            "bank": self._bank,
            "covariance": COVARIANCES.__getitem__,
            "dict": lambda pairs: {self.decode(key): self.decode(one) for key, one in pairs},
            "distribution": distribution_named,
            "float": lambda text: {"inf": np.inf, "-inf": -np.inf, "nan": np.nan}[text],
            "generator": self._generator,
            "number": self._number,
            "object": self._object,
            "objects": lambda values: np.array(self.decode(values), dtype=object),
            "plain bank": lambda parts: Bank(self._members(parts)),
            "random state": self._random_state,
            "tuple": lambda values: tuple(map(self.decode, _checked(values, list))),
        }

    def decode(self, value: object) -> Any:
        """Return what a value of JSON stands for."""
        if isinstance(value, list):
            return [self.decode(one) for one in value]
        if isinstance(value, str) and ESCAPE in value:
            raise ValueError("it holds text that could command a terminal")
        if not isinstance(value, dict):
            return value
        ((tag, content),) = value.items()
        if tag not in self._readers:
            raise ValueError(f"there is no kind of value {tag!r}")
        return self._readers[tag](content)

    def _number(self, content: Any) -> Any:
        name, value = content
        if name not in NUMBERS:
            raise ValueError(f"there is no kind of number {name!r}")
        return np.dtype(name).type(_checked(self.decode(value), (int, float)))

    def _members(self, content: object) -> list[Family]:
        members = self.decode(_checked(content, list))
        if not members or not all(isinstance(one, Family) for one in members):
            raise ValueError("what should be components is something else")
        if any(type(one) is not type(members[0]) for one in members):
            raise ValueError("its components are of several families")
        return members

    def _bank(self, content: object) -> Bank:
        members = self._members(content)
        return members[0].bank(members)

    def _object(self, content: Any) -> Any:
        name, encoded = content
        if name not in self._classes:
            raise _explain_unknown(name)
        kind = self._classes[name]
        state = {
            RENAMED_FIELDS.get((name, key), key): self.decode(own) for key, own in encoded.items()
        }
        if issubclass(kind, Kernel):
            return kind(**state)
        if is_dataclass(kind) or issubclass(kind, tuple):
            if name in CLASSES:
                _check_fields(kind, state)
            return assembled(kind, state) if is_dataclass(kind) else kind(**state)
        if name in CLASSES and state:
            raise ValueError(f"{name} has no fields")
        made = kind.__new__(kind)
        vars(made).update(state)
        return made

    def _generator(self, content: object) -> Any:
        state = self.decode(content)
        if state["bit_generator"] not in GENERATORS:
            raise ValueError(f"there is no generator {state['bit_generator']!r}")
        source = getattr(np.random, state["bit_generator"])()
        _check_position(state)
        source.state = state
        return np.random.Generator(source)

    def _random_state(self, content: object) -> Any:
        made, state = np.random.RandomState(), self.decode(content)
        _check_position(state)
        made.set_state(state)
        return made


def _checked(value: Any, kind: Any) -> Any:
    if not isinstance(value, kind):
        raise ValueError(f"what should be {kind} is {value!r:.60}")
    return value


def _check_position(state: Mapping[str, Any]) -> None:
    """Raise if a generator would read its next number from beside its own numbers."""
    if state["bit_generator"] not in POSITIONS:
        return
    name, most = POSITIONS[state["bit_generator"]]
    found = {**state, **state["state"]}[name]
    if not 0 <= _checked(found, int) <= most:
        raise ValueError(f"{name} of a generator cannot be {found}")


def _check_fields(kind: type, state: Mapping[str, Any]) -> None:
    hints = _hints(kind)
    for name, value in state.items():
        if not matches(value, hints[name], kind):
            raise ValueError(f"{name} of {kind.__name__} cannot be {value!r:.60}")


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _explain_unknown(name: object) -> Exception:
    if isinstance(name, str) and name.startswith("own "):
        own = name.removeprefix("own ")
        return UnknownClassError(own)
    return ValueError(f"boltzmix has no class {name!r}")


class UnknownClassError(ValueError):
    """A family of the user that was not passed to `load`; its argument is the name."""
