"""The `boltzmix` command: compare, fit, inspect, predict, profiles, bootstrap and others."""

from . import (
    bootstrapping,
    commands,
    comparing,
    demonstration,
    inspection,
    listing,
    outside,
    prediction,
    profiling,
    reproduction,
)
from .app import app

__all__ = [
    "app",
    "bootstrapping",
    "commands",
    "comparing",
    "demonstration",
    "inspection",
    "listing",
    "outside",
    "prediction",
    "profiling",
    "reproduction",
]
