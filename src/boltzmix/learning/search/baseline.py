"""Comparison with a baseline: the paper's BEEM and EM, from where the fit began."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...data import check_flag, check_tolerance
from ...families.contract.base import Bank
from ..auto import AutoSettings, settings_of
from ..engine.contract import Stopping
from ..engine.known_labels import confined
from ..engine.loop import Run
from ..engine.state import MixtureState, Move, State, Step
from ..parts import Parts
from ..parts.assignment import responsibilities
from ..parts.objective import mean_objective
from ..parts.stopping import never
from ..recipe import Recipe
from ..recipes import BEEM, CEM, EM
from .driver import Found, Search, as_trial, in_turn


def paper_baseline(
    soft: bool, tolerance: float = AutoSettings.polish_tolerance
) -> tuple[Recipe, ...]:
    """Return the paper's BEEM, followed by EM or CEM."""
    return BEEM(), EM(tolerance) if soft else CEM()


@dataclass(frozen=True)
class Baseline(Search):
    """EM, or CEM, compared at its end with its baseline; the likelier is kept.

    The baseline is the paper's BEEM followed by the same EM or CEM. It begins where the fit began,
    with the same random numbers, and takes as long as these take. Both are judged by the likelihood
    by which fits are judged, which for curves is not the score of a step. By that likelihood, one
    curve drawn twice may be likelier than two curves whose points lie far from them, so the
    baseline must tell its components apart, unless the fit does not either.

    Parameters
    ----------
    tolerance : float, default=1e-5
        EM has converged when the mean log-likelihood of an observation changes by less; for
        sequences, that of a step.
    soft : bool, default=True
        Whether responsibilities are soft, as in EM, or labels are hard, as in CEM.
    """

    tolerance: float = AutoSettings.polish_tolerance
    soft: bool = True

    def __post_init__(self) -> None:
        check_flag("soft", self.soft)
        check_tolerance(self.tolerance)

    @property
    def parts(self) -> Parts:
        return replace(self._baseline[-1].parts, stopping=never)

    @property
    def _baseline(self) -> tuple[Recipe, ...]:
        return paper_baseline(self.soft, self.tolerance)

    def is_due(self, bank: Bank) -> Stopping:
        """Return the rule that says when to compare: when EM, or CEM, would end."""
        return self._baseline[-1].parts.stopping

    def search(
        self, run: Run, mixture: MixtureState, steps: Sequence[Step], rng: np.random.Generator
    ) -> Generator[State, None, Found]:
        """Run the baseline, and return the likelier of the two."""
        if len(mixture.bank.components) == 1:
            return Found(mixture, is_last=True)
        assert run.origin is not None
        move = Move("baseline")
        other = yield from as_trial(in_turn(run, self._baseline, run.origin), move)
        here, there = (mean_objective(run.data, one, run.workers) for one in (mixture, other))
        if there > here and (tells_apart(other, run) or not tells_apart(mixture, run)):
            return Found(other, (move,), is_last=True)
        return Found(mixture, is_last=True)


def tells_apart(mixture: MixtureState, run: Run) -> bool:
    """Whether no two components have the same responsibilities, or nearly so."""
    log_densities, log_weights, _ = mixture.evaluate(run.data.observations)
    found, _ = responsibilities(confined(log_densities, run.data.known_labels), log_weights)
    lengths = np.maximum(np.linalg.norm(found, axis=0), np.finfo(float).tiny)
    cosines = (found.T @ found) / lengths / lengths[:, None]
    return bool(cosines[np.triu_indices(len(cosines), k=1)].max() < settings_of(run).same_component)
