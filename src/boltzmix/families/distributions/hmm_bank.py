"""K hidden Markov models, whose states share the prior of the emissions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Self, cast

import numpy as np

from ...data import BoolArray, FloatArray, Hard, IntArray, Sequences
from ..base import Bank, Family
from ..shared.elliptical_bank import EllipticalBank
from ..shared.moments import Moments
from .gaussian_bank import GaussianBank
from .hmm_baum_welch import Paths

if TYPE_CHECKING:
    from .hmm import HMM


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
    """

    def __init__(self, components: Sequence[Family], is_frozen: bool = False) -> None:
        super().__init__(components)
        self.is_frozen = is_frozen

    @property
    def models(self) -> "Sequence[HMM]":
        """The components."""
        return cast("Sequence[HMM]", self.components)

    def log_objective(self, data: Sequences) -> FloatArray:
        """Return what learning maximises of the log-likelihood matrix, shape (n, K)."""
        return np.stack([one.log_objective(data) for one in self.models], axis=1)

    def log_objective_at(self, data: Sequences, membership: Hard) -> FloatArray:
        """Return the same for each sequence under its own component, shape (n,)."""
        found = np.empty(len(data))
        for k, one in enumerate(self.models):
            indices, _ = membership.members(k)
            if len(indices):
                found[indices] = one.log_objective(data.take(indices))
        return found

    def freeze(self, frozen: bool) -> Self:
        """Return these components with frozen priors of emissions, or free to learn them."""
        return self if frozen == self.is_frozen else type(self)(self.components, frozen)

    def replaced(self, components: dict[int, Family]) -> Self:
        """Return the bank with other components in some places; the prior is that of the bank."""
        changed = [components.get(k, own) for k, own in enumerate(self.models)]
        first = self.models[0].chain.states
        models = cast("Sequence[HMM]", changed)
        if _is_pooled(first):
            banks = [cast(GaussianBank, one.chain.states) for one in models]
            states = [GaussianBank(first.family, one.means, one.variances) for one in banks]
            pairs = zip(models, states, strict=True)
            return type(self)([replace(one, states=own) for one, own in pairs], self.is_frozen)
        return type(self)(models, self.is_frozen)

    def chosen(self, places: Sequence[int] | IntArray) -> Self:
        """Return a bank of the components in some places, in that order."""
        return type(self)([self.components[k] for k in places], self.is_frozen)

    def update(
        self, statistics: Sequence[Paths], keep: BoolArray, rng: np.random.Generator
    ) -> Self:
        """Return the bank after a step of Baum-Welch; components in `keep` stay as they are."""
        if keep.all():
            return self
        banks = [one.chain.states for one in self.models]
        is_frozen = self.is_frozen and not _have_common_parts(banks[0])
        banks = [states.freeze(is_frozen) for states in banks]
        models = zip(self.models, banks, statistics, keep, strict=True)
        updated = [
            one if stays else replace(one, states=states).from_statistics(own, rng)
            for one, states, own, stays in models
        ]
        if _is_pooled(banks[0]) and all(isinstance(own.emissions, Moments) for own in statistics):
            kept = [own.without_steps | stays for own, stays in zip(statistics, keep, strict=True)]
            fitted = _updated_together(cast(Sequence[GaussianBank], banks), statistics, kept, rng)
        else:
            fitted = [one.chain.states for one in updated]
        pairs = zip(updated, fitted, strict=True)
        components = [replace(one, states=states.freeze(False)) for one, states in pairs]
        return type(self)(components, self.is_frozen)


def _updated_together(
    banks: Sequence[GaussianBank],
    statistics: Sequence[Paths],
    kept: Sequence[BoolArray],
    rng: np.random.Generator,
) -> Sequence[Bank]:
    """Return the states of several models, fitted with one prior, except those kept."""
    means = np.concatenate([one.means for one in banks])
    variances = np.concatenate([one.variances for one in banks])
    together = GaussianBank(banks[0].family, means, variances, banks[0].is_frozen)
    moments = Moments.joined([own.emissions for own in statistics])
    updated = together.update(moments, np.concatenate(kept), rng)
    ends = np.cumsum([len(states) for states in banks])
    places = zip(ends, banks, strict=True)
    return [updated.chosen(range(end - len(states), end)) for end, states in places]


def _is_pooled(states: Bank | None) -> bool:
    """Return whether the states of all models have one prior, and no other common parameter."""
    return isinstance(states, GaussianBank) and not _have_common_parts(states)


def _have_common_parts(states: Bank) -> bool:
    """Return whether covariances of the states of a model have parts in common.

    These belong to the model, and are learned with it even if the priors of models are frozen.
    """
    return isinstance(states, EllipticalBank) and states.family.shape.has_common_parts
