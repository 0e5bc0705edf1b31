"""Rivals that the paper compares with and that no library has."""

from .omgp import OMGP
from .power_kmeans import PowerKMeans

__all__ = ["OMGP", "PowerKMeans"]
