"""The `boltzmix` command: compare, fit, inspect, predict, profiles, bootstrap and others."""

from . import (
    bootstrap,
    compare,
    demo,
    families,
    fit,
    inspect,
    predict,
    profiles,
    reproduce,
    three_step,
)
from .app import app

__all__ = [
    "app",
    "bootstrap",
    "compare",
    "demo",
    "families",
    "fit",
    "inspect",
    "predict",
    "profiles",
    "reproduce",
    "three_step",
]
