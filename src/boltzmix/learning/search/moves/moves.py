"""Moves: components are merged, split and moved to where they are needed most."""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....data import check_count, check_flag, check_tolerance, shown
from ....families.contract.base import Bank
from ...auto import AutoSettings, settings_of
from ...engine.contract import Stopping
from ...engine.loop import Run, learn
from ...engine.state import MixtureState, Move, State, Step
from ...parts import Parts, constant, either, uniform
from ...parts.assignment import responsibilities
from ...parts.first_fit import fit_start, random_split
from ...parts.stopping import at_once, has_converged, hopeless, never
from ...recipe import Recipe
from ...recipes import BEEM, CEM, EM
from ..baseline import paper_baseline
from ..driver import Found, Search, as_trial, in_turn
from .clear_cut import is_clear_cut
from .pricing import EvaluatedMixture, least_members
from .proposals import close_pairs, n_parameters, proposed_merges, proposed_moves, proposed_resplits

# The temperature at which observations may leave a component that was fitted to them.
#
# A component is likelier at the observations that it was fitted to: by one nat for each of its
# parameters, all in all. Where it has few members, that is much for each of them. Observations of
# other clusters that came to it by chance then stay, and EM ends at one of many optima that differ
# by few observations. One E-step at a higher temperature lets them go.

CERTAIN = 0.99  # responsibility at the higher temperature, from which an observation stays


def annealing_temperature(evaluated: EvaluatedMixture) -> float:
    """Return a temperature that grows with the number of parameters for each observation.

    For sequences and trajectories, it is the number for each step, as these are what parameters are
    learned from. The temperature is one, so that nothing is annealed, where these are few
    (`AutoSettings.anneal_from`), and where no observation would leave its component.
    """
    n_steps = len(evaluated.data) * evaluated.data.observations.mean_size
    per_step = evaluated.n_components * n_parameters(evaluated.mixture.bank) / n_steps
    if per_step < evaluated.settings.anneal_from:
        return 1.0
    temperature = 1.0 + evaluated.settings.anneal_heat * per_step
    found, _ = responsibilities(evaluated.joint, np.zeros(evaluated.joint.shape[1]), temperature)
    return 1.0 if found.max(axis=1).min() > CERTAIN else temperature


@dataclass(frozen=True)
class Moves(Search):
    """EM, or CEM, that also moves components to where they are needed most.

    Where two components cover one cluster while another covers two, no single step of EM mends
    that; a merge and a split do. Once the score has converged, such changes are proposed, the most
    promising first (see `proposals`). Each is tried for a few iterations, and accepted if its
    score is better than that of the unchanged mixture after as many. If none is, though some were
    tried, the fit is compared once with its baseline: the paper's BEEM and EM from where the fit
    began. If the baseline is not better, all components restart from a random split, and are moved
    in the same way until they are better, which is accepted, or have the same score.

    Where there are few observations for each parameter, EM is also tried from responsibilities at a
    higher temperature (see `annealing`), and components restart even if no change was tried.

    So the fit never ends lower than the baseline, but where the baseline has degenerate or too
    small components, or where no change was promising.

    A search takes one proposal of each kind, and 3 (`tries` + 1) trials of `length` iterations on
    20,000 observations at most. A restart takes the iterations of an exploration, three times over
    at most, and 2 K searches at most. The baseline takes its own iterations once, at most the fit's
    `max_iter` of each recipe. No more components become degenerate than were before, and none is
    made of too few members: unless a prior keeps small ones sound (`SearchHints.regularised`), it
    needs twice as many as there are columns, and one.

    Parameters
    ----------
    tolerance : float, default=1e-3
        A search begins when the mean score of an observation changes by less; for sequences, that
        of a step.
    tries : int, default=6
        How many changes of each kind are tried.
    length : int, default=20
        Number of iterations of a trial.
    draws : int, default=4
        How often a component is split at random.
    restarts : int, default=1
        How often all components restart once no change is accepted, until a restart is.
    soft : bool, default=True
        Whether responsibilities are soft, as in EM, or labels are hard, as in CEM. Families that
        take no weights need False: trials are then judged by the likelihood of observations and
        labels together.
    always_compare : bool, default=False
        Whether the fit is compared with the baseline even if no change was promising.
    settings : AutoSettings, optional
        All other numbers of the search; those of the run unless given.
    """

    tolerance: float = AutoSettings.search_tolerance
    tries: int = AutoSettings.tries
    length: int = AutoSettings.trial_length
    draws: int = AutoSettings.draws
    restarts: int = AutoSettings.restarts
    soft: bool = True
    always_compare: bool = False
    settings: AutoSettings | None = None

    def __post_init__(self) -> None:
        check_tolerance(self.tolerance)
        check_flag("soft", self.soft)
        check_flag("always_compare", self.always_compare)
        if not isinstance(self.settings, AutoSettings | None):
            raise TypeError(f"settings must be AutoSettings, not {shown(self.settings)}.")
        check_count("tries", self.tries)
        check_count("length", self.length)
        check_count("draws", self.draws)
        check_count("restarts", self.restarts, least=0)

    @property
    def parts(self) -> Parts:
        return replace(self._climb.parts, stopping=never)

    @property
    def _climb(self) -> Recipe:
        """The recipe by which trials climb; scores are those it watches."""
        return EM(0.0) if self.soft else CEM("keep")

    def is_due(self, bank: Bank) -> Stopping:
        """Return the rule that says when to search: at convergence."""
        return at_once if len(bank.components) == 1 else has_converged(self.tolerance)

    def search(
        self, run: Run, mixture: MixtureState, steps: Sequence[Step], rng: np.random.Generator
    ) -> Generator[State, None, Found]:
        """Try changes, then the baseline, then a restart; return the first that is better."""
        settings = self.settings or settings_of(run)
        run = replace(run, settings=settings)
        if len(mixture.bank.components) == 1 or self._has_too_few(run, mixture.bank):
            return Found(mixture, is_last=True)
        run = replace(run, data=run.data.thinned(settings.observations_in_trials))
        evaluated = EvaluatedMixture.of(mixture, run.data, settings)
        temperature = annealing_temperature(evaluated) if self.soft else 1.0
        is_clear = not _searched(steps) and is_clear_cut(evaluated)
        if is_clear and temperature == 1.0:
            return Found(mixture, is_last=True)
        here = yield from as_trial(self._climbed(run, mixture, rng), Move("refine"))
        if temperature > 1.0:
            annealed = yield from self._annealed(run, here, temperature, rng)
            if annealed is not None or is_clear:
                return annealed or Found(here, is_last=True)
        better, tried = yield from self._improved(run, here, rng)
        is_compared = _made(steps, "baseline", "restart")
        if better is None and (tried or self.always_compare) and not is_compared:
            better = yield from self._baseline(run, here, rng)
        restarts = self._n_restarts(run, here, tried)
        if better is None and _count(steps, "restart") < restarts:
            better = yield from self._restarted(run, here, restarts, rng)
        return better or Found(here, is_last=True)

    def _annealed(
        self, run: Run, here: State, temperature: float, rng: np.random.Generator
    ) -> Generator[State, None, Found | None]:
        """Return what EM finds from responsibilities at a higher temperature, if it is better."""
        move, climb = Move("anneal"), self._climb
        parts = replace(climb.parts, temperature=constant(temperature))
        warm = learn(run.on(run.data, rng, 1), climb.name, parts, here)
        start = yield from as_trial(warm, move)
        there = yield from as_trial(self._climbed(run, start, rng, here), move)
        return Found(there, (move,)) if self._is_better(there, here, run, _all(here)) else None

    def _improved(
        self, run: Run, here: State, rng: np.random.Generator
    ) -> Generator[State, None, tuple[Found | None, bool]]:
        """Return the first change that is better, if there is one; and whether any was tried."""
        settings = settings_of(run)
        evaluated = EvaluatedMixture.of(here, run.data, settings).thinned(
            settings.members_in_proposals
        )
        merged = yield from proposed_merges(run, evaluated, rng)
        pairs, triples = close_pairs(evaluated, merged), evaluated.neighbours(3)
        tried = False
        for proposed in (
            proposed_moves(run, evaluated, merged, self.tries, self.draws, rng),
            proposed_resplits(run, evaluated, pairs, self.tries, self.draws, rng),
            proposed_resplits(run, evaluated, triples, self.tries, self.draws, rng),
        ):
            for change in (yield from proposed):
                tried = True
                climbed = self._climbed(run, change.applied(here), rng, here)
                there = yield from as_trial(climbed, *change.moves)
                if self._is_better(there, here, run, change.places):
                    return Found(there, change.moves), tried
        return None, tried

    def _baseline(
        self, run: Run, here: State, rng: np.random.Generator
    ) -> Generator[State, None, Found | None]:
        """Return the result of the paper's BEEM and EM, if that is better."""
        assert run.origin is not None
        move = Move("baseline")
        recipes = paper_baseline(self.soft)
        outcome = yield from as_trial(in_turn(run, recipes, run.origin), move)
        there = yield from as_trial(self._climbed(run, outcome, rng), move)
        better = self._is_better(there, here, run, _all(here), least_gain=0.0)
        return Found(there, (move,)) if better else None

    def _has_too_few(self, run: Run, bank: Bank) -> bool:
        """Whether a costly family without a prior has few observations for its parameters.

        Then there are too many optima for a search to help, and it takes long.
        """
        hints = bank.family.search_hints
        return hints.costly and not hints.regularised and self._is_few(run, bank)

    def _is_few(self, run: Run, bank: Bank) -> bool:
        """Whether observations are few for the number of parameters."""
        parameters = len(bank.components) * n_parameters(bank)
        return len(run.data) < settings_of(run).observations_per_parameter * parameters

    def _n_restarts(self, run: Run, here: State, tried: bool) -> int:
        """Return how often all components restart.

        Where observations are few for the number of parameters, there are many optima: unless it
        takes long, all components then restart even if no change was tried, and more often. Without
        a prior, there are too many of them for that to help.
        """
        n, k, settings = len(run.data), len(here.bank.components), settings_of(run)
        work = n * (k * run.data.observations.n_features) ** 2
        helps = self._is_few(run, here.bank) and here.family.search_hints.regularised
        if not helps or work > settings.moderate_work:
            return self.restarts if tried else 0
        return self.restarts * settings.restarts_if_few

    def _restarted(
        self, run: Run, here: State, restarts: int, rng: np.random.Generator
    ) -> Generator[State, None, Found | None]:
        """Return a better mixture that is found from random splits, if there is one."""
        move = Move("restart")
        for _ in range(restarts):
            there = yield from as_trial(self._explored(run, here, rng), move)
            for _ in range(2 * len(here.bank.components)):
                if self._is_better(there, here, run, _all(here)):
                    return Found(there, (move,))
                found, _ = yield from as_trial(self._improved(run, there, rng), move)
                if found is None:
                    break
                there = yield from as_trial(self._climbed(run, found.mixture, rng), move)
                if abs(there.step.score - here.step.score) < self._least_gain(run) * here.step.size:
                    break
        return None

    def _explored(
        self, run: Run, here: State, rng: np.random.Generator
    ) -> Generator[State, None, State]:
        """Explore from a random split, until no component is degenerate or too small."""
        data, bank = run.data, here.bank
        explore = BEEM("auto", small="reseed")
        for _ in range(settings_of(run).sound_within):
            split = random_split(data.observations, len(bank.components), rng, data.sample_weight)
            fresh = fit_start(data, bank.family, split, uniform, rng, run.workers)
            start = here.mixture.replaced(dict(enumerate(fresh.components)))
            explored = yield from explore.learn(run.on(data, rng, explore.length), start)
            there = yield from self._climbed(run, explored, rng)
            if self._is_sound(there, here, run, _all(here)):
                break
        return there

    def _climbed(
        self,
        run: Run,
        mixture: MixtureState,
        rng: np.random.Generator,
        to_beat: State | None = None,
    ) -> Generator[State, None, State]:
        """Return the state a few iterations on, or sooner if it cannot be better than `to_beat`."""
        climb = self._climb
        least_gain = self._least_gain(run)
        target = -np.inf if to_beat is None else _raised(to_beat, least_gain)
        is_hopeless = hopeless(self.length, target, least_gain * settings_of(run).negligible)
        parts = replace(climb.parts, stopping=either(is_hopeless, climb.parts.stopping))
        there = yield from learn(run.on(run.data, rng, self.length), climb.name, parts, mixture)
        assert isinstance(there, State)
        return there

    def _is_better(
        self,
        there: State,
        here: State,
        run: Run,
        places: Iterable[int],
        least_gain: float | None = None,
    ) -> bool:
        """Whether a trial has a better score, and the components it changed are sound."""
        least = self._least_gain(run) if least_gain is None else least_gain
        higher = there.step.score > _raised(here, least)
        return higher and self._is_sound(there, here, run, places)

    def _least_gain(self, run: Run) -> float:
        """Return the least gain of the mean score for a trial to be accepted."""
        columns = run.data.observations.n_features / settings_of(run).columns_of_gain
        return settings_of(run).least_gain * max(1.0, columns)

    @staticmethod
    def _is_sound(there: State, here: State, run: Run, places: Iterable[int]) -> bool:
        """Whether components have enough members, and no more are degenerate than before."""
        places = sorted(places)
        sizes = there.step.counts[places] * (len(run.data) / run.data.total_weight)
        enough = bool(sizes.min() >= least_members(there.bank.family, run.data))
        return enough and _n_degenerate(there.bank, places) <= _n_degenerate(here.bank, places)


def _searched(steps: Sequence[Step]) -> bool:
    """Whether a move other than annealing was accepted before."""
    return any(move.kind != "anneal" for step in steps for move in step.moves)


def _made(steps: Sequence[Step], *kinds: str) -> bool:
    """Whether a move of one of some kinds was accepted before."""
    return any(move.kind in kinds for step in steps for move in step.moves)


def _count(steps: Sequence[Step], kind: str) -> int:
    """Return how many moves of a kind were accepted before."""
    return sum(move.kind == kind for step in steps for move in step.moves)


def _n_degenerate(bank: Bank, places: Sequence[int]) -> int:
    return sum(one.is_degenerate for one in bank.chosen(places).components)


def _all(state: State) -> range:
    return range(len(state.bank.components))


def _raised(state: State, gain: float) -> float:
    """Return the score that is better by so much than that of a state."""
    return float(state.step.score + gain * state.step.size)
