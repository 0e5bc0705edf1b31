"""Fits on Dask: tasks that summarise super-blocks, wherever these are."""

from .reading import read_collection, sequences
from .remote_data import DaskData

__all__ = ["DaskData", "read_collection", "sequences"]
