"""A challenge: the fit ends no lower than the paper's BEEM, followed by EM, from the same seed."""

import numpy as np
import pytest

from boltzmix import BEEM, CEM, EM, Challenged, Mixture
from boltzmix.datasets import make_data_association, make_mixture
from boltzmix.families import Gaussian, GaussianProcess
from boltzmix.learning.moves import CHALLENGED

IN_THE_PAPER = [BEEM(small="keep"), EM(1e-5)]


class Unweighted(Gaussian):
    """A Gaussian whose fit takes no weights."""

    weighted = False
    additive = False


@pytest.mark.parametrize(
    ("size", "seeds"), [((6, 2), (18, 30)), ((5, 3), (0, 23)), ((8, 2), (4, 5))]
)
def test_auto_is_never_worse_than_the_paper_and_em(size, seeds):
    for seed in seeds:
        X, _ = make_mixture(300, *size, separation=1.5 - 0.5 * (size == (5, 3)), random_state=seed)
        auto, paper = (
            Mixture(n_components=size[0], algorithm=algorithm, random_state=seed).fit(X)
            for algorithm in ("auto", IN_THE_PAPER)
        )
        assert auto.lower_bound_ > paper.lower_bound_ - 1e-5


@pytest.mark.parametrize(
    ("family", "polish", "soft"), [(Gaussian(), EM(1e-5), True), (Unweighted(), CEM(), False)]
)
def test_what_the_rival_comes_to_is_taken_as_it_is(family, polish, soft):
    X, _ = make_mixture(300, 6, 2, separation=3, random_state=0)
    taken = 0
    for seed in range(6):
        rival, model = (
            Mixture(family, n_components=6, algorithm=algorithm, random_state=seed).fit(X)
            for algorithm in ([BEEM(small="keep"), polish], [polish, Challenged(soft=soft)])
        )
        assert model.lower_bound_ > rival.lower_bound_ - 1e-5
        if CHALLENGED in model.history_.moves:
            assert np.mean(model.labels_ == rival.labels_) > 0.98  # EM takes a step or two more
            taken += 1
    assert taken > 0


def test_what_is_better_already_is_kept():
    X, labels = make_mixture(300, 6, 2, separation=3, random_state=0)
    options = {"n_components": 6, "init": labels, "random_state": 0}
    polished = Mixture(algorithm=EM(1e-5), **options).fit(X)
    model = Mixture(algorithm=[EM(1e-5), Challenged()], **options).fit(X)
    assert model.lower_bound_ >= polished.lower_bound_


def test_curves_are_challenged_too():
    X, y, _ = make_data_association("crossing", random_state=1)
    auto, paper = (
        Mixture(GaussianProcess(), 2, algorithm=algorithm, random_state=1).fit(X[::4], y[::4])
        for algorithm in ("auto", IN_THE_PAPER)
    )
    assert "Challenged" in auto.history_.phase
    assert auto.lower_bound_ >= paper.lower_bound_


def test_a_tolerance_below_zero_is_refused():
    with pytest.raises(ValueError, match="tolerance must be a number of zero or more"):
        Challenged(tolerance=-1)
