"""The E-step as one pass over the data, block by block."""

from dataclasses import dataclass
from functools import partial
from operator import add
from typing import Any

import numpy as np

from ...data import FloatArray, Hard, Membership, Remote, join
from .assigned import Assigned, EStep, Kept
from .expectation import Expectation
from .state import GateRows
from .training_data import TrainingData
from .workers import Workers


def expect(
    data: TrainingData, e_step: EStep, workers: Workers, before: Assigned | None = None
) -> Expectation:
    """Evaluate all components on all observations, assign these, and sum up the statistics.

    The log-likelihood matrix exists for the blocks at work only. Labels are kept, and so are
    responsibilities if the M-step needs them again; but not those of remote data.

    Parameters
    ----------
    data : TrainingData
    e_step : EStep
        How observations are assigned.
    workers : Workers
    before : Assigned, optional
        The labels of the step before, to count those that changed.
    """
    mixture = e_step.mixture
    is_local = not isinstance(data.observations, Remote)
    expect_block = partial(_expect_block, e_step, before, is_local)
    found = workers.fold(expect_block, data, mixture, add)
    kept = Kept(_joined(found.memberships)) if found.memberships else None
    return Expectation(
        statistics=found.statistics,
        gate_rows=found.gate_rows,
        counts=found.counts,
        sizes=found.sizes,
        least_size=found.least_size,
        total_score=found.total_score,
        is_hard=found.is_hard,
        n_changed=None if before is None else found.n_changed,
        assigned=kept or e_step,
        e_step=e_step,
    )


@dataclass(frozen=True)
class _Sums:
    """The sums of an E-step over blocks."""

    statistics: Any
    gate_rows: GateRows
    counts: FloatArray
    sizes: FloatArray
    least_size: float
    total_score: float
    is_hard: bool
    n_changed: int
    memberships: tuple[Membership, ...]

    def __add__(self, other: "_Sums") -> "_Sums":
        return _Sums(
            self.statistics + other.statistics,
            self.gate_rows + other.gate_rows,
            self.counts + other.counts,
            self.sizes + other.sizes,
            other.least_size,
            self.total_score + other.total_score,
            other.is_hard,
            self.n_changed + other.n_changed,
            self.memberships + other.memberships,
        )


def _expect_block(
    e_step: EStep, before: Assigned | None, is_local: bool, block: TrainingData, place: slice
) -> _Sums:
    mixture = e_step.mixture
    membership, scores, joint = e_step.evaluate(block, place)
    is_hard = isinstance(membership, Hard)
    keeps = is_local and (is_hard or mixture.family.n_passes > 1)
    statistics, gate_rows = mixture.summarise(block.observations, membership, joint)
    return _Sums(
        statistics=statistics,
        gate_rows=gate_rows,
        counts=membership.counts,
        sizes=membership.sizes,
        least_size=membership.least_size(mixture.family.min_observations),
        total_score=block.weighted_sum(scores),
        is_hard=is_hard,
        n_changed=0 if before is None else _changed(before.members(block, place), membership),
        memberships=(membership,) if keeps else (),
    )


def _joined(memberships: tuple[Membership, ...]) -> Membership:
    return memberships[0] if len(memberships) == 1 else join(memberships)


def _changed(before: Membership, after: Membership) -> int:
    """Return how many labels differ; none where responsibilities are soft."""
    if not isinstance(before, Hard) or not isinstance(after, Hard):
        return 0
    return int(np.count_nonzero(before.labels != after.labels))
