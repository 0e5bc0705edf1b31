"""Components whose mixing weights depend on covariates."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..data import BoolArray, FloatArray, Hard, IntArray, Membership, WithCovariates
from .bank import Bank
from .gate import Gate
from .wrapped_bank import WrappedBank


class GatedBank(WrappedBank):
    """Components whose mixing weights depend on covariates of each observation.

    The log-likelihood matrix has the log of K times the gate's probabilities added to the log
    densities of the components. So the mixing weights that the engine knows are equal, but for
    that of a background, which has no covariates. Data are `WithCovariates`.

    Parameters
    ----------
    bank : Bank
        The components, perhaps with a background.
    gate : Gate
    """

    def __init__(self, bank: Bank, gate: Gate) -> None:
        super().__init__(bank)
        self._gate = gate

    @property
    def gate(self) -> Gate:
        """The mixing weights, given covariates."""
        return self._gate

    def _with(self, bank: Bank) -> "GatedBank":
        """Return other components with the same gate."""
        return GatedBank(bank, self.gate)

    def with_gate(self, gate: Gate) -> "GatedBank":
        """Return the same components with another gate."""
        return GatedBank(self.bank, gate)

    def below_gate(self, change: Callable[[Bank], Bank]) -> "GatedBank":
        """Return these components after a change, with the same gate."""
        return self._with(change(self.bank))

    def average_weights(self, weights: FloatArray) -> FloatArray:
        """Return the mean mixing weights in the training data, the background's as it is."""
        k = len(self.components)
        return np.append(weights[:k].sum() * self.gate.average, weights[k:])

    @classmethod
    def beginning(cls, bank: Bank, weights: FloatArray, data: WithCovariates) -> "GatedBank":
        """Return components with a gate that has no effect yet."""
        return cls(bank, Gate.without_effect(data, weights[: len(bank.components)]))

    @property
    def n_slopes(self) -> int:
        """Number of coefficients of covariates, without intercepts."""
        q, k = self.gate.coefficients.shape
        return (q - 1) * (k - 1)

    @property
    def n_parameters(self) -> int:
        """Number of free parameters of components and covariates, without intercepts."""
        return self.bank.n_parameters + self.n_slopes

    def effective_parameters(self, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return effective numbers of parameters, and of the observations they are learned from."""
        numbers, observations = self.bank.effective_parameters(sizes)
        return np.append(numbers, self.n_slopes), np.append(observations, sizes.sum())

    @property
    def log_prior(self) -> FloatArray:
        """Log density of the prior at the parameters, divided evenly, shape (K,)."""
        own = self.bank.log_prior
        return own + self.gate.log_prior / len(own)

    def _shifts(self, data: WithCovariates) -> FloatArray:
        """Return what is added to log densities: log of K times probabilities, shape (n, K)."""
        return self.gate.log_weights(data.covariates) + np.log(len(self.components))

    def _shifted(self, log_densities: FloatArray, data: WithCovariates) -> FloatArray:
        log_densities[:, : len(self.components)] += self._shifts(data)
        return log_densities

    def log_prob(self, data: WithCovariates) -> FloatArray:
        """Return log densities plus the log of relative mixing weights, shape (n, K)."""
        return self._shifted(self.bank.log_prob(data.observations), data)

    def log_objective(self, data: WithCovariates) -> FloatArray:
        """Return what learning maximises of the log-likelihood matrix, shape (n, K)."""
        return self._shifted(self.bank.log_objective(data.observations), data)

    def evaluate(self, data: WithCovariates, room: int = 0) -> tuple[FloatArray, Any]:
        """Return `log_objective`, and what `summarise_evaluated` can reuse of its computation."""
        log_objectives, work = self.bank.evaluate(data.observations, room)
        return self._shifted(log_objectives, data), work

    def log_prob_at(self, data: WithCovariates, membership: Hard) -> FloatArray:
        """Return the same as `log_prob` for each observation under its own component, (n,)."""
        return self.bank.log_prob_at(data.observations, membership) + self._at(data, membership)

    def log_objective_at(self, data: WithCovariates, membership: Hard) -> FloatArray:
        """Return the same as `log_objective` under each observation's own component, (n,)."""
        own = self.bank.log_objective_at(data.observations, membership)
        return own + self._at(data, membership)

    def _at(self, data: WithCovariates, membership: Hard) -> FloatArray:
        shifts = np.zeros((len(data), len(self)))
        self._shifted(shifts, data)
        return shifts[np.arange(len(data)), membership.labels]

    def log_marginal(self, k: int, data: WithCovariates, weights: FloatArray | None) -> float:
        """Return the joint log-likelihood of `data`, if it is assigned to component k."""
        own = self.bank.log_marginal(k, data.observations, weights)
        if k >= len(self.components):
            return own
        shifts = self._shifts(data)[:, k]
        return own + float(shifts.sum() if weights is None else weights @ shifts)

    def fill(self, data: WithCovariates, responsibilities: FloatArray) -> FloatArray:
        """Return rows (n, d) whose missing values are replaced by their expectations."""
        return self.bank.fill(data.observations, responsibilities)

    def summarise(self, data: WithCovariates, membership: Membership) -> Any:
        """Return the statistics of components, and covariates with responsibilities."""
        return self.bank.summarise(data.observations, membership), self._pairs(data, membership)

    def summarise_evaluated(self, data: WithCovariates, membership: Membership, work: Any) -> Any:
        """Return `summarise`, given the second of what `evaluate` returned for the same data."""
        own = self.bank.summarise_evaluated(data.observations, membership, work)
        return own, self._pairs(data, membership)

    def _pairs(self, data: WithCovariates, membership: Membership) -> Any:
        responsibilities = membership.as_responsibilities()[:, : len(self.components)]
        return [(data.covariates, responsibilities)]

    def add(self, one: Any, other: Any) -> Any:
        """Return the statistics of two sets of observations together."""
        return self.bank.add(one[0], other[0]), one[1] + other[1]

    def scale(self, statistics: Any, factor: float) -> Any:
        """Return the statistics of the same observations, with all weights times `factor`."""
        own, pairs = statistics
        return self.bank.scale(own, factor), [(rows, factor * shares) for rows, shares in pairs]

    def refill(
        self, statistics: Any, k: int, data: WithCovariates, weights: FloatArray | None
    ) -> Any:
        """Return `statistics` with those of component k replaced by those of `data`."""
        own, pairs = statistics
        return self.bank.refill(own, k, data.observations, weights), pairs

    def update(self, statistics: Any, keep: BoolArray, rng: np.random.Generator) -> Bank:
        """Return the bank fitted to `statistics`, and the gate fitted to responsibilities."""
        own, pairs = statistics
        covariates, responsibilities = map(np.concatenate, zip(*pairs, strict=True))
        gate = self.gate.fitted_to(covariates, responsibilities)
        return GatedBank(self.bank.update(own, keep, rng), gate)

    def chosen(self, places: Sequence[int] | IntArray) -> Bank:
        """Return a bank of the components in some places, in that order."""
        return GatedBank(self.bank.chosen(places), self.gate.chosen(places))

    def weigh(
        self, weighting: Callable[[FloatArray], FloatArray], counts: FloatArray
    ) -> FloatArray:
        """Return equal mixing weights, but for that of a background."""
        return self.bank.weigh(lambda own: np.full(len(own), 1 / len(own)), counts)
