"""Simulated data sets, each returned as (X, labels)."""

from .points import make_mixture, make_rainbow, make_square

__all__ = ["make_mixture", "make_rainbow", "make_square"]
