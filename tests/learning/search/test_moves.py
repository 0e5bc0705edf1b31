"""Moves split, merge and restart components, and never lower the score."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from boltzmix import BEEM, CEM, EM, SMEM, Mixture, Moves
from boltzmix.data import BlockSizes, Table
from boltzmix.datasets import make_mixture, make_square
from boltzmix.families import Gaussian, Poisson, RobustGaussian
from boltzmix.learning import AutoSettings
from tests.unweighted import Unweighted

AUTO = AutoSettings()

EXPLORE = BEEM("auto", small="reseed")


def stuck(seed=0, sizes=(100, 100, 100, 100)):
    """Return four clusters, true labels, and labels that divide one cluster and join two."""
    X, labels = make_square(sizes, random_state=seed)
    wrong = np.select([labels == 0, labels == 1, labels == 2], [labels, labels, 2], 2)
    wrong[labels == 0] = np.random.default_rng(seed).integers(2, size=(labels == 0).sum()) * 3
    return X, labels, wrong


def kinds(model):
    """Return the kinds of all moves that were accepted."""
    return [move.kind for moves in model.history_.moves for move in moves]


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("family", "polish", "soft"), [(None, EM(1e-6), True), (Unweighted(), CEM(), False)]
)
def test_moves_correct_a_divided_cluster_and_two_joined_clusters(family, polish, soft, seed):
    X, labels, wrong = stuck(seed)
    options = {"n_components": 4, "init": wrong, "random_state": seed}
    without = Mixture(family, algorithm=polish, **options).fit(X)
    model = Mixture(family, algorithm=[Moves(soft=soft), polish], **options).fit(X)
    truth = Mixture(family, 4, algorithm=polish, init=labels).fit(X)
    assert without.lower_bound_ < truth.lower_bound_ - 0.1
    assert model.lower_bound_ > truth.lower_bound_ - 1e-3
    assert "split" in kinds(model)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("separation", [3, 5])
def test_auto_reaches_the_optimum_of_the_true_labels_with_many_clusters(separation, seed):
    X, labels = make_mixture(1500, 15, 2, separation=separation, random_state=seed)
    truth = Mixture(n_components=15, algorithm=EM(1e-7), init=labels).fit(X)
    model = Mixture(n_components=15, random_state=seed).fit(X)
    assert model.lower_bound_ > truth.lower_bound_ - 2e-3


@pytest.mark.parametrize("seed", range(3))
def test_auto_is_not_below_the_papers_beem_and_em(seed):
    X, _ = make_mixture(600, 8, 2, separation=2.5, unbalance=5, random_state=seed)
    plain = Mixture(n_components=8, algorithm=[BEEM(), EM(1e-5)], random_state=seed).fit(X)
    assert Mixture(n_components=8, random_state=seed).fit(X).lower_bound_ > (
        plain.lower_bound_ - 1e-4
    )


def test_the_score_never_falls_at_a_move():
    X, _ = make_mixture(1500, 15, 2, separation=3, unbalance=8, random_state=3)
    history = Mixture(n_components=15, algorithm=[EXPLORE, Moves()], random_state=3).fit(X).history_
    own = history.phase == "Moves"
    assert (np.diff(history.score[own]) > -1e-9).all()
    assert any(history.moves)


def test_no_move_makes_a_component_with_few_observations():
    rng = np.random.default_rng(0)
    d = 6
    X = np.vstack([rng.normal(size=(2 * d, d)) + 5 * rng.normal(size=d) for _ in range(12)])
    states = []
    model = Mixture(
        n_components=12, algorithm=[EXPLORE, Moves()], verbose=states.append, random_state=0
    ).fit(X)
    for state in states:
        moves = [move for move in state.step.moves if move.kind != "anneal"]  # makes no component
        if moves:
            changed = sorted({k for move in moves for k in move.components})
            assert state.step.counts[changed or slice(None)].min() >= d + 1
    conditions = [np.linalg.cond(one.covariance_matrix) for one in model.components_]
    assert max(conditions) < 1e8


@pytest.mark.parametrize("seed", range(3))
def test_moves_make_no_degenerate_component(seed):
    X = load_iris().data  # many rows have equal petal widths: degenerate components are likely
    for family in (RobustGaussian(), Gaussian(), Gaussian(prior=0, resolution=None)):
        model = Mixture(family, 3, random_state=seed).fit(X)
        assert not any(component.is_degenerate for component in model.components_)
    assert -1.35 < model.lower_bound_ < -1.19  # of the last, which maximises the likelihood


def test_moves_are_accepted_if_every_component_is_degenerate():
    X, labels, wrong = stuck()
    X = np.column_stack(
        [X, X.sum(axis=1)]
    )  # points on a plane: each component is at the variance floor
    truth = Mixture(n_components=4, algorithm=EM(1e-6), init=labels).fit(X)
    assert all(component.is_degenerate for component in truth.components_)
    model = Mixture(n_components=4, init=wrong, algorithm=[Moves(), EM(1e-6)], random_state=0)
    assert model.fit(X).lower_bound_ > truth.lower_bound_ - 1e-3


def test_moves_of_different_components_are_accepted_in_one_step():
    X, _, wrong = stuck()
    twice, start = np.vstack([X, X + 1000]), np.concatenate([wrong, wrong + 4])
    model = Mixture(n_components=8, init=start, algorithm=Moves(), random_state=0).fit(twice)
    first = next(moves for moves in model.history_.moves if moves)
    assert [move.kind for move in first].count("split") == 2


@pytest.fixture(scope="module")
def with_and_without_restarts():
    """Return fits from several seeds, each without a restart and with one."""
    X, _ = make_mixture(400, 8, 2, separation=2, random_state=1)
    exact = Gaussian(prior=0, resolution=None)  # a prior leaves few local optima to escape from
    return [
        [Mixture(exact, 8, algorithm=Moves(restarts=n), random_state=seed).fit(X) for n in (0, 1)]
        for seed in (0, 1, 2, 4)
    ]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_restarts_raise_some_scores_and_lower_none(with_and_without_restarts):
    reached = np.array([[one.lower_bound_ for one in both] for both in with_and_without_restarts])
    gains = reached[:, 1] - reached[:, 0]
    assert gains.min() > -1e-9
    assert gains.max() > 1e-3


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.slow
def test_a_restart_ends_once_it_is_better_than_or_equal_to_the_fit(with_and_without_restarts):
    n_restarts = 0
    for _, model in with_and_without_restarts:
        for here, restart in restarts_of(model.history_):
            is_better = restart > here + AUTO.least_gain
            is_level = np.abs(restart - here) < AUTO.least_gain
            after_a_move = slice(1, -1)  # the first score is the one before any move
            assert not (is_better | is_level)[after_a_move].any()
            n_restarts += 1
    assert n_restarts > 0


def restarts_of(history):
    """Yield the score before each restart, and the scores of the restart after each EM."""
    trials = history.trials
    for after in dict.fromkeys(trial.after for trial in trials):
        own = [trial for trial in trials if trial.after == after]
        climbs = [
            trial.score[-1]
            for trial in own
            if [move.kind for move in trial.moves] == ["restart"] and trial.recipe == "EM"
        ]
        if climbs:
            here = next(trial.score[-1] for trial in own if trial.moves[0].kind == "refine")
            yield here, np.array(climbs)


@pytest.mark.parametrize("seed", range(3))
def test_auto_reaches_the_optimum_if_components_hardly_overlap(seed):
    X, labels = load_breast_cancer(return_X_y=True)  # in 30 columns, components hardly overlap
    truth = Mixture(n_components=2, algorithm=EM(1e-6), init=labels).fit(X)
    model = Mixture(n_components=2, random_state=seed).fit(X)
    assert model.lower_bound_ > truth.lower_bound_ - 2e-3


def test_moves_reach_the_optimum_from_nearly_equal_components():
    X, labels = make_mixture(600, 12, 2, separation=6, random_state=0)  # a random init: all alike
    truth = Mixture(n_components=12, algorithm=EM(1e-6), init=labels).fit(X)
    model = Mixture(n_components=12, algorithm=[Moves(), EM(1e-6)], random_state=0).fit(X)
    assert model.lower_bound_ > truth.lower_bound_ - 2e-3


def test_moves_support_a_single_component_and_counts():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.poisson(rate, 200) for rate in (2, 15, 40, 100)])[:, None]
    assert Mixture(n_components=1, algorithm=Moves()).fit(X).converged_
    truth = Mixture(Poisson(), 4, algorithm="em", init=np.repeat(np.arange(4), 200)).fit(X)
    for seed in range(3):
        model = Mixture(Poisson(), 4, random_state=seed).fit(X)
        assert model.lower_bound_ > truth.lower_bound_ - 2e-3


def test_moves_support_sample_weights_noise_and_known_labels():
    X, labels, wrong = stuck()
    model = Mixture(n_components=4, init=wrong, algorithm=Moves(), random_state=0)
    without = model.fit(X).lower_bound_
    for weight in (2.0, 1e-3):
        model.fit(X, sample_weight=np.full(len(X), weight))
        assert model.lower_bound_ == pytest.approx(without, abs=1e-6)
        assert "split" in kinds(model)
    far = np.vstack([X, [[90.0, -80.0]]])
    noisy = Mixture(n_components=4, noise=True, random_state=0).fit(far)
    assert noisy.labels_[-1] == -1
    known = np.where(np.arange(len(X)) % 40 == 0, labels, -1)
    model = Mixture(n_components=4, random_state=0).fit(X, labels=known)
    assert (model.labels_ == labels).mean() > 0.99


def test_trials_on_a_subset_of_observations_reach_the_optimum():
    few = Moves(settings=replace(AUTO, observations_in_trials=150))
    X, labels, wrong = stuck()
    truth = Mixture(n_components=4, algorithm=EM(1e-6), init=labels).fit(X)
    model = Mixture(n_components=4, init=wrong, algorithm=[few, EM(1e-6)], random_state=0)
    assert model.fit(X).lower_bound_ > truth.lower_bound_ - 1e-3


@pytest.mark.parametrize("algorithm", ["auto", SMEM()])
def test_results_are_bitwise_equal_for_any_number_of_threads(algorithm):
    X, _ = make_mixture(300, 4, 2, random_state=0)
    data = Table.of(X).in_blocks(BlockSizes(smallest=97, largest=97))
    one, two = (
        Mixture(n_components=4, algorithm=algorithm, n_jobs=n, random_state=4).fit(data)
        for n in (1, 2)
    )
    assert one.lower_bound_ == two.lower_bound_
    assert one.history_.moves == two.history_.moves
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))


@pytest.mark.parametrize("seed", range(3))
def test_smem_reaches_the_optimum_that_em_misses(seed):
    X, labels, wrong = stuck(seed)
    truth = Mixture(n_components=4, algorithm=EM(1e-6), init=labels).fit(X)
    model = Mixture(n_components=4, init=wrong, algorithm=[SMEM(), EM(1e-6)], random_state=seed)
    assert model.fit(X).lower_bound_ > truth.lower_bound_ - 1e-3


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("seed", range(4))
def test_smem_stays_finite_with_sample_weights_of_zero(seed):
    X, _ = make_mixture(120, 8, 3, separation=2, random_state=seed)
    weights = np.random.default_rng(seed).integers(0, 2, len(X)).astype(float)
    model = Mixture(n_components=8, algorithm=SMEM(), random_state=seed)
    assert np.isfinite(model.fit(X, sample_weight=weights).lower_bound_)


def test_recipes_that_need_weights_raise_for_families_without_them():
    X, _, _ = stuck()
    for recipe in (Moves(), SMEM()):
        with pytest.raises(ValueError, match="fit of Unweighted takes no weights"):
            Mixture(Unweighted(), 4, algorithm=recipe).fit(X)


def test_invalid_settings_raise():
    for recipe, setting in [(Moves, "tries"), (Moves, "length"), (SMEM, "candidates")]:
        with pytest.raises(ValueError, match=f"{setting} must be a whole number of at least 1"):
            recipe(**{setting: 0})
    with pytest.raises(ValueError, match="restarts must be a whole number of zero or more"):
        Moves(restarts=-1)
    with pytest.raises(ValueError, match="entropy must be a number above 0 and below 1"):
        BEEM("auto", entropy=1.5)
