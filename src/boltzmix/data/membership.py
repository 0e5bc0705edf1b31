"""Membership of observations in components: one label each, or responsibilities."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from .data_set import FloatArray, IntArray, Weights

ROUNDING = 10 * float(np.finfo(float).eps)  # in a sum of responsibilities


@dataclass(frozen=True)
class Hard:
    """Hard assignment: every observation belongs to one component.

    Parameters
    ----------
    labels : array of int, shape (n,)
    n_components : int
    weights : array, shape (n,), optional
        Sample weights; all ones if absent.
    """

    labels: IntArray
    n_components: int
    weights: FloatArray | None = None

    @classmethod
    def of_one(cls, n: int, weights: Weights = None) -> Self:
        """Return the membership of n observations in the only component."""
        return cls(np.zeros(n, dtype=np.int32), 1, weights)

    @cached_property
    def by_component(self) -> tuple[IntArray, IntArray]:
        """Indices of observations (n,) ordered by component, and where each begins (K + 1,)."""
        few = self.n_components < np.iinfo(np.int16).max  # short numbers are sorted faster
        order = np.argsort(self.labels.astype(np.int16) if few else self.labels, kind="stable")
        ends = np.searchsorted(self.labels[order], np.arange(self.n_components + 1))
        return order, ends

    @cached_property
    def is_ordered(self) -> bool:
        """Whether the labels are in ascending order."""
        return bool((self.labels[1:] >= self.labels[:-1]).all())

    def take(self, rows: slice) -> "Hard":
        """Return the membership of some of the observations."""
        weights = None if self.weights is None else self.weights[rows]
        return Hard(self.labels[rows], self.n_components, weights)

    def members(self, component: int) -> tuple[IntArray, FloatArray | None]:
        """Return the indices of a component's observations and their weights."""
        order, ends = self.by_component
        indices = order[ends[component] : ends[component + 1]]
        return indices, None if self.weights is None else self.weights[indices]

    def as_responsibilities(self) -> FloatArray:
        """Return one-hot responsibilities times the weights, shape (n, n_components)."""
        responsibilities = np.zeros((len(self.labels), self.n_components))
        responsibilities[np.arange(len(self.labels)), self.labels] = (
            1.0 if self.weights is None else self.weights
        )
        return responsibilities

    def among_first(self, n: int) -> tuple[IntArray, "Hard"]:
        """Return the members of the first n components, and their membership in these."""
        indices = np.flatnonzero(self.labels < n)
        weights = None if self.weights is None else self.weights[indices]
        return indices, Hard(self.labels[indices], n, weights)

    def with_known(self, known: IntArray) -> "Hard":
        """Return the membership with known labels (n,) in place; negative labels are unknown."""
        return replace(self, labels=np.where(known >= 0, known, self.labels).astype(np.int32))

    @cached_property
    def counts(self) -> FloatArray:
        """Total weight of each component, shape (n_components,)."""
        return np.bincount(self.labels, self.weights, self.n_components).astype(float)

    @cached_property
    def sizes(self) -> FloatArray:
        """Number of observations of each component without weights, shape (n_components,)."""
        return np.bincount(self.labels, minlength=self.n_components).astype(float)

    @property
    def entropy(self) -> float:
        """Entropy of all labels, in nats: zero, because they are certain."""
        return 0.0

    @staticmethod
    def least_size(min_observations: int) -> float:
        """Return the smallest size of a component that can be fitted."""
        return min_observations


@dataclass(frozen=True)
class Soft:
    """Soft assignment: every observation has a responsibility in every component.

    Parameters
    ----------
    responsibilities : array, shape (n, n_components)
        Responsibilities, already multiplied by the sample weights if there are any.
    """

    responsibilities: FloatArray

    @property
    def n_components(self) -> int:
        """Number of components."""
        return self.responsibilities.shape[1]

    def take(self, rows: slice) -> "Soft":
        """Return the membership of some of the observations."""
        return Soft(self.responsibilities[rows])

    def members(self, component: int) -> tuple[slice, FloatArray]:
        """Return a slice of all observations, and their responsibilities (n,) in a component."""
        return slice(None), self.responsibilities[:, component]

    def as_responsibilities(self) -> FloatArray:
        """Return a copy of the responsibilities."""
        return self.responsibilities.copy()

    def among_first(self, n: int) -> tuple[slice, "Soft"]:
        """Return a slice of all observations, and the membership in the first n components."""
        return slice(None), Soft(self.responsibilities[:, :n])

    def with_known(self, known: IntArray) -> "Soft":
        """Return the membership with known labels (n,) in place; negative labels are unknown."""
        is_known = (known >= 0)[:, None]
        own = known[:, None] == np.arange(self.n_components)
        return Soft(
            np.where(
                is_known, own * self.responsibilities.sum(axis=1)[:, None], self.responsibilities
            )
        )

    @cached_property
    def counts(self) -> FloatArray:
        """Total responsibility of each component, shape (n_components,)."""
        return np.asarray(self.responsibilities.sum(axis=0), dtype=float)

    @property
    def sizes(self) -> FloatArray:
        """Total responsibility of each component, shape (n_components,)."""
        return self.counts

    @property
    def entropy(self) -> float:
        """Entropy of all labels given the responsibilities, in nats."""
        probabilities = self.responsibilities / self.responsibilities.sum(axis=1, keepdims=True)
        probable = self.responsibilities > 0
        return -float(self.responsibilities[probable] @ np.log(probabilities[probable]))

    @staticmethod
    def least_size(min_observations: int) -> float:
        """Return the smallest size of a component that can be fitted: just above rounding error."""
        return ROUNDING * min_observations


Membership = Hard | Soft


def join(parts: Sequence[Membership]) -> Membership:
    """Return the membership of the observations of several blocks, in order."""
    hard = [part for part in parts if isinstance(part, Hard)]
    if not hard:
        return Soft(
            np.concatenate([part.responsibilities for part in parts if isinstance(part, Soft)])
        )
    labels = np.concatenate([part.labels for part in hard])
    given = [part.weights for part in hard if part.weights is not None]
    return Hard(labels, hard[0].n_components, np.concatenate(given) if given else None)
