"""boltzmix: mixtures of any base distribution, without caring about initialisation."""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_ALGORITHMS = ("BEEM", "CEM", "DAEM", "EM", "SEM", "SMEM", "Alternatives", "Baseline", "Moves")
_HOMES = {
    "CheckpointError": "saving",
    "Comparison": "comparison",
    "GaussianMixture": "gaussian_mixture",
    "LazyTable": "data",
    "Mixture": "mixture",
    "ModelFileError": "saving",
    "Sequences": "data",
    "Trajectories": "data",
    "compare": "comparing",
    "load": "loading",
    **dict.fromkeys([*_ALGORITHMS, "Swaps", "Tracks", "DegenerateMixtureWarning"], "learning"),
}
_PACKAGES = (
    "data",
    "datasets",
    "families",
    "inference",
    "kernels",
    "learning",
    "metrics",
    "saving",
)

if not TYPE_CHECKING:  # which would take every name for one of this module

    def __getattr__(name: str) -> Any:
        """Import what is asked for, so that the command can be interrupted while it starts."""
        if name in _PACKAGES:
            return import_module(f".{name}", __name__)
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = getattr(import_module(f".{_HOMES[name]}", __name__), name)
        return globals()[name]

    def __dir__() -> list[str]:
        """Return the public names, whether they are imported yet or not."""
        return sorted({*globals(), *__all__})
