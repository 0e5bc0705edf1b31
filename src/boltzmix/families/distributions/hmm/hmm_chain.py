"""A Markov chain of hidden states, all of whose parameters are known."""

from typing import NamedTuple

import numpy as np

from .... import kernels
from ....data import FloatArray, IntArray, Sequences
from ...contract.base import Bank


class HiddenChain(NamedTuple):
    """A Markov chain of hidden states, which emit observations.

    Parameters
    ----------
    initial : array, shape (S,)
        Probabilities of the first state.
    transitions : array, shape (S, S)
        Probabilities of the next state (column), given the state (row).
    states : Bank
        The distributions of the states.
    """

    initial: FloatArray
    transitions: FloatArray
    states: Bank

    def best_paths(self, data: Sequences) -> IntArray:
        """Return the most probable state of each step, shape (steps,), by Viterbi's algorithm."""
        paths, scores = np.empty(len(data.steps), dtype=np.int32), np.empty(len(data))
        log_emissions = np.ascontiguousarray(self.states.log_prob(data.steps).T)
        kernels.chains.best_paths(
            log_emissions, data.ends, self.initial, self.transitions, paths, scores
        )
        return paths

    def sample(self, n: int, length: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` sequences of `length` steps each, shape (n, length, d)."""
        path = self._sample_states(n, length, rng).ravel()
        steps: FloatArray | None = None
        for state, emission in enumerate(self.states.components):
            chosen = path == state
            drawn = np.asarray(emission.sample(int(chosen.sum()), rng), dtype=float)
            steps = np.empty((n * length, drawn.shape[1])) if steps is None else steps
            steps[chosen] = drawn
        assert steps is not None
        return steps.reshape(n, length, -1)

    def _sample_states(self, n: int, length: int, rng: np.random.Generator) -> IntArray:
        """Draw the states of `n` sequences, shape (n, length)."""
        path = np.empty((n, length), dtype=np.int64)
        path[:, 0] = rng.choice(len(self.initial), size=n, p=self.initial)
        cumulated = np.cumsum(self.transitions, axis=1)
        for t in range(1, length):
            chances = cumulated[path[:, t - 1]]
            draws = rng.random((n, 1)) * chances[:, -1:]
            path[:, t] = (draws >= chances).sum(axis=1)
        return path


def normalised(counts: FloatArray) -> FloatArray:
    """Return counts as probabilities, which sum to one along the last axis."""
    return counts / counts.sum(axis=-1, keepdims=True)
