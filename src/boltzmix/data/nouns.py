"""What the observations of a data set are called."""

from .base import Data


def noun(data: Data) -> str:
    """Return the plural noun for the observations, such as "rows" or "sequences"."""
    return getattr(data, "noun", "observations")
