"""Claims about the default search, over more seeds than `make test` has time for."""

import numpy as np
import pytest

from boltzmix import BEEM, EM, Mixture
from boltzmix.datasets import make_mixture

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning"),
]


@pytest.mark.parametrize(("k", "columns", "separation"), [(6, 2, 1.5), (5, 3, 1), (8, 2, 2)])
def test_auto_is_never_below_the_papers_beem_and_em_if_these_are_sound(k, columns, separation):
    """Both begin with the same random split.

    The baseline is not accepted if a component is degenerate or has too few members.
    """
    for seed in range(30):
        X, _ = make_mixture(300, k, columns, separation=separation, random_state=seed)
        auto, paper = (
            Mixture(n_components=k, algorithm=algorithm, init="random", random_state=seed).fit(X)
            for algorithm in ("auto", [BEEM(), EM(1e-5)])
        )
        sound = not any(one.is_degenerate for one in paper.components_)
        sound = sound and paper.weights_.min() * len(X) >= 2 * columns + 1
        assert auto.lower_bound_ > paper.lower_bound_ - 1e-4 or not sound, seed


@pytest.mark.parametrize(("unbalance", "separation"), [(1, 3), (20, 3), (1, 5)])
def test_auto_reaches_the_optimum_of_the_true_labels(unbalance, separation):
    reached = []
    for seed in range(20):
        X, labels = make_mixture(
            1500, 15, 2, separation=separation, unbalance=unbalance, random_state=seed
        )
        truth = Mixture(n_components=15, algorithm=EM(1e-7), init=labels, max_iter=5000).fit(X)
        model = Mixture(n_components=15, random_state=seed).fit(X)
        reached.append(model.lower_bound_ > truth.lower_bound_ - 2e-3)
    assert np.mean(reached) >= 0.95
