"""States that the loop yields: the mixture at an iteration, and the numbers of its step."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ...data import FloatArray, IntArray, Membership
from ...families.contract.background import Background
from ...families.contract.bank import Bank, Evaluation
from ...families.contract.base import Family
from ...families.contract.gate import Gate

T = TypeVar("T")


@dataclass(frozen=True)
class Move:
    """A change of some components, made at once.

    Parameters
    ----------
    kind : str
        "merge", "split", "reseed" (a component is removed, to be used elsewhere), "resplit" (two
        or three components are fitted again to their observations), "swap" (two curves exchange
        observations), "track" (all components start again, as curves followed along the input),
        "restart" (all components start again), "baseline" (the result of the paper's BEEM and EM
        is taken), "anneal" (EM goes on from responsibilities at a higher temperature), "coarse"
        (what was found in a few columns is taken), "alternative" (another version of a component,
        with other hidden states, is taken); and, as trials only, "propose" (candidates are fitted,
        to be ranked by their gain), "refine" (a few more iterations of an unchanged mixture),
        "half" (a fit to one half of the observations) and "choose" (one component is fitted to a
        cluster, to choose by the data what its family was not given).
    components : tuple of int
        The components that change; empty where all of them do. For "half", which of the random
        splits into halves it is.
    gain : float
        By how much the log-likelihood was estimated to rise; zero where it was not estimated.
    """

    kind: str
    components: tuple[int, ...] = ()
    gain: float = 0.0


@dataclass(frozen=True)
class Step:
    """One iteration as numbers.

    Parameters
    ----------
    phase : str
        Name of the recipe at work.
    iteration : int
        Number of M-steps before this step, within its phase or trial.
    temperature : float
    score : float
        The number that the recipe watches: the mean log-likelihood of an observation under the
        mixture, or under its best component.
    gain : float or None
        By how much the last M-step changed the score; None where labels are hard, and where no
        M-step led here. A recipe that begins where another ended takes over its gain.
    counts : array, shape (K,)
        Total responsibility of each component.
    n_changed : int or None
        How many observations changed their component; None where responsibilities are soft, and
        at the first step.
    size : float
        Mean number of steps in an observation (one for rows): tolerances are multiplied by it.
    finished : bool
        Whether the recipe's own stopping rule ended the run here.
    n_left : int or None
        Estimate of the number of M-steps until it does, or until `max_iter`; None where the
        stopping rule estimates none.
    n_observations : int
        Number of observations at work; in trials it may be only some of them.
    moves : tuple of Move
        Moves made just before this step.
    trial : tuple of Move
        The moves that are tried; empty for the steps of the fit itself.
    run : int
        Number of the restart.
    """

    phase: str
    iteration: int
    temperature: float
    score: float
    counts: FloatArray
    n_changed: int | None = None
    gain: float | None = None
    size: float = 1.0
    finished: bool = False
    n_left: int | None = None
    n_observations: int = 0
    moves: tuple[Move, ...] = ()
    trial: tuple[Move, ...] = ()
    run: int = 0


GateRows = list[tuple[FloatArray, FloatArray]]


class Joint(NamedTuple):
    """Log densities of observations under all sources of a mixture, and the weights of these.

    The sources are the K components, and after them the background, if there is one. The sum of
    both is the joint log density of observations and sources.

    Parameters
    ----------
    log_densities : array, shape (n, C)
        A gate's log odds are added to those of the components.
    log_weights : array, shape (C,)
    components : Evaluation, optional
        That of the components alone, which `MixtureState.summarise` can reuse.
    """

    log_densities: FloatArray
    log_weights: FloatArray
    components: Evaluation | None = None


@dataclass(frozen=True)
class MixtureState:
    """Components and their weights, and beside them perhaps a background and a gate.

    Parameters
    ----------
    bank : Bank
        The components.
    weights : array, shape (K,)
        Mixing weights; with a gate, their means in the training data.
    background : Background, optional
        Where noise comes from.
    noise_weight : float, default=0
        The mixing weight of the background.
    gate : Gate, optional
        The mixing weights given covariates. Data are then `WithCovariates`.
    """

    bank: Bank
    weights: FloatArray
    background: Background | None = None
    noise_weight: float = 0.0
    gate: Gate | None = None

    @property
    def mixture(self) -> "MixtureState":
        """The mixture alone, without what happened at a step."""
        return self

    @property
    def components(self) -> tuple[Family, ...]:
        """The components one by one."""
        return self.bank.components

    @property
    def sources(self) -> tuple[Family, ...]:
        """The components, and the distribution of the background if there is one."""
        if self.background is None:
            return self.components
        return *self.components, self.background.distribution

    @property
    def family(self) -> Family:
        """One of the components, which knows what all of them have in common."""
        return self.bank.family

    @property
    def joint_weights(self) -> FloatArray:
        """Mixing weights of the components, and of the background if there is one, shape (C,)."""
        return self._with_noise(self.weights)

    @property
    def log_weights(self) -> FloatArray:
        """Log weights (C,), added to log densities; with a gate, those of components are equal."""
        weights = self.weights if self.gate is None else self._even_weights
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self._with_noise(weights)))

    @property
    def _even_weights(self) -> FloatArray:
        k = len(self.bank)
        return (1 - self.noise_weight) * np.full(k, 1 / k)

    def _with_noise(self, weights: FloatArray) -> FloatArray:
        return weights if self.background is None else np.append(weights, self.noise_weight)

    @property
    def n_columns(self) -> int:
        """Numbers that an E-step computes for each row or step, for which blocks must have room."""
        return self.bank.n_columns + (self.background is not None)

    @property
    def n_weights(self) -> int:
        """Number of free mixing weights, with intercepts of a gate, but without its slopes."""
        return len(self.joint_weights) - 1

    @property
    def n_parameters(self) -> int:
        """Number of free parameters of components, mixing weights and gate."""
        slopes = 0 if self.gate is None else self.gate.n_slopes
        return self.bank.n_parameters + self.n_weights + slopes

    def effective_parameters(self, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return effective numbers of parameters of components and slopes of a gate.

        See `Bank.effective_parameters`.
        """
        numbers, observations = self.bank.effective_parameters(sizes)
        if self.gate is None:
            return numbers, observations
        return np.append(numbers, self.gate.n_slopes), np.append(observations, sizes.sum())

    @property
    def log_prior(self) -> float:
        """Log density of the priors of all components, and of a gate."""
        own = self.bank.log_prior
        if self.gate is not None:
            own = own + self.gate.log_prior / len(own)
        return float(own.sum())

    def evaluate(self, data: Any, *, is_rounded: bool = True) -> Joint:
        """Join components, background and gate into the joint log densities of observations.

        Parameters
        ----------
        data : Data
        is_rounded : bool, default=True
            Whether log densities are what learning maximises (see `Bank.evaluate`).
        """
        observations = data if self.gate is None else data.observations
        evaluation = self.bank.evaluate(observations, is_rounded=is_rounded)
        columns, k = evaluation.log_densities, len(self.bank)
        if self.background is not None:
            log_densities = np.empty((k + 1, len(columns)))
            log_densities[:k] = columns.T
            log_densities[k] = self.background.log_prob(observations)
            columns = log_densities.T
        if self.gate is not None:
            if columns is evaluation.log_densities:  # which the evaluation may reuse
                columns = columns.copy(order="K")
            columns[:, :k] += self.gate.log_odds(data.covariates)
        return Joint(columns, self.log_weights, evaluation)

    def summarise(
        self, data: Any, membership: Membership, joint: Joint | None = None
    ) -> tuple[Any, GateRows]:
        """Return the statistics of the components' members, and what a gate is fitted to.

        Parameters
        ----------
        data : Data
        membership : Membership
            In all sources.
        joint : Joint, optional
            The result of `evaluate` for these data.
        """
        rows: GateRows = []
        evaluation = None if joint is None else joint.components
        if self.gate is not None:
            found = membership.as_responsibilities()[:, : len(self.bank)]
            rows, data = [(data.covariates, found)], data.observations
        if self.background is not None:
            places, membership = membership.among_first(len(self.bank))
            if not isinstance(places, slice):
                data, evaluation = data.take(places), None
        if evaluation is None:
            return self.bank.summarise(data, membership), rows
        return evaluation.summarise(membership), rows

    def weighed(
        self, weighting: Callable[[FloatArray], FloatArray], counts: FloatArray
    ) -> "MixtureState":
        """Return the mixture with weights that follow from total responsibilities (C,).

        The weight of noise is learned, also where the others are equal, unless it is given; the
        others have in total what noise leaves.
        """
        noise, k = 0.0, len(self.bank)
        if self.background is not None:
            noise = self.background.weight(counts)
        if self.gate is not None:
            return replace(self.mixture, noise_weight=noise).with_gate(self.gate)
        weights = (1 - noise) * weighting(counts[:k])
        return replace(self.mixture, weights=weights, noise_weight=noise)

    def with_joint_weights(self, weights: FloatArray) -> "MixtureState":
        """Return the mixture with the weights (C,) of components and background divided evenly."""
        weights, k = weights / weights.sum(), len(self.bank)
        noise = 0.0 if self.background is None else float(weights[k])
        return replace(self.mixture, weights=weights[:k], noise_weight=noise)

    def replaced(self, components: dict[int, Family]) -> "MixtureState":
        """Return the mixture with other components in some places."""
        return self.with_bank(self.bank.replaced(components))

    def with_bank(self, bank: Bank) -> "MixtureState":
        """Return the mixture with another bank of components."""
        return replace(self.mixture, bank=bank)

    def freeze(self, frozen: bool) -> "MixtureState":
        """Return the mixture with frozen hyper-parameters, or free to learn them."""
        return self.with_bank(self.bank.freeze(frozen))

    def with_background(self, background: Background, weight: float) -> "MixtureState":
        """Return the mixture with a background of this weight; components share the rest."""
        weights = (1 - weight) * self.weights
        return replace(self.mixture, weights=weights, background=background, noise_weight=weight)

    def without_background(self) -> "MixtureState":
        """Return the components alone, if they have a background; their weights sum to one."""
        if self.background is None:
            return self
        alone = replace(self.mixture, background=None, noise_weight=0.0)
        if self.gate is not None:
            return alone.with_gate(self.gate)
        return replace(alone, weights=self.weights / self.weights.sum())

    def in_order(self, order: IntArray) -> "MixtureState":
        """Return the components in another order (K,)."""
        if (order == np.arange(len(order))).all():
            return self
        mixture = replace(self.mixture, bank=self.bank.chosen(order), weights=self.weights[order])
        return mixture if self.gate is None else mixture.with_gate(self.gate.chosen(order))

    def with_gate(self, gate: Gate) -> "MixtureState":
        """Return the mixture with mixing weights that depend on covariates."""
        weights = self._even_weights.sum() * gate.average
        return replace(self.mixture, weights=weights, gate=gate)

    def at(self, step: Step) -> "State":
        """Return the mixture as the state at a step."""
        parts = self.bank, self.weights, self.background, self.noise_weight, self.gate
        return State(*parts, step=step)


@dataclass(frozen=True)
class State(MixtureState):
    """The mixture at one iteration, after its E-step.

    Parameters
    ----------
    step : Step
        The numbers of the iteration.
    """

    step: Step = field(kw_only=True)

    @property
    def mixture(self) -> MixtureState:
        """The mixture alone."""
        return MixtureState(self.bank, self.weights, self.background, self.noise_weight, self.gate)

    def in_trial(self, moves: tuple[Move, ...]) -> "State":
        """Return this state as one of a trial of some moves."""
        return replace(self, step=replace(self.step, trial=moves + self.step.trial))


def mapped(
    states: Generator[State, None, T], change: Callable[[State], State]
) -> Generator[State, None, T]:
    """Yield each state after a change, and return what the generator of states returns."""
    while True:
        try:
            state = next(states)
        except StopIteration as end:
            return end.value
        yield change(state)


def drained(states: Generator[State, None, T]) -> T:
    """Run a generator of states to its end, and return what it returns."""
    while True:
        try:
            next(states)
        except StopIteration as end:
            return end.value
