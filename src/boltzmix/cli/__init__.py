"""The `boltzmix` command: compare, demo, families, fit, inspect, predict, profiles, …."""

from . import (
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
