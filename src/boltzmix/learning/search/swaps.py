"""Swaps: curves that have exchanged observations beyond a crossing are put right."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple, Self

import numpy as np

from ...data import BoolArray, Data, FloatArray, IntArray, evenly_spaced
from ...families.base import Bank, Family
from ..arguments import check_choice, check_count
from ..auto import AUTO
from ..engine.contract import Stopping
from ..engine.known_labels import confined
from ..engine.loop import Run
from ..engine.state import MixtureState, Move, State, Step
from ..parts import POLICIES, Parts, argmax, either, labels_fixed, length, soft
from ..parts.stopping import at_once
from ..recipes import CEM, EM
from .driver import Found, Search
from .pair import Pair

LEAST_GAIN = 1e-6  # nats; less is rounding


@dataclass(frozen=True)
class Swaps(Search):
    """CEM, or EM, that also exchanges the observations of two curves beyond a cut.

    Where curves cross, two components can exchange their observations beyond the crossing, and each
    is still smooth. After each M-step, all exchanges beyond a cut of the input, or between two
    cuts, are judged by the joint likelihood, and the best is judged again after a fit; it is
    accepted if it is better, and so on until none is, or `n_cuts` times. Each time takes K (K - 1)
    / 2 pairs times n_cuts (n_cuts + 1) / 2 exchanges, of two joint likelihoods each, and four fits
    per pair. The joint likelihoods follow from additive statistics of the stretches between cuts,
    if the family has such (`JointFamily.joint_statistics`).

    It needs observations with one input column.

    Parameters
    ----------
    n_cuts : int, default=12
        How many cuts are tried along the input: where the log densities under the two components
        differ least.
    rounds : int, default=10
        Greatest number of steps: the best exchange for each observation need not be the best for
        all of them together, so labels may alternate.
    soft : bool, default=False
        Whether responsibilities are soft, as in EM, or labels are hard, as in CEM. Labels are
        enough where curves are thin; where noise is wide, they keep curves apart that should
        cross, as every point is assigned to the nearer one.
    small : {"reseed", "keep", "error"}, default="reseed"
        What is done about a component with too few observations.
    judged : int, default=500
        How many observations of a pair judge an exchange, at most, if the family has no additive
        statistics.
    """

    n_cuts: int = AUTO.swap_cuts
    rounds: int = AUTO.swap_rounds
    soft: bool = False
    small: str = "reseed"
    judged: int = AUTO.swap_judged

    def __post_init__(self) -> None:
        check_count("n_cuts", self.n_cuts)
        check_count("judged", self.judged)
        check_count("rounds", self.rounds)
        check_choice("small", self.small, POLICIES)

    @property
    def parts(self) -> Parts:
        parts = EM().parts if self.soft else CEM(self.small).parts
        converged = parts.stopping if self.soft else labels_fixed
        return replace(parts, stopping=either(converged, length(self.rounds)))

    def is_due(self, bank: Bank) -> Stopping:
        """Return the rule that says when to search: after every M-step."""
        return at_once

    def search(
        self, run: Run, mixture: MixtureState, steps: Sequence[Step], rng: np.random.Generator
    ) -> Generator[State, None, Found]:
        """Exchange observations of pairs until no exchange is better."""
        bank, data, known = mixture.bank, run.data, run.data.known_labels
        positions = _positions(data.observations, bank.family)
        log_probs = confined(bank.log_prob(data.observations), known)
        assign = soft if self.soft else argmax
        membership, _ = assign(
            log_probs, np.log(mixture.weights), 1.0, lambda: np.empty(0), data.sample_weight
        )
        found, components = membership.as_responsibilities(), list(bank.components)
        free = np.ones(len(data), dtype=bool) if known is None else known < 0
        moves: list[Move] = []
        for _ in range(self.n_cuts):
            swapped = yield from self._swap_pairs(
                components, data.observations, positions, log_probs, found, free
            )
            if not swapped:
                break
            moves += swapped
        moved = {k: one for k, one in enumerate(components) if one is not bank.components[k]}
        if not moved:
            return Found(mixture)
        return Found(MixtureState(bank.replaced(moved), mixture.weights), tuple(moves))

    def _swap_pairs(
        self,
        components: list[Family],
        data: Data,
        positions: FloatArray,
        log_probs: FloatArray,
        found: FloatArray,
        free: BoolArray,
    ) -> Generator[State, None, list[Move]]:
        """Make the best exchange of each pair that has a better one; return these as moves.

        Changes `components` and the responsibilities `found`.
        """
        moves = []
        for both in combinations(range(len(components)), 2):
            concerned = np.flatnonzero(found[:, both].sum(axis=1))
            place = np.ix_(concerned, np.array(both))
            one, other = (components[k] for k in both)
            pair = Pair((one, other), data.take(concerned), found[place], free[concerned])
            if not pair.is_viable:
                continue
            margins = np.abs(np.diff(log_probs[place], axis=1)[:, 0])
            exchanged, gain = self._best(pair, positions[concerned], margins)
            move = Move("swap", both, gain)
            yield _as_state(exchanged, move)
            if gain > 0:
                found[place] = exchanged.responsibilities
                components[both[0]], components[both[1]] = exchanged.components
                moves.append(move)
        return moves

    def _best(self, pair: Pair, positions: FloatArray, margins: FloatArray) -> tuple[Pair, float]:
        """Return the pair after its best exchange, fitted, and by how much that is better."""
        now = pair.fitted()
        stretches = _Stretches.between(self._cuts(positions, margins), positions)
        viable = [now.exchanged(stretches.places(one)).is_viable for one in stretches.moved]
        gains = np.where(viable, self._gains(now, stretches), -np.inf)
        best = int(gains.argmax())
        if gains[best] < -AUTO.swap_loss:
            return now, 0.0
        then = now.exchanged(stretches.places(stretches.moved[best])).fitted()
        is_better = then.joint > now.joint + LEAST_GAIN
        return then, then.joint - now.joint if is_better else 0.0

    def _gains(self, pair: Pair, stretches: "_Stretches") -> FloatArray:
        """Return by how much each exchange changes the joint likelihood at once, shape (c,)."""
        still = np.zeros((1, stretches.moved.shape[1]), dtype=bool)
        ordered = pair.part(stretches.order)
        joints = ordered.joints_of_exchanges(stretches.bounds, np.vstack([still, stretches.moved]))
        if joints is not None:
            return joints[1:] - joints[0]
        seen = evenly_spaced(len(pair.data), self.judged)
        sketch = pair.part(seen)
        exchanged = (sketch.exchanged(stretches.places(one)[seen]) for one in stretches.moved)
        return np.array([one.joint for one in exchanged]) - sketch.joint

    def _cuts(self, positions: FloatArray, margins: FloatArray) -> list[float]:
        """Return where margins are smallest on average, apart from each other."""
        order = np.argsort(positions, kind="stable")
        apart = max(1, len(order) // (4 * self.n_cuts))
        window = np.ones(min(2 * apart + 1, len(order)))
        around = np.convolve(margins[order], window, "same") / np.convolve(
            np.ones(len(order)), window, "same"
        )
        cuts: list[int] = []
        for place in np.argsort(around, kind="stable"):
            if len(cuts) < self.n_cuts and all(abs(place - cut) > apart for cut in cuts):
                cuts.append(int(place))
        return [float(positions[order[cut]]) for cut in cuts]


class _Stretches(NamedTuple):
    """Stretches of observations between cuts, and which of them each exchange moves.

    Parameters
    ----------
    order : array of int, shape (n,)
        Observations in the order of their positions.
    bounds : array of int, shape (g + 1,)
        Stretch i has observations bounds[i] to bounds[i + 1] in this order.
    moved : array of bool, shape (c, g)
        Each exchange moves the stretches beyond a cut, or between two.
    """

    order: IntArray
    bounds: IntArray
    moved: BoolArray

    @classmethod
    def between(cls, cuts: Sequence[float], positions: FloatArray) -> Self:
        order = np.argsort(positions, kind="stable")
        inner = np.searchsorted(positions[order], sorted(cuts), side="right")
        bounds = np.concatenate([[0], inner, [len(positions)]])
        both = np.array(list(combinations(range(1, len(bounds)), 2)))
        places = np.arange(len(bounds) - 1)
        return cls(order, bounds, (places >= both[:, :1]) & (places < both[:, 1:]))

    def places(self, moved: BoolArray) -> BoolArray:
        """Return which observations an exchange moves, shape (n,)."""
        found = np.empty(len(self.order), dtype=bool)
        found[self.order] = np.repeat(moved, np.diff(self.bounds))
        return found


def _positions(data: Data, family: Family) -> FloatArray:
    """Return the positions of observations along their input; raise if they have none."""
    positions: FloatArray | None = getattr(data, "positions", None)
    if positions is None:
        raise ValueError(
            f"Swaps exchange observations along an order, and those of {family.name} have none:"
            " they need inputs X of one column, with targets y."
        )
    return positions


def _as_state(pair: Pair, move: Move) -> State:
    """Return the state of a trial exchange, whose score is the joint likelihood per observation."""
    counts = pair.responsibilities.sum(axis=0)
    bank = pair.components[0].bank(pair.components)
    step = Step(
        "Swaps", 1, 1.0, pair.joint / counts.sum(), counts, trial=(move,),
        n_observations=len(pair.data), noun=pair.data.noun,
    )  # fmt: skip
    return State(bank, counts / counts.sum(), step)
