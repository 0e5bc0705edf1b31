"""Checks of arguments that are numbers, names, truth values or paths, each with one sentence."""

from collections.abc import Callable, Iterable, Sequence
from numbers import Integral, Real
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from .data_set import NamedColumns
from .errors import InputError, InputTypeError, marked
from .nouns import shown

MOST_COUNT = 1_000_000  # above which a number is a mistake that takes time or memory without end
MOST_SAMPLES = 100_000_000  # observations drawn at once
GENERATORS = (np.random.Generator, np.random.BitGenerator, np.random.SeedSequence)
LONGEST_NAME = 255  # bytes of a file name


def as_number(given: object) -> float:
    """Return a number in double precision; NaN for what is none, or too large.

    Examples
    --------
    >>> as_number(np.int8(6)), as_number("6"), as_number(10**400)
    (6.0, nan, nan)
    """
    if not isinstance(given, Real):
        return np.nan
    try:
        return float(given)
    except OverflowError:
        return np.nan


def is_whole(given: Any, least: int = 1, most: int = MOST_COUNT) -> bool:
    """Return whether an argument is a whole number in a range, and no truth value."""
    is_number = isinstance(given, Integral) and not isinstance(given, bool)
    return is_number and least <= int(given) <= most


def are_whole(given: Any, n: int, least: int = 1) -> bool:
    """Return whether an argument is a list of n whole numbers, none of them below `least`."""
    is_list = isinstance(given, list | tuple | range | np.ndarray)
    return (
        is_list
        and getattr(given, "ndim", 1) == 1
        and len(given) == n
        and all(is_whole(one, least) for one in given)
    )


def check_number(name: str, given: object, wanted: str, holds: Callable[[float], bool]) -> None:
    """Raise unless an argument is a number for which a condition holds."""
    if not holds(as_number(given)):
        raise InputError(f"{marked(name)} must be {wanted}, not {shown(given)}.")


def check_tolerance(tolerance: object) -> None:
    """Raise unless a tolerance is a number of zero or more."""
    check_number("tolerance", tolerance, "a number of zero or more", lambda value: value >= 0)


def check_count(name: str, given: object, least: int = 1, most: int = MOST_COUNT) -> None:
    """Raise unless an argument is a whole number in a range."""
    if not is_whole(given, least, most):
        wanted = f"at least {least}" if least else "zero or more"
        is_high = isinstance(given, Integral) and int(given) > most
        wanted += f", and at most {most:,}" if is_high else ""
        raise InputError(f"{marked(name)} must be a whole number of {wanted}, not {shown(given)}.")


def check_choice(name: str, given: object, choices: Iterable[str]) -> None:
    """Raise unless an argument is one of a few names."""
    known = list(choices)
    if not isinstance(given, str) or given not in known:
        raise InputError(
            f"{marked(name)} must be one of {', '.join(map(repr, known))}, not {shown(given)}."
        )


def check_flag(name: str, given: object) -> None:
    """Raise unless an argument is True or False."""
    if not isinstance(given, bool | np.bool_):
        raise InputError(f"{marked(name)} must be True or False, not {shown(given)}.")


def read_path(name: str, given: object) -> Path:
    """Return a path; raise if it is none, or no file can have it.

    Examples
    --------
    >>> read_path("path", "a" * 300)
    Traceback (most recent call last):
    boltzmix.data.errors.InputError: path has a name of 300 bytes, and a file's may have 255:
    shorten it.
    """
    text = fspath(given) if isinstance(given, str | PathLike) else None
    if not isinstance(text, str) or not text:
        raise InputTypeError(
            f"{marked(name)} must be a path, such as 'model.bmix', not {shown(given)}."
        )
    if "\0" in text:
        raise InputError(
            f"{marked(name)} has a null character, which no path may have: {shown(text)}."
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(
            f"{marked(name)} has characters that are no text: {shown(text)}."
        ) from None
    longest = max(len(part.encode(errors="surrogatepass")) for part in text.split("/"))
    if longest > LONGEST_NAME:
        raise InputError(
            f"{marked(name)} has a name of {longest} bytes, and a file's may have {LONGEST_NAME}:"
            " shorten"
            " it."
        )
    return Path(text)


def read_generator(random_state: Any) -> np.random.Generator:
    """Return the generator of a random state: a seed, a generator of NumPy, or None."""
    several = isinstance(random_state, list | tuple)  # NumPy crashes if these hold themselves
    seeds = random_state if several else [random_state]
    whole = all(isinstance(one, Integral) and int(one) >= 0 for one in seeds)
    if random_state is None or isinstance(random_state, GENERATORS) or (whole and seeds):
        return np.random.default_rng(random_state)
    raise InputError(
        f"{marked('random_state')} must be None, a whole number of zero or more, or a NumPy"
        " generator,"
        f" not {shown(random_state)}."
    )


LEAST_RATIO = 1e-7  # of deviations, whose squares double precision cannot tell apart from zero


def check_magnitudes(parts: Sequence[NamedColumns], most: float) -> None:
    """Raise if numbers, or the differences between them, are too large or too small.

    Parameters
    ----------
    parts : sequence of NamedColumns
    most : float
        The largest number, and one over the smallest difference, whose powers fit into double
        precision as far as they are needed.

    Examples
    --------
    >>> check_magnitudes([NamedColumns(np.array([[1e200], [0.0]]), "column {} of X".format)], 1e75)
    Traceback (most recent call last):
    boltzmix.data.errors.InputError: Column 0 of X holds 1e+200, whose powers do not fit into
    double precision: rescale it, for example to unit variance, or drop such rows.
    """
    for values, name in parts:
        if 0 in values.shape:
            continue
        lowest = np.fmin.reduce(values, axis=0).astype(float)
        highest = np.fmax.reduce(values, axis=0).astype(float)
        largest = np.where(highest > -lowest, highest, lowest)
        for column in np.flatnonzero(np.abs(largest) > most):
            raise InputError(
                f"{_capital(name(int(column)))} holds {largest[column]:.3g}, whose powers do not"
                " fit into double precision: rescale it, for example to unit variance, or drop"
                " such rows."
            )
        spread = highest - lowest
        for column in np.flatnonzero((spread > 0) & (spread < 1 / most)):
            raise InputError(
                f"The values of {name(int(column))} differ by at most {spread[column]:.3g}, whose"
                " powers do not fit into double precision: rescale it, for example to unit"
                " variance."
            )


def are_dependent(parts: Sequence[NamedColumns]) -> bool:
    """Return whether some columns depend on each other, or differ too much in scale.

    Then covariances of these columns are singular in double precision. Rows with missing values
    are left out.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(9, 2))
    >>> [are_dependent([NamedColumns(one, str)]) for one in (X, X[:, [0, 0]])]
    [False, True]
    """
    for values, _ in parts:
        if 0 in values.shape:
            continue
        whole = values[np.isfinite(values).all(axis=1)].astype(float)
        if len(whole) <= whole.shape[1]:
            return True
        spreads = whole.std(axis=0)
        if spreads.min() <= LEAST_RATIO * spreads.max():
            return True
        lengths = np.linalg.svd((whole - whole.mean(axis=0)) / spreads, compute_uv=False)
        if lengths[-1] <= LEAST_RATIO * lengths[0]:
            return True
    return False


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
