"""Arguments that many families take, and what these must be."""

from numbers import Integral, Real
from typing import Any


def is_count(value: Any) -> bool:
    """Return whether a value is a whole number of at least one."""
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1


def check_count(name: str, value: Any) -> None:
    """Refuse anything but a whole number of at least one."""
    if not is_count(value):
        raise ValueError(f"{name} must be a whole number of at least 1, not {value!r}.")


def check_floor(floor: Any) -> None:
    """Refuse anything but a share."""
    if not isinstance(floor, Real) or not 0 < float(floor) <= 1:
        raise ValueError(f"floor must be a number above 0 and at most 1, not {floor!r}.")
