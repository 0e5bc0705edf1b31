"""The prior of first states and transitions of hidden Markov models, as counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Self

import numpy as np

from ....data import FloatArray
from .hmm_chains import Chains

TINY = float(np.finfo(float).tiny)


@dataclass(frozen=True, eq=False)
class PseudoCounts:
    """What priors add to the expected counts of K chains, of S states in all.

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
