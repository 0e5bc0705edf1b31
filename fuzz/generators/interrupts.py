"""Interrupts of fits of every kind of data, each followed by another fit in the same process.

A process gets some interrupts in turn. The first comes while it loads the compiler and kernels. A
case fails if the process dies, if the fit ends in anything but `KeyboardInterrupt`, if threads go
on after it, or if the next fit has another result than one that was not interrupted.
"""

import collections
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from .interrupted import KINDS

IN_TURN = 25  # interrupts that one process gets
MOST_SECONDS = 120.0  # of processor time, until a process that says nothing counts as hanging
LEAST_SECONDS = 0.05  # of processor time that one takes in so many seconds if it does anything
ROOM = 1.1  # an interrupt comes at most so many times the duration of a fit after its beginning
OWN = ("interrupted", "after the fit")


class DeadError(Exception):
    """The process died, or hangs."""


class Process:
    """A process that fits a kind of data."""

    def __init__(self, kind: str) -> None:
        command = [sys.executable, "-X", "faulthandler", "-m", "fuzz.generators.interrupted", kind]
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed in __exit__
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True,
            start_new_session=True, cwd=Path(__file__).parents[2],
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._errors.close()

    def fit(self) -> dict[str, Any]:
        """Fit without an interrupt; return what the process says."""
        self._ask("fit")
        return self._hear()

    def interrupt(self, delay: float) -> dict[str, Any]:
        """Fit, interrupt, and fit again; return what the process says."""
        self._ask("interrupt")
        self._hear()
        time.sleep(delay)
        os.kill(self._process.pid, signal.SIGINT)
        return self._hear()

    def _ask(self, what: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(what + "\n")
        self._process.stdin.flush()

    def _hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            began = before = _processor_time(self._process.pid)
            while not selector.select(MOST_SECONDS):
                now = _processor_time(self._process.pid)
                if now - began > MOST_SECONDS or now - before < LEAST_SECONDS:
                    raise DeadError(f"nothing for {now - began:.0f} s of work\n{self._said()}")
                before = now
        line = self._process.stdout.readline()
        if not line:
            raise DeadError(f"the process died with code {self._process.wait()}\n{self._said()}")
        found: dict[str, Any] = json.loads(line)
        return found

    def _said(self) -> str:
        self._errors.seek(0)
        return self._errors.read()[-4000:]


def _processor_time(number: int) -> float:
    """Return how many seconds of processor time a process took; others may keep it waiting."""
    try:
        taken = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[11:13]
    except OSError:  # not on Linux
        return time.monotonic()
    return sum(map(int, taken)) / os.sysconf("SC_CLK_TCK")


def run(count: int, seed: int, minutes: float, kinds: Sequence[str] = tuple(KINDS)) -> int:
    """Interrupt `count` fits of each kind; print failures; return how many failed."""
    if os.name != "posix":
        print("Interrupts are sent on POSIX systems only.")
        return 0
    began, failed = time.monotonic(), 0
    for number, kind in enumerate(kinds):
        until = began + 60 * minutes * (number + 1) / len(kinds)
        ended = _interrupt_kind(kind, range(seed, seed + count), until)
        failures = [text for text in ended.elements() if text not in OWN]
        failed += len(failures)
        for text in failures:
            print(f"{kind}: {text}")
        print(
            f"{kind}: {ended.total()} interrupts, {ended[OWN[0]]} of them during the fit,"
            f" {len(failures)} failed",
            flush=True,
        )
    print(f"Interrupts from {seed}: {failed} failed; {(time.monotonic() - began) / 60:.1f} minutes")
    return failed


def _interrupt_kind(kind: str, numbers: range, until: float) -> collections.Counter[str]:
    """Return how often each ending occurred."""
    with Process(kind) as process:
        cold, warm = process.fit(), process.fit()
    ended: collections.Counter[str] = collections.Counter()
    for first in numbers[::IN_TURN]:
        seconds = cold["seconds"]
        try:
            with Process(kind) as process:
                for number in numbers[first - numbers[0] :][:IN_TURN]:
                    if time.monotonic() > until:
                        return ended
                    delay = np.random.default_rng(number).uniform(0, ROOM * seconds)
                    seconds = warm["seconds"]
                    ended[_verdict(process.interrupt(delay), warm["again"], number)] += 1
        except DeadError as error:
            ended[f"from {first}: {error}"] += 1
    return ended


def _verdict(found: dict[str, Any], expected: str, number: int) -> str:
    """Return how a fit ended, or what is wrong."""
    if found["ended"] not in OWN:
        return f"{number}: {found['ended']}"
    if found["threads"]:
        return f"{number}: threads go on: {found['threads']}"
    return found["ended"] if found["again"] == expected else f"{number}: then {found['again']}"
