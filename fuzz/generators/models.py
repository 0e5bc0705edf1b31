"""Damaged and forged model files: each is a model or one sentence, and writes nothing."""

import random
import resource
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import boltzmix

from ..judging import is_own_error, is_sentence
from ..running import TookLong, at_most
from .damage import damaged
from .saved import SAVED, saved
from .watching import Watched, watched

CHUNK = 100  # files that a process loads at a time
MOST_SECONDS = 30.0  # of processor time for one file
MOST_MEMORY = 500  # megabytes that one file may add to the most that was ever used
CANARY = "boltzmix_canary"
READING = ("import", "open", "compile", "exec", "marshal", "os.listdir", "os.scandir")
WRITING = ("w", "a", "x", "+")


class Writes(Watched):
    """Notices files that are opened for writing, beside what must never run."""

    def note(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Keep an event of the interpreter, if it is forbidden."""
        super().note(event, arguments)
        if event != "open" or not isinstance(arguments[1], str):
            return
        path, mode = str(arguments[0]), arguments[1]
        if any(sign in mode for sign in WRITING) and "__pycache__" not in path:
            self.found.append(f"{path} was opened to write")


@cache
def _originals() -> dict[str, bytes]:
    """Return the bytes of the model files, by name; a process makes them once."""
    with tempfile.TemporaryDirectory() as folder:
        return {name: saved(name, Path(folder)) for name in SAVED}


def make_file(number: int) -> tuple[str, bytes]:
    """Return the name of the model, and a damaged file of it."""
    rng = random.Random(number)
    name = rng.choice(list(SAVED))
    return name, damaged(_originals()[name], rng)


def problem_of(number: int) -> tuple[str, bool]:
    """Return what is wrong with how a file is read, and whether it could be loaded.

    It is read once more if something is, as the first use of a kernel unpickles it from its cache.
    """
    found = _read(number)
    return _read(number) if found[0] else found


def _read(number: int) -> tuple[str, bool]:
    name, content = make_file(number)
    events = Writes(CANARY, READING)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.bmix"
        path.write_bytes(content)
        problem, loaded = _problem(name, path, events)
        others = sorted(one.name for one in Path(folder).iterdir() if one != path)
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    if others:
        problem = problem or f"it wrote {', '.join(others)}"
    if more > MOST_MEMORY:
        problem = problem or f"it needed {more} MB"
    return events.problem() or problem, loaded


def _problem(name: str, path: Path, events: Watched) -> tuple[str, bool]:
    data, loaded = SAVED[name].data(), False
    try:
        with at_most(MOST_SECONDS), watched(events), warnings.catch_warnings(action="ignore"):
            model = boltzmix.load(path)
            loaded = True
            model.predict(data)
    except boltzmix.ModelFileError as error:
        words = str(error)
        fine = is_sentence(words) and len(words.splitlines()) == 1 and len(words) < 1000
        return "" if fine else f"{error!r:.300}", loaded
    except TookLong:
        return f"it took more than {MOST_SECONDS} seconds", loaded
    except Exception as error:
        fine = loaded and is_own_error(error)
        return "" if fine else traceback.format_exc(limit=-4), loaded
    return "", loaded


def problems_of(numbers: list[int]) -> list[tuple[int, str, bool]]:
    """Return the numbers of some files, with what is wrong, and whether they could be loaded."""
    return [(number, *problem_of(number)) for number in numbers]


def run(count: int, seed: int, minutes: float) -> int:
    """Return how many of `count` files, made from `seed` on, failed."""
    until, began = time.monotonic() + 60 * minutes, time.monotonic()
    failed = loads = ran = 0
    for number, problem, loaded in _outcomes(range(seed, seed + count), until):
        ran, loads, failed = ran + 1, loads + loaded, failed + bool(problem)
        if problem:
            print(f"Case {number} (python -m fuzz --what models --count 1 --seed {number})")
            print(f"  {problem}", flush=True)
    seconds = time.monotonic() - began
    print(
        f"{ran} model files from {seed} in {seconds:.0f} s: {failed} failed;"
        f" {loads} could be loaded."
    )
    return failed


def _outcomes(numbers: range, until: float) -> Iterator[tuple[int, str, bool]]:
    """Yield the outcomes of files, in processes apart, so that a crash ends only one of them."""
    if len(numbers) == 1:
        yield (numbers[0], *problem_of(numbers[0]))
        return
    pending = [list(numbers[start : start + CHUNK]) for start in range(0, len(numbers), CHUNK)]
    pool = _pool()
    while pending and time.monotonic() < until:
        chunk = pending.pop(0)
        try:
            yield from pool.submit(problems_of, chunk).result()
        except BrokenProcessPool:
            pool = _pool()
            if len(chunk) == 1:
                yield chunk[0], "the process died", False
            else:
                half = len(chunk) // 2
                pending[:0] = [chunk[:half], chunk[half:]]
    pool.shutdown()


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"))
