"""Objects as JSON: a tag gives the type of a dictionary; arrays are stored apart, by number."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
from sklearn.gaussian_process.kernels import Kernel

from ..families import Bank, Family
from ..families.covariance.covariance import Covariance
from .container import Array, to_bytes
from .registry import (
    NAMES,
    NOT_SAVED,
    covariance_name,
    distribution_name,
    is_distribution,
    own_name,
)

FUNCTIONS = ("function", "builtin_function_or_method", "method", "ufunc", "partial")


class Encoder:
    """Turns objects into JSON, and gathers their arrays, each once.

    Attributes
    ----------
    arrays : list of bytes
    own : set of type
        Families of the user.
    """

    names: Mapping[type, str] = NAMES  # of the classes it knows
    not_saved: Mapping[type, str] = NOT_SAVED  # classes it does not know, and why

    def __init__(self) -> None:
        self.arrays: list[bytes] = []
        self.own: set[type] = set()
        self._numbers: dict[bytes, int] = {}

    def encode(self, value: object, where: str) -> object:
        """Return a value as JSON; `where` is its name in messages."""
        if value is None or isinstance(value, bool | str):
            return value if value is None or isinstance(value, bool) else str(value)
        if isinstance(value, np.generic):
            return {"number": [value.dtype.name, self.encode(value.item(), where)]}
        if isinstance(value, int):
            return value
        if isinstance(value, float):
            return value if np.isfinite(value) else {"float": str(value)}
        if isinstance(value, np.ndarray) and value.dtype == object:
            return {"objects": self.encode(value.tolist(), where)}
        if isinstance(value, np.ndarray):
            return {"array": self._keep(value, where)}
        return self._encode_collection(value, where)

    def _encode_collection(self, value: object, where: str) -> object:
        if isinstance(value, list):
            return self._encode_all(value, where)
        if isinstance(value, Bank):
            return self._encode_bank(value, where)
        if type(value) is tuple:
            return {"tuple": self._encode_all(value, where)}
        if isinstance(value, Mapping):
            pairs = [[self.encode(key, where), key, one] for key, one in value.items()]
            return {"dict": [[k, self.encode(one, f"{where}[{key!r}]")] for k, key, one in pairs]}
        return self._encode_object(value, where)

    def _encode_all(self, values: Iterable[object], where: str) -> list[object]:
        return [self.encode(one, f"{where}[{place}]") for place, one in enumerate(values)]

    def _encode_bank(self, bank: Bank, where: str) -> object:
        tag = "plain bank" if type(bank) is Bank else "bank"
        return {tag: self._encode_all(bank.components, where)}

    def _encode_object(self, value: object, where: str) -> object:
        if isinstance(value, Covariance):
            return {"covariance": covariance_name(value)}
        if is_distribution(value):
            return {"distribution": distribution_name(value)}
        if isinstance(value, np.random.Generator | np.random.RandomState):
            return self._encode_generator(value, where)
        if type(value) in self.not_saved:
            reason = self.not_saved[type(value)]
            raise ValueError(f"{type(value).__name__} cannot be saved: {reason}.")
        name = self.names.get(type(value))
        if name is None and isinstance(value, Family):
            self.own.add(type(value))
            name = own_name(type(value))
        if name is None:
            kind = type(value).__name__
            kind = "a function" if kind in FUNCTIONS else f"of type {kind}"
            raise ValueError(
                f"The model cannot be saved: {where} is {kind}, and model files hold numbers, text"
                " and arrays, but no code; leave it out, or use something plain."
            )
        state = {one: self.encode(own, f"{where}.{one}") for one, own in state_of(value).items()}
        return {"object": [name, state]}

    def _encode_generator(
        self, value: np.random.Generator | np.random.RandomState, where: str
    ) -> object:
        if isinstance(value, np.random.Generator):
            return {"generator": self.encode(value.bit_generator.state, where)}
        return {"random state": self.encode(value.get_state(legacy=False), where)}

    def _keep(self, array: Array, where: str) -> int:
        try:
            content = to_bytes(array)
        except ValueError as error:
            raise ValueError(f"The model cannot be saved: {where} is {error}.") from None
        number = self._numbers.setdefault(sha256(content).digest(), len(self.arrays))
        if number == len(self.arrays):
            self.arrays.append(content)
        return number


def state_of(value: object) -> dict[str, object]:
    """Return the fields of an object, by name."""
    if isinstance(value, Kernel):
        return dict(value.get_params(deep=False))
    if isinstance(value, tuple):
        named: Any = value
        return dict(named._asdict())
    if is_dataclass(value):
        return {
            one.name: getattr(value, one.name)
            for one in fields(value)
            if one.init or not one.name.startswith("_")  # what starts so is a cache
        }
    return {
        name: own
        for name, own in vars(value).items()
        if not isinstance(getattr(type(value), name, None), cached_property)
    }
