"""What `verbose` shows of a fit while it runs."""

from collections.abc import Callable
from typing import Any

from ..learning import State, Step
from .moves import describe_moves

Watcher = Callable[[State], None]


def watcher(verbose: Any, interval: int) -> Watcher:
    """Return the function that is called with every state.

    Parameters
    ----------
    verbose : int or callable
        0 prints nothing, 1 every so many iterations and a line for each trial, 2 all iterations; a
        function is called itself.
    interval : int
        Every how many iterations 1 prints a line.
    """
    if callable(verbose):
        return verbose
    every = {0: 0, 1: interval}.get(int(verbose), 1)
    if not every:
        return lambda state: None
    shown = 0

    def show(state: State) -> None:
        nonlocal shown
        shown = number_of_components(state, shown)
        if _is_shown(state.step, every):
            print(_line(state.step, shown))

    return show


def number_of_components(state: State, before: int) -> int:
    """Return the number of components at a state of a fit.

    Candidates for moves are fitted to some observations only, and have fewer components than the
    mixture: for these, it is the number `before`.
    """
    is_candidate = any(move.kind == "propose" for move in state.step.trial)
    return before if before and is_candidate else len(state.bank.components)


def _is_shown(step: Step, every: int) -> bool:
    if step.trial and every > 1:
        return step.iteration == 0
    return step.finished or step.iteration % every == 0


def _line(step: Step, n_components: int) -> str:
    tried = f"  trying: {describe_moves(step.trial)}" if step.trial else ""
    return (
        f"run {step.run}  components {n_components:3}  {step.phase:5} iteration {step.iteration:4}"
        f"  temperature {step.temperature:7.4f}  score {step.score:.6f}{tried}"
    )
