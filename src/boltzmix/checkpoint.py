"""Checkpoints: a fit that was interrupted goes on where it was, to the same bits."""

import json
import os
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import numpy as np

from .data import Data, marked, shortened, shown
from .families import Bank, Family
from .learning import MixtureState, State, Step
from .learning.engine.log import Call, CallRecord, Log
from .learning.engine.state import mapped
from .learning.search.restarts import NO_COUNTS
from .saving import CheckpointError, ModelFileError
from .saving.container import CHECKPOINT_FORMAT, as_json, read_entries, write_entries
from .saving.models import versions
from .saving.states import Ended, digest, digest_of_data, from_record, functions_in, to_record

FIT = "fit.json"
Records = dict[tuple[int, ...], bytes]


def check_place(path: Path) -> None:
    """Raise if there can be no file at a path."""
    if path.is_dir():
        raise CheckpointError(f"{marked('checkpoint')} must name a file, but {path} is a folder.")
    if not path.parent.is_dir():
        raise CheckpointError(f"The folder {path.parent} does not exist: make it first.")


def read_checkpoint(path: Path) -> tuple[dict[str, Any], Records]:
    """Return the fingerprint and the records in a file; raise if it is not a whole checkpoint."""
    try:
        entries, _ = read_entries(path, CHECKPOINT_FORMAT)
        found = json.loads(entries.pop(FIT))
        records = {tuple(map(int, name.split("."))): one for name, one in entries.items()}
    except ModelFileError as error:
        raise CheckpointError(str(error)) from None
    except OSError as error:
        raise CheckpointError(f"{path} could not be read: {error.strerror}.") from None
    except Exception as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise CheckpointError(
            f"{path} is damaged or incomplete ({reason:.200}): delete it to fit from the beginning,"
            " or choose another name."
        ) from None
    return found, records


def write_checkpoint(path: Path, found: Mapping[str, object], records: Records) -> None:
    """Write a checkpoint beside its path, then move it there, so that none is incomplete."""
    draft = path.with_name(f".{path.name}.part")
    entries = {".".join(map(str, key)): one for key, one in sorted(records.items())}
    try:
        write_entries(draft, {FIT: as_json(found), **entries}, CHECKPOINT_FORMAT, versions())
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


NOT_SETTINGS = ("checkpoint", "n_jobs", "verbose")  # which do not change the result
SHOWN = 60  # characters of a setting that messages show


def fingerprint(
    settings: Mapping[str, object], data: Data, sample_weight: object, labels: object
) -> dict[str, object]:
    """Return what identifies a fit, as values of JSON.

    Of data that are not in memory, some evenly spaced rows are read.
    """
    return {
        "boltzmix": versions()["boltzmix"],
        "data": digest_of_data(data),
        "sample_weight": digest(sample_weight),
        "labels": digest(labels),
        "settings": {
            name: [digest(value), shortened(shown(value), SHOWN)]
            for name, value in settings.items()
            if name not in NOT_SETTINGS
        },
    }


def check_same(path: object, before: Mapping[str, object], now: Mapping[str, object]) -> None:
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
            named = marked(name)
            found.append(
                f"{named} is not the same" if same else f"{named} was {was} and is {value}"
            )
    return found


T = TypeVar("T")
Key = tuple[int, ...]

FIRST, INTERVAL = 1.0, 5.0  # seconds of learning until the file is written, and written again
SHARE = 20  # of its time, one in so many seconds is spent on writing files
LEAST_RATIO = 10  # of the time of a call to that of its recording, for it to be recorded
BYTES_PER_SECOND = 1e7  # a call of a second has a record of at most so many bytes
NO_MIXTURE = MixtureState(Bank(()), np.zeros(0))  # that of steps that were recorded without one
QUICKEST = 5e-4  # seconds that recording takes before it was measured
FORGETTING = 0.9  # by which what was measured counts less for every call that is not recorded


class CheckpointLog(Log):
    """A log of a fit that is written to a file every few seconds.

    Calls have numbers, and calls within a call have numbers of their own, so a key is a tuple of
    numbers. Once a call has been recorded, the records of calls within it are not needed.

    Parameters
    ----------
    path : Path
    fingerprint : mapping
        The record that identifies the fit.
    family : Family
        The template of its components.
    """

    def __init__(self, path: Path, fingerprint: dict[str, object], family: Family) -> None:
        self.path, self._fingerprint = path, fingerprint
        self._functions = functions_in(family)
        self._family = family
        self._records: Records = {}
        self._numbers = [0]
        self._current: LoggedCall | None = None
        self._cost = QUICKEST
        self._due = inf
        self._warned = False
        self._is_new, self.has_learned = True, False

    def begin(self) -> None:
        """Read the file if there is one, and write it; raise if that cannot be done."""
        try:
            to_record(self._family, self._functions)
        except ValueError as error:
            raise CheckpointError(f"{marked('checkpoint')} cannot be used: {error}") from None
        try:
            check_place(self.path)
            self._is_new = not self.path.exists()
            if not self._is_new:
                before, self._records = read_checkpoint(self.path)
                check_same(self.path, before, self._fingerprint)
            write_checkpoint(self.path, self._fingerprint, self._records)
        except OSError as error:
            raise CheckpointError(
                f"The checkpoint {self.path} cannot be written ({error.strerror}): choose another"
                " path."
            ) from None

    def discard(self) -> None:
        """Delete a file that this fit made, and that has nothing in it."""
        if self._is_new and not self.has_learned:
            self.path.unlink(missing_ok=True)

    def save(self) -> bool:
        """Write the file; return whether that could be done."""
        began, records, current = monotonic(), dict(self._records), self._current
        try:
            if current is not None:
                records[current.key] = to_record(current.progress, self._functions)
            write_checkpoint(self.path, self._fingerprint, records)
            is_saved = True
        except (OSError, ValueError) as error:
            self._warn(error)
            is_saved = False
        now = monotonic()
        self._due = now + max(INTERVAL, SHARE * (now - began))
        return is_saved

    def _warn(self, error: OSError | ValueError) -> None:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        if not self._warned:
            warnings.warn(
                f"The checkpoint {self.path} could not be brought up to date, and the fit goes on"
                f" without it: {reason}",
                stacklevel=2,
            )
        self._warned = True

    def save_if_due(self) -> None:
        """Write the file, if that was not done in the last few seconds."""
        if monotonic() >= self._due:
            self.save()

    @contextmanager
    def call(self) -> Iterator[Call]:
        """Return what the log knows of the next call of `learn`, and notes of it."""
        with self._numbered() as key:
            call = LoggedCall(self, key, self._recalled(key, CallRecord))
            if self._due == inf:
                self._due = monotonic() + FIRST
            yield call
            if call.last is not None:
                self._current = None
                self._record(key, call.progress, call.seconds)

    def recorded(self, states: Generator[State, None, T]) -> Generator[State, None, T]:
        """Yield states and return what they return, from the log if they are there."""
        with self._numbered() as key:
            before = self._recalled(key, Ended)
            if before is not None:
                yield from self.recalling(before.steps, NO_MIXTURE)
                return before.result
            steps: list[Step] = []

            def note(state: State) -> State:
                step = state.step
                steps.append(replace(step, counts=NO_COUNTS) if step.trial else step)
                return state

            began = monotonic()
            result = yield from mapped(states, note)
            self._record(key, Ended(tuple(steps), result), monotonic() - began)
            return result

    def remembered(self, make: Callable[[], T], *, always: bool = False) -> T:
        """Return what a function returns, from the log if it is there."""
        with self._numbered() as key:
            before = self._recalled(key, Ended)
            if before is not None:
                return before.result
            began = monotonic()
            result = make()
            self._record(key, Ended((), result), inf if always else monotonic() - began)
            return result

    def recalling(self, steps: tuple[Step, ...], mixture: MixtureState) -> Iterator[State]:
        """Yield recorded steps as states, all with the same mixture."""
        self.is_recalling = True
        try:
            for step in steps:
                yield mixture.at(step)
        finally:
            self.is_recalling = False

    @contextmanager
    def _numbered(self) -> Iterator[Key]:
        """Give a call the next number, and the calls within it numbers of their own."""
        key = tuple(self._numbers)
        self._numbers.append(0)
        try:
            yield key
        finally:
            del self._numbers[len(key) :]
            self._numbers[-1] += 1

    def _recalled(self, key: Key, kind: type[T]) -> T | None:
        """Return the record of a call; None if there is none, or if it cannot be read."""
        if key not in self._records:
            return None
        try:
            found = from_record(self._records[key], self._functions)
        except Exception:  # a class of the user has changed: the call is made again
            return None
        return found if isinstance(found, kind) else None

    def _record(self, key: Key, value: object, seconds: float) -> None:
        """Record what a call has done, if it took long, in place of the calls within it."""
        if key not in self._records and seconds < LEAST_RATIO * self._cost:
            self._cost = max(FORGETTING * self._cost, QUICKEST)
            return
        began = monotonic()
        try:
            content = to_record(value, self._functions)
        except ValueError:  # which a part of the fit may return that no search of boltzmix does
            return
        self._cost = max(monotonic() - began, QUICKEST)
        if len(content) > BYTES_PER_SECOND * seconds:
            return
        while self._records and next(reversed(self._records))[: len(key)] == key:
            self._records.popitem()
        self._records[key] = content
        self.save_if_due()


class LoggedCall(Call):
    """A call of `learn` that is noted in a log."""

    def __init__(self, log: CheckpointLog, key: Key, recalled: CallRecord | None) -> None:
        self.key, self.recalled = key, recalled
        self.last: tuple[int, State, State] | None = None
        self._log, self._began = log, monotonic()
        self._steps = [] if recalled is None else list(recalled.steps)

    @property
    def seconds(self) -> float:
        """How long the call has taken."""
        return monotonic() - self._began

    @property
    def progress(self) -> CallRecord:
        """How far the call has come."""
        assert self.last is not None
        n_steps, state, kept = self.last
        return CallRecord(tuple(self._steps[:n_steps]), state.mixture, kept)

    def states(self, steps: tuple[Step, ...], mixture: MixtureState) -> Iterator[State]:
        """Yield recorded steps as states, all with the same mixture."""
        return self._log.recalling(steps, mixture)

    def note(self, state: State, kept: State) -> None:
        """Note one more state, and the one that would be returned if the call ended there."""
        self._steps.append(state.step)
        self.last = len(self._steps), state, kept  # at once, as Ctrl-C may come at any time
        self._log._current = self
        self._log.has_learned = True
        self._log.save_if_due()


@contextmanager
def checkpointed(log: CheckpointLog) -> Iterator[CheckpointLog]:
    """Keep the file of a log up to date while a fit runs, and when it ends or is interrupted."""
    log.begin()
    try:
        yield log
    except BaseException as error:
        if log.save() and isinstance(error, KeyboardInterrupt):
            error.add_note(
                f"The checkpoint {log.path} is up to date: the same fit, started again, goes on"
                " from there."
            )
        log.discard()
        raise
    log.save()
