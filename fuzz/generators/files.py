"""Malformed files, each read by the command: it must end with a sentence, or with a fit."""

import bz2
import gzip
import io
import json
import lzma
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
from typer.testing import CliRunner

from boltzmix.cli import app

MOST_SECONDS = 20.0
Dice = np.random.Generator
WORDS = ("", "NA", "1,5", "1.234,5", "1e999", "-inf", "nan", "0x1F", "2024-01-31", "true", "٣", "'")
HOSTILE = (
    "\0",
    "\x1b[2J",
    '"',
    "\u202e",
    "x" * 5000,
    "=cmd|' /C calc'!A1",
    "\r",
    "\ufeff",
    "#",
    "é",
)
ENCODINGS = ("utf-8", "utf-16", "utf-32-le", "latin-1", "cp1252", "utf-7", "cp037", "shift-jis")
OPTIONS = (
    (), ("--family", "auto"), ("--family", "categorical"), ("--no-header",), ("--header",),
    ("--decimal", ","), ("--separator", ";"), ("--encoding", "utf-16"), ("--na", "1,-999"),
    ("--columns", "a"), ("--exclude", "b"), ("--id", "a"), ("--sheet", "x"), ("--max-size", "2kB"),
    ("--sequence", "a", "--states", "1"), ("--trajectory", "a", "--time", "b"), ("--target", "c"),
    ("--membership", "a"), ("--compare-with", "b"),
)  # fmt: skip


def run(count: int, seed: int, minutes: float) -> int:
    """Return after how many of the files `seed` to ``seed + count`` the command failed."""
    until, failed, fitted, ran = time.monotonic() + 60 * minutes, 0, 0, 0
    for number in range(seed, seed + count):
        if time.monotonic() > until:
            break
        problem, code = run_file(number)
        ran, fitted, failed = ran + 1, fitted + (code == 0), failed + bool(problem)
        if problem:
            print(f"Case {number} (python -m fuzz --what files --count 1 --seed {number})")
            print(f"  - {problem}", flush=True)
        if ran % 200 == 0:
            print(f"{ran} files, {fitted} fits, {failed} failed", file=sys.stderr, flush=True)
    print(f"{ran} files from {seed}: {failed} failed; {fitted} could be fitted.")
    return failed


def run_file(number: int) -> tuple[str, int]:
    """Fit a malformed file; return what went wrong, if anything, and the exit code."""
    dice = np.random.default_rng(number)
    name, content = make_file(dice)
    options = OPTIONS[dice.integers(len(OPTIONS))] if dice.random() < 0.6 else ()
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / name, Path(folder) / "labels.csv"
        path.write_bytes(content)
        began = time.process_time()
        result = CliRunner().invoke(
            app, ["fit", str(path), "-k", "2", "--max-iter", "5", "--seed", "0", "--max-size",
                  "200MB", "--out", str(out), "--save", f"{folder}/m.bmix", *options],
        )  # fmt: skip
        seconds = time.process_time() - began
        left = sorted(one.name for one in Path(folder).iterdir())
    problem = judge(result, seconds, left)
    return f"{name} {options}: {problem}" if problem else "", result.exit_code


def judge(result: object, seconds: float, left: list[str]) -> str:
    """Say what is wrong with the end of a command; nothing if all is well."""
    code, error = getattr(result, "exit_code"), getattr(result, "exception")  # noqa: B009
    shown, notes = getattr(result, "stdout"), getattr(result, "stderr")  # noqa: B009
    if error is not None and not isinstance(error, SystemExit):
        return f"{type(error).__name__} got out: {error!s:.200}"
    if code not in (0, 1, 2):
        return f"the exit code is {code}"
    if seconds > MOST_SECONDS:
        return f"it took {seconds:.0f} s"
    if any(one in shown + notes for one in "\x1b\0\x07\u202e"):
        return "control characters were printed"
    lines = [one for one in notes.splitlines() if not one.startswith("boltzmix: note: ")]
    foreign = [one for one in lines if " Error: " in one or "Traceback" in one or "panicked" in one]
    if code == 1 and (len(lines) != 1 or not lines[0].startswith("boltzmix: ")):
        return f"{len(lines)} lines in place of one sentence: {lines!r:.300}"
    if foreign or (code == 1 and _is_foreign(lines[0])):
        return f"the error is not one of ours: {lines[0]:.300}"
    if max(map(len, notes.splitlines()), default=0) > 3000:
        return "a value was echoed whole"
    done = {"labels.csv", "m.bmix"} & set(left)
    if len(done) != (2 if code == 0 else 0) or any(one.startswith(".") for one in left):
        return f"exit code {code}, but the folder has {left}"
    return ""


def _is_foreign(line: str) -> bool:
    """Return whether a line begins with the name of a class of exceptions."""
    first = line.removeprefix("boltzmix: ").split(":")[0]
    return first.endswith(("Error", "Exception")) and first.isidentifier()


def make_file(dice: Dice) -> tuple[str, bytes]:
    """Return the name and the content of a malformed file."""
    kinds: tuple[Callable[[Dice], tuple[str, bytes]], ...] = (_text, _text, _json, _binary, _packed)
    name, content = kinds[dice.integers(len(kinds))](dice)
    for damage in (_truncated, _flipped, _spliced):
        if dice.random() < 0.25 and content:
            content = damage(content, dice)
    return name, content


def _truncated(content: bytes, dice: Dice) -> bytes:
    return content[: dice.integers(len(content) + 1)]


def _flipped(content: bytes, dice: Dice) -> bytes:
    codes = np.frombuffer(content, np.uint8).copy()
    places = dice.integers(len(codes), size=dice.integers(1, 9))
    codes[places] = dice.integers(256, size=len(places))
    return codes.tobytes()


def _spliced(content: bytes, dice: Dice) -> bytes:
    """Repeat a piece of the content somewhere else."""
    start, stop, place = sorted(dice.integers(len(content) + 1, size=3))[:3]
    return content[:place] + content[start:stop] + content[place:]


def _cells(dice: Dice) -> list[list[str]]:
    """Return the cells of a table, most of them numbers, with a header that may be odd."""
    n, width = int(dice.integers(0, 30)), int(dice.integers(1, 6))
    odd = dice.choice([0.0, 0.02, 0.3])
    header = list("abcdef"[:width])
    if dice.random() < 0.3:
        header[dice.integers(width)] = str(dice.choice([*HOSTILE, "a", "", " "]))
    rows = [[f"{one:.3f}" for one in dice.normal(size=width)] for _ in range(n)]
    for row in rows:
        for j in range(width):
            if dice.random() < odd:
                row[j] = str(dice.choice([*WORDS, *HOSTILE]))
        if dice.random() < odd / 4:
            row.append("1")
    return [header, *rows]


def _text(dice: Dice) -> tuple[str, bytes]:
    mark = str(dice.choice([",", ";", "\t", "|", " "]))
    end = str(dice.choice(["\n", "\n", "\r\n", "\r"]))
    text = end.join(mark.join(row) for row in _cells(dice))
    encoding = str(dice.choice(ENCODINGS)) if dice.random() < 0.3 else "utf-8"
    name = str(dice.choice(["a.csv", "a.tsv", "a.txt", "a.xlsx", "a.parquet", "a"]))
    return name, text.encode(encoding, "replace")


def _json(dice: Dice) -> tuple[str, bytes]:
    header, *rows = _cells(dice)
    odd = [None, True, "x", {"a": 1}, [1, 2], 1e308, 10**400, "\x1b[2J"]
    records = [dict(zip(header, map(_value, row), strict=False)) for row in rows]
    for record in records:
        if dice.random() < 0.1:
            record[header[0]] = odd[dice.integers(len(odd))]
    if dice.random() < 0.1:
        deep = int(dice.choice([50, 500, 20_000]))
        return "a.json", f'[{{"a": {"[" * deep}{"]" * deep}}}]'.encode()
    if dice.random() < 0.5:
        return "a.json", json.dumps(records).encode()
    return "a.jsonl", "\n".join(map(json.dumps, records)).encode()


def _value(cell: str) -> object:
    try:
        return float(cell)
    except ValueError:
        return cell


def _binary(dice: Dice) -> tuple[str, bytes]:
    """Return a Parquet, Feather or Excel file."""
    n, stream = int(dice.integers(0, 30)), io.BytesIO()
    columns: dict[str, object] = {"a": dice.normal(size=n), "b": dice.integers(0, 9, n)}
    columns["c\x1b[31m" if dice.random() < 0.2 else "c"] = [f"w{one}\x07" for one in range(n)]
    frame = pl.DataFrame(columns)
    if dice.random() < 0.3:
        frame = frame.with_columns(
            a=pl.col("a").cast(pl.Decimal(12, 3)), d=pl.concat_list("a", "a"), e=pl.struct("b")
        )
    kind = str(dice.choice(["parquet", "feather", "xlsx"]))
    if kind == "parquet":
        frame.write_parquet(stream)
    elif kind == "feather":
        frame.write_ipc(stream)
    else:
        frame.select("a", "b").write_excel(stream)
    return f"a.{kind}", stream.getvalue()


def _packed(dice: Dice) -> tuple[str, bytes]:
    """Return a packed file, maybe one that unfolds to very much."""
    name, content = (_text, _json, _binary)[dice.integers(3)](dice)
    if dice.random() < 0.1:
        content = b"a,b\n" + b"1.5,2.5\n" * 4_000_000
    kind = str(dice.choice(["gz", "bz2", "xz", "zip"]))
    if kind == "zip":
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr(name, content)
        return f"{name}.zip", stream.getvalue()
    packers: dict[str, Callable[[bytes], bytes]] = {
        "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress,
    }  # fmt: skip
    return f"{name}.{kind}", packers[kind](content)
