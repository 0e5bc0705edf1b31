"""The containers in which users pass tables, right and wrong ones."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse

from .dice import Dice

Container = Callable[[Any, Dice], Any]


def _names(X: Any) -> list[str]:
    return [f"column {place}" for place in range(X.shape[1])]


def _ragged(X: Any, dice: Dice) -> Any:
    rows = [list(row) for row in X]
    if rows and rows[0]:
        rows[-1] = rows[-1][:-1]
    return rows


def _with_text(X: Any, dice: Dice) -> Any:
    X = X.astype(object)
    if X.size:
        X[dice.rng.random(X.shape) < 0.1] = dice.pick(["red", "", "1.5", "nan", b"x"])
    return X


def _with_none(X: Any, dice: Dice) -> Any:
    X = X.astype(object)
    X[dice.rng.random(X.shape) < 0.2] = dice.pick([None, np.nan, pd.NA, pd.NaT])
    return X


def _odd_objects(X: Any, dice: Dice) -> Any:
    X = X.astype(object)
    if X.size:
        odd = dice.pick(
            [[1], {}, object(), 1j, 10**400, pd.Timestamp("2020"), np.array([1.0, 2.0])]
        )
        X[0, 0] = odd
    return X


def _masked(X: Any, dice: Dice) -> Any:
    return np.ma.masked_array(X, mask=dice.rng.random(X.shape) < dice.pick([0.0, 0.2]))


def _as_integers(X: Any, dice: Dice) -> Any:
    finite = np.nan_to_num(X, nan=0.0, posinf=9.0, neginf=-9.0)
    return np.clip(finite, -1e9, 1e9).astype(dice.pick([np.int64, np.int32, np.int8, np.uint8]))


def _odd_frame(X: Any, dice: Dice) -> Any:
    """Return a pandas frame with one column of an odd kind, or odd names."""
    frame = pd.DataFrame(X, columns=_names(X))
    n = len(frame)
    odd: dict[str, Callable[[], Any]] = {
        "dates": lambda: pd.date_range("2020-01-01", periods=n),
        "durations": lambda: pd.to_timedelta(np.arange(n), unit="D"),
        "text": lambda: [f"person {row}" for row in range(n)],
        "groups": lambda: pd.Categorical(dice.rng.choice(["a", "b"], n)),
        "integers": lambda: pd.array([None if row % 5 == 0 else row for row in range(n)], "Int64"),
        "truths": lambda: dice.rng.random(n) < 0.5,
        "objects": lambda: [None if row % 3 == 0 else row % 2 for row in range(n)],
        "nothing": lambda: [None] * n,
        "complex": lambda: np.full(n, 1j),
        "lists": lambda: [[1, 2]] * n,
        "ones": lambda: np.ones(n),
    }
    kind = dice.pick([*odd, "same names", "numbers as names", "mixed names", "odd index"])
    if kind == "same names":
        frame.columns = ["same"] * frame.shape[1]
    elif kind == "numbers as names":
        frame.columns = range(frame.shape[1])
    elif kind == "mixed names":
        frame.columns = [0, *_names(X)[1:]][: frame.shape[1]]
    elif kind == "odd index":
        frame.index = ["same"] * n
    else:
        frame[kind] = odd[kind]()
    return frame


def _odd_polars(X: Any, dice: Dice) -> Any:
    frame = pl.DataFrame(X, schema=_names(X))
    n = len(frame)
    odd: dict[str, Any] = {
        "text": ["a", "b", None] * n,
        "truths": [True, False, None] * n,
        "integers": [1, 2, None] * n,
        "nothing": [None] * 3 * n,
        "lists": [[1, 2]] * 3 * n,
        "ones": [1.0] * 3 * n,
    }
    kind = dice.pick([*odd, "dates", "groups"])
    if kind == "dates":
        column = pl.Series("dates", list(pd.date_range("2020", periods=n).to_pydatetime()))
    elif kind == "groups":
        column = pl.Series("groups", (["x", "y"] * n)[:n], dtype=pl.Categorical)
    else:
        column = pl.Series(kind, odd[kind][:n])
    return frame.with_columns(column)


SAME_NUMBERS: dict[str, Container] = {
    "array": lambda X, dice: X,
    "list": lambda X, dice: X.tolist(),
    "tuples": lambda X, dice: tuple(map(tuple, X)),
    "float32": lambda X, dice: X.astype(np.float32),
    "longdouble": lambda X, dice: X.astype(np.longdouble),
    "objects": lambda X, dice: X.astype(object),
    "Fortran order": lambda X, dice: np.asfortranarray(X),
    "every second": lambda X, dice: np.repeat(X, 2, axis=0)[::2],
    "big-endian": lambda X, dice: X.astype(">f8"),
    "pandas": lambda X, dice: pd.DataFrame(X, columns=_names(X)),
    "polars": lambda X, dice: pl.DataFrame(X, schema=_names(X)),
}
OTHER_NUMBERS: dict[str, Container] = {
    "float16": lambda X, dice: X.astype(np.float16),
    "integers": _as_integers,
    "booleans": lambda X, dice: X > 0,
}
WRONG: dict[str, Container] = {
    "ragged": _ragged,
    "text": lambda X, dice: X.astype(str),
    "some text": _with_text,
    "None": _with_none,
    "odd objects": _odd_objects,
    "masked": _masked,
    "odd frame": _odd_frame,
    "odd polars frame": _odd_polars,
    "sparse": lambda X, dice: dice.pick([sparse.csr_matrix, sparse.coo_array])(X),
    "dates": lambda X, dice: _as_integers(X, dice).astype("datetime64[s]"),
    "durations": lambda X, dice: _as_integers(X, dice).astype("timedelta64[s]"),
    "complex": lambda X, dice: X.astype(complex),
    "one column": lambda X, dice: X.ravel(),
    "series": lambda X, dice: pd.Series(X.ravel()),
    "polars series": lambda X, dice: pl.Series(X.ravel()),
    "one number": lambda X, dice: 1.5,
    "three dimensions": lambda X, dice: X[None],
    "nothing": lambda X, dice: None,
    "word": lambda X, dice: "table",
    "mapping": lambda X, dice: {"a": 1},
    "generator": lambda X, dice: (row for row in X),
    "list of mappings": lambda X, dice: [{"a": 1}, {"b": 2}],
    "record array": lambda X, dice: np.zeros(len(X), dtype=[("a", float), ("b", "U3")]),
}


def pack(X: Any, dice: Dice) -> tuple[Any, str]:
    """Put a table into a container; return it, and the name of the container."""
    name = dice.pick_valid(list(SAME_NUMBERS), list(OTHER_NUMBERS))
    if dice.chance(0.4):
        name = "array"
    if dice.hostile_chance(0.12):
        name = dice.pick(list(WRONG))
    with np.errstate(all="ignore"):
        return {**SAME_NUMBERS, **OTHER_NUMBERS, **WRONG}[name](X, dice), name
