"""A program as users write it; `make lint` and `make release` check its types."""

from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import boltzmix
from boltzmix import EM, GaussianMixture, Mixture, Sequences
from boltzmix.datasets import make_rainbow
from boltzmix.families import HMM, Family, Gaussian


def main() -> None:
    """Fit, predict and read results."""
    X, _ = make_rainbow(random_state=0)
    model = Mixture(Gaussian("diag"), n_components=3, algorithm=EM(), random_state=0).fit(X)
    assert_type(model, Mixture)
    labels: NDArray[np.integer] = model.predict(X)
    probabilities: NDArray[np.floating] = model.predict_proba(X)
    score: float = model.score(X)
    weights: NDArray[np.floating] = model.weights_
    first: Family = model.components_[0]
    assert labels.shape == (len(X),)
    assert probabilities.shape == (len(X), len(weights))
    assert np.isfinite(score), first.name

    drop_in = GaussianMixture(3, random_state=0).fit(X)
    assert_type(drop_in, GaussianMixture)
    steps = Sequences.of([np.zeros((4, 1)), np.ones((5, 1))])
    assert len(steps) == 2, HMM(2).name
    assert_type(boltzmix.__version__, str)


if __name__ == "__main__":
    main()
