"""What the loop yields: the mixture at an iteration, and what happened there as numbers."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from ...data import FloatArray, IntArray
from ...families.base import Bank

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
        to be ranked by their gain), "refine" (a few more iterations of an unchanged mixture) and
        "half" (a fit to one half of the observations).
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
        What the recipe watches: the mean log-likelihood of an observation under the mixture, or
        under its best component.
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
    noun : str
        What these are called: "rows", "sequences", "points".
    moves : tuple of Move
        Moves made just before this step.
    trial : tuple of Move
        What is being tried; empty for the steps of the fit itself.
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
    noun: str = "observations"
    moves: tuple[Move, ...] = ()
    trial: tuple[Move, ...] = ()
    run: int = 0


@dataclass(frozen=True)
class MixtureState:
    """Fitted components and their weights.

    Parameters
    ----------
    bank : Bank
        The components.
    weights : array, shape (K,)
        Mixing weights.
    """

    bank: Bank
    weights: FloatArray

    def without_background(self) -> "MixtureState":
        """Return the components alone, if they have a background; their weights sum to one."""
        if self.bank.background is None:
            return self
        weights = self.weights[:-1]
        return MixtureState(self.bank.without_background(), weights / weights.sum())

    def in_order(self, order: IntArray) -> "MixtureState":
        """Return the components in another order (K,); a background stays last."""
        if (order == np.arange(len(order))).all():
            return self
        weights = np.append(self.weights[order], self.weights[len(order) :])
        return MixtureState(self.bank.chosen(order), weights)


@dataclass(frozen=True)
class State(MixtureState):
    """The mixture at one iteration, after its E-step.

    Parameters
    ----------
    bank : Bank
        The components.
    weights : array, shape (K,)
        Mixing weights.
    step : Step
        What happened, as numbers.
    """

    step: Step

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
