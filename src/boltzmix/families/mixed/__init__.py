"""Families of tables whose columns have different kinds of values."""

from .automatic import Automatic
from .logarithms import Logarithms
from .product import Product

__all__ = ["Automatic", "Logarithms", "Product"]
