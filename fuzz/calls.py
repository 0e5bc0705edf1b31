"""Calls with odd arguments: each succeeds, or ends in one sentence of boltzmix, soon."""

import os
import re
import reprlib
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from .running import Outcome

LONGEST = 1_500  # characters of a message
MOST_MEMORY = 3 * 2**30  # bytes that a call may take beside what the process has


class Call(NamedTuple):
    """A call, and how to describe it.

    Parameters
    ----------
    described : str
    work : function of no arguments
    """

    described: str
    work: Callable[[], Any]


def described(name: str, given: dict[str, Any]) -> str:
    """Return how a call looks."""
    words = (f"{key}={_short(value)}" for key, value in given.items())
    return f"{name}({', '.join(words)})"


def _short(value: Any) -> str:
    try:
        return " ".join(reprlib.repr(value).split())
    except Exception:  # of any kind: it is the value's own code that fails
        return f"an object of type {type(value).__name__}"


@contextmanager
def limited() -> Iterator[None]:
    """Work in an empty folder, print nothing, and limit the memory."""
    here, (soft, hard) = Path.cwd(), resource.getrlimit(resource.RLIMIT_AS)
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    with tempfile.TemporaryDirectory() as folder, Path(os.devnull).open("w") as nowhere:
        os.chdir(folder)
        Path("folder").mkdir()
        resource.setrlimit(resource.RLIMIT_AS, (size + MOST_MEMORY, hard))
        try:
            with redirect_stdout(nowhere):
                yield
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
            os.chdir(here)


def judge(call: Call) -> Outcome:
    """Call, and note what is wrong with the way it ends."""
    with limited():
        outcome = Outcome()
        result = outcome.call("call", call.work)
        if any("took" in one for one in outcome.failures):  # perhaps to compile kernels
            outcome = Outcome()
            result = outcome.call("call", call.work)
    outcome.fitted = result is not None
    if len(outcome.message) > LONGEST or re.search(r"[\x00-\x08\x0b-\x1f\x7f]", outcome.message):
        outcome.check(
            [f"the message is long or could command a terminal: {outcome.message!r:.150}"]
        )
    return outcome


def run_calls(what: str, make: Callable[[int], Call], count: int, seed: int, minutes: float) -> int:
    """Judge the calls of some numbers; print failures; return how many failed."""
    began, failed, succeeded, ran = time.monotonic(), 0, 0, 0
    for number in range(seed, seed + count):
        if time.monotonic() > began + 60 * minutes:
            break
        call, ran = make(number), ran + 1
        outcome = judge(call)
        succeeded += outcome.fitted
        if ran % 1000 == 0:
            print(f"{ran} calls, {succeeded} succeeded, {failed} failed", file=sys.stderr)
        if outcome.failures:
            failed += 1
            print(f"python -m fuzz --what {what} --seed {number} --count 1: {call.described}")
            for failure in outcome.failures:
                print(f"  - {failure}", flush=True)
    taken = (time.monotonic() - began) / 60
    print(
        f"{ran} calls from {seed} in {taken:.1f} minutes: {failed} failed, {succeeded} succeeded,"
        f" and {ran - failed - succeeded} ended in a sentence."
    )
    return failed
