"""Swaps: curves that have exchanged observations beyond a crossing are put right."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ....data import (
    DATA,
    Data,
    FloatArray,
    InputError,
    check_choice,
    check_count,
    check_flag,
    check_tolerance,
)
from ....families.contract.base import Bank, Family
from ...auto import AutoSettings, settings_of
from ...engine.contract import Stopping
from ...engine.known_labels import confined
from ...engine.loop import Run, learn
from ...engine.state import MixtureState, Move, State, Step
from ...parts import POLICIES, Parts, argmax, either, soft
from ...parts.objective import mean_objective
from ...parts.stopping import at_once, has_converged, never
from ...recipe import Recipe
from ...recipes import CEM, EM
from ..driver import Found, Search, as_trial
from .marginals import own_statistics
from .pair import Pair
from .stretches import Stretches

LEAST_GAIN = 0.1  # nats: EM of curves ends a little below its highest objective
LONGEST_CLIMB = 30  # steps after an exchange, until the next is tried


class Exchange(NamedTuple):
    """An exchange of observations between two components.

    Parameters
    ----------
    places : tuple of two int
        The components.
    gain : float
        By how much the joint likelihood of both rises at once.
    pair : Pair
        Both after the exchange, not yet fitted.
    """

    places: tuple[int, int]
    gain: float
    pair: Pair

    def applied(self, mixture: MixtureState) -> MixtureState:
        """Return the mixture with both components fitted to what they have after the exchange."""
        both = list(self.places)
        fitted = dict(zip(both, self.pair.fitted(), strict=True))
        counts, weights = self.pair.responsibilities.sum(axis=0), mixture.weights.copy()
        weights[both] = weights[both].sum() * counts / counts.sum()
        return replace(mixture.replaced(fitted), weights=weights)


@dataclass(frozen=True)
class Swaps(Search):
    """CEM, or EM, that also exchanges the observations of two curves beyond crossings.

    Where curves cross, two components can exchange their observations beyond the crossing, and each
    is still smooth. Once the score has converged, the input is cut where two curves are close, and
    exchanges of the stretches between cuts are priced by the joint likelihood of both curves,
    without the observations close to a cut: which of them belongs to which curve depends on the
    exchange. The most promising exchanges of all pairs are tried for some iterations of EM
    or CEM; the first that has a better objective is accepted, and so on until none has, or `rounds`
    times.

    Joint likelihoods follow from additive statistics of the stretches, if the family has such
    (`JointFamily.joint_statistics`); else from `log_marginal`, and only exchanges between two cuts,
    or beyond one, are priced.

    It needs observations with one input column.

    Parameters
    ----------
    n_cuts : int, default=10
        Greatest number of cuts along the input.
    rounds : int, default=8
        Greatest number of exchanges that are accepted.
    tries : int, default=3
        How many exchanges are tried each time.
    soft : bool, default=False
        Whether responsibilities are soft, as in EM, or labels are hard, as in CEM. Labels are
        enough where curves are thin; where noise is wide, they keep curves apart that should
        cross, as every point is assigned to the nearer one.
    small : {"reseed", "keep", "error"}, default="reseed"
        The policy for a component with too few observations, where labels are hard.
    judged : int, default=500
        How many observations of a pair price an exchange, at most, if the family has no additive
        statistics.
    tolerance : float, default=1e-4
        Exchanges are tried when the mean score of an observation changes by less.
    """

    n_cuts: int = AutoSettings.swap_cuts
    rounds: int = AutoSettings.swap_rounds
    tries: int = AutoSettings.swap_tries
    soft: bool = False
    small: str = "reseed"
    judged: int = AutoSettings.swap_judged
    tolerance: float = AutoSettings.swap_tolerance

    def __post_init__(self) -> None:
        check_flag("soft", self.soft)
        check_count("n_cuts", self.n_cuts)
        check_tolerance(self.tolerance)
        check_count("judged", self.judged)
        check_count("rounds", self.rounds)
        check_count("tries", self.tries)
        check_choice("small", self.small, POLICIES)

    @property
    def parts(self) -> Parts:
        return replace(self._climb.parts, stopping=never)

    @property
    def _climb(self) -> Recipe:
        return EM(self.tolerance) if self.soft else CEM(self.small)

    def is_due(self, bank: Bank) -> Stopping:
        """Return the rule that says when to search: at convergence."""
        if len(bank.components) == 1:
            return at_once
        return either(has_converged(self.tolerance), _has_climbed_long)

    def search(
        self, run: Run, mixture: MixtureState, steps: Sequence[Step], rng: np.random.Generator
    ) -> Generator[State, None, Found]:
        """Try the most promising exchanges; return the first that is better."""
        n_made = sum(move.kind == "swap" for step in steps for move in step.moves)
        exchanges = self._exchanges(run, mixture) if n_made < self.rounds else []
        total = run.data.total_weight
        here = total * mean_objective(run.data, mixture, run.workers)
        for exchange in exchanges:
            move = Move("swap", exchange.places, exchange.gain)
            there = exchange.applied(mixture)
            for length in settings_of(run).swap_lengths:
                there = yield from as_trial(self._climbed(run, there, length, rng), move)
                gain = total * mean_objective(run.data, there, run.workers) - here
                if gain > LEAST_GAIN:
                    return Found(there, (replace(move, gain=gain),))
                if gain < -settings_of(run).swap_short:
                    break
        return Found(mixture, is_last=True)

    def _climbed(
        self, run: Run, start: MixtureState, length: int, rng: np.random.Generator
    ) -> Generator[State, None, MixtureState]:
        """Return the mixture some iterations on."""
        return (
            yield from learn(run.on(run.data, rng, length), self.name, self._climb.parts, start)
        )

    def _exchanges(self, run: Run, mixture: MixtureState) -> list[Exchange]:
        """Return the most promising exchanges of all pairs, the best first."""
        bank, data, settings = mixture.bank, run.data, settings_of(run)
        order = np.argsort(positions_of(data.observations, bank.family), kind="stable")
        ordered = data.take(order)
        evaluated = mixture.evaluate(ordered.observations, is_rounded=False)
        log_probs = confined(evaluated.log_densities, ordered.known_labels)
        assign = soft if self.soft else argmax
        membership, _ = assign(
            log_probs, evaluated.log_weights, 1.0, lambda: np.empty(0), ordered.sample_weight
        )
        found = membership.as_responsibilities()
        known = ordered.known_labels
        free = np.ones(len(data), dtype=bool) if known is None else known < 0
        exchanges = []
        for one, other in combinations(range(len(bank.components)), 2):
            concerned = np.flatnonzero(found[:, [one, other]].sum(axis=1))
            place = np.ix_(concerned, np.array([one, other]))
            pair = Pair(
                (bank.components[one], bank.components[other]),
                ordered.observations.take(concerned),
                found[place],
                free[concerned],
            )
            margins = np.abs(np.diff(log_probs[place], axis=1)[:, 0])
            priced = self._priced(pair, margins, settings.swap_extensions)
            exchanges += [Exchange((one, other), *each) for each in priced]
        exchanges = [
            one for one in exchanges if one.gain > -settings.swap_loss and one.pair.is_viable
        ]
        return sorted(exchanges, key=lambda one: -one.gain)[: self.tries]

    def _priced(self, pair: Pair, margins: FloatArray, extensions: int) -> list[tuple[float, Pair]]:
        """Return gains and results of the best exchanges of a pair."""
        if not pair.is_viable:
            return []
        shares = pair.responsibilities.sum(axis=1)
        stretches = Stretches.between_close_places(margins, shares, self.n_cuts)
        if len(stretches.cuts) == 0:
            return []
        sketch = pair.without(stretches.near(stretches.cuts))
        joints = sketch.joints_of_exchanges(stretches.bounds, self.judged)
        has_statistics = own_statistics(pair.components[0], pair.data)
        rounds = 1 if has_statistics is None else extensions
        priced = []
        for gain, moved in stretches.best_exchanges(joints, rounds, self.tries):
            result = pair.exchanged(stretches.places(moved))
            result = result.without(stretches.near(stretches.changed_cuts(moved)))
            priced.append((gain, result))
        return priced


def positions_of(data: Data, family: Family) -> FloatArray:
    """Return the positions of observations along their input; raise if they have none."""
    positions: FloatArray | None = getattr(data, "positions", None)
    if positions is None:
        raise InputError(
            f"Swaps exchange observations along an order, and those of {family.name} have none:"
            f" they need inputs {DATA} of one column, with targets y."
        )
    return positions


def _has_climbed_long(steps: Sequence[Step]) -> bool:
    """Whether there were many steps since the last move."""
    last = max((i for i, step in enumerate(steps) if step.moves), default=0)
    return len(steps) - last > LONGEST_CLIMB
