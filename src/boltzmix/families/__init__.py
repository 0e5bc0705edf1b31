"""What a component is: the contract, and one file per base distribution."""

from .base import AdditiveFamily, Bank, Family
from .gaussian import Gaussian
from .hmm import HMM

FAMILIES: dict[str, type[Family]] = {"gaussian": Gaussian, "hmm": HMM}

__all__ = ["FAMILIES", "HMM", "AdditiveFamily", "Bank", "Family", "Gaussian"]
