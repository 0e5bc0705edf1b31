"""Temperature schedules: functions of the steps so far that return the next temperature.

A schedule that follows the run asks for the log-likelihood matrix (n, K) of a few observations by
calling its second argument.
"""

from collections.abc import Callable, Sequence
from math import exp, log

import numpy as np

from ... import kernels
from ...data import FloatArray
from ..engine.contract import Temperature
from ..engine.state import Step

COLDEST, HOTTEST = 1e-6, 1e12  # the range in which a temperature is searched for
FACTOR = 2.0  # by which the search widens


def constant(temperature: float = 1.0) -> Temperature:
    """Return the same temperature throughout."""
    return lambda steps, log_probs: temperature


def geometric(start: float, cooling: float, floor: float) -> Temperature:
    """Return τ_t = τ_0 α^t, but not below the floor (the paper's)."""
    first, factor, least = float(start), float(cooling), float(floor)
    return lambda steps, log_probs: max(first * factor ** len(steps), least)


def linear(start: float, n_steps: int) -> Temperature:
    """Return a temperature that falls to zero in so many steps."""
    return lambda steps, log_probs: start * (1 - len(steps) / n_steps)


def rising_beta(start: float, growth: float) -> Temperature:
    """Return 1 / β, where β rises geometrically until it is one."""
    first, factor = float(start), float(growth)
    return lambda steps, log_probs: max(factor ** -len(steps) / first, 1.0)


def falling_entropy(start: float, n_steps: int) -> Temperature:
    """Return the temperature at which r' has an entropy that falls evenly to zero.

    It follows the run and has no units: components that hardly differ, as at the start, get a low
    temperature, and components of long sequences a high one.

    Parameters
    ----------
    start : float
        Entropy at the first step, as a fraction of the largest possible one.
    n_steps : int
        Number of steps in which it falls.
    """

    def temperature(steps: Sequence[Step], log_probs: Callable[[], FloatArray]) -> float:
        left = max(n_steps - len(steps), 1) / n_steps
        near = steps[-1].temperature if steps else 1.0
        return temperature_of(start * left, log_probs(), near)

    return temperature


def temperature_of(entropy: float, log_probs: FloatArray, near: float = 1.0) -> float:
    """Return the temperature at which r' has a given entropy.

    It is interpolated from three temperatures close to it, as a schedule needs no more digits.
    Where there is no such temperature, as with a single component or with log densities that do
    not differ, it is one.

    Parameters
    ----------
    entropy : float
        As a fraction of the largest possible one.
    log_probs : array, shape (n, K)
    near : float
        Where the search begins.
    """
    n_components = log_probs.shape[1]
    possible = np.ascontiguousarray(log_probs[np.isfinite(log_probs).any(axis=1)].T)
    if n_components == 1 or possible.shape[1] == 0:
        return 1.0

    def excess(log_temperature: float) -> float:
        mean = kernels.assignment.mean_entropy(possible, exp(log_temperature))
        return float(mean / log(n_components) - entropy)

    here = log(min(max(near, COLDEST), HOTTEST))
    off = excess(here)
    step = -log(FACTOR) if off > 0 else log(FACTOR)
    while log(COLDEST) < here < log(HOTTEST):
        before, off_before = here, off
        here, off = here + step, excess(here + step)
        if (off > 0) != (off_before > 0):
            between = _crossing(before, off_before, here, off)
            return exp(_crossing(between, excess(between), here, off))
    return 1.0


def _crossing(a: float, at_a: float, b: float, at_b: float) -> float:
    """Return where a line through two points is zero."""
    return a if at_a == at_b else a - at_a * (b - a) / (at_b - at_a)
