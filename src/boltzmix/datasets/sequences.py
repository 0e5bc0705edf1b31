"""Sequences in clusters, drawn from random hidden Markov models."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..data import FloatArray, IntArray, are_whole, check_count, read_generator, shown

LabelledSequences = tuple[list[FloatArray], IntArray]


class RandomHMMs(NamedTuple):
    """Sequences from random hidden Markov models, and the models themselves.

    Parameters
    ----------
    sequences : list of arrays, shapes (T_i, 1)
    labels : array of int, shape (n,)
        The model that each sequence was drawn from.
    initial : array, shape (3, 4)
        Probabilities of the first state, for each model.
    transitions : array, shape (3, 4, 4)
        Probabilities of the next state (last axis), given the state before it.
    means : array, shape (4,)
        Mean of the emissions of each state, in every model.
    deviation : float
        Standard deviation of the emissions of every state.
    """

    sequences: list[FloatArray]
    labels: IntArray
    initial: FloatArray
    transitions: FloatArray
    means: FloatArray
    deviation: float


def make_random_hmms(
    lengths: Sequence[int] = (20, 50), n_per_cluster: int = 20, random_state: object = None
) -> LabelledSequences:
    """Draw sequences from three random hidden Markov models (the paper's random-HMM simulation).

    Each model has four states. Initial and transition probabilities are uniform random numbers,
    divided by their sum. In all three models the states have Gaussian emissions with means -2, -1,
    0 and 1 and standard deviation 0.1, so that clusters differ in the order of states only.

    Parameters
    ----------
    lengths : two ints
        Shortest and longest length; lengths are uniform between them.
        ``(5, 10)`` is the paper's harder setting.
    n_per_cluster : int
    random_state : int, Generator or None

    Returns
    -------
    X : list of arrays, shapes (T_i, 1)
    labels : array of int, shape (3 * n_per_cluster,)

    See Also
    --------
    draw_random_hmms : The same sequences, with the parameters they were drawn from.

    Examples
    --------
    >>> X, labels = make_random_hmms(random_state=0)
    >>> len(X), np.bincount(labels)
    (60, array([20, 20, 20]))
    """
    drawn = draw_random_hmms(lengths, n_per_cluster, random_state)
    return drawn.sequences, drawn.labels


def draw_random_hmms(
    lengths: Sequence[int] = (20, 50), n_per_cluster: int = 20, random_state: object = None
) -> RandomHMMs:
    """Draw the sequences of `make_random_hmms`, and return the true parameters with them."""
    shortest, longest = _check_lengths(lengths)
    check_count("n_per_cluster", n_per_cluster)
    rng = read_generator(random_state)
    means, deviation = np.array([-2.0, -1.0, 0.0, 1.0]), 0.1
    initial, transitions = rng.random((3, 4)), rng.random((3, 4, 4))
    initial /= initial.sum(axis=-1, keepdims=True)
    transitions /= transitions.sum(axis=-1, keepdims=True)
    labels = np.repeat(np.arange(3), n_per_cluster)
    sizes = rng.integers(shortest, longest, size=len(labels), endpoint=True)
    states = _draw_chains(initial[labels], transitions[labels], longest, rng)
    values = means[states] + rng.normal(scale=deviation, size=states.shape)
    sequences = [row[:size, None] for row, size in zip(values, sizes, strict=True)]
    return RandomHMMs(sequences, labels, initial, transitions, means, deviation)


def _check_lengths(lengths: Sequence[int]) -> tuple[int, int]:
    if not are_whole(lengths, 2) or lengths[0] > lengths[1]:
        raise ValueError(
            "lengths must be two whole numbers, the shortest length (at least 1) and the longest,"
            f" not {shown(lengths)}."
        )
    return int(lengths[0]), int(lengths[1])


def _draw_chains(
    initial: FloatArray, transitions: FloatArray, n_steps: int, rng: np.random.Generator
) -> IntArray:
    """Draw one chain of states for each row of `initial` (n, S), by inverse transform sampling."""
    uniform = rng.random((len(initial), n_steps))
    states = np.empty(uniform.shape, dtype=int)
    probabilities = initial
    for step in range(n_steps):
        below = np.cumsum(probabilities, axis=1)[:, :-1]  # the last is 1, except for rounding
        states[:, step] = (uniform[:, step, None] > below).sum(axis=1)
        probabilities = transitions[np.arange(len(states)), states[:, step]]
    return states
