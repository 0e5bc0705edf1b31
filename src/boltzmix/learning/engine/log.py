"""A log of a fit: what its parts yielded and returned, so that it can go on where it ended.

A fit is a function of data, settings and seed, so it makes the same calls in the same order each
time. A log numbers these calls. When the same fit begins again, a call that is in the log yields
what it yielded and returns what it returned, and all others are made.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from .state import MixtureState, State, Step

T = TypeVar("T")


@dataclass(frozen=True)
class CallRecord:
    """How far a call of `learn` has come.

    Parameters
    ----------
    steps : tuple of Step
        Those of this call, not of earlier ones on the same path.
    mixture : MixtureState
        That of the last step.
    kept : State
        The state that would be returned if the call ended here.
    """

    steps: tuple[Step, ...]
    mixture: MixtureState
    kept: State


class Call:
    """A call of `learn`; this one is not in the log, and is not noted there."""

    recalled: CallRecord | None = None

    def recall(self, steps: list[Step]) -> Generator[State, None, CallRecord | None]:
        """Yield the recorded states, add their steps to `steps`, and return how far that is."""
        if self.recalled is not None:
            steps += self.recalled.steps
            yield from self.states(self.recalled.steps, self.recalled.mixture)
        return self.recalled

    def states(self, steps: tuple[Step, ...], mixture: MixtureState) -> Iterator[State]:
        """Yield recorded steps as states, all with the same mixture."""
        return map(mixture.at, steps)

    def note(self, state: State, kept: State) -> None:
        """Note one more state, and the one that would be returned if the call ended there."""


class Log:
    """A log of a fit; this one keeps nothing.

    Attributes
    ----------
    is_recalling : bool
        Whether the states that are yielded now come from the log.
    """

    is_recalling = False

    @contextmanager
    def call(self) -> Iterator[Call]:
        """Return what the log knows of the next call of `learn`, and notes of it."""
        yield Call()

    def recorded(self, states: Generator[State, None, T]) -> Generator[State, None, T]:
        """Yield states and return what they return, from the log if they are there.

        Their generator must have no other effects.
        """
        return states

    def remembered(self, make: Callable[[], T], *, always: bool = False) -> T:
        """Return what a function returns, from the log if it is there.

        It is recorded if the function took long, or `always`.
        """
        return make()


NO_LOG = Log()
