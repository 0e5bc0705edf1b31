"""Tests of the search within a single hidden Markov model, and of its alternatives."""

import numpy as np
import pytest

from boltzmix import EM, Mixture, Sequences
from boltzmix.families import HMM, Categorical, Gaussian

PLAIN = Gaussian("diag", prior=0, resolution=None)


def rising_and_falling(n_steps=120):
    """Return a series in which the same level is passed on the way up and down."""
    levels = np.tile([0.0, 0.0, 2.0, 4.0, 4.0, 2.0], n_steps // 6)
    return levels + np.random.default_rng(0).normal(0, 0.8, len(levels))


def total(model, X):
    """Return the log-likelihood of all sequences."""
    return model.score(X) * len(Sequences.of(X))


def test_alternatives_are_valid_models_that_learning_can_go_on_from():
    X = Sequences.of(rising_and_falling())
    for family in (HMM(4), HMM(4, topology="left-right"), HMM(2, topology=np.eye(2) < 2)):
        model = family.fit(X)
        found = list(model.search_hints.alternatives(X, np.array([2.0]), np.random.default_rng(0)))
        assert len(found) > model.n_states
        for one in found:
            np.testing.assert_allclose(one.initial.sum(), 1)
            np.testing.assert_allclose(one.transitions.sum(axis=1), 1)
            assert not one.transitions[~model.allowed].any()
            assert np.isfinite(one.log_prob(X)).all()
        assert one.fit(X).log_prob(X) > one.log_prob(X) - 1
    assert len({one.log_prob(X)[0] for one in found}) > 1


def test_alternatives_of_symbols_need_no_distances():
    codes = np.random.default_rng(0).integers(3, size=(60, 1)).astype(float)
    model = HMM(3, Categorical()).fit([codes])
    found = list(
        model.search_hints.alternatives(Sequences.of([codes]), None, np.random.default_rng(0))
    )
    assert all(np.isfinite(one.log_prob([codes])).all() for one in found)


def test_other_families_have_no_alternatives():
    assert HMM(2).search_hints.alternatives
    assert not Gaussian().search_hints.alternatives


def test_a_single_model_reaches_the_same_optimum_from_every_seed_and_beats_one_start():
    X, family = rising_and_falling(), HMM(4, PLAIN, prior=0)
    models = [Mixture(family, 1, random_state=seed).fit(X) for seed in (0, 1)]
    found = [total(model, X) for model in models]
    alone = total(Mixture(family, 1, algorithm=EM(1e-6)).fit(X), X)
    assert found[0] == pytest.approx(found[1], abs=1.0)
    assert min(found) > alone + 1
    history = models[0].history_
    assert "alternative" in {move.kind for step in history.moves for move in step}
    assert history.trials


def test_a_long_sequence_is_searched_in_pieces_and_a_left_right_one_as_it_is():
    X = Sequences.of(np.arange(1000.0))
    some, weights = HMM(2).search_hints.excerpt(X, np.ones(1), 100)
    assert len(some.steps) == 100
    assert weights is None
    assert all((np.diff(one, axis=0) == 1).all() for one in some)
    assert some[0][0] == 0
    assert some.values[-1] == 999
    assert HMM(2, topology="left-right").search_hints.excerpt(X, None, 100)[0].lengths.tolist() == [
        1000
    ]


def test_of_many_sequences_some_are_searched_with_their_weights():
    X = Sequences.of([np.full((10, 1), float(i)) for i in range(100)])
    some, weights = HMM(2).search_hints.excerpt(X, np.arange(100.0), 200)
    assert len(some) == 20
    np.testing.assert_array_equal(some.values[some.ends[:-1], 0], weights)
    assert HMM(2).search_hints.excerpt(X, None, 1000) == (X, None)


def test_an_array_is_one_sequence():
    X = rising_and_falling(n_steps=60)
    one = HMM(2).fit(X)
    np.testing.assert_array_equal(one.log_prob(X), one.log_prob([X[:, None]]))
    np.testing.assert_array_equal(Sequences.of(np.column_stack([X, X]))[0], np.stack([X, X], 1))
    model = Mixture(HMM(2), 1, algorithm=EM(), random_state=0).fit(X[:, None])
    assert model.labels_.shape == (1,)


def test_several_components_of_one_sequence_raise():
    with pytest.raises(ValueError, match=r"n_samples = 1 .* list of arrays; one array is one seq"):
        Mixture(HMM(2), 3).fit(np.ones((20, 5)))
