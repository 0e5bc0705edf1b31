"""Parameters in a few plain words, one piece of text for each column."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..data import FloatArray, shown
from ..families.contract.description import ColumnDescription, Description

MOST_NAMES = 10
MOST_VALUES = 12  # of an array that is written out
LARGEST_PLAIN, MOST_DECIMALS = 1e12, 6  # of a number that is written without an exponent
PLUS_MINUS = "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}"
Symbols = Mapping[str, Sequence[object]]


def singular(noun: str) -> str:
    """Return a noun in the singular.

    Examples
    --------
    >>> singular("rows"), singular("trajectories")
    ('row', 'trajectory')
    """
    return f"{noun[:-3]}y" if noun.endswith("ies") else noun.removesuffix("s")


def symbols_by_column(
    symbols: Symbols | Sequence[object] | None, names: Sequence[str] | None
) -> Symbols:
    """Return what codes stand for in each column.

    Parameters
    ----------
    symbols : mapping of column names to sequences, or one sequence, optional
        One sequence is for all columns.
    names : sequence of str, optional
        Names of the columns; "column 0" and so on if absent.
    """
    if symbols is None or isinstance(symbols, Mapping):
        return symbols or {}
    if not isinstance(symbols, list | tuple | np.ndarray) or getattr(symbols, "ndim", 1) != 1:
        raise TypeError(
            "symbols must be a list of what codes stand for, or a dict of such lists by columns,"
            f" not {shown(symbols)}."
        )
    return {name: list(symbols) for name in names or ("column 0",)}


def describe_columns(
    description: Description, names: Sequence[str], symbols: Symbols
) -> list[str] | None:
    """Describe each column of a component; None if the component does not describe them.

    Parameters
    ----------
    description : Description
    names : sequence of str
        Names of the columns.
    symbols : mapping of names to sequences
        What codes stand for, in columns of codes.
    """
    if len(description.columns) != len(names):
        return None
    return list(map(describe_column, description.columns, map(symbols.get, names)))


def describe_column(column: ColumnDescription, symbols: Sequence[object] | None = None) -> str:
    """Describe one column: its commonest category, its centre and spread, or its parameters.

    A centre without a spread is called mean, or as the parameter that it is.
    """
    if column.probabilities is not None:
        return commonest(column.probabilities, symbols)
    if column.centre is not None and column.spread is not None:
        sides = (column.centre, column.spread)
        return PLUS_MINUS.join(rounded(value, column.spread) for value in sides)
    if column.centre is not None:
        own = (name for name, value in column.parameters.items() if value == column.centre)
        atoms = "".join(f" ({p:.0%} are {value:g})" for value, p in column.atoms.items())
        return f"{next(own, 'mean')} {number(column.centre)}{atoms}"
    return describe_parameters(column.parameters)


def describe_parameters(parameters: Mapping[str, object]) -> str:
    """Write parameters after their names, such as "shape 2, rate 0.5"."""
    return ", ".join(f"{name} {_written(value)}" for name, value in parameters.items())


def listed(names: Sequence[str]) -> str:
    """Write names one after the other, at most ten, and each with at most 40 letters."""
    shown = ", ".join(map(cut, names[:MOST_NAMES]))
    return shown if len(names) <= MOST_NAMES else f"{shown} and {len(names) - MOST_NAMES} more"


def cut(text: str, letters: int = 40) -> str:
    """Return the beginning of a text that is too long.

    Examples
    --------
    >>> cut("abcdefgh", letters=6)
    'abcde…'
    """
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def column_names(names: Sequence[str] | None, n: int, letters: int = 40) -> tuple[str, ...]:
    """Return the names of n columns, cut to so many letters, or else "column 0" and so on."""
    if not names:
        return tuple(f"column {j}" for j in range(n))
    return tuple(cut(name, letters) for name in names)


def number(value: float) -> str:
    """Write a number with three digits that count, and thousands apart.

    Examples
    --------
    >>> number(1190.4), number(0.01234), number(123456789.0)
    ('1,190', '0.0123', '1.23e+08')
    """
    return f"{value:,.0f}" if 100 <= abs(value) < 1e6 else f"{value:.3g}"


def commonest(probabilities: FloatArray, symbols: Sequence[object] | None) -> str:
    """Name the most probable code, with its probability."""
    code = int(np.argmax(probabilities))
    return f"{namer(symbols)(code)} ({probabilities[code]:.0%})"


def namer(symbols: Sequence[object] | None) -> Callable[[int], str]:
    """Return the function that names a code: by its symbol, or by its number if it has none."""
    known = () if symbols is None else symbols
    return lambda code: str(known[code] if code < len(known) else code)


def _written(value: object) -> str:
    """Write a number with three digits, an array on one line, and anything else as it is."""
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        return str(value)
    if array.ndim == 0:
        return number(array.item())
    shown = np.array2string(array, precision=4, threshold=MOST_VALUES, separator=", ")
    return " ".join(shown.split())


def rounded(value: float, deviation: float) -> str:
    """Write a number with as many digits as its deviation leaves certain, and one more.

    Examples
    --------
    >>> rounded(5812345.678, 21.0), rounded(0.01234, 0.002), rounded(1.234e-9, 1e-10)
    ('5,812,346', '0.0123', '1.23e-09')
    """
    decimals = 1 - round(float(np.log10(deviation))) if deviation > 0 else 2
    if decimals > MOST_DECIMALS or not abs(value) < LARGEST_PLAIN:
        return f"{value:.3g}"
    decimals = max(decimals, 0)
    return f"{round(float(value), decimals) + 0.0:,.{decimals}f}"
