"""A fit ends no lower than its baseline: the paper's BEEM and EM from the same seed."""

from dataclasses import replace

import numpy as np
import pytest

from boltzmix import BEEM, CEM, EM, SEM, Baseline, Mixture, Moves, Swaps
from boltzmix.datasets import make_data_association, make_mixture
from boltzmix.families import Gaussian, GaussianProcess
from boltzmix.learning import AutoSettings
from boltzmix.metrics import purity_score
from tests.unweighted import Unweighted

AUTO = AutoSettings()

PAPER = [BEEM(), EM(1e-5)]


def kinds(model):
    """Return the kinds of all moves that were accepted."""
    return [move.kind for moves in model.history_.moves for move in moves]


def n_compared(model):
    """Return the number of baselines that were run."""
    trials = model.history_.trials
    return sum(trial.moves[0].kind == "baseline" and trial.recipe == "BEEM" for trial in trials)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize(
    ("k", "columns", "separation", "seeds"),
    [(6, 2, 1.5, (18, 30, 53)), (5, 3, 1, (0, 37, 45)), (8, 2, 2, (4, 5, 16))],
)
def test_auto_is_never_below_the_papers_beem_and_em(k, columns, separation, seeds):
    for seed in seeds:
        X, _ = make_mixture(300, k, columns, separation=separation, random_state=seed)
        auto, paper = (
            Mixture(n_components=k, algorithm=algorithm, init="random", random_state=seed).fit(X)
            for algorithm in ("auto", PAPER)
        )
        assert auto.lower_bound_ > paper.lower_bound_ - 1e-5


@pytest.mark.parametrize(
    ("family", "baseline"), [(Gaussian(), PAPER), (Unweighted(), [BEEM(), CEM()])]
)
def test_a_better_baseline_is_accepted_and_run_once(family, baseline):
    X, _ = make_mixture(300, 6, 2, separation=3, random_state=0)
    no_gain_is_enough = replace(AUTO, least_gain=1e9)
    accepted = 0
    for seed in range(6):
        moves = Moves(soft=family.weighted, restarts=0, settings=no_gain_is_enough)
        paper, model = (
            Mixture(family, 6, algorithm=algorithm, random_state=seed).fit(X)
            for algorithm in (baseline, [SEM(length=1), moves])
        )
        assert model.lower_bound_ > paper.lower_bound_ - 1e-4
        accepted += "baseline" in kinds(model)
        assert n_compared(model) == 1
    assert accepted > 0


@pytest.mark.parametrize("always", [False, True])
def test_without_candidate_moves_the_baseline_is_run_only_if_requested(always):
    X, labels = make_mixture(60, 2, 2, separation=8, random_state=0)
    model = Mixture(
        n_components=2, algorithm=Moves(always_compare=always), init=labels, random_state=0
    ).fit(X)
    assert n_compared(model) == always


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize(("kind", "seeds"), [("crossing", (1, 4)), ("sinusoids", (2, 6))])
def test_exploration_with_a_baseline_is_never_below_the_papers_beem_and_em_on_curves(kind, seeds):
    explore, accepted = BEEM("auto", small="reseed", frozen=True, entropy=0.95), 0
    for seed in seeds:
        X, y, labels = make_data_association(kind, random_state=seed)
        auto, paper = (
            Mixture(
                GaussianProcess(), labels.max() + 1, algorithm=algorithm, random_state=seed
            ).fit(X[::4], y[::4])
            for algorithm in ([explore, Baseline()], PAPER)
        )
        assert auto.lower_bound_ >= paper.lower_bound_
        if "baseline" in kinds(auto):
            assert auto.lower_bound_ == paper.lower_bound_
            np.testing.assert_array_equal(auto.labels_, paper.labels_)
            accepted += 1
    assert accepted > 0


@pytest.mark.slow
def test_a_likelier_baseline_with_two_equal_curves_is_rejected():
    X, y, labels = make_data_association("sinusoids", random_state=14)
    start = BEEM("auto", small="reseed", frozen=True, entropy=0.95), Swaps(soft=True)
    options = {"n_components": 2, "random_state": 14}
    model, before, paper = (
        Mixture(GaussianProcess(), algorithm=algorithm, **options).fit(X, y)
        for algorithm in ([*start, Baseline()], [*start, EM(1e-5)], PAPER)
    )
    assert paper.lower_bound_ > before.lower_bound_ + 1e-3
    assert paper.predict_proba(X, y).max(axis=1).mean() < 0.6
    assert "baseline" not in kinds(model)
    assert purity_score(labels, model.labels_) > 0.8


@pytest.mark.parametrize("family", [Gaussian(), Unweighted(prior=0, resolution=None)])
def test_a_fit_above_its_baseline_is_kept(family):
    X, labels = make_mixture(300, 6, 2, separation=3, random_state=0)
    polish = EM(1e-5) if family.weighted else CEM()
    alone, model = (
        Mixture(family, 6, algorithm=algorithm, init=labels, random_state=0).fit(X)
        for algorithm in (polish, Baseline(soft=family.weighted))
    )
    assert model.converged_
    assert n_compared(model) == 1
    assert "baseline" not in kinds(model)
    np.testing.assert_allclose(model.lower_bound_, alone.lower_bound_, atol=1e-4)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_curves_of_two_inputs_are_compared_with_the_baseline_unless_noise_is_fitted():
    X, y, _ = make_data_association("crossing", random_state=0)
    X = np.hstack([X, X**2])
    for noise in (True, False):
        model = Mixture(GaussianProcess(), 2, noise=noise, random_state=0).fit(X[::10], y[::10])
        assert n_compared(model) == (not noise)


def test_a_single_component_has_no_baseline():
    X, _ = make_mixture(60, 2, 2, random_state=0)
    model = Mixture(n_components=1, algorithm=Baseline(), random_state=0).fit(X)
    assert model.converged_
    assert n_compared(model) == 0


def test_a_negative_tolerance_raises():
    with pytest.raises(ValueError, match="tolerance must be a number of zero or more"):
        Baseline(tolerance=-1)
