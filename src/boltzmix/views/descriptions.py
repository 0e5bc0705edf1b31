"""Components, and moves of components, in a few plain words."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from ..data import IntArray, Sequences, joined
from ..families import Family
from ..families.contract.description import Chain, Curve, Description, Ellipse, Part
from ..learning import SPLITS, Move, Step
from .words import Symbols, commonest, describe_columns, describe_parameters, namer

MOVES = {
    "merge": "merge {}",
    "split": "split {}",
    "reseed": "re-seed {}",
    "resplit": "split {} again",
    "track": "curves followed along the input",
    "restart": "restart",
    "baseline": "the baseline",
    "alternative": "another version of {}",
    "anneal": "EM from a higher temperature",
    "coarse": "a search in a few columns",
    "refine": "a few more iterations",
    "choose": "candidates for the family",
}
HALF = "half"  # a fit to one half of a random split of the observations
CANDIDATES = {"resplit": "split of several"}  # nouns that differ from the kind of the move
PHASES = {
    "BEEM": "exploring",
    "Moves": "moving components",
    "Tracks": "following curves",
    "Alternatives": "trying other versions",
    "EM": "polishing",
    "CEM": "polishing",
}


def describe_moves(moves: Sequence[Move]) -> str:
    """Put moves into words, such as "merge 3 and 5, split 2"; empty if there are none."""
    words = []
    n_swaps = sum(move.kind == "swap" for move in moves)
    rest = iter([move for move in moves if move.kind != "swap"])
    for move in rest:
        if move.kind == "propose":
            kinds = [CANDIDATES.get(one.kind, one.kind) for one in rest]
            words.append(f"candidates for a {' and a '.join(kinds)}")
        else:
            words.append(_describe_move(move))
    if n_swaps:
        words.append("1 swap" if n_swaps == 1 else f"{n_swaps} swaps")
    return ", ".join(words)


def describe_phase(name: str) -> str:
    """Say what a recipe does, by its name; a recipe without words of its own is only named."""
    return f"{name}: {PHASES[name]}" if name in PHASES else name


def describe_step(step: Step) -> str:
    """Say what is done at a step: which moves are tried, or else what the recipe does."""
    if step.trial:
        words = describe_moves(step.trial)
        return words if step.trial[0].kind == HALF else f"trying: {words}"
    return PHASES.get(step.phase, step.phase)


def moved_components(moves: Sequence[Move]) -> tuple[int, ...]:
    """Return the components that moves change, each once."""
    return tuple(dict.fromkeys(k for move in moves for k in move.components))


def _describe_move(move: Move) -> str:
    """Put one move into words; a kind without words of its own is named."""
    if move.kind == HALF:
        return f"fits to halves, split {move.components[0] + 1} of up to {SPLITS}"
    return MOVES.get(move.kind, f"{move.kind} {{}}").format(joined(move.components)).strip()


Picture = TypeVar("Picture", Ellipse, Chain, Curve)


def picture_of(component: Family, kind: type[Picture]) -> Picture | None:
    """Return the picture of a fitted component, if it is of this kind."""
    picture = component.describe().picture
    return picture if isinstance(picture, kind) else None


MOST_STATES, MOST_COLUMNS, MOST_TRANSITIONS = 3, 3, 3
MOST_PARTS = 6  # of a table with a family for each column


def is_symbolic(component: Family) -> bool:
    """Return whether a fitted component takes the steps of a sequence for codes of symbols."""
    chain = picture_of(component, Chain)
    return chain is not None and chain.symbolic


def describe_component(
    component: Family,
    names: Sequence[str],
    symbols: Symbols,
    members: Sequences | None = None,
    ranking: Sequence[int] = (),
) -> str:
    """Describe a fitted component in a few short lines.

    Parameters
    ----------
    component : fitted Family
    names : sequence of str
        Names of the columns.
    symbols : mapping of names to sequences
        What codes stand for, in columns of codes.
    members : Sequences, optional
        The sequences assigned to the component. With them, a chain is described by the states and
        the transitions that are most frequent in them.
    ranking : sequence of int
        The numbers of the columns, those first that tell components apart most. With it, the
        first few of these are described.
    """
    return describe(component.describe(), names, symbols, members, ranking) or repr(component)


def describe(
    description: Description,
    names: Sequence[str],
    symbols: Symbols,
    members: Sequences | None = None,
    ranking: Sequence[int] = (),
) -> str:
    """Put a description into a few short lines; empty if the component has no parameters."""
    if description.parts:
        known = {**symbols, **_by_text(description.categories)}
        parts = _ranked_parts(description.parts, ranking)
        lines = [
            describe(part.description, part.columns, known, None, own)
            for part, own in parts[:MOST_PARTS]
        ]
        return "\n".join([*lines, *(["…"] if len(parts) > MOST_PARTS else [])])
    picture = description.picture
    if isinstance(picture, Chain) and picture.states:
        return _describe_states(picture, names, symbols, members)
    if isinstance(picture, Chain):
        return _describe_symbols(picture, symbols.get(names[0]), members)
    if isinstance(picture, Curve):
        return picture.formula(names)
    return describe_row(description, names, symbols, ranking)


def describe_row(
    description: Description, names: Sequence[str], symbols: Symbols, ranking: Sequence[int] = ()
) -> str:
    """Describe the first few columns, of a ranking if any, on one line; else name parameters."""
    columns = describe_columns(description, names, symbols)
    if columns is None:
        return describe_parameters(description.parameters)
    parts = [f"{name} {words}" for name, words in zip(names, columns, strict=True)]
    if len(ranking) == len(parts) > MOST_COLUMNS:
        parts = [parts[place] for place in ranking]
    return ", ".join([*parts[:MOST_COLUMNS], *(["…"] if len(parts) > MOST_COLUMNS else [])])


def _ranked_parts(
    parts: Sequence[Part], ranking: Sequence[int]
) -> list[tuple[Part, Sequence[int]]]:
    """Return parts, and the ranking of the columns of each.

    They are in order of the ranking if there are more than are shown.
    """
    ends = np.cumsum([len(part.columns) for part in parts])
    if len(ranking) != ends[-1]:
        return [(part, ()) for part in parts]
    places, owners = np.asarray(ranking), np.searchsorted(ends, ranking, side="right")
    begins = [0, *ends]
    ranked = [
        (part, (places[owners == number] - begins[number]).tolist())
        for number, part in enumerate(parts)
    ]
    if len(parts) <= MOST_PARTS:
        return ranked
    return [ranked[number] for number in dict.fromkeys(owners.tolist())]


def describe_family(component: Family) -> str:
    """Name the family of a fitted component, and of every part it has."""
    parts = component.describe().parts
    if parts:
        return "; ".join(f"{', '.join(part.columns)}: {part.family}" for part in parts)
    chain = picture_of(component, Chain)
    if chain is None:
        return str(component.name)
    return f"{component.name}, {len(chain.initial)} {'states' if chain.states else 'symbols'}"


def _describe_states(
    chain: Chain, names: Sequence[str], symbols: Symbols, members: Sequences | None
) -> str:
    """Describe what the first states emit, or those in which members spend most steps."""
    n_states = len(chain.states)
    rows = [describe_row(state, names, symbols) for state in chain.states]
    if members is None:
        lines = [f"state {state}: {row}" for state, row in enumerate(rows[:MOST_STATES])]
    else:
        time = chain.occupancy(members) if len(members) else np.zeros(n_states)
        often = np.argsort(-time, kind="stable")[:MOST_STATES]
        lines = [f"state {state} ({time[state]:.0%}): {rows[state]}" for state in often]
    return _with_rest(lines, n_states)


def _describe_symbols(
    chain: Chain, symbols: Sequence[object] | None, members: Sequences | None
) -> str:
    """Name the likeliest first symbol, and the likeliest transitions or those most frequent."""
    name = namer(symbols)
    first = f"starts with {commonest(chain.initial, symbols)}"
    if members is None:
        rows = enumerate(chain.transitions[:MOST_TRANSITIONS])
        lines = [first, *(f"{name(code)} → {commonest(row, symbols)}" for code, row in rows)]
        return _with_rest(lines, len(chain.transitions) + 1)
    counts = _count_transitions(members, len(chain.initial))
    often = np.argsort(-counts, axis=None, kind="stable")[:MOST_TRANSITIONS]
    pairs = [
        f"{name(a)} → {name(b)} {chain.transitions[a, b]:.0%}"
        for a, b in zip(*np.unravel_index(often, counts.shape), strict=True)
        if counts[a, b] > 0
    ]
    return "\n".join([first, *([f"then mostly {', '.join(pairs)}"] if pairs else [])])


def _count_transitions(members: Sequences, n_symbols: int) -> IntArray:
    """Count how often each symbol follows each other one, shape (n_symbols, n_symbols)."""
    pairs = np.zeros((n_symbols, n_symbols), dtype=int)
    for values in members:
        codes = values[:, 0].astype(int)
        np.add.at(pairs, (codes[:-1], codes[1:]), 1)
    return pairs


def _with_rest(lines: list[str], total: int) -> str:
    more = total - len(lines)
    return "\n".join([*lines, *([f"and {more} more"] if more > 0 else [])])


def _by_text(symbols: Mapping[str, Sequence[object]]) -> Symbols:
    return {str(name): values for name, values in symbols.items()}
