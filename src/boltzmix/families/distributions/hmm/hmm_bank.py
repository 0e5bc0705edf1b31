"""K hidden Markov models, whose states share the prior of the emissions."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Self, cast

import numpy as np

from ....data import BoolArray, FloatArray, Hard, IntArray, Membership, Sequences
from ...contract.bank import Bank, Evaluation
from ...contract.base import Family
from ...covariance.elliptical_bank import EllipticalBank
from ...shared.copies import altered, replaced
from ..gaussian import GaussianBank
from .hmm_baum_welch import Paths
from .hmm_chains import Chains, PseudoCounts

if TYPE_CHECKING:
    from .hmm import HMM


class Learned(NamedTuple):
    """The chains that an M-step found.

    Parameters
    ----------
    chains : Chains
    mean_lengths : array, shape (K,)
        Mean numbers of steps of the sequences of each model.
    """

    chains: Chains
    mean_lengths: FloatArray


class HMMBank(Bank):
    """K hidden Markov models.

    Where emissions are Gaussian, the states of all models have one prior, which pulls their
    covariances towards a common one; other emissions have one prior for the states of each model.

    Parameters
    ----------
    components : sequence of HMM
        The prior is that of the first.
    is_frozen : bool
        Whether the priors of the emissions stay as they are.
    learned : Learned, optional
        The chains that models have in place of their own.
    """

    def __init__(
        self,
        components: Sequence[Family],
        is_frozen: bool = False,
        learned: Learned | None = None,
    ) -> None:
        self._given = cast("tuple[HMM, ...]", tuple(components))
        self.is_frozen = is_frozen
        self._learned = learned

    def __len__(self) -> int:
        return len(self._given)

    @property
    def family(self) -> Family:
        """One of the models, which knows what all of them have in common."""
        return self._given[0]

    @cached_property
    def components(self) -> tuple[Family, ...]:  # type: ignore[override]
        """The models one by one."""
        if self._learned is None:
            return self._given
        chains, lengths = self._learned
        return tuple(
            altered(one, mean_length=float(length), **chains.chain(k)._asdict())
            for k, (one, length) in enumerate(zip(self._given, lengths, strict=True))
        )

    @property
    def models(self) -> "Sequence[HMM]":
        """The components."""
        return cast("Sequence[HMM]", self.components)

    @cached_property
    def chains(self) -> Chains:
        """The hidden chains of all models."""
        if self._learned is not None:
            return self._learned.chains
        chains = [one.chain for one in self._given]
        if len(chains) == 1 or not _is_pooled(chains[0].states):
            return Chains.of(chains)
        banks = [cast(GaussianBank, one.states) for one in chains]
        means = np.concatenate([one.means for one in banks])
        variances = np.concatenate([one.variances for one in banks])
        return Chains.of(chains, GaussianBank(banks[0].family, means, variances))

    @property
    def n_columns(self) -> int:
        """Numbers per step that an E-step computes: one for each state."""
        return int(self.chains.bounds[-1])

    @cached_property
    def _pseudo_counts(self) -> PseudoCounts:
        """Counts that the priors add to expected ones."""
        return PseudoCounts.joined(self.chains, [one.pseudo_counts for one in self._given])

    @cached_property
    def log_prior(self) -> FloatArray:
        """Log density of the prior at the parameters of each model, shape (K,)."""
        chains = self.chains
        states = np.concatenate([bank.log_prior for bank in chains.emitters])
        emissions = np.add.reduceat(states, chains.bounds[:-1])
        return np.asarray(emissions + self._pseudo_counts.log_densities(chains))

    def evaluate(self, data: Sequences, *, is_rounded: bool = True) -> Evaluation:
        """Return log densities (n, K), of whose forward pass expected counts are made."""
        found = self.chains.evaluate(data, is_rounded)

        def summarise(membership: Membership) -> Paths:
            return Paths.of(found, membership.as_responsibilities().T)

        return Evaluation(found.scores.T, summarise)

    def log_densities_at(self, data: Sequences, membership: Hard) -> FloatArray:
        """Return what learning maximises of each sequence under its own component, (n,)."""
        found = np.empty(len(data))
        for k, one in enumerate(self.models):
            indices, _ = membership.members(k)
            if len(indices):
                found[indices] = one.log_objective(data.take(indices))
        return found

    def summarise(self, data: Sequences, membership: Membership) -> Paths:
        """Return the expected counts of each model, given the sequences assigned to it."""
        return Paths.joined(self.chains, super().summarise(data, membership))

    def refill(
        self, statistics: Paths, k: int, data: Sequences, weights: FloatArray | None
    ) -> Paths:
        """Return `statistics` with those of model k replaced by those of `data`."""
        return statistics.replaced(k, self.models[k].summarise(data, weights))

    def freeze(self, frozen: bool) -> Self:
        """Return these components with frozen priors of emissions, or free to learn them."""
        return self if frozen == self.is_frozen else self._with(frozen, self._learned)

    def _with(self, is_frozen: bool, learned: Learned | None) -> Self:
        """Return the bank with other parameters, and with what does not depend on these."""
        changed = type(self)(self._given, is_frozen, learned)
        changed.__dict__["_pseudo_counts"] = self._pseudo_counts
        return changed

    def replaced(self, components: dict[int, Family]) -> Self:
        """Return the bank with other components in some places; the prior is that of the bank."""
        changed = [components.get(k, own) for k, own in enumerate(self.models)]
        first = self.models[0].chain.states
        models = cast("Sequence[HMM]", changed)
        if _is_pooled(first):
            banks = [cast(GaussianBank, one.chain.states) for one in models]
            states = [GaussianBank(first.family, one.means, one.variances) for one in banks]
            pairs = zip(models, states, strict=True)
            return type(self)([replaced(one, states=own) for one, own in pairs], self.is_frozen)
        return type(self)(models, self.is_frozen)

    def chosen(self, places: Sequence[int] | IntArray) -> Self:
        """Return a bank of the components in some places, in that order."""
        return type(self)([self.components[k] for k in places], self.is_frozen)

    def update(self, statistics: Paths, keep: BoolArray, rng: np.random.Generator) -> Self:
        """Return the bank after a step of Baum-Welch; components in `keep` stay as they are."""
        if keep.all():
            return self
        frozen = self.is_frozen and not _have_common_parts(statistics.chains.emitters[0])
        chains = statistics.maximised(self._pseudo_counts, rng, keep, frozen)
        lengths = statistics.mean_lengths
        if keep.any():
            before = [one.mean_length for one in self.models]
            lengths = np.where(keep, np.array(before, dtype=float), lengths)
        return self._with(self.is_frozen, Learned(chains, lengths))


class SeparateHMMBank(HMMBank):
    """K models of a class that is derived from `HMM`, evaluated and fitted by their own methods.

    The states still share the prior of the emissions.
    """

    def evaluate(self, data: Sequences, *, is_rounded: bool = True) -> Evaluation:
        """Return the log densities (n, K) that the models themselves return."""
        found = [one.log_objective(data) if is_rounded else one.log_prob(data)
                 for one in self.models]  # fmt: skip
        return self.evaluated(np.stack(found, axis=1), data)

    def update(self, statistics: Paths, keep: BoolArray, rng: np.random.Generator) -> Self:
        """Return the bank after a step of Baum-Welch; components in `keep` stay as they are."""
        if keep.all():
            return self
        together = super().update(statistics, keep, rng)
        fitted = [
            one
            if stays
            else altered(one.from_statistics(statistics.part(k), rng), states=other.states)
            for k, (one, other, stays) in enumerate(
                zip(self.models, together.models, keep, strict=True)
            )
        ]
        return type(self)(fitted, self.is_frozen)


def _is_pooled(states: Bank | None) -> bool:
    """Return whether the states of all models have one prior, and no other common parameter."""
    return isinstance(states, GaussianBank) and not _have_common_parts(states)


def _have_common_parts(states: Bank) -> bool:
    """Return whether covariances of the states of a model have parts in common.

    Common parts belong to the model, and are learned with it even if the priors of models are
    frozen.
    """
    return isinstance(states, EllipticalBank) and states.family.shape.has_common_parts
