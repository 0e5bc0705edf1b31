"""Methods that the paper compares with or discusses, and that no other library has."""

from .omgp import OMGP
from .power_kmeans import PowerKMeans
from .thompson import ThompsonMixture

__all__ = ["OMGP", "PowerKMeans", "ThompsonMixture"]
