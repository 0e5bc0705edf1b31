"""Baum–Welch: expected counts of sequences, and hidden Markov models fitted to them."""

from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any, Self, TypeVar

import numpy as np

from ...data import BoolArray, FloatArray, Sequences, Soft
from ..additive import AdditiveFamily
from ..base import Bank
from ..threads import threaded_map
from .hmm_chain import HiddenChain, normalised

Model = TypeVar("Model", bound=AdditiveFamily)


@dataclass(frozen=True, eq=False)
class Paths:
    """Expected counts of some sequences (the E-step of Baum–Welch).

    Parameters
    ----------
    states : Bank
        The states, which read the emission statistics.
    initial : array, shape (S,)
        Expected number of sequences that start in each state.
    transitions : array, shape (S, S)
    masses : array, shape (S,)
        Expected number of steps in each state.
    emissions : what the bank's `summarise` returns
    n_sequences : float
        Total weight.
    """

    states: Bank
    initial: FloatArray
    transitions: FloatArray
    masses: FloatArray
    emissions: Any
    n_sequences: float

    @classmethod
    def of(cls, chain: HiddenChain, data: Sequences, weights: FloatArray) -> Self:
        """Return the expected counts of sequences with weights (n,) under a chain."""
        occupied, transitions = chain.expectations(data, weights, rounded=True)
        return cls(
            chain.states,
            occupied[:, data.ends[:-1]].sum(axis=1),
            transitions,
            occupied.sum(axis=1),
            chain.states.summarise(data.steps, Soft(occupied.T)),
            float(weights.sum()),
        )

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            initial=self.initial + other.initial,
            transitions=self.transitions + other.transitions,
            masses=self.masses + other.masses,
            emissions=self.states.add(self.emissions, other.emissions),
            n_sequences=self.n_sequences + other.n_sequences,
        )

    def __mul__(self, factor: float) -> Self:
        return replace(
            self,
            initial=self.initial * factor,
            transitions=self.transitions * factor,
            masses=self.masses * factor,
            emissions=self.states.scale(self.emissions, factor),
            n_sequences=self.n_sequences * factor,
        )

    @property
    def mean_length(self) -> float:
        """Mean number of steps."""
        return float(self.masses.sum() / max(self.n_sequences, Soft.least_size(1)))

    @property
    def without_steps(self) -> BoolArray:
        """Which states have no step, and so are not fitted, shape (S,)."""
        return self.masses < Soft.least_size(1)

    def maximised(
        self, chain: HiddenChain, first: FloatArray, transitions: FloatArray, states: Bank
    ) -> HiddenChain:
        """Return the most probable chain, given its states (the M-step of Baum–Welch).

        Parameters
        ----------
        chain : HiddenChain
            The current one, of which transitions without counts are kept.
        first : array, shape (S,)
            Pseudo-counts of first states.
        transitions : array, shape (S, S)
            Pseudo-counts of transitions.
        states : Bank
            The states after this M-step.
        """
        smallest = Soft.least_size(1)
        starts, counts = self.initial + first, self.transitions + transitions
        seen = counts.sum(axis=1) > smallest
        rows = np.where(seen[:, None], counts, chain.transitions)
        return HiddenChain(
            normalised(starts) if starts.sum() > smallest else chain.initial,
            normalised(rows),
            states,
        )


def baum_welch(
    model: Model, data: Sequences, weights: FloatArray | None, rng: np.random.Generator
) -> Model:
    """Return a model after its `n_steps` of Baum–Welch, which summarise blocks in threads."""
    places = data.blocks(1) if model.additive else [slice(0, len(data))]
    blocks = list(map(data.take, places))
    block_weights = [None if weights is None else weights[place] for place in places]
    with threaded_map(len(blocks)) as map_blocks:
        for _ in range(model.n_passes):
            parts = map_blocks(model.summarise, blocks, block_weights)
            model = model.from_statistics(reduce(add, parts), rng)
    return model
