"""Data of every kind, made of a hostile table: tables, frames, sequences, curves, trajectories."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from boltzmix import Sequences, Trajectories

from .containers import pack
from .dice import Dice
from .hostile import make_hostile
from .templates import Template
from .values import DRAWS

SIZES = (5, 6, 7, 8, 9, 10, 12, 14, 16)
LARGE_SIZES = (20, 30, 50)
LARGE = 0.15  # probability of a large size; small ones are as hostile, and quicker
SMALL_SIZES = (1, 2, 3, 4, 6, 8)


class Drawn(NamedTuple):
    """Data, and the names of what makes them hostile.

    Parameters
    ----------
    X, y : data, as `fit` takes them
    n : int
        About how many observations there are.
    notes : list of str
    reader : function, optional
        What a user calls with X before it is passed to `fit`.
    """

    X: Any
    y: Any
    n: int
    notes: list[str]
    reader: Callable[[Any], Any] | None = None

    def read(self) -> Any:
        """Return X as it is passed to `fit`."""
        return self.X if self.reader is None else self.reader(self.X)


def _draw_of(template: Template, dice: Dice) -> str:
    """Return which numbers to draw: those that suit the family, but for a few."""
    return dice.pick(list(DRAWS)) if dice.hostile_chance(0.06) else template.draw


def _hostile_table(template: Template, dice: Dice, n: int, d: int) -> tuple[Any, list[str]]:
    kind = _draw_of(template, dice)
    X, notes = make_hostile(DRAWS[kind](dice.rng, n, d), dice, dice.chance(0.8))
    return X, [f"{n} x {d} {kind}", *notes]


def table(template: Template, dice: Dice, n: int, d: int) -> Drawn:
    """Return a table in some container."""
    X, notes = _hostile_table(template, dice, n, d)
    packed, container = pack(X, dice)
    y = np.zeros(len(X)) if dice.hostile_chance(0.1) else None
    return Drawn(packed, y, len(X), [*notes, container])


def frame(template: Template, dice: Dice, n: int, d: int) -> Drawn:
    """Return a frame with columns of several kinds."""
    X, notes = _hostile_table(template, dice, n, d)
    columns: dict[str, Any] = {f"column {place}": X[:, place] for place in range(X.shape[1])}
    columns["groups"] = dice.rng.choice(["red", "blue", "green"], len(X)).astype(object)
    columns["truths"] = dice.rng.random(len(X)) < 0.5
    columns["counts"] = dice.rng.poisson(3, len(X))
    for name, column in columns.items():
        if dice.chance(0.15) and len(column) and (name != "column 0" or not dice.is_valid):
            columns[name] = np.where(dice.rng.random(len(column)) < 0.2, None, column)
    found = pd.DataFrame(columns)
    if dice.chance(0.2):
        return Drawn(found.to_numpy(), None, len(X), [*notes, "array of objects"])
    if dice.hostile_chance(0.1):
        found["dates"] = pd.date_range("2020", periods=len(X))
    return Drawn(found, None, len(X), [*notes, "mixed frame"])


def sequences(template: Template, dice: Dice, n: int, d: int) -> Drawn:
    """Return sequences of several lengths, in some layout."""
    lengths = dice.rng.integers(1, dice.pick([2, 6, 15]), n)
    steps, notes = _hostile_table(template, dice, int(lengths.sum()), d)
    if len(steps) != lengths.sum():  # a change that kept few rows
        lengths = np.array([len(steps)]) if len(steps) else np.array([], dtype=int)
    parts = np.split(steps, np.cumsum(lengths)[:-1]) if len(lengths) else []
    layout = dice.pick_valid(
        ["list", "list", "list", "lists", "joined"], ["packed", "one", "ragged"]
    )
    X: Any = parts
    reader = None
    if layout == "lists":
        X = [part.tolist() for part in parts]
    elif layout == "joined":
        X, reader = steps, partial(Sequences.from_lengths, lengths=lengths)
    elif layout == "packed":
        X, container = pack(steps, dice)
        notes.append(container)
    elif layout == "one" and parts:
        X = parts[0]
    elif layout == "ragged":
        X = [*parts, [[1.0], [1.0, 2.0]]]
    return Drawn(X, None, len(lengths), [*notes, f"{len(lengths)} sequences", layout], reader)


def regression(template: Template, dice: Dice, n: int, d: int) -> Drawn:
    """Return inputs and targets."""
    X, notes = make_hostile(DRAWS["real"](dice.rng, n, d), dice)
    y = DRAWS[_draw_of(template, dice)](dice.rng, len(X), dice.pick_valid([1, 1, 1], [2]))
    if dice.hostile_chance(0.5):
        y, more = make_hostile(y, dice)
        notes += [f"y {one}" for one in more]
    if dice.hostile_chance(0.1):
        y, container = pack(y, dice)
        notes.append(f"y {container}")
    elif y.shape[1] == 1:
        y = y[:, 0]
    packed, container = pack(X, dice) if dice.chance(0.5) else (X, "array")
    return Drawn(packed, y, len(X), [f"{n} x {d}", *notes, container])


def trajectories(template: Template, dice: Dice, n: int, d: int) -> Drawn:
    """Return trajectories, each with its own times."""
    lengths = dice.rng.integers(1, dice.pick([2, 5, 12]), n)
    total = int(lengths.sum())
    values, notes = _hostile_table(template, dice, total, d)
    times = dice.rng.uniform(0, 10, (total, 1))
    if dice.hostile_chance(0.4):
        times, more = make_hostile(times, dice)
        notes += [f"times {one}" for one in more]
        times = times if times.shape[1] else np.full((len(times), 1), np.nan)
    ends = np.cumsum(lengths)[:-1]
    pairs = list(zip(np.split(times[:, 0], ends), np.split(values, ends), strict=False))
    X: Any = pairs
    reader: Any = None
    layout = dice.pick_valid(["pairs", "pairs", "pairs", "lists", "long"], ["wide", "packed"])
    if layout == "lists":
        X = [(list(one), other.tolist()) for one, other in pairs]
    elif layout == "packed":
        X, container = pack(values, dice)
        notes.append(container)
    elif layout == "wide":
        X, reader = values, Trajectories.from_wide
    elif layout == "long" and len(times) == len(values) == total:
        X, reader = (
            _long(times, values, lengths),
            partial(Trajectories.from_long, id="id", time="time"),
        )
    return Drawn(X, None, n, [*notes, f"{n} trajectories", layout], reader)


def _long(times: Any, values: Any, lengths: Any) -> Any:
    """Return a frame with one row for each point."""
    owner = np.repeat(np.arange(len(lengths)), lengths)
    columns = {f"value {place}": values[:, place] for place in range(values.shape[1])}
    return pd.DataFrame({"id": owner, "time": times[:, 0], **columns})


KINDS: dict[str, Callable[[Template, Dice, int, int], Drawn]] = {
    "table": table,
    "frame": frame,
    "sequences": sequences,
    "regression": regression,
    "trajectories": trajectories,
}


def draw_data(template: Template, dice: Dice, d: int) -> Drawn:
    """Draw data for a family, with about d columns."""
    sizes = LARGE_SIZES if dice.chance(LARGE) else SIZES
    return KINDS[template.kind](template, dice, dice.pick_valid(sizes, SMALL_SIZES), d)
