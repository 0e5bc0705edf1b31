"""Formulas such as ``age + sex + age:sex``, evaluated by the package formulaic."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .base import FloatArray
from .source import Name

FUNCTIONS = ("I", "C", "abs", "exp", "log", "log10", "log1p", "log2", "sqrt")
BEYOND_NAMES = re.compile(r"[^\w\s+~`]")  # what a list of names joined by plus signs does not have
CALLED = re.compile(r"([\w.]*)\s*\(")
ALLOWED = re.compile(r"[\w\s+\-*/:^~(){},.`]*", re.ASCII)
NUMBERS = re.compile(r"\d+\.?\d*|\.\d+")


def read_terms(text: str, names: Sequence[str]) -> tuple[tuple[Name, ...], str | None]:
    """Return the columns that a formula uses, and the formula if it is more than names.

    Parameters
    ----------
    text : str
        The right-hand side of a formula, with or without a leading tilde.
    names : sequence of str
        Names of the columns of the table.
    """
    right = text.strip().removeprefix("~").strip()
    terms = [one.strip().strip("`") for one in right.split("+")]
    if all(one in names for one in terms):
        return tuple(dict.fromkeys(terms)), None
    if not BEYOND_NAMES.search(right):
        if not all(terms):
            raise ValueError(f"The formula {text!r} lacks a name beside a plus sign.")
        return tuple(dict.fromkeys(one for one in terms if one != "1")), None
    _check_safe(right)
    used = sorted(map(str, _parsed(right).required_variables))
    return tuple(used), right


@dataclass(frozen=True, eq=False)
class Formula:
    """A formula whose categories are known.

    Parameters
    ----------
    specification : formulaic's ModelSpec
    names : tuple of str
        Names of the columns of its matrix, without the intercept.
    """

    specification: Any
    names: tuple[str, ...]

    @classmethod
    def of(cls, text: str, categories: Mapping[Name, tuple[Any, ...] | None]) -> "Formula":
        """Read a formula.

        Parameters
        ----------
        text : str
        categories : mapping of column to tuple or None
            The categories of every column that is used; None for columns of numbers.
        """
        _check_safe(text)
        length = max([2, *(len(one) for one in categories.values() if one is not None)])
        example = {
            name: np.linspace(1.0, 2.0, length)
            if known is None
            else np.resize(np.array(known, dtype=object), length)
            for name, known in categories.items()
        }
        found = _evaluated(_parsed(text), text, example)
        _check_stateless(found.model_spec, text, categories)
        names = [*found.model_spec.column_names]
        if "Intercept" not in names:
            raise ValueError(
                f"The formula {text!r} leaves the intercept out, which is always there: remove the"
                " '-1' or '0'."
            )
        names.remove("Intercept")
        return cls(found.model_spec, tuple(name.replace("[T.", "[") for name in names))

    def matrix(self, columns: Mapping[Name, Any]) -> FloatArray:
        """Return the matrix of some columns (n,), shape (n, q), without the intercept."""
        found = _evaluated(self.specification, str(self.specification.formula), columns)
        values = np.asarray(found, dtype=float)
        kept = [name != "Intercept" for name in self.specification.column_names]
        return values[:, kept]


def _parsed(text: str) -> Any:
    """Return formulaic's formula; raise in one sentence if it cannot be read."""
    try:
        import formulaic
    except ImportError:
        raise ImportError(
            f"The formula {text!r} needs the package formulaic: pip install formulaic, or"
            " name columns with plus signs only, as in 'age + sex'."
        ) from None
    try:
        return formulaic.Formula(text)
    except Exception:
        raise ValueError(
            f"The formula {text!r} cannot be read: use names of columns with + : * and functions,"
            " as in 'age + sex + age:sex'."
        ) from None


def _evaluated(formula: Any, text: str, columns: Mapping[Name, Any]) -> Any:
    types = [(str(name), np.asarray(one).dtype) for name, one in columns.items()]
    table = np.rec.fromarrays([np.asarray(one) for one in columns.values()], dtype=types)
    try:
        with np.errstate(all="ignore"):
            return formula.get_model_matrix(table, context=None, na_action="ignore")
    except Exception as error:
        reason = (str(error).splitlines() or [""])[0].rstrip(".")
        raise ValueError(f"The formula {text!r} cannot be evaluated: {reason:.200}.") from None


def _check_safe(text: str) -> None:
    """Raise if a formula has more than names, numbers, operators and a few functions.

    Formulas come with model files, which must not run code.
    """
    called = [name.removeprefix("np.") for name in CALLED.findall(text) if name]
    unknown = [name for name in called if name not in FUNCTIONS]
    without_numbers = NUMBERS.sub("", text.replace("np.", ""))
    if unknown or "__" in text or "." in without_numbers or not ALLOWED.fullmatch(text):
        raise ValueError(
            f"The formula {text!r} may have names of columns, numbers, + - * / : ^ and the"
            f" functions {', '.join(FUNCTIONS)} only: compute other columns yourself."
        )


def _check_stateless(
    specification: Any, text: str, categories: Mapping[Name, tuple[Any, ...] | None]
) -> None:
    """Raise if a formula makes categories of numbers, whose values an example does not have."""
    numbers = {str(name) for name, known in categories.items() if known is None}
    for term, (kind, _) in specification.encoder_state.items():
        inside = str(term).removeprefix("C(").removesuffix(")").strip()
        if kind.value == "categorical" and inside in numbers:
            raise ValueError(
                f"The formula {text!r} makes categories of the numbers in column {inside!r}: turn"
                " the column into text first."
            )
