"""How a mixture is learned: one loop, and the parts that named algorithms choose."""

from .evidence import Evidence, Start
from .history import History
from .initialisation import initialise
from .loop import State, learn, learn_in_turn
from .racing import Run, race
from .randomness import Randomness
from .recipes import BEEM, CEM, DAEM, EM, SEM, SMEM, Challenged, Moves, Recipe, Swaps, as_recipes
from .starts import fit_start
from .stream import Stream
from .workers import Workers

__all__ = [
    "BEEM",
    "CEM",
    "DAEM",
    "EM",
    "SEM",
    "SMEM",
    "Challenged",
    "Evidence",
    "History",
    "Moves",
    "Randomness",
    "Recipe",
    "Run",
    "Start",
    "State",
    "Stream",
    "Swaps",
    "Workers",
    "as_recipes",
    "fit_start",
    "initialise",
    "learn",
    "learn_in_turn",
    "race",
]
