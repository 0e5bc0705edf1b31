"""Simulated and real data sets, returned as (X, labels), or as (X, y, labels) for curves."""

from .curves import DataAssociation, draw_data_association, make_data_association
from .points import make_mixture, make_rainbow, make_square
from .sequences import RandomHMMs, draw_random_hmms, make_random_hmms
from .trajectories import load_character_trajectories, load_chick_weights

__all__ = [
    "DataAssociation",
    "RandomHMMs",
    "draw_data_association",
    "draw_random_hmms",
    "load_character_trajectories",
    "load_chick_weights",
    "make_data_association",
    "make_mixture",
    "make_rainbow",
    "make_random_hmms",
    "make_square",
]
