"""Mixtures in the middle of a fit as bytes, from which they go on bit for bit.

A model file keeps components. In a fit, a bank also holds what its components have in common, and
whether that is frozen, and the order of the axes of arrays in memory can change how sums are
rounded: all of that is kept here.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from hashlib import sha256
from types import CodeType
from typing import Any, Protocol

import numpy as np

from ..data import Data, FloatArray, evenly_spaced
from ..families import Bank, Family, FunctionFamily, SklearnFamily
from ..families.adapters.from_functions import Functions
from ..families.catalogue import classes_in
from ..families.contract.bank import JointBank
from ..learning import Found, MixtureState, Move, State, Step
from ..learning.engine.log import CallRecord
from .container import Array, as_json
from .decoding import Decoder
from .encoding import FUNCTIONS, Encoder, state_of
from .registry import HOMES, NAMES, NOT_SAVED, identified, own_name

LENGTH = 8  # bytes of the number that says how long a part is


@dataclass(frozen=True)
class Ended:
    """The steps that a part of a fit yielded, and its result.

    Parameters
    ----------
    steps : tuple of Step
    result : anything that can be saved
    """

    steps: tuple[Step, ...]
    result: Any


SHARED = ("phase", "moves", "trial", "run", "size")  # of steps that follow each other
OWN = tuple(one.name for one in fields(Step) if one.name not in (*SHARED, "counts"))


@dataclass(frozen=True)
class StepColumns:
    """Steps as columns, which take less room.

    Parameters
    ----------
    shared : list of tuples
        Distinct values of the fields `SHARED`.
    rows : list of lists
        For each step, the place in `shared`, the length of its counts, and the fields `OWN`.
    counts : array
        The counts of all steps, one after the other.
    """

    shared: list[tuple[object, ...]]
    rows: list[list[Any]]
    counts: FloatArray

    @classmethod
    def of(cls, steps: Sequence[Step]) -> "StepColumns":
        """Put steps together."""
        shared: dict[tuple[object, ...], int] = {}
        rows = []
        for one in steps:
            place = shared.setdefault(tuple(getattr(one, name) for name in SHARED), len(shared))
            rows.append([place, len(one.counts), *(getattr(one, name) for name in OWN)])
        return cls([*shared], rows, np.concatenate([np.zeros(0), *(one.counts for one in steps)]))

    def steps(self) -> Iterator[Step]:
        """Yield the steps."""
        end = 0
        for place, length, *own in self.rows:
            end += length
            values = dict(zip((*SHARED, *OWN), (*self.shared[place], *own), strict=True))
            yield Step(counts=self.counts[end - length : end].copy(), **values)


RECORDS = identified(
    (Ended, Found, MixtureState, Move, CallRecord, State, StepColumns, FunctionFamily, Functions)
)
BANKS = identified(
    {
        kind
        for kind in (Bank, JointBank, *(kind for one in HOMES for kind in classes_in(one)))
        if issubclass(kind, Bank)
    }
)
BANK_NAMES = {kind: identifier for identifier, kind in BANKS.items()}


def to_record(value: object, functions: Sequence[object] = ()) -> bytes:
    """Return a value as bytes; raise a ValueError if it cannot be saved.

    Of functions that it holds, only their places among `functions` are kept.
    """
    encoder = StateEncoder(functions)
    document = encoder.encode(value, type(value).__name__)
    return b"".join(_with_lengths([as_json(document), *encoder.arrays]))


def from_record(content: bytes, functions: Sequence[object] = ()) -> Any:
    """Return the value that bytes stand for."""
    document, *arrays = _split(content)
    return StateDecoder(arrays, functions).decode(json.loads(document))


def functions_in(value: object) -> list[object]:
    """Return the functions that a family holds, always in the same order."""
    if type(value).__name__ in FUNCTIONS:
        return [value]
    if isinstance(value, Mapping):
        parts: Iterable[object] = value.values()
    elif isinstance(value, list | tuple):
        parts = value
    else:
        parts = state_of(value).values() if isinstance(value, Family) else ()
    return [one for part in parts for one in functions_in(part)]


class StateEncoder(Encoder):
    """Turns objects in the middle of a fit into JSON, and gathers their arrays.

    Parameters
    ----------
    functions : sequence of functions
        The functions that the family of the fit has.
    """

    names: Mapping[type, str] = {**NAMES, **{kind: one for one, kind in RECORDS.items()}}
    not_saved: Mapping[type, str] = {SklearnFamily: NOT_SAVED[SklearnFamily]}

    def __init__(self, functions: Sequence[object] = ()) -> None:
        super().__init__()
        self._places = {id(one): place for place, one in enumerate(functions)}

    def encode(self, value: object, where: str) -> object:
        """Return a value as JSON; `where` is its name in messages."""
        if isinstance(value, np.ndarray) and value.dtype != object:
            if not value.flags.c_contiguous:
                return self._encode_strided(value, where)
        elif id(value) in self._places:
            return {"function": self._places[id(value)]}
        elif isinstance(value, tuple) and value and all(type(one) is Step for one in value):
            return {"steps": super().encode(StepColumns.of(value), where)}
        elif type(value) is Step:
            return {"step": self.encode((value,), where)}
        return super().encode(value, where)

    def _encode_strided(self, array: Array, where: str) -> object:
        """Keep the order of axes in memory, and which of them repeat the same values."""
        order = np.argsort([-abs(one) for one in array.strides], kind="stable").tolist()
        repeated = [one == 0 for one in array.strides]
        once = array[tuple(slice(0, 1) if one else slice(None) for one in repeated)]
        content = super().encode(np.ascontiguousarray(once.transpose(order)), where)
        return {"strided": [content, order, list(array.shape)]}

    def _encode_bank(self, bank: Bank, where: str) -> object:
        kind = type(bank)
        own = kind.__module__.partition(".")[0] != "boltzmix"
        if not own and kind not in BANK_NAMES:
            raise ValueError(f"{where} is a {kind.__name__}, which only a part of a fit knows.")
        state = {one: self.encode(part, where) for one, part in state_of(bank).items()}
        return {"bank state": [own_name(kind) if own else BANK_NAMES[kind], state]}


class StateDecoder(Decoder):
    """Turns JSON into objects in the middle of a fit.

    Parameters
    ----------
    arrays : sequence of bytes
    functions : sequence of functions
        The functions that the family of the fit has.
    """

    def __init__(self, arrays: Sequence[bytes], functions: Sequence[object] = ()) -> None:
        super().__init__(arrays, own_classes(Family))
        self._classes |= RECORDS
        self._banks = BANKS | {own_name(kind): kind for kind in own_classes(Bank)}
        self._readers = {
            **self._readers,
            "bank state": self._bank_state,
            "function": functions.__getitem__,
            "step": lambda content: self.decode(content)[0],
            "steps": lambda content: tuple(self.decode(content).steps()),
            "strided": self._strided,
        }

    def _object(self, content: Any) -> Any:
        name, state = content
        if RECORDS.get(name) is not FunctionFamily:
            return super()._object(content)
        functions: Any = self.decode(state["functions"])
        return FunctionFamily(**functions._asdict(), parameters=self.decode(state["parameters"]))

    def _bank_state(self, content: Any) -> Bank:
        name, state = content
        kind = self._banks[name]
        bank: Bank = object.__new__(kind)
        vars(bank).update({one: self.decode(part) for one, part in state.items()})
        return bank

    def _strided(self, content: Any) -> Any:
        stored, order, shape = content
        return np.broadcast_to(self.decode(stored).transpose(np.argsort(order)), shape)


def own_classes(base: type) -> list[type]:
    """Return the classes derived from one of boltzmix that are not its own, the newest last."""
    found: list[type] = []
    subclasses: list[type] = base.__subclasses__()
    for kind in subclasses:
        found += [kind] if kind.__module__.partition(".")[0] != "boltzmix" else []
        found += own_classes(kind)
    return found


def _with_lengths(parts: Iterable[bytes]) -> Iterator[bytes]:
    for part in parts:
        yield len(part).to_bytes(LENGTH, "little")
        yield part


def _split(content: bytes) -> Iterator[bytes]:
    view, place = memoryview(content), 0
    while place < len(view):
        start = place + LENGTH
        place = start + int.from_bytes(view[place:start], "little")
        yield bytes(view[start:place])


class Checksum(Protocol):
    """A checksum of bytes that are added one after the other."""

    def update(self, content: bytes | memoryview, /) -> None: ...


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


def _feed(found: "Checksum", value: object) -> None:
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


def _feed_object(found: "Checksum", value: object) -> None:
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


def _parts(value: Any) -> object:
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
