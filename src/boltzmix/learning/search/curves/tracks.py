"""Tracks: curves begin as strands of lines, linked from window to window."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from ....data import (
    FloatArray,
    Hard,
    IntArray,
    Regression,
    Soft,
    check_count,
    check_flag,
    is_whole,
    shown,
)
from ....families.contract.base import Bank
from ....families.contract.capabilities import JointStatistics
from ...auto import AutoSettings, settings_of
from ...engine.contract import Stopping
from ...engine.known_labels import reordered
from ...engine.loop import Run, learn
from ...engine.state import MixtureState, Move, State, Step
from ...parts import Parts
from ...parts.first_fit import fit_start
from ...parts.objective import mean_objective
from ...parts.stopping import at_once, never
from ...parts.strands import Strands, find_strands
from ...parts.weights import learned
from ...recipe import Recipe
from ...recipes import CEM, EM
from ..baseline import tells_apart
from ..driver import Found, Search, as_trial
from .marginals import joint_statistics
from .swaps import LEAST_GAIN, Swaps, positions_of


class _Link(NamedTuple):
    """Curves through the first windows.

    Parameters
    ----------
    joint : float
        The joint log-likelihood of all curves.
    statistics : array, shape (K, s)
        Of each curve.
    orders : tuple of arrays, shape (K,)
        In each window, the strand that belongs to each curve.
    """

    joint: float
    statistics: FloatArray
    orders: tuple[IntArray, ...]


def linked(strands: Strands, statistics: JointStatistics, width: int) -> FloatArray:
    """Return responsibilities (n, K) of curves made of strands, one of each window.

    Windows are joined from left to right. Each strand is priced as the continuation of each curve
    by the joint likelihood of both together; the best way to continue all curves, and those in
    which two curves are exchanged, compete with those of other links so far, of which the
    likeliest `width` go on.
    """
    found = strands.responsibilities
    n_curves, n_windows = found.shape[1], len(strands.bounds) - 1
    rows = np.stack([statistics.summarise(own, strands.bounds) for own in found.T], axis=1)
    links = [_Link(0.0, rows[0], (np.arange(n_curves),))]
    for window in range(1, n_windows):
        further = [one for link in links for one in _continued(link, rows[window], statistics)]
        links = sorted(further, key=lambda link: -link.joint)[:width]
    orders = np.repeat(np.array(links[0].orders), np.diff(strands.bounds), axis=0)
    return np.take_along_axis(found, orders, axis=1)


def _continued(link: _Link, rows: FloatArray, statistics: JointStatistics) -> list[_Link]:
    """Return the best ways to continue curves by the strands of one more window."""
    k = len(rows)
    together = link.statistics[:, None] + rows[None]
    joints = statistics.log_marginals(together.reshape(k * k, -1)).reshape(k, k)
    _, best = linear_sum_assignment(joints, maximize=True)
    ways = [best]
    for one in range(k):
        for other in range(one):
            ways.append(best.copy())
            ways[-1][[one, other]] = best[[other, one]]
    curves = np.arange(k)
    return [
        _Link(float(joints[curves, way].sum()), together[curves, way], (*link.orders, way))
        for way in ways
    ]


Judged = tuple[tuple[bool, float], MixtureState]

LEAST_POINTS = 4  # in a window, for each component


@dataclass(frozen=True)
class Tracks(Search):
    """EM, or CEM, from several starts that follow curves along the input, and race.

    The input is cut into windows. In each of them, observations are assigned to K short lines, the
    strands, and strands of neighbouring windows are linked into curves by the joint likelihood of
    what they link, with the first hyper-parameters. Every number of windows makes one start, and
    the mixture from which the recipe begins is another. All take some iterations; the likeliest
    `kept` of them exchange observations beyond crossings (`Swaps`), and the likeliest is returned.

    It needs observations with one input column.

    Parameters
    ----------
    windows : tuple of int, default=(6, 8, 10, 12)
        Numbers of windows; fewer where there are few observations.
    length : int, default=8
        Number of iterations before starts are compared.
    kept : int, default=2
        How many go on.
    soft : bool, default=False
        Whether responsibilities are soft, as in EM, or labels are hard, as in CEM.
    """

    windows: tuple[int, ...] = AutoSettings.track_windows
    length: int = AutoSettings.track_length
    kept: int = AutoSettings.tracks_kept
    soft: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.windows, list | tuple) or not all(map(is_whole, self.windows)):
            raise ValueError(
                "windows must be a tuple of whole numbers of at least 1, not"
                f" {shown(self.windows)}."
            )
        check_flag("soft", self.soft)
        check_count("length", self.length)
        check_count("kept", self.kept)

    @property
    def parts(self) -> Parts:
        return replace(self._climb.parts, stopping=never)

    @property
    def _climb(self) -> Recipe:
        return EM(0.0) if self.soft else CEM()

    def is_due(self, bank: Bank) -> Stopping:
        """Return the rule that says when to search: at once."""
        return at_once

    def search(
        self, run: Run, mixture: MixtureState, steps: Sequence[Step], rng: np.random.Generator
    ) -> Generator[State, None, Found]:
        """Race starts of several numbers of windows; return the likeliest."""
        if len(mixture.bank.components) == 1:
            return Found(mixture, is_last=True)
        racers = yield from self._started(run, mixture, rng)
        exchanges, finished = Swaps(soft=self.soft), []
        for racer in _likeliest(racers, self.kept, LEAST_GAIN / run.data.total_weight):
            own = exchanges.learn(run.on(run.data, rng), racer)
            end = yield from as_trial(own, Move("track"))
            finished.append(_judged(run, end))
        _, best = max(finished, key=lambda one: one[0])
        return Found(best, (Move("track"),), is_last=True)

    def _started(
        self, run: Run, mixture: MixtureState, rng: np.random.Generator
    ) -> Generator[State, None, list[Judged]]:
        """Return the mixture and a start for each number of windows, some iterations on.

        Each has its objective.
        """
        n_most = max(len(run.data) // (LEAST_POINTS * len(mixture.bank.components)), 1)
        numbers = sorted({min(number, n_most) for number in self.windows})
        starts = [mixture, *(self._start(run, mixture, number, rng) for number in numbers)]
        racers = []
        for start in starts:
            there = yield from as_trial(self._climbed(run, start, rng), Move("track"))
            racers.append(_judged(run, there))
        return racers

    def _climbed(
        self, run: Run, start: MixtureState, rng: np.random.Generator
    ) -> Generator[State, None, MixtureState]:
        """Return the mixture some iterations on."""
        run = run.on(run.data, rng, self.length)
        return (yield from learn(run, self._climb.name, self._climb.parts, start))

    def _start(
        self, run: Run, mixture: MixtureState, n_windows: int, rng: np.random.Generator
    ) -> MixtureState:
        """Return components fitted to linked strands, with their first hyper-parameters."""
        data, frozen = run.data, mixture.freeze(True)
        found = curves_of_strands(frozen.bank, run, n_windows, rng)
        membership = (
            Soft(found)
            if self.soft
            else Hard(found.argmax(axis=1), found.shape[1], data.sample_weight)
        )
        fresh = fit_start(data, frozen.family, membership, learned, rng, run.workers)
        return frozen.replaced(dict(enumerate(fresh.components)))


def curves_of_strands(bank: Bank, run: Run, n_windows: int, rng: np.random.Generator) -> FloatArray:
    """Return responsibilities (n, K), times sample weights, of strands linked into curves."""
    data, settings = run.data, settings_of(run)
    observations = data.observations
    positions = positions_of(observations, bank.family)
    assert isinstance(observations, Regression)
    order = np.argsort(positions, kind="stable")
    weights = np.ones(len(data)) if data.sample_weight is None else data.sample_weight
    strands = find_strands(
        positions[order],
        observations.targets[order],
        weights[order],
        len(bank.components),
        n_windows,
        rng,
    )
    statistics = joint_statistics(
        bank.components[0], observations.take(order), settings.swap_judged
    )
    found = np.empty_like(strands.responsibilities)
    found[order] = linked(strands, statistics, settings.links_kept)
    return reordered(found, data.known_labels)


def _likeliest(racers: Sequence[Judged], most: int, least_gain: float) -> list[MixtureState]:
    """Return the mixtures with the highest objectives, without those that are equal."""
    kept: list[Judged] = []
    for value, mixture in sorted(racers, key=lambda one: one[0], reverse=True):
        if len(kept) < most and not (kept and kept[-1][0][1] - value[1] < least_gain):
            kept.append((value, mixture))
    return [mixture for _, mixture in kept]


def _judged(run: Run, mixture: MixtureState) -> Judged:
    """Return a mixture with what it is ranked by.

    It must tell its components apart, because one curve drawn twice may be likelier than two.
    """
    objective = mean_objective(run.data, mixture, run.workers)
    return (tells_apart(mixture, run), objective), mixture
