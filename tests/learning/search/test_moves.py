"""Moves: components go to where they are needed, and the score never falls."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from boltzmix import BEEM, CEM, EM, SMEM, Mixture, Moves
from boltzmix.datasets import make_mixture, make_square
from boltzmix.families import Poisson
from boltzmix.learning import AUTO
from tests.unweighted import Unweighted

EXPLORE = BEEM("auto", small="reseed")


def stuck(seed=0, sizes=(100, 100, 100, 100)):
    """Return four clusters, and labels in which two components have one of them and one has two."""
    X, labels = make_square(sizes, random_state=seed)
    wrong = np.select([labels == 0, labels == 1, labels == 2], [labels, labels, 2], 2)
    wrong[labels == 0] = np.random.default_rng(seed).integers(2, size=(labels == 0).sum()) * 3
    return X, labels, wrong


def kinds(model):
    """Return the kinds of all moves that were accepted."""
    return [move.kind for moves in model.history_.moves for move in moves]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("family", "polish", "soft"), [(None, EM(1e-6), True), (Unweighted(), CEM(), False)]
)
def test_two_components_on_one_cluster_and_one_on_two_are_put_right(family, polish, soft, seed):
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
def test_auto_is_not_below_the_paper_and_em(seed):
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


def test_no_move_makes_a_component_of_a_few_observations():
    rng = np.random.default_rng(0)
    d = 6
    X = np.vstack([rng.normal(size=(2 * d, d)) + 5 * rng.normal(size=d) for _ in range(12)])
    states = []
    model = Mixture(
        n_components=12, algorithm=[EXPLORE, Moves()], verbose=states.append, random_state=0
    ).fit(X)
    for state in states:
        if state.step.moves:
            changed = sorted({k for move in state.step.moves for k in move.components})
            assert state.step.counts[changed or slice(None)].min() >= d + 1
    conditions = [np.linalg.cond(one.covariance_matrix) for one in model.components_]
    assert max(conditions) < 1e8


@pytest.mark.parametrize("seed", range(3))
def test_moves_make_no_degenerate_component(seed):
    X = load_iris().data  # many flowers share a petal width, so the likelihood has spikes
    model = Mixture(n_components=3, random_state=seed).fit(X)
    assert not any(component.is_degenerate for component in model.components_)
    assert -1.35 < model.lower_bound_ < -1.19


def test_moves_go_on_where_every_component_is_degenerate():
    X, labels, wrong = stuck()
    X = np.column_stack([X, X.sum(axis=1)])  # a plane: no component is wider than the floor there
    truth = Mixture(n_components=4, algorithm=EM(1e-6), init=labels).fit(X)
    assert all(component.is_degenerate for component in truth.components_)
    model = Mixture(n_components=4, init=wrong, algorithm=[Moves(), EM(1e-6)], random_state=0)
    assert model.fit(X).lower_bound_ > truth.lower_bound_ - 1e-3


def test_moves_of_different_components_are_made_together():
    X, _, wrong = stuck()
    twice, start = np.vstack([X, X + 1000]), np.concatenate([wrong, wrong + 4])
    model = Mixture(n_components=8, init=start, algorithm=Moves(), random_state=0).fit(twice)
    first = next(moves for moves in model.history_.moves if moves)
    assert [move.kind for move in first].count("split") == 2


@pytest.fixture(scope="module")
def with_and_without_restarts():
    """Return fits from several seeds, each without a restart and with one."""
    X, _ = make_mixture(400, 8, 2, separation=2, random_state=0)
    return [
        [
            Mixture(n_components=8, algorithm=Moves(restarts=n), random_state=seed).fit(X)
            for n in (0, 1)
        ]
        for seed in range(6)
    ]


def test_restarts_find_more_and_never_less(with_and_without_restarts):
    reached = np.array([[one.lower_bound_ for one in both] for both in with_and_without_restarts])
    gains = reached[:, 1] - reached[:, 0]
    assert gains.min() > -1e-9
    assert gains.max() > 1e-3


def test_a_restart_is_followed_until_it_is_better_or_level(with_and_without_restarts):
    n_restarts = 0
    for _, model in with_and_without_restarts:
        for here, restart in restarts_of(model.history_):
            is_better = restart > here + AUTO.least_gain
            is_level = np.abs(restart - here) < AUTO.least_gain
            assert not (is_better | is_level)[1:-1].any()  # exploring alone does not end it
            n_restarts += 1
    assert n_restarts > 0


def restarts_of(history):
    """Yield the score before each restart, and its own scores after exploring and each move."""
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
def test_two_components_that_hardly_overlap_are_split_anew(seed):
    X, labels = load_breast_cancer(return_X_y=True)  # in 30 columns, all components are far apart
    truth = Mixture(n_components=2, algorithm=EM(1e-6), init=labels).fit(X)
    model = Mixture(n_components=2, random_state=seed).fit(X)
    assert model.lower_bound_ > truth.lower_bound_ - 2e-3


def test_moves_from_components_that_are_all_alike():
    X, labels = make_mixture(600, 12, 2, separation=6, random_state=0)  # each has a twelfth of all
    truth = Mixture(n_components=12, algorithm=EM(1e-6), init=labels).fit(X)
    model = Mixture(n_components=12, algorithm=[Moves(), EM(1e-6)], random_state=0).fit(X)
    assert model.lower_bound_ > truth.lower_bound_ - 2e-3


def test_a_single_component_and_a_family_of_counts_have_moves_too():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.poisson(rate, 200) for rate in (2, 15, 40, 100)])[:, None]
    assert Mixture(n_components=1, algorithm=Moves()).fit(X).converged_
    truth = Mixture(Poisson(), 4, algorithm="em", init=np.repeat(np.arange(4), 200)).fit(X)
    for seed in range(3):
        model = Mixture(Poisson(), 4, random_state=seed).fit(X)
        assert model.lower_bound_ > truth.lower_bound_ - 2e-3


def test_moves_take_weights_noise_and_known_labels():
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


def test_some_observations_are_enough_to_judge_by():
    few = Moves(settings=replace(AUTO, observations_in_trials=150))
    X, labels, wrong = stuck()
    truth = Mixture(n_components=4, algorithm=EM(1e-6), init=labels).fit(X)
    model = Mixture(n_components=4, init=wrong, algorithm=[few, EM(1e-6)], random_state=0)
    assert model.fit(X).lower_bound_ > truth.lower_bound_ - 1e-3


@pytest.mark.parametrize("algorithm", ["auto", SMEM()])
def test_threads_change_no_bit(algorithm, monkeypatch):
    from boltzmix.data import table

    monkeypatch.setattr(table, "block_size", lambda d, k: 97)
    X, _ = make_mixture(300, 4, 2, random_state=0)
    one, two = (
        Mixture(n_components=4, algorithm=algorithm, n_jobs=n, random_state=4).fit(X)
        for n in (1, 2)
    )
    assert one.lower_bound_ == two.lower_bound_
    assert one.history_.moves == two.history_.moves
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))


@pytest.mark.parametrize("seed", range(3))
def test_smem_puts_right_what_em_cannot(seed):
    X, labels, wrong = stuck(seed)
    truth = Mixture(n_components=4, algorithm=EM(1e-6), init=labels).fit(X)
    model = Mixture(n_components=4, init=wrong, algorithm=[SMEM(), EM(1e-6)], random_state=seed)
    assert model.fit(X).lower_bound_ > truth.lower_bound_ - 1e-3


@pytest.mark.parametrize("seed", range(4))
def test_smem_splits_a_component_by_its_own_observations_alone(seed):
    X, _ = make_mixture(120, 8, 3, separation=2, random_state=seed)  # others have none of its own
    weights = np.random.default_rng(seed).integers(0, 2, len(X)).astype(float)
    model = Mixture(n_components=8, algorithm=SMEM(), random_state=seed)
    assert np.isfinite(model.fit(X, sample_weight=weights).lower_bound_)


def test_families_without_weights_raise_with_what_to_use():
    X, _, _ = stuck()
    for recipe in (Moves(), SMEM()):
        with pytest.raises(ValueError, match="fit of Unweighted takes no weights"):
            Mixture(Unweighted(), 4, algorithm=recipe).fit(X)


def test_settings_are_checked():
    for recipe, setting in [(Moves, "tries"), (Moves, "length"), (SMEM, "candidates")]:
        with pytest.raises(ValueError, match=f"{setting} must be a whole number of at least 1"):
            recipe(**{setting: 0})
    with pytest.raises(ValueError, match="restarts must be a whole number of zero or more"):
        Moves(restarts=-1)
    with pytest.raises(ValueError, match="entropy must be a number above 0 and below 1"):
        BEEM("auto", entropy=1.5)
