"""K growth curves, evaluated and fitted together."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from ....data import BoolArray, FloatArray, IntArray, Membership, Rng, Trajectories
from ...contract.bank import Bank, Evaluation, Summaries
from ...contract.base import Family
from ...shared.constants import TINY
from .growth_curve_products import Products

if TYPE_CHECKING:
    from .growth_curve import GrowthCurve


class GrowthCurveBank(Bank):
    """K growth curves, whose covariances and noise a prior pulls towards common ones.

    Parameters
    ----------
    components : sequence of GrowthCurve
        The prior is that of the first.
    is_frozen : bool
        Whether the common covariance and noise stay as they are.
    """

    def __init__(self, components: Sequence[Family], is_frozen: bool = False) -> None:
        members = cast("Sequence[GrowthCurve]", components)
        prior = members[0].pooled_covariance, members[0].pooled_noise
        super().__init__([one.with_prior(*prior) for one in members])
        self.is_frozen = is_frozen

    @property
    def curves(self) -> "Sequence[GrowthCurve]":
        """The components."""
        return cast("Sequence[GrowthCurve]", self.components)

    @property
    def family(self) -> "GrowthCurve":
        return self.curves[0]

    def effective_parameters(self, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return effective numbers of parameters, and of the observations they are learned from.

        If the prior counts as nu trajectories in a component of n, its variances are learned from
        its own by n / (n + nu), and else from all. Mean curves may lie anywhere among all
        trajectories; they count by what their prior leaves to the data.
        """
        curves = [one.kernel_curve for one in self.curves]
        q, m = len(curves[0].root), len(curves[0].noise)
        nu, variances = self.family.prior_trajectories or 0.0, q * (q + 1) / 2 + m
        own = sizes / np.maximum(sizes + nu, TINY) if len(curves) > 1 else np.zeros(1)
        means = [
            self.family.prepared.effective_coefficients(one.root, one.noise, size)
            for one, size in zip(curves, sizes.tolist(), strict=True)
        ]
        common = sum(means) + variances * (1.0 - float(own.mean()))
        return np.append(variances * own, common), np.append(sizes, sizes.sum())

    def products(self, data: Trajectories) -> Products:
        """Return sums over the points of each trajectory."""
        scales = self.family.prepared
        return Products.of(data, scales.basis, scales.centre)

    def evaluate(self, data: Trajectories, *, is_rounded: bool = True) -> Evaluation:
        """Return the log density of each trajectory under each component, shape (n, K)."""
        products, curves = self.products(data), [one.kernel_curve for one in self.curves]
        found = products.log_densities(self.family.prepared.effects, curves)
        return Evaluation(found, partial(self._summarised, products))

    def summarise(self, data: Trajectories, membership: Membership) -> Summaries:
        return self._summarised(self.products(data), membership)

    def _summarised(self, products: Products, membership: Membership) -> Summaries:
        everyone, found = np.arange(len(products.squares)), []
        effects = self.family.prepared.effects
        for k, one in enumerate(self.curves):
            indices, weights = membership.members(k)
            members = everyone[indices]
            own = np.ones(len(members)) if weights is None else np.asarray(weights, dtype=float)
            some = own > 0
            given = effects, one.kernel_curve, members[some], own[some]
            found.append(products.summarised(*given)[0])
        return Summaries(tuple(found))

    def freeze(self, frozen: bool) -> Self:
        """Return these components with a frozen prior, or free to learn it."""
        return self if frozen == self.is_frozen else type(self)(self.components, frozen)

    def replaced(self, components: dict[int, Family]) -> Self:
        prior = self.family.pooled_covariance, self.family.pooled_noise
        changed: list[Family] = list(self.components)
        for place, one in cast("dict[int, GrowthCurve]", components).items():
            changed[place] = one.with_prior(*prior)
        return type(self)(changed, self.is_frozen)

    def chosen(self, places: Sequence[int] | IntArray) -> Self:
        return type(self)([self.components[k] for k in places], self.is_frozen)

    def update(self, statistics: Any, keep: BoolArray, rng: Rng = None) -> Self:
        places = [k for k in np.flatnonzero(~keep).tolist() if statistics[k].weight > 0]
        if not places:
            return self
        fitted = np.zeros(len(self), dtype=bool)
        fitted[places] = True
        own = [self.curves[k].without_prior(statistics[k]) for k in places]
        before = np.stack([one.fitted_parameters[1] for one in self.curves])
        noise = np.stack([one.fitted_parameters[2] for one in self.curves])
        covariances, common = self.family.covariance_prior(self.is_frozen).fit(
            before,
            np.array([[statistics[k].weight] for k in places]),
            np.stack([one.fitted_parameters[1] for one in own]),
            fitted,
        )
        noises, pooled = self.family.noise_prior(self.is_frozen).fit(
            noise,
            np.array([statistics[k].counts.mean() for k in places]),
            np.stack([one.fitted_parameters[2] for one in own]),
            fitted,
        )
        updated = [one.with_prior(common, pooled) for one in self.curves]
        for place, one, covariance, variances in zip(places, own, covariances, noises, strict=True):
            updated[place] = one.with_variances(covariance, variances).with_prior(common, pooled)
        return type(self)(updated, self.is_frozen)
