"""Other versions of a hidden Markov model, from which Baum–Welch may reach a better optimum.

Each is made of an assignment of all steps to states, to which the states are fitted and from which
transitions are counted. Where all transitions are allowed, two states that share most steps are
merged, and another is split in two; or two states are split again together; or all steps are
assigned anew. A state is split by what its steps are like, by the state before or after them, or
at random: states that emit the same differ in what they follow, or in what follows them. Where
states have an order, sequences are cut in other places; other topologies are assigned anew.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from ....data import FloatArray, Sequences, Soft, evenly_spaced, with_unit_variance
from ...shared.copies import replaced
from .hmm_chains import normalised
from .hmm_topology import allowed_first, is_left_right

if TYPE_CHECKING:
    from .hmm import HMM

Model = TypeVar("Model", bound="HMM")

FOR_EACH_STATE = 4  # alternatives
CONCENTRATION = 0.3  # of random assignments: most of a step is in one state
EVENNESS = 3.0  # of the parts into which sequences are cut
ASSIGNED_ANEW = 0.3  # of all alternatives
PIECES = 10  # of a sequence that is too long


def alternatives(
    model: Model, data: Sequences, weights: FloatArray | None, rng: np.random.Generator
) -> Iterator[Model]:
    """Yield versions of a fitted model, some for each of its states.

    Parameters
    ----------
    model : HMM
    data : Sequences
    weights : array, shape (n,), optional
    rng : Generator
    """
    steps = Steps.of(model, data, weights, rng)
    for _ in range(FOR_EACH_STATE * len(model.chain.states)):
        yield steps.model_of(steps.assigned())


def excerpt(
    model: "HMM", data: Sequences, weights: FloatArray | None, most: int
) -> tuple[Sequences, FloatArray | None]:
    """Return evenly spaced sequences with about `most` steps, and their weights.

    Where all transitions are allowed, and so sequences may begin anywhere, longer ones are cut into
    pieces, of which some are returned.
    """
    if len(data.steps) <= most:
        return data, weights
    chosen = evenly_spaced(len(data), max(1, int(most // data.mean_size)))
    some, own = data.take(chosen), None if weights is None else weights[chosen]
    if len(some.steps) <= 2 * most or is_left_right(model.topology):
        return some, own
    length = max(2, most // PIECES)
    begins = np.linspace(0, len(some.steps) - length, PIECES).astype(int)
    values = np.concatenate([some.values[place : place + length] for place in begins])
    return Sequences.from_lengths(values, [length] * PIECES), None


@dataclass(frozen=True)
class Steps(Generic[Model]):
    """The steps of sequences, and the states that a model assigns them to.

    Parameters
    ----------
    model : HMM
    data : Sequences
    weights : array, shape (steps,), optional
    rows : array, shape (steps, d)
        The steps, in units of the deviation of each column.
    found : array, shape (steps, S)
        The probability of each state at each step.
    rng : Generator
    """

    model: Model
    data: Sequences
    weights: FloatArray | None
    rows: FloatArray
    found: FloatArray
    rng: np.random.Generator

    @classmethod
    def of(
        cls,
        model: Model,
        data: Sequences,
        weights: FloatArray | None,
        rng: np.random.Generator,
    ) -> "Steps[Model]":
        """Assign the steps of sequences to the states of a model."""
        found = np.concatenate(model.state_probabilities(data))
        rows = with_unit_variance(data.values.astype(float))
        of_steps = None if weights is None else np.repeat(weights, data.lengths)
        return cls(model, data, of_steps, rows, found, rng)

    def assigned(self) -> FloatArray:
        """Return another assignment of steps to states, shape (steps, S)."""
        if is_left_right(self.model.topology):
            return self._cut()
        s, draw = self.found.shape[1], self.rng.random()
        if s < 2 or not isinstance(self.model.topology, str) or draw < ASSIGNED_ANEW:
            return self._anew(np.ones(len(self.rows)), s)
        return self._moved() if s > 2 and self.rng.random() < 0.5 else self._resplit()

    def model_of(self, assigned: FloatArray) -> Model:
        """Return the model whose states are fitted to their steps, and transitions counted."""
        model, starts = self.model, self.data.ends[:-1]
        weighed = assigned if self.weights is None else assigned * self.weights[:, None]
        states = model.chain.states
        few = weighed.sum(axis=0) < Soft.least_size(1)
        states = states.update(states.summarise(self.data.steps, Soft(weighed)), few, self.rng)
        later = np.delete(np.arange(len(assigned)), starts)
        counts = weighed[later - 1].T @ assigned[later] + 1.0
        first = weighed[starts].sum(axis=0) + 1.0
        return replaced(
            model,
            initial=normalised(first * allowed_first(model.topology, len(states))),
            transitions=normalised(counts * model.allowed),
            states=states,
        )

    def _moved(self) -> FloatArray:
        """Merge two states that share many steps, and split another one."""
        found, rng = self.found.copy(), self.rng
        stays, goes = self._alike()
        others = np.setdiff1d(np.arange(found.shape[1]), [stays, goes])
        sizes = found[:, others].sum(axis=0)
        split = rng.choice(others, p=sizes / sizes.sum()) if sizes.sum() > 0 else others[0]
        found[:, stays] += found[:, goes]
        found[:, [split, goes]] = self._halves(found[:, split])
        return found

    def _resplit(self) -> FloatArray:
        """Split two states again together."""
        found = self.found.copy()
        both = list(self._alike())
        found[:, both] = self._halves(found[:, both].sum(axis=1))
        return found

    def _alike(self) -> tuple[int, int]:
        """Draw two states, the more probably the more of their steps they share."""
        sizes = np.maximum(np.linalg.norm(self.found, axis=0), np.finfo(float).tiny)
        shared = (self.found.T @ self.found) / sizes / sizes[:, None]
        first, second = np.triu_indices(len(sizes), k=1)
        chances = shared[first, second] + 1 / len(first)
        place = self.rng.choice(len(first), p=chances / chances.sum())
        one, other = self.rng.permutation([first[place], second[place]])
        return int(one), int(other)

    def _halves(self, steps: FloatArray) -> FloatArray:
        """Split steps (n,) in two, shape (n, 2)."""
        if self.rng.random() < 0.5:
            return self._by_neighbours(steps)
        return self._anew(steps, 2)

    def _by_neighbours(self, steps: FloatArray) -> FloatArray:
        """Split steps by whether the state before, or after, them is one of some."""
        chosen = self.rng.random(self.found.shape[1]) < 0.5
        shift = self.rng.choice([-1, 1])
        within = np.roll(self.found @ chosen, shift)
        within[self.data.ends[:-1] if shift > 0 else self.data.ends[1:] - 1] = 0.5
        return steps[:, None] * np.stack([within, 1 - within], axis=1)

    def _anew(self, steps: FloatArray, n_states: int) -> FloatArray:
        """Assign steps (n,) to the nearest of some that are drawn, or at random, (n, n_states)."""
        some = np.flatnonzero(steps > 0.5)
        if not self.model.distances or len(some) < n_states or self.rng.random() < 0.5:
            parts = self.rng.dirichlet(np.full(n_states, CONCENTRATION), size=len(steps))
            return steps[:, None] * parts
        centres = self.rows[self.rng.choice(some, n_states, replace=False)]
        distances = ((self.rows[:, None, :] - centres) ** 2).sum(axis=2)
        return steps[:, None] * np.eye(n_states)[distances.argmin(axis=1)]

    def _cut(self) -> FloatArray:
        """Cut all sequences into parts, of random fractions of their lengths."""
        s, data = self.found.shape[1], self.data
        ends = np.cumsum(self.rng.dirichlet(np.full(s, EVENNESS)))[:-1]
        places = np.arange(len(data.steps)) - np.repeat(data.ends[:-1], data.lengths)
        relative = (places + 0.5) / np.repeat(data.lengths, data.lengths)
        return np.eye(s)[np.searchsorted(ends, relative)]
