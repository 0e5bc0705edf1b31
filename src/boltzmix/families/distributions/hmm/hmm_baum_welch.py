"""Baum–Welch: expected counts of sequences, and hidden Markov models fitted to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import add
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from ....data import BoolArray, FloatArray, Sequences, Soft
from ...contract.base import Bank
from ...contract.threads import threaded_map
from ...covariance.moments import Moments
from ...shared.copies import replaced
from .hmm_chains import Chains, ForwardPass, PseudoCounts

if TYPE_CHECKING:
    from .hmm import HMM

Model = TypeVar("Model", bound="HMM")


@dataclass(frozen=True, eq=False)
class Paths:
    """Expected counts of some sequences under K chains (the E-step of Baum–Welch).

    Parameters
    ----------
    chains : Chains
        The chains, of S states in all; their emitters read the emission statistics.
    initial : array, shape (S,)
        Expected number of sequences that start in each state.
    transitions : array, shape (S, most states of a chain)
    masses : array, shape (S,)
        Expected number of steps in each state.
    emissions : tuple
        The statistics that each emitter summarises its steps by.
    n_sequences : array, shape (K,)
        Total weight of the sequences of each chain.
    """

    chains: Chains
    initial: FloatArray
    transitions: FloatArray
    masses: FloatArray
    emissions: tuple[Any, ...]
    n_sequences: FloatArray

    @classmethod
    def of(cls, found: ForwardPass, weights: FloatArray) -> Self:
        """Return the expected counts of sequences with weights (K, N), after a forward pass."""
        chains = found.chains
        transitions = np.zeros(chains.transitions.shape)
        initial, masses = np.empty(len(transitions)), np.empty(len(transitions))
        emissions = []
        for k, (begin, end) in enumerate(pairwise(chains.bounds)):
            own = found.expectations(k, weights[k])
            initial[begin:end], masses[begin:end] = own.initial, own.masses
            transitions[begin:end, : end - begin] = own.transitions
            occupied = Soft(own.occupied.T)
            emissions.append(chains.emitter(k).summarise(found.rows_of(own), occupied))
        together = _together(chains, emissions)
        return cls(chains, initial, transitions, masses, together, weights.sum(axis=1))

    @classmethod
    def joined(cls, chains: Chains, parts: "Sequence[Paths]") -> Self:
        """Return the counts under several chains, given those under each of them."""
        transitions = np.zeros(chains.transitions.shape)
        for (begin, end), part in zip(pairwise(chains.bounds), parts, strict=True):
            transitions[begin:end, : end - begin] = part.transitions
        return cls(
            chains,
            np.concatenate([part.initial for part in parts]),
            transitions,
            np.concatenate([part.masses for part in parts]),
            _together(chains, [part.emissions[0] for part in parts]),
            np.concatenate([part.n_sequences for part in parts]),
        )

    def part(self, k: int) -> "Paths":
        """Return the counts under chain k alone."""
        begin, end = self.chains.bounds[k : k + 2]
        own = slice(begin, end)
        emissions = self.emissions[0].part(own) if self.chains.are_pooled else self.emissions[k]
        return Paths(
            Chains.of([self.chains.chain(k)]),
            self.initial[own],
            self.transitions[own, : end - begin],
            self.masses[own],
            (emissions,),
            self.n_sequences[k : k + 1],
        )

    def replaced(self, k: int, other: "Paths") -> Self:
        """Return these counts with those under chain k taken from the only one of `other`."""
        begin, end = self.chains.bounds[k : k + 2]
        mine = (self.initial, self.transitions, self.masses, self.n_sequences)
        initial, transitions, masses, n_sequences = (array.copy() for array in mine)
        initial[begin:end], masses[begin:end] = other.initial, other.masses
        transitions[begin:end, : end - begin] = other.transitions
        n_sequences[k], (own,) = other.n_sequences[0], other.emissions
        if self.chains.are_pooled:
            emissions = (self.emissions[0].replaced(begin, own),)
        else:
            emissions = (*self.emissions[:k], own, *self.emissions[k + 1 :])
        return replaced(
            self,
            initial=initial,
            transitions=transitions,
            masses=masses,
            emissions=emissions,
            n_sequences=n_sequences,
        )

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.chains,
            self.initial + other.initial,
            self.transitions + other.transitions,
            self.masses + other.masses,
            tuple(map(add, self.emissions, other.emissions)),
            self.n_sequences + other.n_sequences,
        )

    def __mul__(self, factor: float) -> Self:
        return type(self)(
            self.chains,
            self.initial * factor,
            self.transitions * factor,
            self.masses * factor,
            tuple(one * factor for one in self.emissions),
            self.n_sequences * factor,
        )

    @property
    def mean_lengths(self) -> FloatArray:
        """Mean number of steps of the sequences of each chain, shape (K,)."""
        masses = np.add.reduceat(self.masses, self.chains.bounds[:-1])
        return np.asarray(masses / np.maximum(self.n_sequences, Soft.least_size(1)))

    def maximised(
        self,
        pseudo_counts: PseudoCounts,
        rng: np.random.Generator,
        keep: BoolArray | None = None,
        frozen: bool = False,
    ) -> Chains:
        """Return the most probable chains (the M-step of Baum–Welch).

        A state without any step keeps its distribution, and one without transitions keeps these.

        Parameters
        ----------
        pseudo_counts : PseudoCounts
            Those of first states and transitions.
        rng : Generator
        keep : array of bool, shape (K,), optional
            Chains that stay as they are.
        frozen : bool
            Whether the priors of emissions stay as they are.
        """
        chains = self.chains
        keep = np.zeros(len(chains), dtype=bool) if keep is None else keep
        stays = np.repeat(keep, chains.sizes)
        return replaced(
            chains,
            initial=np.where(stays, chains.initial, self._first(pseudo_counts.first)),
            transitions=self._transitions(pseudo_counts.following, stays),
            emitters=self._updated_emitters(keep, stays, frozen, rng),
        )

    def _first(self, pseudo_counts: FloatArray) -> FloatArray:
        """Return the probabilities of first states."""
        chains, starts = self.chains, self.initial + pseudo_counts
        totals = np.repeat(np.add.reduceat(starts, chains.bounds[:-1]), chains.sizes)
        seen = totals > Soft.least_size(1)
        return np.where(seen, starts / np.where(seen, totals, 1.0), chains.initial)

    def _transitions(self, pseudo_counts: FloatArray, stays: BoolArray) -> FloatArray:
        """Return the probabilities of transitions, except from states that stay as they are."""
        counts = self.transitions + pseudo_counts
        totals = counts.sum(axis=1, keepdims=True)
        learned = (totals > Soft.least_size(1)) & ~stays[:, None]
        rows = counts / np.where(learned, totals, 1.0)
        return np.where(learned, rows, self.chains.transitions)

    def _updated_emitters(
        self, keep: BoolArray, stays: BoolArray, frozen: bool, rng: np.random.Generator
    ) -> tuple[Bank, ...]:
        """Return the emission distributions, except of chains or states that stay as they are."""
        chains, still = self.chains, stays | (self.masses < Soft.least_size(1))
        if chains.are_pooled:
            places = [slice(0, len(still))]
        else:
            places = [slice(*bounds) for bounds in pairwise(chains.bounds)]
        return tuple(
            bank
            if still[place].all()
            else bank.freeze(frozen).update(own, still[place], rng).freeze(False)
            for bank, own, place in zip(chains.emitters, self.emissions, places, strict=True)
        )


def _together(chains: Chains, emissions: list[Any]) -> tuple[Any, ...]:
    """Return the emission statistics of each emitter, given those of each chain."""
    return (Moments.joined(emissions),) if chains.are_pooled else tuple(emissions)


def baum_welch(
    model: Model, data: Sequences, weights: FloatArray | None, rng: np.random.Generator
) -> Model:
    """Return a model after its `n_steps` of Baum–Welch, which summarise blocks in threads."""
    size = len(model.chain.initial)
    places = data.blocks(size) if model.additive else [slice(0, len(data))]
    blocks = list(map(data.take, places))
    block_weights = [None if weights is None else weights[place] for place in places]
    with threaded_map(len(blocks)) as map_blocks:
        for _ in range(model.n_passes):
            parts = map_blocks(model.summarise, blocks, block_weights)
            model = model.from_statistics(reduce(add, parts), rng)
    return model
