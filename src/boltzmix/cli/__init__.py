"""The `boltzmix` command: bootstrap, compare, demo, families, fit, inspect, predict, reproduce."""

from . import (
    bootstrapping,
    commands,
    comparing,
    demonstration,
    inspection,
    listing,
    prediction,
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
    "reproduction",
]
