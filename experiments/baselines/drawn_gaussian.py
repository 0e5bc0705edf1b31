"""A Gaussian whose parameters are drawn from their posterior, instead of estimated."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, cast

import numpy as np

from boltzmix.data import FloatArray, Rows, Table, as_number, shown
from boltzmix.families import Bank, Evaluation, Family, Gaussian
from boltzmix.families.covariance.moments import Moments

PRIOR_STRENGTH = 0.01  # weight of the prior mean, in observations


@dataclass(frozen=True, eq=False)
class NormalInverseWishart:
    """The conjugate prior of the parameters of a Gaussian.

    The covariance is inverse-Wishart; the mean, given the covariance, is Gaussian.

    Parameters
    ----------
    mean : array, shape (d,)
    strength : float
        Weight of the mean, in observations: the covariance of the mean is that of an observation
        divided by this.
    freedom : float
        Degrees of freedom of the covariance, above d - 1.
    scatter : array, shape (d, d)
        Scale matrix of the covariance, whose expectation is `scatter` / (`freedom` - d - 1).
    """

    mean: FloatArray
    strength: float
    freedom: float
    scatter: FloatArray

    def updated(self, seen: Moments) -> Self:
        """Return the posterior, given the moments of one component's observations."""
        count, difference = float(seen.counts[0]), seen.means[0] - self.mean
        strength = self.strength + count
        between = self.strength * count / strength * np.outer(difference, difference)
        return replace(
            self,
            mean=self.mean + count / strength * difference,
            strength=strength,
            freedom=self.freedom + count,
            scatter=self.scatter + seen.scatters[0] + between,
        )

    def draw(self, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Draw a mean (d,) and a covariance (d, d), by Bartlett's decomposition."""
        d = len(self.mean)
        wishart_root = np.tril(rng.standard_normal((d, d)), -1)
        np.fill_diagonal(wishart_root, np.sqrt(rng.chisquare(self.freedom - np.arange(d))))
        scale_root = np.linalg.cholesky(self.scatter)
        root = np.linalg.solve(wishart_root, scale_root.T).T
        return self.mean + root @ rng.standard_normal(d) / np.sqrt(self.strength), root @ root.T


@dataclass(frozen=True, eq=False)
class DrawnGaussian(Family):
    """A Gaussian whose fit updates a posterior over its parameters, and draws them from it.

    Fitting a fitted component adds to the observations that it has seen, whose weights are
    multiplied by `discount` first. The prior is not discounted. It is weak, and centred at the mean
    of all data. Its expected covariance is that of the data divided by K^(2/d): K components of
    that covariance fill the space of the data evenly.

    Parameters
    ----------
    discount : float, default=1.0
        Factor by which every fit multiplies the weights of the observations seen before.
    prior : NormalInverseWishart, optional
        Set by `prepare`.
    seen : Moments, optional
        Moments of all observations seen so far, discounted. Present once fitted.
    drawn : Gaussian, optional
        The parameters that were drawn. Present once fitted.
    """

    weighted = True
    min_observations = 0
    largest_number = 1e152  # whose square fits into double precision

    discount: float = 1.0
    prior: NormalInverseWishart | None = None
    seen: Moments | None = None
    drawn: Gaussian | None = None

    def __post_init__(self) -> None:
        if not 0 <= as_number(self.discount) <= 1:
            raise ValueError(f"discount must be a number from 0 to 1, not {shown(self.discount)}.")
        object.__setattr__(self, "discount", float(self.discount))

    def __repr__(self) -> str:
        shown = "" if self.drawn is None else f", {self.drawn!r}"
        return f"DrawnGaussian({self.discount}{shown})"

    def prepare(self, data: Rows, n_components: int, weights: FloatArray | None = None) -> Self:
        """Return a component whose prior comes from all data."""
        gaussian = Gaussian(prior=0, resolution=None).prepare(data, n_components, weights)
        whole = gaussian.from_statistics(gaussian.summarise(data.take(slice(None)), weights))
        assert whole.mean is not None
        d = len(whole.mean)
        expected = whole.covariance_matrix / n_components ** (2 / d)
        return replace(
            self, prior=NormalInverseWishart(whole.mean, PRIOR_STRENGTH, d + 2, expected)
        )

    @property
    def posterior(self) -> NormalInverseWishart:
        """Posterior of the parameters given all observations seen so far."""
        if self.prior is None:
            raise ValueError("This DrawnGaussian has no prior yet: call prepare first.")
        return self.prior if self.seen is None else self.prior.updated(self.seen)

    def fit(
        self,
        data: Table,
        *,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Self:
        """Return a component that has also seen `data`, with new parameters from its posterior."""
        seen = Gaussian().summarise(data, weights)
        if self.seen is not None:
            seen = self.seen * self.discount + seen
        updated = replace(self, seen=seen)
        mean, covariance = updated.posterior.draw(np.random.default_rng(rng))
        return replace(updated, drawn=Gaussian(mean=mean, variance=covariance))

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log density of each row under the drawn parameters, shape (n,)."""
        return self._fitted.log_prob(data)

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` rows under the drawn parameters, shape (n, d)."""
        return self._fitted.sample(n, rng)

    @property
    def n_parameters(self) -> int:
        """Number of free parameters."""
        return self._fitted.n_parameters

    def bank(self, components: Sequence[Family]) -> "DrawnBank":
        """Return a bank of drawn Gaussians."""
        return DrawnBank(components)

    @property
    def _fitted(self) -> Gaussian:
        if self.drawn is None:
            raise ValueError("This DrawnGaussian has no parameters yet: call fit first.")
        return self.drawn


class DrawnBank(Bank):
    """K drawn Gaussians, evaluated as stacked arrays."""

    @cached_property
    def drawn(self) -> Bank:
        """The Gaussians that were drawn."""
        return Gaussian().bank([cast(DrawnGaussian, one)._fitted for one in self.components])

    def evaluate(self, data: Table, *, is_rounded: bool = True) -> Evaluation:
        """Return the log density of each row under each component, shape (n, K)."""
        return self.evaluated(self.drawn.log_prob(data), data)
