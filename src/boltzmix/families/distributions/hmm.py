"""The hidden Markov model: a Markov chain of hidden states, which emit observations."""

from dataclasses import dataclass, field, replace
from functools import reduce
from numbers import Integral
from operator import add
from typing import Any, Self

import numpy as np
from sklearn.cluster import KMeans

from ... import kernels
from ...data import (
    BoolArray,
    FloatArray,
    Hard,
    IntArray,
    Membership,
    Rows,
    Sequences,
    Soft,
    Table,
)
from ..additive import AdditiveFamily
from ..base import Bank, Family
from ..description import Chain, Description
from ..shared.subsets import strided
from ..shared.validation import check_count, check_not_negative, fitted
from ..threads import threaded_map
from .gaussian import Gaussian

START_STEPS = 20_000  # at most so many steps are clustered by K-means


@dataclass(frozen=True, eq=False)
class Paths:
    """Expected counts of some sequences (the E-step of Baum–Welch).

    Parameters
    ----------
    states : Bank
        The states, which read the emission statistics.
    initial : array, shape (S,)
        Expected number of sequences that start in each state.
    transitions : array, shape (S, S)
    masses : array, shape (S,)
        Expected number of steps in each state.
    emissions : what the bank's `summarise` returns
    n_sequences : float
        Total weight.
    """

    states: Bank
    initial: FloatArray
    transitions: FloatArray
    masses: FloatArray
    emissions: Any
    n_sequences: float

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            initial=self.initial + other.initial,
            transitions=self.transitions + other.transitions,
            masses=self.masses + other.masses,
            emissions=self.states.add(self.emissions, other.emissions),
            n_sequences=self.n_sequences + other.n_sequences,
        )

    def __mul__(self, factor: float) -> Self:
        return replace(
            self,
            initial=self.initial * factor,
            transitions=self.transitions * factor,
            masses=self.masses * factor,
            emissions=self.states.scale(self.emissions, factor),
            n_sequences=self.n_sequences * factor,
        )


@dataclass(frozen=True, eq=False)
class HMM(AdditiveFamily):
    """A hidden Markov model of sequences.

    Parameters
    ----------
    n_states : int
        Number of hidden states.
    emission : Family, optional
        Distribution of the steps in a state: any family whose fit honours weights;
        ``Gaussian("diag")`` unless given.
    topology : {"ergodic", "left-right"} or array of bool, shape (S, S)
        Which transitions are allowed: all of them; those to the same and to the next state,
        starting in the first; or those that are true from row to column.
    n_steps : int, default=1
        Steps of Baum–Welch in one `fit`, and so in one M-step of a mixture.
    start_prior, transition_prior : float
        Pseudo-counts of every allowed first state and transition, so that rare ones stay possible.
    initial : array, shape (S,), optional
        Probabilities of the first state. Present once fitted, as all that follow.
    transitions : array, shape (S, S), optional
        Probabilities of the next state (column), given the state (row).
    states : Bank, optional
        The distributions of the states; `emissions` lists them one by one.
    mean_length : float, optional
        Mean number of steps of the sequences fitted to.
    n_features : int, optional
        Number of features of the sequences fitted to.

    Notes
    -----
    The first fit starts from K-means on the steps of all sequences (with "left-right", from
    sequences cut into equal parts) and equal transition probabilities. Later fits continue from
    the last one, so one step per M-step is enough for mixtures: EM of a mixture is then exact.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = [np.repeat(rng.permutation(2), 10)[:, None] + rng.normal(0, 0.1, (20, 1))] * 5
    >>> model = HMM(2, n_steps=10).fit(X)
    >>> [len(path) for path in model.decode(X)]
    [20, 20, 20, 20, 20]
    """

    observes = Sequences

    n_states: int
    emission: Family = field(default_factory=lambda: Gaussian("diag"))
    topology: Any = "ergodic"
    n_steps: int = 1
    start_prior: float = 0.1
    transition_prior: float = 0.1
    initial: FloatArray | None = None
    transitions: FloatArray | None = None
    states: Bank | None = None
    mean_length: float | None = None
    n_features: int | None = None

    def __post_init__(self) -> None:
        for name in ("n_states", "n_steps"):
            check_count(name, getattr(self, name))
        if not isinstance(self.emission, Family):
            raise ValueError(
                f"emission must be a Family such as Gaussian('diag'), not {self.emission!r}."
            )
        if not self.emission.weighted:
            raise ValueError(
                f"emission must be a weighted family, because states share every step, and fit of"
                f" {self.emission.name} takes no weights."
            )
        if not issubclass(self.emission.observes, Rows):
            raise ValueError(
                f"emission must be a family of rows, which steps are, and {self.emission.name} is"
                " not: choose one such as Gaussian('diag')."
            )
        for name in ("start_prior", "transition_prior"):
            check_not_negative(name, getattr(self, name))
        self._check_shapes()
        if not self._is_named:
            self.allowed  # noqa: B018

    def _check_shapes(self) -> None:
        """Raise if the shapes of parameters do not match, which kernels do not check."""
        s = self.n_states
        for name, wanted in (("initial", (s,)), ("transitions", (s, s)), ("states", (s,))):
            given = getattr(self, name)
            shape = (len(given),) if isinstance(given, Bank) else np.shape(given)
            if given is not None and shape != wanted:
                raise ValueError(
                    f"{name} must have the shape {wanted}, as n_states={s}, not {shape}."
                )

    def __repr__(self) -> str:
        shown = f"HMM({self.n_states}, {self.emission!r}"
        if not isinstance(self.topology, str):
            shown += ", topology=<mask>"
        elif self.topology != "ergodic":
            shown += f", topology={self.topology!r}"
        if self.transitions is None:
            return shown + ")"
        with np.printoptions(precision=2, suppress=True, threshold=20):
            return f"{shown}, transitions={self.transitions})".replace("\n", "")

    @property
    def additive(self) -> bool:  # type: ignore[override]
        """Whether sequences can be summarised block by block."""
        return self.emission.additive

    @property
    def n_passes(self) -> int:  # type: ignore[override]
        """Steps of Baum–Welch in one M-step."""
        return self.n_steps

    @property
    def allowed(self) -> BoolArray:
        """Allowed transitions, shape (S, S)."""
        s = self.n_states
        if self._is_left_right:
            return np.eye(s, dtype=bool) | np.eye(s, k=1, dtype=bool)
        if self._is_named:
            return np.ones((s, s), dtype=bool)
        mask = np.asarray(self.topology)
        if mask.shape != (s, s) or mask.dtype != bool or not mask.any(axis=1).all():
            raise ValueError(
                "topology must be 'ergodic', 'left-right', or an array of True and False of shape"
                f" ({s}, {s}) with a True in every row, not {self.topology!r}."
            )
        return mask

    @property
    def _is_named(self) -> bool:
        return isinstance(self.topology, str) and self.topology in ("ergodic", "left-right")

    @property
    def _is_left_right(self) -> bool:
        return isinstance(self.topology, str) and self.topology == "left-right"

    @property
    def _allowed_first(self) -> FloatArray:
        return np.eye(self.n_states)[0] if self._is_left_right else np.ones(self.n_states)

    @property
    def emissions(self) -> tuple[Family, ...]:
        """What each state emits."""
        return self._fitted()[2].components

    @property
    def n_parameters(self) -> int:
        """Number of free parameters."""
        _, _, states = self._fitted()
        chain = self._allowed_first.sum() - 1 + (self.allowed.sum(axis=1) - 1).sum()
        return int(chain) + states.n_parameters

    def check(self, data: Sequences, first_row: int | None = None) -> None:
        """Raise a ValueError if there are other features than those that were fitted to."""
        if self.n_features is not None and data.n_features != self.n_features:
            raise ValueError(
                f"X has {data.n_features} features, but this HMM was fitted to {self.n_features}."
            )

    def _checked(self, X: Any) -> Sequences:
        sequences = Sequences.of(X)
        self.check(sequences)
        return sequences

    def prepare(
        self, data: Sequences, n_components: int, weights: FloatArray | None = None
    ) -> Self:
        """Take first parameters from the steps of all sequences, unless there are some already."""
        if self.transitions is not None:
            self._checked(data)
            return self
        longest = int(data.lengths.max())
        if self._is_left_right and longest < self.n_states:
            raise ValueError(
                f"n_states={self.n_states} is more than the {longest} step(s) of the longest"
                " sequence, so that no left-right chain reaches its last state: use at most"
                f" {longest}."
            )
        if self.n_states > len(data.steps):
            raise ValueError(
                f"n_states={self.n_states} is more than the {len(data.steps)} step(s) there are"
                f" in all sequences: use at most {len(data.steps)}."
            )
        step_weights = None if weights is None else np.repeat(weights, data.lengths)
        emission = self._prepare_emission(data, step_weights)
        states = emission.bank([emission] * self.n_states)
        membership = self._first_states(data, step_weights)
        small = membership.sizes < membership.least_size(1)
        states = states.update(
            states.summarise(data.steps, membership), small, np.random.default_rng(0)
        )
        return replace(
            self,
            emission=emission,
            initial=_normalised(self._allowed_first),
            transitions=_normalised(self.allowed.astype(float)),
            states=states,
            n_features=data.n_features,
        )

    def _prepare_emission(self, data: Sequences, weights: FloatArray | None) -> Family:
        try:
            return self.emission.prepare(data.steps, self.n_states, weights)
        except ValueError as error:
            raise ValueError(
                f"{error} (Rows are the steps of all sequences, end to end.)"
            ) from None

    def _first_states(self, data: Sequences, weights: FloatArray | None) -> Membership:
        """Return the first assignment of steps to states."""
        if self._is_left_right:
            places = np.arange(len(data.steps)) - np.repeat(data.ends[:-1], data.lengths)
            labels = places * self.n_states // np.repeat(data.lengths, data.lengths)
            return Hard(labels, self.n_states, weights)
        found = _cluster(data.steps, self.n_states, weights) if self.emission.distances else None
        if found is not None:
            return Hard(found, self.n_states, weights)
        rng = np.random.default_rng(0)
        random = rng.dirichlet(np.ones(self.n_states), size=len(data.steps))
        return Soft(random if weights is None else random * weights[:, None])

    def background(
        self,
        data: Sequences,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Family:
        """Return a chain of one state, which emits the background of the emission family."""
        step_weights = None if weights is None else np.repeat(weights, data.lengths)
        return replace(
            self,
            n_states=1,
            topology="ergodic",
            initial=np.ones(1),
            transitions=np.ones((1, 1)),
            states=Bank([self.emission.background(data.steps, step_weights, rng)]),
            mean_length=float(data.lengths.mean()),
        )

    def fit(
        self,
        data: Any,
        *,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Self:
        """Return a new model, `n_steps` of Baum–Welch from this one."""
        sequences = self._checked(data)
        if weights is not None:
            weights = np.asarray(weights, dtype=float)
            if weights.shape != (len(sequences),) or not (weights >= 0).all():
                raise ValueError(
                    f"weights must be {len(sequences)} numbers of zero or more, one per sequence."
                )
        fitted = self.prepare(sequences, 1, weights)
        rng = np.random.default_rng(0) if rng is None else rng
        places = sequences.blocks(1) if self.additive else [slice(0, len(sequences))]
        blocks = list(map(sequences.take, places))
        block_weights = [None if weights is None else weights[place] for place in places]
        with threaded_map(len(blocks)) as map_blocks:
            for _ in range(self.n_steps):
                parts = map_blocks(fitted.summarise, blocks, block_weights)
                fitted = fitted.from_statistics(reduce(add, parts), rng)
        return fitted

    def log_prob(self, data: Any) -> FloatArray:
        """Return the log-likelihood of each sequence, shape (n,)."""
        sequences = self._checked(data)
        scores = np.empty(len(sequences))
        initial, transitions, states = self._fitted()
        log_emissions = _by_state(states, sequences.steps)
        kernels.chains.log_likelihoods(
            log_emissions, sequences.ends, _longest_first(sequences), initial, transitions, scores
        )
        return scores

    def summarise(self, data: Any, weights: FloatArray | None = None) -> Paths:
        """Return expected counts under the current parameters (the E-step of Baum–Welch)."""
        _, _, states = self._fitted()
        weights = np.ones(len(data)) if weights is None else weights.astype(float)
        some = np.flatnonzero(weights > 0)
        if len(some) < len(data):
            data, weights = data.take(some), weights[some]
        _, occupied, transitions = self._expect(data, weights)
        return Paths(
            states,
            occupied[:, data.ends[:-1]].sum(axis=1),
            transitions,
            occupied.sum(axis=1),
            states.summarise(data.steps, Soft(occupied.T)),
            float(weights.sum()),
        )

    def from_statistics(self, statistics: Paths, rng: np.random.Generator | None = None) -> Self:
        """Return the likeliest model, given expected counts (the M-step of Baum–Welch).

        A state without any step keeps its distribution.
        """
        initial, transitions, states = self._fitted()
        smallest = Soft.least_size(1)
        first = statistics.initial + self.start_prior * self._allowed_first
        counts = statistics.transitions + self.transition_prior * self.allowed
        seen = counts.sum(axis=1) > smallest
        rows = np.where(seen[:, None], counts, transitions)
        rng = np.random.default_rng(0) if rng is None else rng
        return replace(
            self,
            initial=_normalised(first) if first.sum() > smallest else initial,
            transitions=_normalised(rows),
            states=states.update(statistics.emissions, statistics.masses < smallest, rng),
            mean_length=float(statistics.masses.sum() / max(statistics.n_sequences, smallest)),
        )

    def decode(self, X: Any) -> list[IntArray]:
        """Return the most probable path of states through each sequence (Viterbi)."""
        sequences = self._checked(X)
        initial, transitions, states = self._fitted()
        paths, scores = np.empty(len(sequences.steps), dtype=np.int32), np.empty(len(sequences))
        log_emissions = _by_state(states, sequences.steps)
        kernels.chains.best_paths(
            log_emissions, sequences.ends, initial, transitions, paths, scores
        )
        return np.split(paths, sequences.ends[1:-1])

    def state_probabilities(self, X: Any) -> list[FloatArray]:
        """Return the probability of each state at each step of each sequence, shapes (T, S).

        They are zero for a sequence that is impossible under this model.
        """
        sequences = self._checked(X)
        _, occupied, _ = self._expect(sequences, np.ones(len(sequences)))
        return np.split(occupied.T, sequences.ends[1:-1])

    def describe(self) -> Description:
        """Return initial and transition probabilities, and what each hidden state emits."""
        initial, transitions, states = self._fitted()
        chain = Chain(
            initial,
            transitions,
            [state.describe() for state in states.components],
            self._occupancy,
            symbolic=not self.emission.distances,
        )
        return Description({"initial": initial, "transitions": transitions}, picture=chain)

    def _occupancy(self, data: Sequences) -> FloatArray:
        """Return the fraction of all steps that sequences spend in each state, shape (S,)."""
        if not len(data):
            return np.zeros(self.n_states)
        return np.concatenate(self.state_probabilities(data)).mean(axis=0)

    def sample(
        self, n: int, rng: np.random.Generator, length: int | None = None
    ) -> list[FloatArray]:
        """Draw `n` sequences of `length` steps each (the mean length fitted to unless given)."""
        initial, transitions, states = self._fitted()
        if length is None:
            length = max(1, round(self.mean_length or 1))
        if not isinstance(length, Integral) or length < 1:
            raise ValueError(f"length must be a whole number of at least 1, not {length!r}.")
        path = np.empty((n, length), dtype=np.int64)
        path[:, 0] = rng.choice(self.n_states, size=n, p=initial)
        cumulated = np.cumsum(transitions, axis=1)
        for t in range(1, length):
            chances = cumulated[path[:, t - 1]]
            draws = rng.random((n, 1)) * chances[:, -1:]
            path[:, t] = (draws >= chances).sum(axis=1)
        steps: FloatArray | None = None
        for state, emission in enumerate(states.components):
            chosen = path.ravel() == state
            drawn = np.asarray(emission.sample(int(chosen.sum()), rng), dtype=float)
            steps = np.empty((n * length, drawn.shape[1])) if steps is None else steps
            steps[chosen] = drawn
        assert steps is not None
        return list(steps.reshape(n, length, -1))

    def _expect(
        self, data: Sequences, weights: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return log-likelihoods (n,), weighted states (S, steps) and transitions (S, S)."""
        initial, transitions, states = self._fitted()
        log_emissions = _by_state(states, data.steps)
        scores, occupied = np.empty(len(data)), np.empty(log_emissions.shape)
        counts = np.empty(transitions.shape)
        kernels.chains.expectations(
            log_emissions, data.ends, _longest_first(data), initial, transitions, weights, scores,
            occupied, counts,
        )  # fmt: skip
        return scores, occupied, counts

    def _fitted(self) -> tuple[FloatArray, FloatArray, Bank]:
        return fitted(self, "initial", "transitions", "states")


def _by_state(states: Bank, steps: Table) -> FloatArray:
    return np.ascontiguousarray(states.log_prob(steps).T)


def _longest_first(data: Sequences) -> IntArray:
    return np.argsort(-data.lengths, kind="stable")


def _normalised(counts: FloatArray) -> FloatArray:
    return counts / counts.sum(axis=-1, keepdims=True)


def _cluster(steps: Table, n_clusters: int, weights: FloatArray | None) -> IntArray | None:
    """Label steps by K-means on columns of unit variance; None if too few are distinct."""
    if steps.count_distinct(n_clusters) < n_clusters:
        return None
    rows = steps.values.astype(float)
    rows = (rows - rows.mean(axis=0)) / np.maximum(rows.std(axis=0), np.finfo(float).tiny)
    some = strided(len(rows), START_STEPS)
    if len(np.unique(rows[some], axis=0)) < n_clusters:
        some = slice(None)
    own = None if weights is None else weights[some]
    clusters = KMeans(n_clusters, n_init=3, random_state=0)
    return clusters.fit(rows[some], sample_weight=own).predict(rows)
