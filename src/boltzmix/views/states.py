"""What is known of the states of a chain."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data import FloatArray


def is_chain(component: Any) -> bool:
    """Return whether a component has states, and parameters for them."""
    return all(getattr(component, name, None) is not None for name in ("initial", "transitions"))


def stacked(states: Sequence[Any], name: str, ndim: int) -> FloatArray | None:
    """Return an attribute of all states, if they have it in as many dimensions."""
    found = [np.asarray(getattr(one, name, None)) for one in states]
    return np.stack(found) if all(one.ndim == ndim for one in found) else None
