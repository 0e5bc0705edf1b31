"""A neural density as a family: cluster ten handwritten digits by normalising flows in PyTorch.

Each component is a small normalising flow (RealNVP): a network that maps images to a standard
normal distribution and can be inverted, so that its density is known.

PyTorch is not a dependency of boltzmix. Install it first, then run the example (about a minute):

    .venv/bin/pip install torch
    .venv/bin/python examples/neural_density.py
"""

import copy

import numpy as np
import torch
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from torch import nn

from boltzmix import Mixture
from boltzmix.families import Family
from boltzmix.metrics import adjusted_rand_score, purity_score

NOISE = 0.5  # in deviations of all values, added in training: few images overfit a network else


class Flow(Family):
    """A normalising flow of affine coupling layers; columns must be even in number."""

    weighted = True  # `fit` takes weights, so that EM can be used

    def __init__(self, layers=None, n_layers=4, hidden=16, n_steps=30):
        self.layers, self.n_layers, self.hidden, self.n_steps = layers, n_layers, hidden, n_steps

    def fit(self, data, *, weights=None, rng=None):
        """Return a new flow that is trained on from this one, by some steps of Adam."""
        x = torch.as_tensor(np.asarray(data), dtype=torch.float32)
        w = torch.ones(len(x)) if weights is None else torch.as_tensor(weights, dtype=torch.float32)
        d = x.shape[1]
        torch.manual_seed(0)  # the same data give the same flow
        new = copy.deepcopy(self.layers) or nn.ModuleList(
            nn.Sequential(nn.Linear(d // 2, self.hidden), nn.Tanh(), nn.Linear(self.hidden, d))
            for _ in range(self.n_layers)
        )
        flow = type(self)(new, self.n_layers, self.hidden, self.n_steps)
        adam = torch.optim.AdamW(new.parameters(), lr=0.01, weight_decay=0.1)
        for _ in range(self.n_steps):
            adam.zero_grad()
            noisy = x + NOISE * torch.randn_like(x)
            (-(w * flow.log_density(noisy)).sum() / w.sum()).backward()
            adam.step()
        return flow

    def log_prob(self, data):
        """Return the log density of each row, shape (n,)."""
        with torch.no_grad():
            x = torch.as_tensor(np.asarray(data), dtype=torch.float32)
            return self.log_density(x).numpy().astype(float)

    def log_density(self, x):
        """Map rows to a standard normal distribution, layer by layer; add the log determinants."""
        log_determinant = 0
        for layer in self.layers:
            kept, changed = x.chunk(2, dim=1)
            shift, log_scale = layer(kept).chunk(2, dim=1)
            log_scale = torch.tanh(log_scale)  # a layer scales by 1/e to e
            x = torch.cat([changed * log_scale.exp() + shift, kept], dim=1)
            log_determinant = log_determinant + log_scale.sum(dim=1)
        return torch.distributions.Normal(0, 1).log_prob(x).sum(dim=1) + log_determinant


def main() -> None:
    """Cluster the digits, and compare with K-means, where the flows start."""
    images, digits = load_digits(return_X_y=True)
    X = PCA(20, random_state=0).fit_transform(images)
    X /= X.std()
    start = KMeans(10, n_init=10, random_state=0).fit_predict(X)
    model = Mixture(Flow(), 10, algorithm="em", init=start, max_iter=20, random_state=0).fit(X)
    gaussians = Mixture(n_components=10, random_state=0).fit(X)
    print(f"{len(X)} images of ten digits, in 20 principal components")
    for name, labels in (
        ("K-means, where the flows start", start),
        ("10 flows", model.labels_),
        ("10 components of RobustGaussian", gaussians.labels_),
    ):
        rand, purity = adjusted_rand_score(digits, labels), purity_score(digits, labels)
        print(f"{name:32} adjusted Rand index {rand:.2f}, purity {purity:.2f}")


if __name__ == "__main__":
    main()
