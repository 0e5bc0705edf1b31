"""How sure a fitted mixture is of its parameters."""

from .bootstrap import Bootstrap
from .bootstrap_making import make_bootstrap
from .estimates import Estimate, Estimates

__all__ = ["Bootstrap", "Estimate", "Estimates", "make_bootstrap"]
