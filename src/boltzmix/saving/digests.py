"""Checksums of values: equal values have equal ones, on any machine."""

import json
from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import partial
from hashlib import sha256
from types import CodeType
from typing import Any

import numpy as np

from ..data import Data, evenly_spaced
from .encoding import state_of
from .states import StateEncoder

ROWS_READ = 20_000  # of data that are not in memory


def digest_of_data(data: Data) -> str:
    """Return the checksum of observations; of those not in memory, some evenly spaced ones."""
    kept = data if data.in_memory else data.take(evenly_spaced(len(data), ROWS_READ))
    return digest((len(data), data.n_features, data.feature_names, kept))


def digest(value: object) -> str:
    """Return the checksum of a value, as hexadecimal digits."""
    found = sha256()
    _feed(found, value)
    return found.hexdigest()


def _feed(found: Any, value: Any) -> None:
    """Add a value to a checksum: numbers, text, arrays, and objects made of such."""
    if hasattr(value, "__array__") and not isinstance(value, np.ndarray | np.generic):
        value = np.asarray(value)
    if isinstance(value, np.ndarray) and value.dtype != object:
        found.update(f"array {value.dtype.str} {value.shape}".encode())
        found.update(np.ascontiguousarray(value).reshape(-1).view(np.uint8).data)
    elif isinstance(value, list | tuple | range | np.ndarray):
        found.update(f"{len(value)} values".encode())
        for one in value:
            _feed(found, one)
    elif isinstance(value, set | frozenset):
        _feed(found, sorted(map(digest, value)))
    elif isinstance(value, Mapping):
        _feed(found, [list(pair) for pair in value.items()])
    else:
        _feed_object(found, value)


def _feed_object(found: Any, value: Any) -> None:
    encoder = StateEncoder()
    try:
        document = encoder.encode(value, "it")
    except ValueError:
        found.update(f"{type(value).__module__}.{type(value).__qualname__}".encode())
        _feed(found, _parts(value))
    else:
        found.update(json.dumps(document).encode())
        for content in encoder.arrays:
            found.update(content)


def _parts(value: Any) -> Any:
    """Return what an object is made of."""
    if isinstance(value, partial):
        return [value.func, value.args, value.keywords]
    if isinstance(value, type):
        return [value.__module__, value.__qualname__]
    if hasattr(value, "__code__"):
        return [value.__module__, value.__qualname__, value.__defaults__, value.__code__]
    if isinstance(value, CodeType):
        return [value.co_code.hex(), value.co_names, value.co_consts]
    if is_dataclass(value):
        return state_of(value)
    return getattr(value, "__dict__", None) or [getattr(value, "__qualname__", None)]
