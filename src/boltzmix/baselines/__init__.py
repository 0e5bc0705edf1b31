"""Rivals that the paper compares with and that no library has."""

from .power_kmeans import PowerKMeans

__all__ = ["PowerKMeans"]
