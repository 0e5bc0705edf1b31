"""A check that what should be a table has no sequences or trajectories."""

import numpy as np

from ..errors import DATA, InputError
from .sequence_data import Sequences
from .trajectory_data import Trajectories


def check_no_sequences(X: object, family: str) -> None:
    """Raise if X has sequences or trajectories, which a family of rows does not read.

    Parameters
    ----------
    X : whatever a user passed
    family : str
        The name of the family in the message.
    """
    if isinstance(X, Trajectories):
        raise InputError(
            f"{DATA} has trajectories, but {family} reads a table, in which every row is an"
            " observation: use a family of trajectories, as in Mixture('growth-curve', 3)."
        )
    if isinstance(X, Sequences) or _is_list_of_sequences(X):
        raise InputError(
            f"{DATA} has sequences, but {family} reads a table, in which every row is an"
            " observation:"
            " use a family of sequences, as in Mixture('hmm', 3)."
        )


def _is_list_of_sequences(X: object) -> bool:
    """Return whether X is a list of arrays (steps, features), or of vectors of other lengths."""
    if not isinstance(X, list | tuple) or not X:
        return False
    if all(isinstance(one, np.ndarray) and one.ndim == 1 for one in X[:1]):
        return len({np.shape(one) for one in X}) > 1
    return getattr(X[0], "ndim", 0) == 2
