"""What a component is: the contract, and one file per base distribution."""

from .base import AdditiveFamily, Bank, Family
from .gaussian import Gaussian

__all__ = ["AdditiveFamily", "Bank", "Family", "Gaussian"]
