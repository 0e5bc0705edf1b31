"""Families of tables whose columns have different kinds of values."""

from .product import Automatic, Product

__all__ = ["Automatic", "Product"]
