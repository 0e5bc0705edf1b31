"""A Markov chain of hidden states, all of whose parameters are known."""

from typing import NamedTuple

import numpy as np

from ... import kernels
from ...data import FloatArray, IntArray, Sequences
from ..base import Bank


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

    def log_likelihoods(self, data: Sequences, rounded: bool = False) -> FloatArray:
        """Return the log-likelihood of each sequence, shape (n,), by the forward algorithm.

        If `rounded`, emissions have what learning maximises in place of their log density.
        """
        scores = np.empty(len(data))
        log_emissions = self._log_emissions(data, rounded)
        if self._is_left_right:
            forward = np.empty(log_emissions.shape[::-1])
            kernels.left_right.forward_pass(
                log_emissions, data.ends, *self._log_moves, forward, scores
            )
            return scores
        kernels.chains.log_likelihoods(
            log_emissions, data.ends, _longest_first(data), self.initial, self.transitions, scores
        )
        return scores

    def expectations(
        self, data: Sequences, weights: FloatArray, rounded: bool = False
    ) -> tuple[FloatArray, FloatArray]:
        """Return weighted states (S, steps) and transitions (S, S), by forward–backward."""
        log_emissions = self._log_emissions(data, rounded)
        scores, occupied = np.empty(len(data)), np.empty(log_emissions.shape)
        counts = np.empty(self.transitions.shape)
        if self._is_left_right:
            chain = log_emissions, data.ends, *self._log_moves
            forward = np.empty(log_emissions.shape[::-1])
            kernels.left_right.forward_pass(*chain, forward, scores)
            kernels.left_right.backward_pass(*chain, weights, forward, scores, occupied, counts)
            return occupied, counts
        kernels.chains.expectations(
            log_emissions, data.ends, _longest_first(data), self.initial, self.transitions,
            weights, scores, occupied, counts,
        )  # fmt: skip
        return occupied, counts

    def best_paths(self, data: Sequences) -> IntArray:
        """Return the most probable state of each step, shape (steps,), by Viterbi's algorithm."""
        paths, scores = np.empty(len(data.steps), dtype=np.int32), np.empty(len(data))
        log_emissions = self._log_emissions(data)
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

    @property
    def _is_left_right(self) -> bool:
        """Whether sequences start in the first state, and only stay or move on to the next."""
        near = np.triu(np.tril(self.transitions, 1))
        return bool(self.initial[0] == 1) and np.array_equal(self.transitions, near)

    @property
    def _log_moves(self) -> tuple[FloatArray, FloatArray]:
        """Log probabilities of staying in each state, and of moving on from it, shapes (S,)."""
        moves = np.append(np.diagonal(self.transitions, 1), 0.0)
        impossible = kernels.left_right.NEVER
        with np.errstate(divide="ignore"):
            stays, moves = np.log(np.diagonal(self.transitions)), np.log(moves)
        return np.maximum(stays, impossible), np.maximum(moves, impossible)

    def _log_emissions(self, data: Sequences, rounded: bool = False) -> FloatArray:
        """Return the log density of each step in each state, shape (S, steps)."""
        evaluate = self.states.log_objective if rounded else self.states.log_prob
        return np.ascontiguousarray(evaluate(data.steps).T)


def _longest_first(data: Sequences) -> IntArray:
    return np.argsort(-data.lengths, kind="stable")


def normalised(counts: FloatArray) -> FloatArray:
    """Return counts as probabilities, which sum to one along the last axis."""
    return counts / counts.sum(axis=-1, keepdims=True)
