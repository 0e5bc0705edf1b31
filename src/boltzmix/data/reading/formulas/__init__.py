"""Formulas such as ``age + sex + age:sex``, read and computed without running any code."""

from .formula import Formula, read_terms
from .tokens import split_sides

__all__ = ["Formula", "read_terms", "split_sides"]
