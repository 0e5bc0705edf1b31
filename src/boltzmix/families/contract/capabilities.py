"""The contracts of families that can do more: additive ones, joint ones, and those of targets."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from operator import add
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from ...data import FloatArray, IntArray, Regression, Rng, Weights
from .bank import Bank, JointBank
from .base import Family


class Statistics(Protocol):
    """Sums over some observations, from which an additive family is fitted to them."""

    def __add__(self, other: Self) -> Self: ...

    def __mul__(self, factor: float) -> Self: ...


class AdditiveFamily(Family):
    """A family whose fit needs only sums over the observations.

    Write ``summarise(data, weights)``, ``from_statistics(statistics, rng)`` and ``log_prob``,
    where statistics can be added, and multiplied by a number. For these you get `fit`, weights,
    and learning block by block: no matrix of observations by components is held in memory, data
    may be larger than memory, and `partial_fit` learns from a stream. Where statistics depend on
    the parameters, as those of Baum–Welch do, set ``n_passes`` to the number of times an M-step
    summarises the data.
    """

    weighted = True
    additive = True

    def fit(self, data: Any, *, weights: Weights = None, rng: Rng = None) -> Self:
        return self.from_statistics(self.summarise(data, weights), rng)

    def background(self, data: Any, weights: Weights = None, rng: Rng = None) -> Family:
        """Return a component fitted to all the data, block by block."""
        return self.from_statistics(self.summarise_blocks(data, weights), rng)

    @abstractmethod
    def summarise(self, data: Any, weights: Weights = None) -> Statistics:
        """Return the statistics of some observations, which can be added to those of others."""

    @abstractmethod
    def from_statistics(self, statistics: Any, rng: Rng = None) -> Self:
        """Return a new component fitted to the observations behind `statistics`."""

    def summarise_blocks(self, data: Any, weights: Weights = None, *, check: bool = False) -> Any:
        """Return the statistics of all the data, of which one block at a time is in memory.

        Parameters
        ----------
        data : Data
        weights : array, shape (n,), optional
        check : bool
            Whether to `check` each block before it is summarised.
        """

        def summarise(block: Any, place: slice) -> Statistics:
            if check:
                self.check(block, place.start)
            return self.summarise(block, None if weights is None else weights[place])

        return data.fold(summarise, add)


class JointStatistics(Protocol):
    """Additive statistics of observations, from which the joint likelihood of any set follows."""

    def summarise(self, weights: FloatArray, bounds: IntArray) -> FloatArray:
        """Return the statistics of g stretches of weighted observations.

        Those of several stretches together are the sum of their rows.

        Parameters
        ----------
        weights : array, shape (n,)
        bounds : array of int, shape (g + 1,)
            Stretch i has observations bounds[i] to bounds[i + 1].

        Returns
        -------
        array, shape (g, s)
        """

    def log_marginals(self, statistics: FloatArray) -> FloatArray:
        """Return the joint log-likelihood of the observations behind each of c rows, shape (c,)."""


class JointFamily(Family):
    """A family in which the observations of a component depend on each other.

    Write ``fit``, ``log_prob``, which is then the density of an observation given the others of
    the component, and ``log_marginal``. Runs are ranked by the joint likelihood of the
    observations that each component was assigned. With ``joint_statistics``, the search of curves
    is quicker.
    """

    joint = True

    @abstractmethod
    def log_marginal(self, data: Any, weights: Weights = None) -> float:
        """Return the joint log-likelihood of observations that are assigned to one component."""

    def joint_statistics(self, data: Any) -> JointStatistics | None:
        """Return additive statistics of observations, or None if the family has none.

        With them, the joint likelihoods of many sets of the same observations are quick.
        """
        return None

    def freeze(self, frozen: bool) -> Self:
        """Return this family with its first hyper-parameters, kept in fits, or free to learn them.

        A family without hyper-parameters returns itself.
        """
        return self

    def bank(self, components: Sequence[Family]) -> Bank:
        return JointBank(components)


class RegressionFamily(Family):
    """A family of targets that depend on inputs.

    Write ``predict`` beside ``fit`` and ``log_prob``; for it you get `Mixture.predict_target`. With
    ``sample_targets`` you get a parametric bootstrap.
    """

    observes: ClassVar[type] = Regression

    def predict(self, X: object) -> Any:
        """Return the expected targets of inputs X, shape (n,), or (n, m) for m targets."""
        raise NotImplementedError(f"{self.name} cannot predict targets: it has no predict method.")

    def sample_targets(self, X: object, rng: np.random.Generator) -> FloatArray:
        """Draw targets for inputs X (n, p)."""
        raise NotImplementedError(
            f"{self.name} cannot draw targets for inputs: it has no sample_targets method."
        )

    def n_inputs(self, n_columns: int) -> int:
        """Return how many inputs a function has, given the number of columns of X."""
        return n_columns

    def sample_like(self, data: Any, rng: np.random.Generator) -> Any:
        """Draw targets at the inputs of observations."""
        targets = np.asarray(self.sample_targets(data.inputs, rng), dtype=float)
        return replace(data, targets=targets.reshape(data.targets.shape))


def as_regression(family: Family) -> RegressionFamily:
    """Return a family of targets; raise if it is none."""
    if not isinstance(family, RegressionFamily):
        raise NotImplementedError(
            f"{family.name} has no targets that could be predicted: predict_target is for"
            " regressions and curves, and predict returns the component. A family of targets is"
            " derived from RegressionFamily."
        )
    return family
