"""Moves of a search, and what is done at a step, in plain words."""

from collections.abc import Sequence

from ..data import joined
from ..learning import SPLITS, Move, Step

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
        return f"fits to halves, split {move.components[0] + 1} of {SPLITS}"
    return MOVES.get(move.kind, f"{move.kind} {{}}").format(joined(move.components)).strip()
