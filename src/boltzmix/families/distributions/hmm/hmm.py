"""The hidden Markov model: a Markov chain of hidden states, which emit observations."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Self, cast

import numpy as np

from ....data import (
    DATA,
    BoolArray,
    FloatArray,
    InputError,
    IntArray,
    Sequences,
    check_count,
    counted,
    evenly_spaced,
)
from ...columns.pooled_frequencies import log_density
from ...contract.base import Bank, Family
from ...contract.capabilities import AdditiveFamily
from ...contract.description import Chain, Description
from ...contract.search_hints import SearchHints
from ...shared.copies import altered, replaced
from ...shared.sequence_draws import draw_as_long_as
from ...shared.validation import (
    MOST_STEPS,
    fitted,
    read_arrays,
    read_count,
    read_not_negative,
)
from ..gaussian import Gaussian
from .hmm_alternatives import alternatives, excerpt
from .hmm_bank import HMMBank, SeparateHMMBank
from .hmm_baum_welch import Paths, baum_welch
from .hmm_chains import Chains, HiddenChain, PseudoCounts, normalised, state_probabilities
from .hmm_choice import choose_chain, chosen_alone
from .hmm_start import (
    LIGHT,
    PLENTY,
    PRIOR,
    START_SEQUENCES,
    first_chain,
    first_states,
    pooled_chain,
    prepared_emission,
    prior_count,
    with_light_prior,
)
from .hmm_topology import (
    allowed_first,
    allowed_transitions,
    check_emission,
    check_enough_steps,
    check_shape,
    check_topology,
    checked_weights,
)


@dataclass(frozen=True, eq=False)
class HMM(AdditiveFamily):
    """A hidden Markov model of sequences.

    Parameters
    ----------
    n_states : int, optional
        Number of hidden states. Unless it is given, the data choose it, by BIC, and also what else
        is not given: the topology, and full or diagonal covariances of Gaussian emissions.
    emission : Family, optional
        Distribution of the steps in a state: any family whose fit honours weights;
        ``Gaussian("diag")`` unless given or chosen.
    topology : {"ergodic", "left-right"} or array of bool, shape (S, S), optional
        Which transitions are allowed: all of them; those to the same and to the next state,
        starting in the first; or those that are true from row to column. ``"ergodic"`` unless given
        or chosen.
    n_steps : int, default=1
        Steps of Baum–Welch in one `fit`, and so in one M-step of a mixture.
    prior : float, optional
        Strength of the prior, 1 unless given. It pulls the probabilities of first states and
        transitions towards those in all the data: it counts as much as so many first states, and so
        many transitions from each state, so its effect vanishes as data grow, and rare transitions
        stay possible. In a single model, which has no other components to be like, these are the
        numbers for all states together; and unless it is given, it counts as a ten-thousandth if
        there are at least five steps for each parameter, and so does the default prior of Gaussian
        emissions: such a model is fitted by its likelihood. Where states have no order, it pulls
        towards one probability of staying, and equal ones of leaving for each other state. Zero
        means no prior. The emission has its own prior; that of Gaussian emissions is the same for
        all states of all components.
    initial : array, shape (S,), optional
        Probabilities of the first state. Present once fitted, as all that follow.
    transitions : array, shape (S, S), optional
        Probabilities of the next state (column), given the state (row).
    states : Bank, optional
        The distributions of the states; `emissions` lists them one by one.
    mean_length : float, optional
        Mean number of steps of the sequences fitted to.

    Attributes
    ----------
    n_features : int
        Number of features of the sequences fitted to.
    pooled_initial, pooled_transitions : arrays, shapes (S,) and (S, S)
        The probabilities that the prior pulls towards. Set by `prepare`.
    prior_count : float
        Number of first states, and of transitions from each state, that the prior counts as. Set by
        `prepare`; `prior` unless set.

    Notes
    -----
    The first fit starts from K-means on the steps of all sequences (with "left-right", from
    sequences cut into equal parts) and equal transition probabilities. Later fits continue from
    the last one, so one step per M-step is enough for mixtures: EM of a mixture is then exact.
    `fit` climbs from that one start, which is always the same: ``Mixture(HMM(5), 1)`` also searches
    for better states, and depends on its seed.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = [np.repeat(rng.permutation(2), 10)[:, None] + rng.normal(0, 0.1, (20, 1))] * 5
    >>> model = HMM(2, n_steps=10).fit(X)
    >>> [len(path) for path in model.decode(X)]
    [20, 20, 20, 20, 20]
    """

    observes = Sequences

    n_states: int | None = None
    emission: Family | None = None
    topology: Any = None
    n_steps: int = 1
    prior: float | None = None
    initial: FloatArray | None = None
    transitions: FloatArray | None = None
    states: Bank | None = None
    mean_length: float | None = None
    n_features: int | None = field(default=None, init=False)
    pooled_initial: FloatArray | None = field(default=None, init=False)
    pooled_transitions: FloatArray | None = field(default=None, init=False)
    prior_count: float | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        read_count(self, "n_steps", most=MOST_STEPS)
        if self.prior is not None:
            read_not_negative(self, "prior")
        read_arrays(self, "initial", axes=(1,), least=0)
        read_arrays(self, "transitions", axes=(2,), least=0)
        read_arrays(self, "mean_length", axes=(0,), least=0)
        if self.emission is not None:
            check_emission(self.emission)
        if self.n_states is None:
            check_topology(self.topology, None)
            return
        read_count(self, "n_states")
        defaults = {"emission": Gaussian("diag"), "topology": "ergodic"}
        for name, default in defaults.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, default)
        for name, axes in (("initial", 1), ("transitions", 2), ("states", 1)):
            check_shape(name, getattr(self, name), self.n_states, axes)
        check_topology(self.topology, self.n_states)

    def __repr__(self) -> str:
        given = [repr(one) for one in (self.n_states, self.emission) if one is not None]
        if self.topology is not None and not isinstance(self.topology, str):
            given.append("topology=<mask>")
        elif self.topology not in (None, "ergodic"):
            given.append(f"topology={self.topology!r}")
        if self.transitions is None:
            return f"HMM({', '.join(given)})"
        with np.printoptions(precision=2, suppress=True, threshold=20):
            given.append(f"transitions={self.transitions}".replace("\n", ""))
        return f"HMM({', '.join(given)})"

    @property
    def additive(self) -> bool:  # type: ignore[override]
        """Whether sequences can be summarised block by block."""
        return self.emission is None or self.emission.additive

    @property
    def distances(self) -> bool:  # type: ignore[override]
        """Whether steps that are close are alike, as they are unless emissions are of codes."""
        return self.emission is None or self.emission.distances

    @property
    def n_passes(self) -> int:  # type: ignore[override]
        """Steps of Baum–Welch in one M-step."""
        return self.n_steps

    @property
    def allowed(self) -> BoolArray:
        """Allowed transitions, shape (S, S)."""
        return allowed_transitions(self.topology, self._chosen[0])

    @property
    def _chosen(self) -> tuple[int, Family]:
        """The number of states and the emission; raise if the data have not chosen them yet."""
        return fitted(self, "n_states", "emission")

    @property
    def emissions(self) -> tuple[Family, ...]:
        """The distributions of the states, one by one."""
        return self.chain.states.components

    @property
    def n_parameters(self) -> int:
        """Number of free parameters."""
        first = allowed_first(self.topology, self._chosen[0]).sum() - 1
        chain = int(first + (self.allowed.sum(axis=1) - 1).sum())
        return chain + self.chain.states.n_parameters

    def check(self, data: Sequences, first_row: int | None = None) -> None:
        """Raise a ValueError if there are other features than those that were fitted to."""
        if self.n_features is not None and data.n_features != self.n_features:
            raise InputError(
                f"{DATA} has {counted(data.n_features, 'feature')}, but this HMM was"
                f" fitted to {self.n_features}."
            )

    def _checked(self, X: Any) -> Sequences:
        sequences = Sequences.of(X)
        self.check(sequences)
        return sequences

    def prepare(
        self, data: Sequences, n_components: int, weights: FloatArray | None = None
    ) -> Self:
        """Take scales from the steps of all sequences, and first parameters from those of some.

        Nothing is taken if there are parameters already. What was not given and has not been chosen
        yet is chosen first.
        """
        if self.transitions is not None:
            self._checked(data)
            return self
        if self.n_states is None:
            chosen = chosen_alone(choose_chain(self, data, n_components, weights))
            return cast(Self, chosen).prepare(data, n_components, weights)
        assert self.emission is not None
        places = evenly_spaced(len(data), START_SEQUENCES)
        some = data.take(places)
        check_enough_steps(some, self.n_states, self.topology)
        step_weights = None if weights is None else np.repeat(weights, data.lengths)
        emission = prepared_emission(self.emission, data, self.n_states, step_weights)
        if weights is not None:
            step_weights = np.repeat(weights[places], some.lengths)
        near = self.emission.distances
        membership = first_states(some, self.n_states, self.topology, near, step_weights)
        chain = first_chain(some, emission, self.topology, membership)
        strength = PRIOR if self.prior is None else self.prior
        if n_components == 1 and self.prior is None and self._has_plenty(chain, data):
            emission, strength = with_light_prior(emission), LIGHT * PRIOR
            chain = first_chain(some, emission, self.topology, membership)
        initial, transitions = pooled_chain(some, self.topology, membership)
        return replaced(
            self,
            emission=emission,
            n_features=data.n_features,
            pooled_initial=initial,
            pooled_transitions=transitions,
            prior_count=prior_count(strength, self.n_states, n_components),
            **chain._asdict(),
        )

    def _has_plenty(self, chain: HiddenChain, data: Sequences) -> bool:
        """Whether there are many steps for each parameter of a chain."""
        n_parameters = replaced(self, **chain._asdict()).n_parameters
        return len(data.steps) >= PLENTY * n_parameters

    def background(
        self,
        data: Sequences,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Family:
        """Return a chain of one state, which emits the background of the emission family."""
        step_weights = None if weights is None else np.repeat(weights, data.lengths)
        return replaced(
            self,
            n_states=1,
            topology="ergodic",
            initial=np.ones(1),
            transitions=np.ones((1, 1)),
            states=Bank([self._chosen[1].background(data.steps, step_weights, rng)]),
            mean_length=data.mean_size,
            pooled_initial=None,
            pooled_transitions=None,
            prior_count=None,
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
        weights = checked_weights(weights, len(sequences))
        rng = np.random.default_rng(0) if rng is None else rng
        return baum_welch(self.prepare(sequences, 1, weights), sequences, weights, rng)

    def log_prob(self, data: Any) -> FloatArray:
        """Return the log-likelihood of each sequence, shape (n,)."""
        return self._log_likelihoods(self._checked(data), is_rounded=False)

    def log_objective(self, data: Any) -> FloatArray:
        """Return what learning maximises of the log-likelihood of each sequence, shape (n,).

        It differs if the emission knows values only up to their rounding (see `Bank`). A class
        with a `log_prob` of its own is learned by that.
        """
        if type(self).log_prob is not HMM.log_prob:
            return self.log_prob(data)
        return self._log_likelihoods(self._checked(data), is_rounded=True)

    def _log_likelihoods(self, data: Sequences, is_rounded: bool) -> FloatArray:
        """Return log-likelihoods (n,); see `Chains.evaluate`."""
        chains, scores = Chains.of([self.chain]), np.empty(len(data))
        for place in data.blocks(self._chosen[0]):
            scores[place] = chains.evaluate(data.take(place), is_rounded).scores[0]
        return scores

    @property
    def log_prior(self) -> float:
        """Log density of the priors of emissions, first states and transitions."""
        initial, transitions, states = self.chain
        first, following = self._pooled()
        chain = log_density(first, initial) + log_density(following, transitions)
        return float(states.log_prior.sum()) + self._strength * chain

    @property
    def _strength(self) -> float:
        """Number of first states, and of transitions from each state, the prior counts as."""
        given = PRIOR if self.prior is None else self.prior
        return given if self.prior_count is None else self.prior_count

    def _pooled(self) -> tuple[FloatArray, FloatArray]:
        """Return the probabilities that the prior pulls to; all are even, if none are known."""
        first, following = self.pooled_initial, self.pooled_transitions
        if first is None or following is None:
            first = normalised(allowed_first(self.topology, self._chosen[0]))
            following = normalised(self.allowed.astype(float))
        return first, following

    @property
    def search_hints(self) -> SearchHints:
        """Versions of a model whose states are merged, split and assigned anew, and its choice."""
        is_open = self.transitions is None and self.n_states is None
        return replace(
            super().search_hints,
            choice=partial(choose_chain, self) if is_open else None,
            alternatives=partial(alternatives, self),
            excerpt=partial(excerpt, self),
        )

    def summarise(self, data: Any, weights: FloatArray | None = None) -> Paths:
        """Return expected counts under the current parameters (the E-step of Baum–Welch)."""
        weights = np.ones(len(data)) if weights is None else weights.astype(float)
        some = np.flatnonzero(weights > 0)
        if len(some) < len(data):
            data, weights = data.take(some), weights[some]
        return Paths.of(Chains.of([self.chain]).evaluate(data), weights[None])

    def from_statistics(self, statistics: Paths, rng: np.random.Generator | None = None) -> Self:
        """Return the most probable model, given expected counts (the M-step of Baum–Welch).

        A state without any step keeps its distribution.
        """
        rng = np.random.default_rng(0) if rng is None else rng
        chain = statistics.maximised(self.pseudo_counts, rng).chain(0)
        mean_length = float(statistics.mean_lengths[0])
        return altered(self, mean_length=mean_length, **chain._asdict())

    @property
    def pseudo_counts(self) -> PseudoCounts:
        """Counts that the prior adds to the expected ones of first states and transitions."""
        return PseudoCounts(*(self._strength * pooled for pooled in self._pooled()))

    def bank(self, components: Sequence[Family]) -> HMMBank:
        """Return hidden Markov models as a bank."""
        own = ("log_prob", "log_objective", "summarise", "from_statistics")
        is_plain = all(getattr(type(self), name) is getattr(HMM, name) for name in own)
        return HMMBank(components) if is_plain else SeparateHMMBank(components)

    def decode(self, X: Any) -> list[IntArray]:
        """Return the most probable path of states through each sequence (Viterbi)."""
        sequences = self._checked(X)
        return np.split(self.chain.best_paths(sequences), sequences.ends[1:-1])

    def state_probabilities(self, X: Any) -> list[FloatArray]:
        """Return the probability of each state at each step of each sequence, shapes (T, S).

        They are zero for a sequence that is impossible under this model.
        """
        sequences = self._checked(X)
        found = state_probabilities(self.chain, sequences, is_rounded=False)
        return np.split(found, sequences.ends[1:-1])

    def describe(self) -> Description:
        """Return initial and transition probabilities, and what each hidden state emits."""
        initial, transitions, states = self.chain
        chain = Chain(
            initial,
            transitions,
            [state.describe() for state in states.components],
            self._occupancy,
            symbolic=not self.distances,
        )
        return Description({"initial": initial, "transitions": transitions}, picture=chain)

    def _occupancy(self, data: Sequences) -> FloatArray:
        """Return the fraction of all steps that sequences spend in each state, shape (S,)."""
        if not len(data):
            return np.zeros(self._chosen[0])
        return np.concatenate(self.state_probabilities(data)).mean(axis=0)

    def sample(
        self, n: int, rng: np.random.Generator, length: int | None = None
    ) -> list[FloatArray]:
        """Draw `n` sequences of `length` steps each (the mean length fitted to unless given)."""
        chain = self.chain
        length = max(1, round(self.mean_length or 1)) if length is None else length
        check_count("length", length)
        return list(chain.sample(n, length, rng))

    def sample_like(self, data: Sequences, rng: np.random.Generator) -> Sequences:
        """Draw one sequence for each of `data`, of the same length."""
        return draw_as_long_as(data, lambda n, length: self.sample(n, rng, length))

    @property
    def chain(self) -> HiddenChain:
        """The chain of hidden states; raise if it is not known yet."""
        return HiddenChain(*fitted(self, "initial", "transitions", "states"))
