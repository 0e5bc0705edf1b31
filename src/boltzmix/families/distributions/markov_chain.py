"""The Markov chain: sequences of symbols, each depending on the one before."""

from dataclasses import dataclass, field
from typing import Self

import numpy as np
from scipy.sparse import csr_array

from ...data import DATA, BoolArray, FloatArray, InputError, Sequences, Weights
from ..columns.cell_tables import CellFamily, draw_codes
from ..columns.pooled_frequencies import PRIOR
from ..contract.description import Chain, Description, text_of
from ..shared.copies import replaced
from ..shared.sequence_draws import draw_as_long_as
from ..shared.validation import (
    check_whole,
    fitted,
    read_arrays,
    read_count,
    read_not_negative,
)

MOST_SYMBOLS = 2**11  # more raise an error, unless n_symbols is given


@dataclass(frozen=True, eq=False)
class MarkovChain(CellFamily):
    """Sequences of symbols, as codes 0, 1, 2, …; each depends on the one before.

    Parameters
    ----------
    n_symbols : int, optional
        Number of symbols. Taken from the data unless given: one more than the largest code.
    prior : float, default=1.0
        Strength of the prior, which pulls the probabilities of every component towards the
        frequencies in all the data (see `boltzmix.families.columns.pooled_frequencies`): it counts
        as much as so many first symbols, and so many transitions from each symbol. Its effect
        vanishes as data grow, and transitions that a component has not seen stay possible. Zero
        means no prior.
    initial : array, shape (C,), optional
        Probabilities of the first symbol. Present once fitted, as all that follow.
    transitions : array, shape (C, C), optional
        Probabilities of the next symbol (column), given the symbol (row).
    mean_length : float, optional
        Mean number of steps of the sequences fitted to.

    Attributes
    ----------
    frequencies : array, shape (C + 1, C)
        Frequencies of transitions and, in the last row, of first symbols in all the data. Set by
        `prepare`, if there is a prior.

    Examples
    --------
    >>> chain = MarkovChain(prior=0).fit([[[0], [1], [1]], [[0], [1], [0], [1]]])
    >>> chain.initial, chain.transitions.round(2)
    (array([1., 0.]), array([[0. , 1. ], [0.5, 0.5]]))
    >>> chain.log_prob([[[0], [1], [0]]]).round(4)
    array([-0.6931])
    """

    observes = Sequences

    n_symbols: int | None = None
    prior: float = PRIOR
    initial: FloatArray | None = None
    transitions: FloatArray | None = None
    mean_length: float | None = None
    frequencies: FloatArray | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        read_not_negative(self, "prior")
        read_arrays(self, "initial", axes=(1,), least=0)
        read_arrays(self, "transitions", axes=(2,), least=0)
        read_arrays(self, "mean_length", axes=(0,), least=0)
        if self.n_symbols is None and self.initial is not None:
            object.__setattr__(self, "n_symbols", len(self.initial))
        read_count(self, "n_symbols")
        if self.initial is not None and self.transitions is not None:
            c = self.n_symbols
            if np.shape(self.initial) != (c,) or np.shape(self.transitions) != (c, c):
                raise ValueError(
                    f"initial and transitions must have the shapes ({c},) and ({c}, {c}), as"
                    f" n_symbols={c}, not {np.shape(self.initial)} and"
                    f" {np.shape(self.transitions)}."
                )

    def __repr__(self) -> str:
        settings = [] if self.n_symbols is None else [str(self.n_symbols)]
        known = {"initial": self.initial, "transitions": self.transitions}
        return text_of("MarkovChain", settings, known, precision=2, suppress=True, threshold=20)

    @property
    def table(self) -> FloatArray:
        """Probabilities after each symbol and, in the last row, at the start: (C + 1, C)."""
        return np.vstack(fitted(self, "transitions", "initial"))

    @property
    def allowed(self) -> BoolArray:
        """Which cells of the table exist: all."""
        (n_symbols,) = fitted(self, "n_symbols")
        return np.ones((n_symbols + 1, n_symbols), dtype=bool)

    @property
    def n_parameters(self) -> int:
        return self.table.size - len(self.table)

    def describe(self) -> Description:
        """Return initial and transition probabilities of the symbols."""
        *transitions, initial = self.table
        chain = Chain(initial, np.array(transitions), (), self._occupancy, symbolic=True)
        parameters = {"initial": chain.initial, "transitions": chain.transitions}
        return Description(parameters, picture=chain)

    def _occupancy(self, data: Sequences) -> FloatArray:
        """Return the fraction of all steps that are each symbol, shape (C,)."""
        n_symbols = self.table.shape[1]
        codes = data.values[:, 0].astype(int)
        return np.bincount(codes, minlength=n_symbols)[:n_symbols] / max(len(codes), 1)

    def prepare(self, data: Sequences, n_components: int, weights: Weights = None) -> Self:
        """Check that all values are codes, count the symbols, and take their frequencies."""
        sequences = Sequences.of(data)
        known = replaced(self, n_symbols=self._count_symbols(sequences))
        if self.frequencies is not None:
            return known
        return replaced(known, frequencies=known.pooled_frequencies(sequences, weights))

    def _count_symbols(self, sequences: Sequences) -> int:
        """Check all symbols, and return their number."""

        def look(block: Sequences, place: slice) -> float:
            self.check(block)
            return float(block.values.max())

        highest = sequences.fold(look, max)
        if self.n_symbols is not None:
            return self.n_symbols
        if highest >= MOST_SYMBOLS:
            raise InputError(
                f"{DATA} has codes up to {highest:.12g}, too many symbols to learn the transitions"
                " of:"
                " number the symbols 0, 1, 2, … without gaps."
            )
        return int(highest) + 1

    def check(self, data: Sequences, first_row: int | None = None) -> None:
        """Raise a ValueError if there are values other than known codes."""
        if data.n_features != 1:
            raise InputError(
                f"{DATA} has {data.n_features} features, but MarkovChain takes one, the symbol's"
                " code:"
                " pass one column, or number the combinations."
            )

        def place(step: int, _: int, value: str) -> str:
            number = int(np.searchsorted(data.ends, step, side="right")) - 1
            return f"Sequence {number} of {DATA} holds {value} at step {step - data.ends[number]}"

        check_whole(
            data.values,
            place,
            "MarkovChain takes codes 0, 1, 2, …: number the symbols first",
            None if self.n_symbols is None else np.array([self.n_symbols]),
            "n_symbols",
        )

    def _checked(self, data: Sequences) -> Sequences:
        sequences = Sequences.of(data)
        self.check(sequences)
        return sequences

    def cells(self, data: Sequences) -> csr_array:
        """Return how often each sequence starts with each symbol and makes each transition."""
        sequences = self._checked(data)
        rows, columns = self.allowed.shape
        codes = sequences.values[:, 0].astype(np.int64)
        before = np.roll(codes, 1)
        before[sequences.ends[:-1]] = rows - 1
        cells = before * columns + codes
        shape = (len(sequences), rows * columns)
        return csr_array((np.ones(len(cells)), cells, sequences.ends), shape)

    def with_table(self, table: FloatArray, counts: FloatArray) -> Self:
        """Return this chain with other probabilities, and the mean length of what was counted."""
        return replaced(
            self,
            initial=table[-1],
            transitions=table[:-1],
            mean_length=float(counts.sum() / (counts[-1].sum() or 1.0)),
        )

    def sample(
        self, n: int, rng: np.random.Generator, length: int | None = None
    ) -> list[FloatArray]:
        """Draw `n` sequences of `length` steps (the mean length fitted to unless given)."""
        table = self.table
        if length is None:
            if self.mean_length is None:
                raise ValueError("This MarkovChain was fitted to no sequences: give a length.")
            length = max(1, round(self.mean_length))
        path = np.empty((n, length), dtype=np.int64)
        path[:, 0] = draw_codes(table[-1:], n, rng)
        for t in range(1, length):
            path[:, t] = draw_codes(table[path[:, t - 1]], n, rng)
        return list(path[:, :, None].astype(float))

    def sample_like(self, data: Sequences, rng: np.random.Generator) -> Sequences:
        """Draw one sequence for each of `data`, of the same length."""
        return draw_as_long_as(data, lambda n, length: self.sample(n, rng, length))
