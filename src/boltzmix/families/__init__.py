"""What a component is: the contract, and one file per base distribution."""

from .base import AdditiveFamily, Bank, Family
from .gaussian import Gaussian

FAMILIES: dict[str, type[Family]] = {"gaussian": Gaussian}

__all__ = ["FAMILIES", "AdditiveFamily", "Bank", "Family", "Gaussian"]
