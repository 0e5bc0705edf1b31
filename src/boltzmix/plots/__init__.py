"""Plots of a mixture. Each function computes, and returns an object whose `plot` draws.

>>> from boltzmix import Mixture, plots
>>> from boltzmix.datasets import make_square
>>> X, _ = make_square(random_state=0)
>>> model = Mixture(n_components=4, random_state=0).fit(X)
>>> axes = plots.clusters(model, X).plot()
"""

from ..look import PALETTE
from .chains import States, states
from .curves import Curves, Predictions, curves, predictions
from .films import Film, film
from .members import Members, sequences, trajectories
from .overviews import criteria, overview, profiles
from .pairs import Pairs, pairs
from .points import Clusters, clusters
from .training import Allocations, Trace, allocations, trace
from .uncertainty import Uncertainty, uncertainty

__all__ = [
    "PALETTE",
    "Allocations",
    "Clusters",
    "Curves",
    "Film",
    "Members",
    "Pairs",
    "Predictions",
    "States",
    "Trace",
    "Uncertainty",
    "allocations",
    "clusters",
    "criteria",
    "curves",
    "film",
    "overview",
    "pairs",
    "predictions",
    "profiles",
    "sequences",
    "states",
    "trace",
    "trajectories",
    "uncertainty",
]
