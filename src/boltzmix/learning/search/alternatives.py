"""Alternatives: other versions of a single component are tried, and a better one is taken."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...data import check_count, check_flag, check_tolerance, without_covariates
from ...families.contract.base import Bank
from ..auto import AutoSettings, settings_of
from ..engine.contract import Stopping
from ..engine.loop import Run, learn
from ..engine.state import MixtureState, Move, State, Step
from ..engine.training_data import TrainingData
from ..parts import Parts, either
from ..parts.stopping import has_converged, hopeless, never
from ..recipe import Recipe
from ..recipes import CEM, EM
from .driver import Found, Search, as_trial


@dataclass(frozen=True)
class Alternatives(Search):
    """EM, or CEM, of a single component that also tries other versions of it.

    A component with hidden structure, such as the states of a hidden Markov model, has optima of
    its own. Once the score has converged, the family proposes other versions of the component
    (`SearchHints.alternatives`). All of them learn for a few iterations, the better third goes on,
    and so on until one is left. It is taken if its score is better than that of the component after
    as many iterations. The search ends when `patience` such rounds in a row found nothing better.

    It learns from a part of the data if there are many: the recipe after it learns from all.

    Parameters
    ----------
    tolerance : float, default=1e-3
        A search begins when the mean score of an observation changes by less; for sequences, that
        of a step.
    patience : int, default=2
        Number of rounds that find nothing better, after which the search ends.
    soft : bool, default=True
        Whether the family takes weights.
    """

    tolerance: float = AutoSettings.search_tolerance
    patience: int = AutoSettings.alternative_patience
    soft: bool = True

    def __post_init__(self) -> None:
        check_flag("soft", self.soft)
        check_tolerance(self.tolerance)
        check_count("patience", self.patience)

    @property
    def parts(self) -> Parts:
        return replace(self._climb.parts, stopping=never)

    @property
    def _climb(self) -> Recipe:
        return EM(AutoSettings.polish_tolerance) if self.soft else CEM("keep")

    def is_due(self, bank: Bank) -> Stopping:
        """Return the rule that says when to search: at convergence."""
        return has_converged(self.tolerance)

    def learn(self, run: Run, start: MixtureState) -> Generator[State, None, State]:
        """Learn from a part of the data: yield every state, return the one to keep."""
        excerpt, data = start.components[0].search_hints.excerpt, run.data
        is_plain = without_covariates(data.observations) is data.observations
        if excerpt is not None and is_plain and data.known_labels is None:
            some = excerpt(
                data.observations, data.sample_weight, settings_of(run).steps_in_alternatives
            )
            run = replace(run, data=TrainingData(*some))
        return (yield from super().learn(run, start))

    def search(
        self, run: Run, mixture: MixtureState, steps: Sequence[Step], rng: np.random.Generator
    ) -> Generator[State, None, Found]:
        """Try other versions until one is better, or too many rounds found none that is."""
        settings = settings_of(run)
        here = yield from as_trial(
            self._climbed(run, mixture, settings.alternatives_from, rng), REFINE
        )
        if len(here.bank.components) > 1:
            return Found(here, is_last=True)
        for _ in range(self.patience):
            best = yield from as_trial(self._best_alternative(run, here, rng), ALTERNATIVE)
            if best is None:
                break
            here = yield from as_trial(
                self._climbed(run, here, settings.alternative_end, rng), REFINE
            )
            target = here.step.score + settings.least_gain * here.step.size
            ended = self._climbed(run, best, settings.alternative_end, rng, target)
            there = yield from as_trial(ended, ALTERNATIVE)
            if there.step.score > target and _is_sound(there, here):
                return Found(there, (ALTERNATIVE,))
        return Found(here, is_last=True)

    def _best_alternative(
        self, run: Run, here: State, rng: np.random.Generator
    ) -> Generator[State, None, State | None]:
        """Return the best of other versions of the component, if there are any."""
        data, (component, *_) = run.data, here.bank.components
        observations = without_covariates(data.observations)
        draw = component.search_hints.alternatives
        found = () if draw is None else draw(observations, data.sample_weight, rng)
        candidates = [here.mixture.replaced({0: one}) for one in found]
        ranked: list[State] = []
        for n_steps in settings_of(run).alternative_lengths:
            ranked = []
            for one in candidates:
                ranked.append((yield from self._climbed(run, one, n_steps, rng)))
            ranked.sort(key=lambda one: -np.nan_to_num(one.step.score, nan=-np.inf))
            candidates = list(ranked[: -(-len(ranked) // 3)])
        return ranked[0] if ranked else None

    def _climbed(
        self,
        run: Run,
        mixture: MixtureState,
        n_steps: int,
        rng: np.random.Generator,
        target: float = -np.inf,
    ) -> Generator[State, None, State]:
        """Return the state so many iterations on, or sooner if it cannot reach a target."""
        climb = self._climb
        stopping = either(hopeless(n_steps, target, 0.0), climb.parts.stopping)
        parts = replace(climb.parts, stopping=stopping)
        there = yield from learn(run.on(run.data, rng, n_steps), climb.name, parts, mixture)
        assert isinstance(there, State)
        return there


REFINE, ALTERNATIVE = Move("refine"), Move("alternative", (0,))


def _is_sound(there: State, here: State) -> bool:
    """Whether a component is not degenerate, unless the one that it replaces is."""
    one, other = there.bank.components[0], here.bank.components[0]
    return bool(np.isfinite(there.step.score)) and (other.is_degenerate or not one.is_degenerate)
