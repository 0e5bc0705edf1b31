"""Containers in which people pass data: each is read as its table, or ends in a sentence."""

import array
import collections
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy import sparse

from boltzmix import Mixture
from boltzmix.families import HMM, Gaussian, GrowthCurve, LinearRegression, Poisson

from ..calls import Call, described, run_calls
from ..dice import Dice
from ..odd import N_ODD, odd_value

NAMES = ("a", "b")
Container = Callable[[Any], Any]


class Offering:
    """An object that offers to be an array, a frame or a stream, as those of other libraries do.

    Parameters
    ----------
    **methods : functions
        What it can do.
    """

    def __new__(cls, **methods: Any) -> Any:
        """Make an object of a class with these methods."""
        return object.__new__(type("Tensor", (), methods))


class Row(NamedTuple):
    """A row as a tuple with names."""

    a: float
    b: float


@dataclass
class Point:
    """A row as an object."""

    a: float
    b: float


def columns(X: Any) -> dict[str, Any]:
    """Return the columns of a table by name."""
    return dict(zip(NAMES, X.T, strict=True))


def arrow(X: Any) -> Any:
    """Return a table of pyarrow."""
    return pa.table(columns(X))


def failing(*_: Any, **__: Any) -> Any:
    """Fail as a tensor that requires a gradient does."""
    raise RuntimeError("cannot be turned into an array while a gradient is required")


SAME: dict[str, Container] = {
    "array": lambda X: X,
    "dict": columns,
    "ordered dict": lambda X: collections.OrderedDict(columns(X)),
    "mapping proxy": lambda X: MappingProxyType(columns(X)),
    "dict of lists": lambda X: {name: one.tolist() for name, one in columns(X).items()},
    "list of dicts": lambda X: [dict(zip(NAMES, row, strict=True)) for row in X.tolist()],
    "pyarrow table": arrow,
    "pyarrow batch": lambda X: pa.RecordBatch.from_pydict(columns(X)),
    "pandas of pyarrow": lambda X: arrow(X).to_pandas(types_mapper=pd.ArrowDtype),
    "lazy frame": lambda X: pl.LazyFrame(columns(X)),
    "polars": lambda X: pl.DataFrame(columns(X)),
    "pandas": lambda X: pd.DataFrame(columns(X)),
    "Float64": lambda X: pd.DataFrame(columns(X)).astype("Float64"),
    "sparse columns": lambda X: pd.DataFrame(columns(X)).astype(pd.SparseDtype(float)),
    "structured": lambda X: np.array(
        [*map(tuple, X)], dtype=[(name, X.dtype) for name in NAMES]
    ),
    "record array": lambda X: SAME["structured"](X).view(np.recarray),
    "matrix": lambda X: X.view(np.matrix),
    "masked without masks": lambda X: np.ma.masked_array(X),
    "memory map": lambda X: memoryview(np.ascontiguousarray(X).data),
    "tensor": lambda X: Offering(__array__=lambda self, dtype=None, copy=None: X),
    "stream": lambda X: Offering(
        __arrow_c_stream__=lambda self, schema=None: arrow(X).__arrow_c_stream__(schema)
    ),
    "labelled array": lambda X: Offering(
        dims=("row", "column"),
        columns=property(lambda self: 1 / 0),
        to_pandas=lambda self: pd.DataFrame(columns(X)),
        to_numpy=lambda self: X,
    ),
    "arrays of columns": lambda X: [array.array("d", row) for row in X],
    "named tuples": lambda X: [Row(*row) for row in X.tolist()],
    "deque": lambda X: collections.deque(X.tolist()),
    "fractions": lambda X: [[*map(Fraction, row)] for row in X.tolist()],
    "decimals": lambda X: [[*map(Decimal, row)] for row in X.tolist()],
}  # fmt: skip
OTHER: dict[str, Container] = {
    "sparse": sparse.csr_array,
    "masked": lambda X: np.ma.masked_array(X, np.median(X) < X),
    "failing tensor": lambda X: Offering(__array__=failing),
    "failing stream": lambda X: Offering(__arrow_c_stream__=failing),
    "failing frame": lambda X: Offering(to_pandas=failing, columns=["a"]),
    "interchange": lambda X: Offering(__dataframe__=failing),
    "no frame": lambda X: Offering(columns=["a", "b"], shape=(3, 2)),
    "lazy frame without the column": lambda X: pl.LazyFrame(columns(X)).select("missing"),
    "generator": lambda X: (row for row in X),
    "map": lambda X: map(list, X),
    "objects": lambda X: [Point(*row) for row in X],
    "ragged dict": lambda X: {"a": X[:, 0], "b": X[:2, 1]},
    "dict of numbers": lambda X: {"a": 1.0},
    "dict of dicts": lambda X: {"a": {"x": 1.0}, "b": {"y": 2.0}},
    "dict of tables": lambda X: {"a": X},
    "dicts without keys": lambda X: [{}] * 5,
    "different dicts": lambda X: [{"a": 1.0}, {"b": 2.0}] * 5,
    "grouped": lambda X: pd.DataFrame(columns(X)).groupby("a"),
    "styled": lambda X: pd.DataFrame(columns(X)).rolling(2),
    "index": lambda X: pd.Index(X[:, 0]),
    "levels": lambda X: pd.MultiIndex.from_arrays(X.T),
    "levels as names": lambda X: pd.DataFrame(
        X, columns=pd.MultiIndex.from_product([["a"], NAMES])
    ),
    "series": lambda X: pd.Series(X[:, 0]),
    "polars series": lambda X: pl.Series(X[:, 0]),
    "expression": lambda X: pl.col("a"),
    "lazily grouped": lambda X: pl.LazyFrame(columns(X)).group_by("a"),
    "structs": lambda X: pl.DataFrame(columns(X)).select(pl.struct("a", "b")),
    "periods": lambda X: pd.DataFrame({"a": pd.period_range("2020", periods=len(X)), "b": X[:, 1]}),
    "intervals": lambda X: pd.DataFrame({"a": pd.interval_range(0, len(X)), "b": X[:, 1]}),
    "chunked column": lambda X: pa.chunked_array([X[:, 0]]),
    "pyarrow array": lambda X: pa.array([1.0, None, 2.0]),
    "pyarrow schema": lambda X: arrow(X).schema,
    "structured in two dimensions": lambda X: np.zeros((2, 2), dtype=[("a", float)]),
    "array of arrays": lambda X: np.array([X[0], X[1, :1]], dtype=object),
    "list of tables": lambda X: [pd.DataFrame(columns(X))] * 2,
    "list of tensors": lambda X: [Offering(__array__=lambda self, dtype=None, copy=None: X)] * 3,
    "list of lazy frames": lambda X: [pl.LazyFrame(columns(X))] * 3,
    "list of sparse": lambda X: [sparse.eye_array(2)] * 2,
    "pairs of frames": lambda X: [(pd.Series([0.0, 1.0]), pd.DataFrame({"v": [1.0, 2.0]}))] * 4,
    "pairs of tensors": lambda X: [(X[:3, 0], Offering(__array__=failing))] * 4,
    "bytes": lambda X: X.tobytes(),
    "column of text": lambda X: {"a": [str(one) for one in X[:, 0]]},
    "text that is a number": lambda X: X.astype(str).tolist(),
    "dates": lambda X: {"a": pd.date_range("2020", periods=len(X))},
    "half": lambda X: X.astype(np.float16),
    "complex": lambda X: X.astype(complex),
    "read only": lambda X: np.frombuffer(X.tobytes()).reshape(X.shape),
    "upside down": lambda X: X[::-1, ::-1],
    "view without strides": lambda X: np.broadcast_to(X[:1], (10**7, 2)),
}
FAMILIES: tuple[Any, ...] = (
    Gaussian(), Gaussian(), "auto", "auto", Poisson(), HMM(2), GrowthCurve(), LinearRegression(),
    {"a": "gaussian"}, {0: Gaussian(), 1: Gaussian()}, "categorical",
)  # fmt: skip
ROLES = ("X", "X", "X", "predicted", "y", "sample_weight", "labels", "covariates", "imputed")


def table() -> Any:
    """Return two clusters of rows."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(24, 2)) + 6 * (np.arange(24) % 2)[:, None]


def make_call(number: int) -> Call:
    """Return the call of a number: a fit, or another method, with a container as an argument."""
    dice = Dice(number)
    role, family = dice.pick(ROLES), dice.pick(FAMILIES)
    known = {**SAME, **OTHER}
    name = dice.pick([*known, "odd"])
    value = odd_value(int(dice.rng.integers(N_ODD)))

    def contained(X: Any) -> Any:
        return value if name == "odd" else known[name](X)

    given = {"family": family, role: value if name == "odd" else name}
    return Call(described(role, given), lambda: _use(family, role, contained, name))


def _use(family: Any, role: str, contained: Container, name: str) -> Any:
    """Pass a container; where it holds the same table as an array, the result must be the same."""
    X = table()
    settings: dict[str, Any] = {"algorithm": "em", "max_iter": 3, "random_state": 0}
    if role == "covariates":
        settings["membership"] = "a"
    model = Mixture(family, 2, **settings)
    y = X[:, 0] if isinstance(family, LinearRegression) else None
    if role == "X":
        found = model.fit(contained(X), y).predict(contained(X), y)
        if name in SAME and isinstance(family, Gaussian):
            same = Mixture(family, 2, **settings).fit(X).predict(X)
            assert np.array_equal(found, same), f"{name} is read as another table"
        return found
    if role == "y":
        return model.fit(X, contained(X)).predict(X, X[:, 0])
    if role in ("sample_weight", "labels", "covariates"):
        return model.fit(X, y, **{role: contained(X)})
    model.fit(X, y)
    return model.predict(contained(X), y) if role == "predicted" else model.impute(contained(X))


def run(count: int, seed: int, minutes: float) -> int:
    """Run calls; print failures; return how many failed."""
    return run_calls("containers", make_call, count, seed, minutes)
