"""Several Markov chains of hidden states, evaluated together."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np

from .... import kernels
from ....data import BoolArray, FloatArray, IntArray, Sequences, Table
from ...contract.base import Bank
from ...covariance.moments import as_kernel_array
from .hmm_lanes import SideBySide


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


def padded(size: int) -> FloatArray:
    """Return memory for so many numbers, and after them some that kernels may overwrite."""
    return np.empty(size + kernels.chains.PADDING)


@dataclass(frozen=True, eq=False)
class Chains:
    """K Markov chains with S hidden states in all, which emit observations.

    Parameters
    ----------
    bounds : array of int, shape (K + 1,)
        Where the states of each chain begin and end among all.
    initial : array, shape (S,)
        Probabilities of the first state.
    transitions : array, shape (S, most states of a chain)
        Probabilities of the next state of the same chain (column), given the state (row).
    emitters : tuple of Bank
        The distributions of the states: one bank for each chain, or one for all.
    """

    bounds: IntArray
    initial: FloatArray
    transitions: FloatArray
    emitters: tuple[Bank, ...]

    @classmethod
    def of(cls, chains: Sequence[HiddenChain], pooled: Bank | None = None) -> Self:
        """Return chains together; `pooled` has the states of all chains, if one bank does."""
        sizes = [len(one.initial) for one in chains]
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        transitions = np.zeros((bounds[-1], max(sizes)))
        for begin, size, one in zip(bounds, sizes, chains, strict=False):
            transitions[begin : begin + size, :size] = one.transitions
        initial = np.concatenate([one.initial for one in chains])
        own = tuple(one.states for one in chains) if pooled is None else (pooled,)
        return cls(bounds, initial, transitions, own)

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @property
    def are_pooled(self) -> bool:
        """Whether one bank has the states of all chains."""
        return len(self.emitters) < len(self)

    @cached_property
    def sizes(self) -> IntArray:
        """Number of states of each chain, shape (K,)."""
        return np.diff(self.bounds)

    def emitter(self, k: int) -> Bank:
        """Return the bank that has the states of a chain, and perhaps those of others."""
        return self.emitters[0 if self.are_pooled else k]

    def chain(self, k: int) -> HiddenChain:
        """Return one of the chains."""
        begin, end = self.bounds[k : k + 2]
        states = self.emitter(k)
        if self.are_pooled:
            states = states.chosen(range(begin, end))
        moves = self.transitions[begin:end, : end - begin]
        return HiddenChain(self.initial[begin:end], moves, states)

    def evaluate(self, data: Sequences, is_rounded: bool = True) -> "ForwardPass":
        """Return the forward pass of all chains over some sequences.

        Parameters
        ----------
        data : Sequences
        is_rounded : bool, default=True
            Whether emissions have what learning maximises in place of their log density.
        """
        ordered = SideBySide.of(data)
        log_emissions = self._log_emissions(ordered.rows, is_rounded)
        (s, n), k = log_emissions.shape, len(self)
        memories = tuple(padded(height * n) for height in (s, s, k))
        doubtful, scores = np.empty((k, len(data)), dtype=bool), np.empty((k, len(data)))
        kernels.chains.evaluate(
            log_emissions, *ordered.layout, self.bounds, self.initial, self.transitions,
            *memories, doubtful, scores,
        )  # fmt: skip
        passed = (log_emissions, memories, doubtful, scores)
        return ForwardPass(self, data.ends, ordered, *passed)

    def _log_emissions(self, rows: Table, is_rounded: bool) -> FloatArray:
        """Return the log density of each row in each state, shape (S, n)."""
        evaluated = (one.evaluate(rows, is_rounded=is_rounded) for one in self.emitters)
        found = [one.log_densities.T for one in evaluated]
        return as_kernel_array(found[0] if len(found) == 1 else np.concatenate(found))


class Expected(NamedTuple):
    """Expectations of the hidden states of one chain, given sequences with weights.

    Parameters
    ----------
    is_whole : bool
        Whether the steps are all rows of the forward pass, in their order.
    slots : array of int, shape (m,)
        The places of the steps of sequences with a weight, among the rows of the forward pass.
    occupied : array, shape (S, m)
        The probability of each state at these steps, times the weight of the sequence.
    masses, initial : arrays, shape (S,)
        Sums of these over all steps, and over the first ones.
    transitions : array, shape (S, S)
    """

    is_whole: bool
    slots: IntArray
    occupied: FloatArray
    masses: FloatArray
    initial: FloatArray
    transitions: FloatArray


class ForwardPass(NamedTuple):
    """The forward pass of K chains over some sequences, whose steps are reordered.

    Parameters
    ----------
    chains : Chains
    ends : array of int, shape (N + 1,)
        Where sequences end.
    ordered : SideBySide
        Their steps in the order of the arrays that follow.
    log_emissions, doubtful : arrays
        As in `kernels.chains`.
    memories : tuple of arrays
        Of likelihoods, forward probabilities and factors.
    scores : array, shape (K, N)
        Log-likelihoods.
    """

    chains: Chains
    ends: IntArray
    ordered: SideBySide
    log_emissions: FloatArray
    memories: tuple[FloatArray, ...]
    doubtful: BoolArray
    scores: FloatArray

    def expectations(self, k: int, weights: FloatArray) -> Expected:
        """Return the expectations of a chain, given weights (N,) of the sequences.

        Sequences without a weight are left out.
        """
        begin, end = self.chains.bounds[k : k + 2]
        own, ordered, s = slice(begin, end), self.ordered, int(end - begin)
        n_steps = int(np.diff(self.ends)[weights > 0].sum())
        slots, memory = np.empty(n_steps, dtype=np.int64), padded(s * n_steps)
        sums = np.zeros(s), np.zeros(s), np.zeros((s, s))
        is_whole = kernels.chains.expectations(
            self.log_emissions[own], self._rows(self.memories[0], begin, end),
            self._rows(self.memories[1], begin, end), self._rows(self.memories[2], k, k + 1),
            self.doubtful[k], *ordered.layout, ordered.slots, self.ends, ordered.order,
            self.chains.initial[own],
            np.ascontiguousarray(self.chains.transitions[own, : end - begin]),
            as_kernel_array(weights), slots, memory, *sums,
        )  # fmt: skip
        occupied = memory[: s * n_steps].reshape(s, n_steps)
        return Expected(is_whole, slots, occupied, *sums)

    def _rows(self, memory: FloatArray, begin: int, end: int) -> FloatArray:
        """Return the memory of some rows of a matrix."""
        n = self.log_emissions.shape[1]
        return memory[begin * n : end * n + kernels.chains.PADDING]

    def rows_of(self, expected: Expected) -> Table:
        """Return the steps of sequences with a weight."""
        rows = self.ordered.rows
        if expected.is_whole:
            return rows
        values = np.take(rows.values, expected.slots, axis=0)
        return Table(values, rows.feature_names, any_missing=False)


def state_probabilities(chain: HiddenChain, data: Sequences, is_rounded: bool) -> FloatArray:
    """Return the probability of each state at each step, shape (steps, S).

    If `is_rounded`, emissions have what learning maximises in place of their log density.
    """
    chains, s = Chains.of([chain]), len(chain.initial)
    found = np.empty((len(data.steps), s))
    for place in data.blocks(s):
        block = data.take(place)
        passed = chains.evaluate(block, is_rounded)
        own = passed.expectations(0, np.ones(len(block)))
        steps = data.ends[place.start] + passed.ordered.layout.steps[own.slots]
        found[steps] = own.occupied.T
    return found


TINY = float(np.finfo(float).tiny)


@dataclass(frozen=True, eq=False)
class PseudoCounts:
    """Counts that priors add to the expected ones of K chains, of S states in all.

    Parameters
    ----------
    first : array, shape (S,)
        Of first states.
    following : array, shape (S, most states of a chain)
        Of transitions.
    """

    first: FloatArray
    following: FloatArray

    @classmethod
    def joined(cls, chains: Chains, parts: "Sequence[PseudoCounts]") -> Self:
        """Return those of several chains, given those of each."""
        following = np.zeros(chains.transitions.shape)
        for (begin, end), part in zip(pairwise(chains.bounds), parts, strict=True):
            following[begin:end, : end - begin] = part.following
        return cls(np.concatenate([part.first for part in parts]), following)

    @cached_property
    def _peaks(self) -> FloatArray:
        """The largest weighted logarithms of the probabilities after each state, shape (S,)."""
        totals = np.maximum(self.following.sum(axis=1, keepdims=True), TINY)
        return self._weighted_logs(self.following / totals)

    def _weighted_logs(self, transitions: FloatArray) -> FloatArray:
        return np.asarray((self.following * np.log(np.maximum(transitions, TINY))).sum(axis=1))

    def log_densities(self, chains: Chains) -> FloatArray:
        """Return the log densities of the priors of the transitions at those of chains, (K,)."""
        found = self._weighted_logs(chains.transitions) - self._peaks
        starts = chains.bounds[:-1]
        totals = np.repeat(np.add.reduceat(self.first, starts), chains.sizes)
        likeliest = np.maximum(self.first / np.maximum(totals, TINY), TINY)
        found += self.first * (np.log(np.maximum(chains.initial, TINY)) - np.log(likeliest))
        return np.asarray(np.add.reduceat(found, starts))
