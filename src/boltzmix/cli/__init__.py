"""The `boltzmix` command: compare, demo, families, fit, inspect, predict, reproduce."""

from . import commands, comparing, demonstration, inspection, listing, prediction, reproduction
from .app import app

__all__ = [
    "app",
    "commands",
    "comparing",
    "demonstration",
    "inspection",
    "listing",
    "prediction",
    "reproduction",
]
