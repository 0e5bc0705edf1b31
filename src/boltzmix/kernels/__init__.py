"""Numba functions: arrays in, arrays out, nothing else.

They release the interpreter lock. They are compiled once and kept on disk. Their modules are
imported when they are first used, so that importing boltzmix does not load the compiler.
"""

from importlib import import_module
from threading import RLock
from types import ModuleType

from ..interrupts import Uninterrupted
from ..parallel import hold_during_fork

_IMPORTING = RLock()
hold_during_fork(_IMPORTING)

_MODULES = (
    "assignment",
    "axes",
    "chains",
    "clock",
    "fourier",
    "gaussian",
    "left_right",
    "matrices",
    "moments",
    "places",
    "state_space",
    "tails",
    "trajectories",
)


def __getattr__(name: str) -> ModuleType:
    if name in _MODULES:
        with _IMPORTING, Uninterrupted():
            return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
