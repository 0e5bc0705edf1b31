"""Checks of the arguments of recipes, each with a sentence that names the argument."""

from collections.abc import Callable, Iterable
from numbers import Integral, Real
from typing import Any

from ..data import shown


def check_number(name: str, given: Any, wanted: str, holds: Callable[[Any], bool]) -> None:
    """Raise unless an argument is a number for which a condition holds."""
    if not isinstance(given, Real) or not holds(given):
        raise ValueError(f"{name} must be {wanted}, not {shown(given)}.")


def check_tolerance(tolerance: Any) -> None:
    """Raise unless a tolerance is a number of zero or more."""
    check_number("tolerance", tolerance, "a number of zero or more", lambda value: value >= 0)


def check_count(name: str, given: Any, least: int = 1) -> None:
    """Raise unless an argument is a whole number of at least one, or of at least zero."""
    wanted = "a whole number of at least 1" if least else "a whole number of zero or more"
    check_number(name, given, wanted, lambda v: isinstance(v, Integral) and int(v) >= least)


def check_choice(name: str, given: Any, choices: Iterable[str]) -> None:
    """Raise unless an argument is one of a few names."""
    if given not in list(choices):
        raise ValueError(
            f"{name} must be one of {', '.join(map(repr, choices))}, not {shown(given)}."
        )
