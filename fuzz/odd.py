"""Odd values that people pass as parameters, each made anew, since some can be used only once."""

import datetime
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse

from boltzmix import EM, Mixture
from boltzmix.families import HMM, Gaussian, Poisson


class Unwritable:
    """An object whose own code fails."""

    def __repr__(self) -> str:
        raise OSError("no text")

    def __bool__(self) -> bool:
        raise RuntimeError("neither true nor false")


def nested(depth: int = 60) -> Any:
    """Return lists in lists."""
    found: Any = []
    for _ in range(depth):
        found = [found]
    return found


def endless() -> Any:
    """Return a list that is its own member."""
    found: list[Any] = []
    found.append(found)
    return found


PLAIN: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 7, 1.5, 0.5, -0.0, 2.0, 1e-320, 5e-324, 1e-300, 1e-9, 1e9,
    1e308, -1e308, float("nan"), float("inf"), -float("inf"), 10**9, -(10**9), 2**31, 2**63, 2**64,
    10**400, -(10**400), 10**5000, 1j, 1 + 0j, complex("nan"),
    "", " ", "auto", "full", "a", "nan", "1", "1.5", "é", "x" * 10_000, "\x1b[31mred", "a\0b", "~",
    "a + b", "../x", "/", "\ud800", b"", b"x", (), (1,), (1, 2), (0.5, 0.5), ("a", "b"), ((1, 2),),
    Ellipsis, NotImplemented, frozenset(), range(0), range(3), range(10**9), slice(3),
)  # fmt: skip
MADE: tuple[Callable[[], Any], ...] = (
    list, dict, set, object, bytearray, lambda: [1], lambda: [1, 2], lambda: [0.5, 0.5],
    lambda: [[1, 2], [3]], lambda: [[1.0, 2.0], [3.0, 4.0]], lambda: [None], lambda: ["a"],
    lambda: [True, False], lambda: [float("nan")] * 2, lambda: [10**400], lambda: ["x" * 10_000],
    lambda: [[]], lambda: list(range(10_000)), lambda: {"a": 1}, lambda: {0: 1}, lambda: {1, 2},
    lambda: {"x" * 10_000: None}, lambda: {(0, 1): 2}, nested, endless, Unwritable,
    lambda: int, lambda: print, lambda: np.mean, lambda: lambda *_: 1, lambda: lambda: None,
    lambda: np, lambda: (one for one in (1, 2)), lambda: iter([]), lambda: map(int, "12"),
    lambda: np.int8(6), lambda: np.int8(-1), lambda: np.uint8(200), lambda: np.int64(3),
    lambda: np.float16("inf"), lambda: np.float32(0.5), lambda: np.float64(1e-310),
    lambda: np.longdouble("1e400"), lambda: np.bool_(True), lambda: np.complex64(1),
    lambda: np.str_("a"), lambda: np.datetime64("2020"), lambda: np.array(1.0), lambda: np.array(3),
    lambda: np.array([]), lambda: np.zeros(2), lambda: np.ones(2), lambda: -np.ones(2),
    lambda: np.full(2, np.nan), lambda: np.full(2, np.inf), lambda: np.full(2, 1e-320),
    lambda: np.full(2, 1e308), lambda: np.array([0.5, 0.5]), lambda: np.ones(3), lambda: np.ones(1),
    lambda: np.eye(2), lambda: -np.eye(2), lambda: np.zeros((2, 2)), lambda: np.ones((2, 2)),
    lambda: np.full((2, 2), 0.5), lambda: np.eye(3), lambda: np.ones((1, 2)),
    lambda: np.ones((2, 1)), lambda: np.zeros((0, 2)), lambda: np.ones((2, 2, 2)),
    lambda: np.array(["a", "b"]), lambda: np.array([None, 1]), lambda: np.array([1j, 2]),
    lambda: np.array([True, False]), lambda: np.array([1, 2], dtype=np.int8),
    lambda: np.array([1, 2], dtype="datetime64[s]"), lambda: np.array([[1], [1, 2]], dtype=object),
    lambda: np.zeros(2, dtype=[("a", float)]), lambda: np.ma.masked_equal([1.0, 2.0], 1.0),
    lambda: np.broadcast_to(1.0, (10**5, 10**5)), lambda: sparse.eye_array(2),
    lambda: pd.NA, lambda: pd.NaT, lambda: pd.Timestamp("2020"), lambda: pd.Series([1.0, 2.0]),
    lambda: pd.DataFrame({"a": [1.0, 2.0]}), lambda: pd.Categorical(["a", "b"]),
    lambda: pd.Index([1, 2]), lambda: pd.array([1, None], dtype="Int64"),
    lambda: pl.Series([1.0, 2.0]), lambda: pl.DataFrame({"a": [1.0]}), lambda: pl.col("a"),
    lambda: Decimal("0.5"), lambda: Decimal("nan"), lambda: Fraction(1, 2),
    lambda: datetime.date(2020, 1, 1), lambda: datetime.timedelta(1), lambda: memoryview(b"ab"),
    lambda: Path("missing") / "x", lambda: Path(), lambda: Path("y" * 5_000),
    lambda: Path("a\0b"), lambda: "y" * 300, lambda: "folder/", lambda: ValueError("x"),
    lambda: ValueError, lambda: Gaussian(), lambda: Gaussian, lambda: Poisson(rate=np.ones(2)),
    lambda: HMM(2), lambda: Mixture(), lambda: Mixture, lambda: EM(), lambda: EM,
    lambda: np.random.default_rng(0), lambda: np.random.RandomState(0), lambda: np.random,
)  # fmt: skip
N_ODD = len(PLAIN) + len(MADE)


def odd_value(number: int) -> Any:
    """Return the odd value of a number."""
    number %= N_ODD
    return PLAIN[number] if number < len(PLAIN) else MADE[number - len(PLAIN)]()
