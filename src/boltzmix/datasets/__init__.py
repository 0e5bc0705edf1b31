"""Data sets, simulated and real, each returned as (X, labels)."""

from .points import make_mixture, make_rainbow, make_square
from .sequences import RandomHMMs, draw_random_hmms, make_random_hmms
from .trajectories import load_character_trajectories

__all__ = [
    "RandomHMMs",
    "draw_random_hmms",
    "load_character_trajectories",
    "make_mixture",
    "make_rainbow",
    "make_random_hmms",
    "make_square",
]
