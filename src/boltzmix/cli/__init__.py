"""The `boltzmix` command: bootstrap, compare, fit, inspect, predict, profiles and others."""

from . import (
    bootstrapping,
    commands,
    comparing,
    demonstration,
    inspection,
    listing,
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
    "prediction",
    "profiling",
    "reproduction",
]
