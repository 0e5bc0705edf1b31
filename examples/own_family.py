"""Your own base distribution: write `fit` and `log_prob`, and fit mixtures of it.

Run it:  .venv/bin/python examples/own_family.py
"""

import numpy as np

from boltzmix import Mixture
from boltzmix.families import Family


class Exponential(Family):
    """Waiting times with a constant rate."""

    def __init__(self, rate=None):
        self.rate = rate

    def fit(self, data, *, weights=None, rng=None):
        """Return a new component with the rate of the data."""
        return type(self)(1 / np.asarray(data).mean())

    def log_prob(self, data):
        """Return the log density of each waiting time; the density of negative ones is zero."""
        waits = np.asarray(data)[:, 0]
        return np.where(waits < 0, -np.inf, np.log(self.rate) - self.rate * waits)


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    waits = np.concatenate([rng.exponential(0.1, 300), rng.exponential(10, 300)])
    model = Mixture(Exponential(), n_components=2, random_state=0).fit(waits[:, None])
    for component, weight in zip(model.components_, model.weights_, strict=True):
        print(f"rate {component.rate:6.3f}, weight {weight:.2f}")
