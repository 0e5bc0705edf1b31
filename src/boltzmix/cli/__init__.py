"""The `boltzmix` command: compare, demo, families, fit, inspect, predict, profiles, reproduce."""

from . import (
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
    "commands",
    "comparing",
    "demonstration",
    "inspection",
    "listing",
    "prediction",
    "profiling",
    "reproduction",
]
