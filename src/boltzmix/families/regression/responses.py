"""The distribution of targets, given linear predictors."""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np

from ...data import AnyArray, BoolArray, FloatArray, Regression
from ..shared.constants import log_factorials
from ..shared.validation import are_no_counts


class Outcomes(NamedTuple):
    """Targets (n,), and the number of trials (n,) that each of them counts the successes of."""

    targets: FloatArray
    trials: FloatArray

    @classmethod
    def of(cls, data: Regression) -> "Outcomes":
        """Return the outcomes of observations with one target."""
        targets = data.targets[:, 0]
        return cls(targets, np.ones(len(targets)) if data.trials is None else data.trials)

    @property
    def as_columns(self) -> "Outcomes":
        """These outcomes as arrays of shape (n, 1)."""
        return Outcomes(self.targets[:, None], self.trials[:, None])


def offset_of(data: Regression) -> FloatArray:
    """Return the offset of each observation, shape (n,)."""
    return np.zeros(len(data)) if data.offset is None else data.offset


MOST_PREDICTOR = 300.0  # whose exponential and its square fit into double precision


def bounded(predictor: FloatArray) -> FloatArray:
    """Return linear predictors of a size whose exponential can be computed with."""
    return np.clip(predictor, -MOST_PREDICTOR, MOST_PREDICTOR)


Dispersion = float | FloatArray  # zero, if there is none
Slopes = tuple[FloatArray, FloatArray]


class Limits(NamedTuple):
    """Where a dispersion is searched from, and the least variance that it may stand for."""

    start: float | None
    least_variance: float


class Response(ABC):
    """The distribution of targets, given linear predictors and maybe a dispersion.

    Arrays of outcomes and predictors broadcast.
    """

    link_name: ClassVar[str]
    takes: ClassVar[str]  # which targets, in messages

    @abstractmethod
    def log_kernel(
        self, outcomes: Outcomes, predictor: FloatArray, dispersion: Dispersion
    ) -> FloatArray:
        """Return the log densities but for `log_base`."""

    @abstractmethod
    def log_base(self, outcomes: Outcomes) -> FloatArray:
        """Return the part of the log densities that depends on the outcomes only."""

    @abstractmethod
    def slopes(self, outcomes: Outcomes, predictor: FloatArray, dispersion: Dispersion) -> Slopes:
        """Return the derivative of `log_kernel` by the predictor, and minus the second one."""

    @abstractmethod
    def mean(self, predictor: FloatArray) -> FloatArray:
        """Return the means, for one trial."""

    @abstractmethod
    def deviation(self, mean: FloatArray, dispersion: Dispersion) -> FloatArray:
        """Return the standard deviations of targets with these means, for one trial."""

    @abstractmethod
    def draw(
        self, mean: FloatArray, trials: FloatArray, dispersion: Dispersion, rng: np.random.Generator
    ) -> AnyArray:
        """Draw targets."""

    @abstractmethod
    def outside(self, outcomes: Outcomes) -> BoolArray:
        """Return which targets are impossible, shape (n,)."""

    def likeliest_dispersion(
        self, outcomes: Outcomes, predictor: FloatArray, weights: FloatArray, limits: Limits
    ) -> float:
        """Return the likeliest dispersion, given the linear predictor (n,).

        There is at least one observation with weight. A response without a dispersion returns zero.
        """
        return 0.0

    @abstractmethod
    def level(self, outcomes: Outcomes, offset: FloatArray, weights: FloatArray) -> float:
        """Return the intercept that fits the mean of some targets."""


class LogLink(Response):
    """Targets whose linear predictor is the logarithm of the mean."""

    link_name = "log"

    def mean(self, predictor: FloatArray) -> FloatArray:
        """Return the exponential."""
        return np.exp(predictor)


class Counts(LogLink):
    """Counts whose linear predictor is the logarithm of the mean."""

    takes = "counts, which are whole numbers of zero or more, up to 9e15"

    def log_base(self, outcomes: Outcomes) -> FloatArray:
        """Return minus the logarithms of the factorials of the counts."""
        return -log_factorials(outcomes.targets)

    def outside(self, outcomes: Outcomes) -> BoolArray:
        """Return which targets are no counts."""
        return are_no_counts(outcomes.targets)

    def level(self, outcomes: Outcomes, offset: FloatArray, weights: FloatArray) -> float:
        """Return the intercept that fits the mean of some counts.

        Half a count is added, so that counts that are all zero have one too.
        """
        expected = weights @ np.exp(bounded(offset))
        return float(np.log((weights @ outcomes.targets + 0.5) / expected))
