"""A challenge: the fit ends no lower than the paper's BEEM, followed by EM, from the same seed."""

import numpy as np
import pytest

from boltzmix import BEEM, CEM, EM, SEM, Challenged, Mixture, Moves, Swaps
from boltzmix.datasets import make_data_association, make_mixture
from boltzmix.families import Gaussian, GaussianProcess, MarkovChain
from boltzmix.learning.moves import CHALLENGED, Scene
from boltzmix.learning.pricing import Change
from boltzmix.learning.proposals import Proposals
from boltzmix.metrics import purity_score
from tests.unweighted import Unweighted

IN_THE_PAPER = [BEEM(small="keep"), EM(1e-5)]


@pytest.mark.parametrize(
    ("k", "columns", "separation", "seeds"),
    [(6, 2, 1.5, (18, 30, 53)), (5, 3, 1, (0, 37, 45)), (8, 2, 2, (4, 5, 16))],
)
def test_auto_is_never_worse_than_the_paper_and_em(k, columns, separation, seeds):
    for seed in seeds:
        X, _ = make_mixture(300, k, columns, separation=separation, random_state=seed)
        auto, paper = (
            Mixture(n_components=k, algorithm=algorithm, random_state=seed).fit(X)
            for algorithm in ("auto", IN_THE_PAPER)
        )
        assert auto.lower_bound_ > paper.lower_bound_ - 1e-5


@pytest.mark.parametrize(
    ("family", "rival"),
    [(Gaussian(), IN_THE_PAPER), (Unweighted(), [BEEM(small="keep"), CEM()])],
)
def test_what_the_paper_comes_to_is_taken_and_asked_for_once(family, rival, monkeypatch):
    asked = []
    monkeypatch.setattr(Proposals, "__iter__", hopeless)
    monkeypatch.setattr(Scene, "outcome", counted(Scene.outcome, asked))
    X, _ = make_mixture(300, 6, 2, separation=3, random_state=0)
    taken = 0
    for seed in range(6):
        moves = Moves(soft=family.weighted, restarts=0)
        paper, model = (
            Mixture(family, 6, algorithm=algorithm, random_state=seed).fit(X)
            for algorithm in (rival, [SEM(length=1), moves])
        )
        assert model.lower_bound_ > paper.lower_bound_ - 1e-4
        taken += CHALLENGED in model.history_.moves
        assert len(asked) == seed + 1
    assert taken > 0


def hopeless(proposals):
    """Propose only to leave the first component as it is."""
    bank, weights = proposals.view.mixture
    yield Change(0.0, ((0, bank.components[0], weights[0]),), (), "stay")


def counted(outcome, calls):
    """Return a function that also notes that it was called."""
    return lambda scene, recipes: calls.append(recipes) or outcome(scene, recipes)


@pytest.mark.parametrize(("moves", "family", "times"), [
    (Moves(), Gaussian(), 0),
    (Moves(draws=1), Gaussian(), 1),
    (Moves(), MarkovChain(), 1),
])  # fmt: skip
def test_the_paper_is_asked_where_it_tells_little_that_nothing_seems_worth_trying(
    moves, family, times, monkeypatch
):
    asked = []
    monkeypatch.setattr(Proposals, "__iter__", lambda proposals: iter(()))
    monkeypatch.setattr(Scene, "outcome", counted(Scene.outcome, asked))
    rng = np.random.default_rng(0)
    points, _ = make_mixture(60, 2, 2, random_state=0)
    sequences = [rng.integers(3, size=(9, 1)) for _ in range(20)]
    X = points if isinstance(family, Gaussian) else sequences
    Mixture(family, 2, algorithm=moves, random_state=0).fit(X)
    assert len(asked) == times


@pytest.mark.parametrize(("kind", "seeds"), [("crossing", (1, 4)), ("sinusoids", (2, 6))])
def test_no_curves_of_auto_are_worse_than_the_papers(kind, seeds):
    taken = 0
    for seed in seeds:
        X, y, labels = make_data_association(kind, random_state=seed)
        auto, paper = (
            Mixture(
                GaussianProcess(), labels.max() + 1, algorithm=algorithm, random_state=seed
            ).fit(X[::4], y[::4])
            for algorithm in ("auto", IN_THE_PAPER)
        )
        assert auto.lower_bound_ >= paper.lower_bound_
        if auto.history_.moves[-1] == CHALLENGED:
            assert auto.lower_bound_ == paper.lower_bound_
            np.testing.assert_array_equal(auto.labels_, paper.labels_)
            taken += 1
    assert taken > 0


def test_one_curve_drawn_twice_is_not_taken_for_two_however_likely():
    X, y, labels = make_data_association("sinusoids", random_state=14)
    start = BEEM("auto", settled=True, entropy=0.95), Swaps(soft=True)
    options = {"n_components": 2, "random_state": 14}
    model, before, paper = (
        Mixture(GaussianProcess(), algorithm=algorithm, **options).fit(X, y)
        for algorithm in ([*start, Challenged()], [*start, EM(1e-5)], IN_THE_PAPER)
    )
    assert paper.lower_bound_ > before.lower_bound_ + 1e-3
    assert paper.predict_proba(X, y).max(axis=1).mean() < 0.6
    assert CHALLENGED not in model.history_.moves
    assert purity_score(labels, model.labels_) > 0.8


@pytest.mark.parametrize("family", [Gaussian(), Unweighted()])
def test_what_is_better_already_is_kept(family):
    X, labels = make_mixture(300, 6, 2, separation=3, random_state=0)
    polish = EM(1e-5) if family.weighted else CEM()
    alone, model = (
        Mixture(family, 6, algorithm=algorithm, init=labels, random_state=0).fit(X)
        for algorithm in (polish, Challenged(soft=family.weighted))
    )
    assert model.converged_
    assert CHALLENGED not in model.history_.moves
    np.testing.assert_allclose(model.lower_bound_, alone.lower_bound_, atol=1e-4)


def test_nobody_is_asked_where_there_is_noise(monkeypatch):
    asked = []
    monkeypatch.setattr(Scene, "outcome", counted(Scene.outcome, asked))
    X, _ = make_mixture(90, 2, 2, random_state=0)
    for noise in (True, False):
        model = Mixture(n_components=2, algorithm=Challenged(), noise=noise, random_state=0)
        assert model.fit(X).converged_
    assert len(asked) == 1


def test_a_tolerance_below_zero_is_refused():
    with pytest.raises(ValueError, match="tolerance must be a number of zero or more"):
        Challenged(tolerance=-1)
