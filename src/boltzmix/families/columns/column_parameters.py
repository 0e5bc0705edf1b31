"""Parameters of independent columns: one number for each column, of a kind that is checked."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...data import FloatArray, shown
from ..shared.validation import as_numbers

REQUIREMENTS = {
    "finite": lambda numbers: np.isfinite(numbers),
    "finite and above zero": lambda numbers: np.isfinite(numbers) & (numbers > 0),
    "finite and not negative": lambda numbers: np.isfinite(numbers) & (numbers >= 0),
    "between 0 and 1": lambda numbers: (numbers > 0) & (numbers < 1),
}


def one_per_column(
    family: str, given: Mapping[str, Any], requirements: Mapping[str, str]
) -> dict[str, FloatArray]:
    """Return parameters as arrays with one number per column, shape (d,) each; none if absent.

    Parameters
    ----------
    family : str
        The name of the family in messages.
    given : mapping of str to number or array
        The parameters, all of which are None before a fit.
    requirements : mapping of str to str
        What each parameter must be: a key of `REQUIREMENTS`.

    Examples
    --------
    >>> one_per_column("Poisson", {"rate": [2, 3]}, {"rate": "finite and above zero"})
    {'rate': array([2., 3.])}
    """
    absent = [name for name, value in given.items() if value is None]
    if absent and len(absent) < len(given):
        raise ValueError(
            f"{family} has the parameters {' and '.join(given)}: {absent[0]} is absent."
        )
    if absent:
        return {}
    arrays = [_as_parameter(name, value, requirements[name]) for name, value in given.items()]
    lengths = {len(array) for array in arrays}
    if len(lengths - {1}) > 1:
        raise ValueError(
            f"The parameters of {family} must have one number per column each, but there"
            f" are {' and '.join(str(len(array)) for array in arrays)}."
        )
    return {
        name: np.broadcast_to(array, max(lengths))
        for name, array in zip(given, arrays, strict=True)
    }


def _as_parameter(name: str, value: Any, requirement: str) -> FloatArray:
    """Return a parameter as one number per column, or raise if it does not meet a requirement."""
    numbers = np.atleast_1d(as_numbers(value))
    if numbers.ndim != 1 or not numbers.size or not REQUIREMENTS[requirement](numbers).all():
        raise ValueError(
            f"{name} must be {requirement}, one number for each column, not {shown(value)}."
        )
    return numbers
