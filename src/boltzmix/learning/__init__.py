"""How a mixture is learned: one loop, and the parts that named algorithms choose."""

from .history import History
from .initialisation import fit_start, initialise
from .loop import Start, State, learn, learn_in_turn
from .randomness import Randomness
from .recipes import BEEM, CEM, DAEM, EM, SEM, Recipe, as_recipes

__all__ = [
    "BEEM",
    "CEM",
    "DAEM",
    "EM",
    "SEM",
    "History",
    "Randomness",
    "Recipe",
    "Start",
    "State",
    "as_recipes",
    "fit_start",
    "initialise",
    "learn",
    "learn_in_turn",
]
