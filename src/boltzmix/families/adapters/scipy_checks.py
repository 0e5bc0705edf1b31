"""Validation of the arguments and the data of a family made of a distribution of scipy.stats."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...data import FloatArray, as_number, shown
from .laws import Law, Values


def check_values(name: str, given: Any) -> None:
    """Validate that an argument is a dict of finite numbers."""
    if not isinstance(given, Mapping):
        raise ValueError(f"{name} must be a dict such as {{'loc': 0}}, not {shown(given)}.")
    for key, value in given.items():
        if not np.isfinite(as_number(value)):
            raise ValueError(f"{name}[{shown(key)}] must be a finite number, not {shown(value)}.")


def check_one_column(data: Any, law: Law) -> None:
    """Validate that a table has one column."""
    if data.n_features != 1:
        raise ValueError(
            f"X has {data.n_features} columns, but {law.label} is a distribution of one: pass one"
            " column, such as X[:, [0]]."
        )


def check_whole_numbers(x: FloatArray, law: Law) -> None:
    """Validate that values (n,) are whole numbers, if the distribution is one of such."""
    broken = np.flatnonzero(x != np.floor(x))
    if law.discrete and len(broken):
        raise ValueError(
            f"Column 0 of X holds {x[broken[0]]:.12g}, but {law.label} is a distribution of whole"
            " numbers: use a continuous one, or round the column."
        )


def listed(values: Values) -> str:
    """Return parameters and their values, for messages."""
    return ", ".join(f"{name}={value:.4g}" for name, value in values.items())
