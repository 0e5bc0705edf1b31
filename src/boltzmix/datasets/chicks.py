"""Weights of chicks, each over three weeks."""

from importlib.resources import files

import numpy as np

from ..data import IntArray, Trajectories


def load_chick_weights() -> tuple[Trajectories, IntArray]:
    """Load the weights of 50 chicks on four diets, on up to 12 days each.

    Weights are in grams. The figures are those in M. Crowder and D. Hand, *Analysis of Repeated
    Measures* (1990), example 5.3.

    Returns
    -------
    X : Trajectories
        Their `ids` are the numbers of the chicks, and times are days since birth.
    diets : array of int, shape (50,)
        The diet of each chick, 0 to 3: those of the book less one.

    Examples
    --------
    >>> X, diets = load_chick_weights()
    >>> X, np.bincount(diets)
    (<50 trajectories of 2 to 12 points, 1 output, times from 0 to 21>, array([20, 10, 10, 10]))
    """
    text = (files(__package__) / "chick_weights.csv").read_text(encoding="utf-8")
    rows = np.array([line.split(",") for line in text.splitlines()[1:]], dtype=float)
    chicks, first, counts = np.unique(rows[:, 0], return_index=True, return_counts=True)
    X = Trajectories(
        rows[:, 2],
        rows[:, 3:],
        np.append(0, np.cumsum(counts)),
        ("weight",),
        "day",
        ids=chicks.astype(int),
    )
    return X, rows[first, 1].astype(int) - 1
