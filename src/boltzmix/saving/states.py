"""Mixtures in the middle of a fit as bytes, from which they go on bit for bit.

A model file keeps components. In a fit, a bank also holds what its components have in common, and
whether that is frozen, and the order of the axes of arrays in memory can change how sums are
rounded: all of that is kept here.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import FloatArray
from ..families import Bank, Family, distributions, mixed, shared
from ..families.bank import JointBank
from ..families.catalogue import classes_in
from ..families.noise import NoisyBank
from ..learning import Found, MixtureState, Move, Progress, State, Step
from .container import as_json
from .decoding import Decoder
from .encoding import Encoder, state_of
from .registry import NAMES, own_name

LENGTH = 8  # bytes of the number that says how long a part is


@dataclass(frozen=True)
class Ended:
    """What a part of a fit yielded and returned.

    Parameters
    ----------
    steps : tuple of Step
    result : anything that can be saved
    """

    steps: tuple[Step, ...]
    result: Any


@dataclass(frozen=True)
class StepColumns:
    """Steps as columns, which take less room.

    Parameters
    ----------
    common : list of tuples
        Distinct values of (phase, size, moves, trial, run).
    rows : list of lists
        For each step, the place in `common`, then iteration, temperature, score, n_changed,
        finished and the length of its counts.
    counts : array
        The counts of all steps, one after the other.
    """

    common: list[tuple[Any, ...]]
    rows: list[list[Any]]
    counts: FloatArray

    @classmethod
    def of(cls, steps: Sequence[Step]) -> "StepColumns":
        """Put steps together."""
        common: dict[tuple[Any, ...], int] = {}
        rows = []
        for one in steps:
            key = one.phase, one.size, one.moves, one.trial, one.run
            numbers = [one.iteration, one.temperature, one.score, one.n_changed, one.finished]
            rows.append([common.setdefault(key, len(common)), *numbers, len(one.counts)])
        return cls([*common], rows, np.concatenate([np.zeros(0), *(one.counts for one in steps)]))

    def steps(self) -> Iterator[Step]:
        """Yield the steps."""
        ends = np.cumsum([row[-1] for row in self.rows])
        for row, end in zip(self.rows, ends, strict=True):
            place, iteration, temperature, score, n_changed, finished, length = row
            phase, size, moves, trial, run = self.common[place]
            counts = self.counts[end - length : end].copy()
            yield Step(
                phase, iteration, temperature, score, counts, n_changed, size, finished,
                moves, trial, run,
            )  # fmt: skip


RECORDS = (Ended, Found, MixtureState, Move, Progress, State, StepColumns)
BANKS = {
    kind.__name__: kind
    for kind in (
        Bank,
        JointBank,
        NoisyBank,
        *(kind for one in (distributions, mixed, shared) for kind in classes_in(one)),
    )
    if issubclass(kind, Bank)
}


def to_record(value: Any) -> bytes:
    """Return a value as bytes; raise a ValueError if it cannot be saved."""
    encoder = StateEncoder()
    document = encoder.encode(value, type(value).__name__)
    return b"".join(_with_lengths([as_json(document), *encoder.arrays]))


def from_record(content: bytes) -> Any:
    """Return the value that bytes stand for."""
    document, *arrays = _split(content)
    return StateDecoder(arrays, own_classes(Family)).decode(json.loads(document))


class StateEncoder(Encoder):
    """Turns objects in the middle of a fit into JSON, and gathers their arrays."""

    names: Mapping[type, str] = {**NAMES, **{kind: kind.__name__ for kind in RECORDS}}

    def encode(self, value: Any, where: str) -> Any:
        """Return a value as JSON; `where` is its name in messages."""
        if isinstance(value, np.ndarray) and value.dtype != object:
            if not value.flags.c_contiguous:
                return self._encode_strided(value, where)
        elif isinstance(value, tuple) and value and all(type(one) is Step for one in value):
            return {"steps": super().encode(StepColumns.of(value), where)}
        elif type(value) is Step:
            return {"step": self.encode((value,), where)}
        return super().encode(value, where)

    def _encode_strided(self, array: Any, where: str) -> Any:
        """Keep the order of axes in memory, and which of them repeat the same values."""
        order = np.argsort([-abs(one) for one in array.strides], kind="stable").tolist()
        repeated = [one == 0 for one in array.strides]
        once = array[tuple(slice(0, 1) if one else slice(None) for one in repeated)]
        content = super().encode(np.ascontiguousarray(once.transpose(order)), where)
        return {"strided": [content, order, list(array.shape)]}

    def _encode_bank(self, bank: Bank, where: str) -> Any:
        kind = type(bank)
        own = kind.__module__.partition(".")[0] != "boltzmix"
        if not own and BANKS.get(kind.__name__) is not kind:
            raise ValueError(f"{where} is a {kind.__name__}, which only a part of a fit knows.")
        state = {one: self.encode(part, where) for one, part in state_of(bank).items()}
        return {"bank state": [own_name(kind) if own else kind.__name__, state]}


class StateDecoder(Decoder):
    """Turns JSON into objects in the middle of a fit.

    Parameters
    ----------
    arrays : sequence of bytes
    families : iterable of type
        Classes of families that the user has defined.
    """

    def __init__(self, arrays: Sequence[bytes], families: Iterable[type] = ()) -> None:
        super().__init__(arrays, families)
        self._classes |= {kind.__name__: kind for kind in RECORDS}
        self._banks = BANKS | {own_name(kind): kind for kind in own_classes(Bank)}
        self._readers = {
            **self._readers,
            "bank state": self._bank_state,
            "step": lambda content: self.decode(content)[0],
            "steps": lambda content: tuple(self.decode(content).steps()),
            "strided": self._strided,
        }

    def _bank_state(self, content: Any) -> Bank:
        name, state = content
        kind = self._banks[name]
        bank = kind.__new__(kind)
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
