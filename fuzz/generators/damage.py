"""Damaged model files: changed bytes, or changed content with checksums that are right again."""

import io
import json
import random
from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from .formulas import ATTACKS, mutated_formula, valid_formula

HEADER, MODEL = "header.json", "model.json"
ODD: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 3, 255, 10**6, 10**9, 2**31, 2**63, -(2**63), 10**30, 10**300),
    *(1e308, -1e308, 5e-324, -0.5, 0.1, "", "a", "os.system", "auto", "trace.txt", "/tmp/trace"),
    *("../trace", "C:\\trace", "\x1b[31m", "\ud800", "x" * 5000, [], {}, [[]], [0] * 2000),
    *({"array": 0}, {"array": 7}, {"array": -1}, {"array": 10**9}, {"array": 1.5}),
    *({"float": "nan"}, {"float": "inf"}, {"float": "-inf"}, {"float": "1"}, {"tuple": []}),
    *({"bank": []}, {"plain bank": []}, {"dict": []}, {"objects": []}, {"covariance": "VVV"}),
    *({"distribution": "norm"}, {"distribution": "rv_continuous"}, {"number": ["float32", 1e30]}),
    *({"number": ["int8", 4000]}, {"number": ["uint64", -1]}, {"noisy": []}, {"gated": []}),
    *({"object": ["Gaussian", {}]}, {"object": ["HMM", {"n_states": 10**9}]}),
    *({"object": ["Design", {}]}, {"object": ["kernel RBF", {}]}, {"strided": [[], [], [10**9]]}),
    {"generator": {"dict": [["bit_generator", "PCG64"]]}},
    {"random state": {"dict": [["bit_generator", "MT19937"]]}},
)
SHAPES = ("()", "(0,)", "(1,)", "(2, 2)", "(-1,)", "(10**9,)", "(99999999999,)", "(2**63,)", "[3]")
TYPES = (
    "<f8",
    "<f4",
    "<i8",
    "<i4",
    "|b1",
    "|O",
    "<U1",
    "<U0",
    "|V8",
    ">f8",
    "<c16",
    "<M8[s]",
    "|u1",
)


def damaged(content: bytes, rng: random.Random) -> bytes:
    """Return a damaged file: with changed bytes, or forged, with checksums that are right."""
    if rng.random() < 0.3:
        return _with_changed_bytes(content, rng, rng.choice([1, 1, 2, 8]))
    with ZipFile(io.BytesIO(content)) as file:
        entries = {name: file.read(name) for name in file.namelist()}
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        _forge(entries, rng)
    return _written(entries, rng)


def _with_changed_bytes(content: bytes, rng: random.Random, changes: int) -> bytes:
    changed = bytearray(content)
    for _ in range(changes):
        place, kind = rng.randrange(len(changed) + 1), rng.randrange(5)
        if kind == 0 and place < len(changed):
            changed[place] ^= 1 << rng.randrange(8)
        elif kind == 1 and place < len(changed):
            changed[place] = rng.randrange(256)
        elif kind == 2:
            changed[place:place] = rng.randbytes(rng.randrange(1, 20))
        elif kind == 3:
            del changed[place : place + rng.randrange(1, 20)]
        elif changes == 1:
            del changed[place:]
    return bytes(changed)


def _forge(entries: dict[str, bytes], rng: random.Random) -> None:
    """Change one of the entries of a model file."""
    kind, arrays = rng.random(), [name for name in entries if name.startswith("arrays/")]
    if kind < 0.65:
        _change_entry(entries, MODEL, rng)
    elif kind < 0.7:
        entries[MODEL] = _with_changed_bytes(entries[MODEL], rng, 1)
    elif kind < 0.9 and arrays:
        name = rng.choice(arrays)
        entries[name] = _changed_array(entries[name], rng)
    elif kind < 0.93 and len(arrays) > 1:
        one, other = rng.sample(arrays, 2)
        entries[one], entries[other] = entries[other], entries[one]
    elif kind < 0.95:
        entries[rng.choice(["../trace", "/tmp/trace", "arrays/999.npy", "more"])] = b"trace"
    elif kind < 0.97 and arrays:
        del entries[rng.choice(arrays)]
    else:
        _change_entry(entries, HEADER, rng)


def _change_entry(entries: dict[str, bytes], name: str, rng: random.Random) -> None:
    """Change a value of JSON, if the entry is still JSON after other changes."""
    try:
        document = json.loads(entries[name])
    except ValueError:
        return
    _change_json(document, rng)
    entries[name] = json.dumps(document).encode()


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every list and dictionary of a document, with each of its keys."""
    if isinstance(node, list | dict):
        for key in range(len(node)) if isinstance(node, list) else list(node):
            yield node, key
            yield from _places(node[key])


def _change_json(document: Any, rng: random.Random) -> None:
    found = list(_places(document))
    if not found:
        return
    formulas = [(node, key) for node, key in found if _is_formula(node[key])]
    if formulas and rng.random() < 0.4:
        node, key = rng.choice(formulas)
        node[key] = _formula(node[key], rng)
        return
    node, key = rng.choice(found)
    kind, value = rng.random(), node[key]
    if kind < 0.45:
        node[key] = deepcopy(rng.choice(ODD))
    elif kind < 0.55:
        del node[key]
    elif kind < 0.75:
        other, there = rng.choice(found)
        node[key] = deepcopy(other[there])
    elif kind < 0.8 and isinstance(node, list):
        node.extend(deepcopy(node[key]) for _ in range(rng.choice([1, 2, 50])))
    elif isinstance(value, int | float):
        node[key] = rng.choice([value * 2 + 1, -value, value * 10**6, value + 0.5])
    elif isinstance(value, str):
        node[key] = rng.choice([value[::-1], value + "x", value.upper(), value * 100])
    else:
        node[key] = [value]


def _is_formula(value: Any) -> bool:
    return isinstance(value, str) and any(sign in value for sign in (" ~ ", "*", ":", "I("))


def _formula(before: str, rng: random.Random) -> str:
    """Return another formula; the side before the tilde is kept."""
    left = before.partition("~")[0] + "~ " if "~" in before else ""
    attack = rng.choice(ATTACKS)
    made = (
        mutated_formula(rng),
        valid_formula(rng),
        attack,
        f"{before} + {attack}",
        f"a*sex:{attack}",
    )
    return left + rng.choice(made)


def _changed_array(content: bytes, rng: random.Random) -> bytes:
    """Return an array with another header or other numbers."""
    length = int.from_bytes(content[8:10], "little")
    text, values = content[10 : 10 + length].decode("latin-1"), content[10 + length :]
    kind = rng.random()
    if "'shape': (" not in text or "'descr': '" not in text:  # it has been changed already
        return _with_changed_bytes(content, rng, 1)
    if kind < 0.3:
        start = text.index("'shape': ") + len("'shape': ")
        text = text[:start] + rng.choice(SHAPES) + text[text.index(")", start) + 1 :]
    elif kind < 0.5:
        start = text.index("'descr': '") + len("'descr': '")
        text = text[:start] + rng.choice(TYPES) + text[text.index("'", start) :]
    elif kind < 0.9:
        size = rng.choice([4, 8])
        at = rng.randrange(0, max(len(values), 1), size)
        values = values[:at] + rng.choice(_NUMBERS)[-size:].ljust(size, b"\0") + values[at + size :]
    else:
        return _with_changed_bytes(content, rng, 1)
    header = text.encode("latin-1")
    return content[:8] + len(header).to_bytes(2, "little") + header + values


_NUMBERS = (
    bytes(8),
    b"\xff" * 8,
    b"\xff" * 7 + b"\x7f",
    b"\0" * 6 + b"\xf0\x7f",
    b"\0" * 6 + b"\xf8\x7f",
    b"\0" * 6 + b"\xf0\xff",
    b"\xff" * 6 + b"\xef\x7f",
    b"\x01" + bytes(7),
    (10**9).to_bytes(8, "little"),
    b"\0" * 6 + b"\xf0\x3f",
    b"\0" * 6 + b"\xf0\xbf",
)


def _written(entries: dict[str, bytes], rng: random.Random) -> bytes:
    """Return a file of entries, almost always with checksums that are right."""
    try:
        header = json.loads(entries[HEADER])
        if rng.random() < 0.97:
            others = {name: one for name, one in entries.items() if name != HEADER}
            header["sha256"] = {name: sha256(one).hexdigest() for name, one in others.items()}
        entries = {**entries, HEADER: json.dumps(header).encode()}
    except (ValueError, TypeError):  # the header is another kind of value now
        pass
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED if rng.random() < 0.02 else ZIP_STORED) as file:
        for name, one in entries.items():
            file.writestr(ZipInfo(name), one)
    return made.getvalue()
