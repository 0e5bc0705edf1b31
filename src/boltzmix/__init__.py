"""boltzmix: mixtures of any base distribution, without caring about initialisation."""

from importlib.metadata import PackageNotFoundError, version

from . import datasets, families, metrics
from .comparing import compare
from .comparison import Comparison
from .data import LazyTable, Sequences, Trajectories
from .gaussian_mixture import GaussianMixture
from .learning import (
    BEEM,
    CEM,
    DAEM,
    EM,
    SEM,
    SMEM,
    Alternatives,
    Baseline,
    DegenerateMixtureWarning,
    Moves,
    Swaps,
    Tracks,
)
from .loading import load
from .mixture import Mixture
from .saving import CheckpointError, ModelFileError

try:
    __version__ = version("boltzmix")
except PackageNotFoundError:  # run from a source tree that was never installed
    __version__ = "unknown"

__all__ = [
    "BEEM",
    "CEM",
    "DAEM",
    "EM",
    "SEM",
    "SMEM",
    "Alternatives",
    "Baseline",
    "CheckpointError",
    "Comparison",
    "DegenerateMixtureWarning",
    "GaussianMixture",
    "LazyTable",
    "Mixture",
    "ModelFileError",
    "Moves",
    "Sequences",
    "Swaps",
    "Tracks",
    "Trajectories",
    "compare",
    "datasets",
    "families",
    "load",
    "metrics",
]
