"""Families made of what others wrote: distributions, estimators, functions."""

from .from_functions import FunctionFamily
from .from_scipy import ScipyFamily
from .from_sklearn import SklearnFamily

__all__ = ["FunctionFamily", "ScipyFamily", "SklearnFamily"]
