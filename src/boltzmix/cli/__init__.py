"""The `boltzmix` command: demo, fit, reproduce."""

from .commands import app

__all__ = ["app"]
