"""The `boltzmix` command: demo, families, fit, inspect, predict, reproduce."""

from . import commands, demonstration, inspection, listing, prediction, reproduction
from .app import app

__all__ = [
    "app",
    "commands",
    "demonstration",
    "inspection",
    "listing",
    "prediction",
    "reproduction",
]
