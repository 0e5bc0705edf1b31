"""What identifies a fit: its data, its settings and the version of boltzmix."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from hashlib import sha256
from types import CodeType
from typing import Any

import numpy as np

from ..data import Data, evenly_spaced
from ..saving import CheckpointError
from ..saving.models import versions
from ..saving.states import StateEncoder

NOT_SETTINGS = ("checkpoint", "n_jobs", "verbose")  # which do not change the result
ROWS_READ = 20_000  # of data that are not in memory
SHOWN = 60  # characters of a setting that messages show


def fingerprint(
    settings: Mapping[str, Any], data: Data, sample_weight: Any, labels: Any
) -> dict[str, Any]:
    """Return what identifies a fit, as values of JSON.

    Of data that are not in memory, some evenly spaced rows are read.
    """
    return {
        "boltzmix": versions()["boltzmix"],
        "data": _digest(_in_memory(data)),
        "sample_weight": _digest(sample_weight),
        "labels": _digest(labels),
        "settings": {
            name: [_digest(value), _shown(value)]
            for name, value in settings.items()
            if name not in NOT_SETTINGS
        },
    }


def check_same(path: Any, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raise if a checkpoint was written by another fit."""
    differences = _differences(before, now)
    if differences:
        raise CheckpointError(
            f"{path} is the checkpoint of another fit: {', and '.join(differences)}. Use what was"
            " used then, or choose another name, or delete the file to fit from the beginning."
        )


def _differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    found = []
    if before["boltzmix"] != now["boltzmix"]:
        found.append(f"boltzmix was {before['boltzmix']} and is {now['boltzmix']}")
    words = {"data": "the data are", "sample_weight": "sample_weight is", "labels": "labels are"}
    found += [f"{verb} not the same" for name, verb in words.items() if before[name] != now[name]]
    then, here = before["settings"], now["settings"]
    for name in sorted({*then, *here}):
        (one, was), (other, value) = then.get(name, ["", "absent"]), here.get(name, ["", "absent"])
        if one != other:
            same = was == value
            found.append(f"{name} is not the same" if same else f"{name} was {was} and is {value}")
    return found


def _shown(value: Any) -> str:
    shown = " ".join(repr(value).split())
    return shown if len(shown) <= SHOWN else f"{shown[: SHOWN - 1]}…"


def _in_memory(data: Data) -> tuple[Any, ...]:
    size = len(data), data.n_features, data.feature_names
    return *size, data if data.in_memory else data.take(evenly_spaced(len(data), ROWS_READ))


def _digest(value: Any) -> str:
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
        _feed(found, sorted(map(_digest, value)))
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
        return {one.name: getattr(value, one.name) for one in fields(value) if one.init}
    return getattr(value, "__dict__", None) or [getattr(value, "__qualname__", None)]
