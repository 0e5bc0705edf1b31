import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boltzmix import BEEM, CEM, DAEM, EM, SEM
from boltzmix.data import Hard, Table, table
from boltzmix.datasets import make_mixture, make_square
from boltzmix.families import Gaussian
from boltzmix.learning import Evidence, Randomness, Start, Workers, fit_start, learn, learn_in_turn
from boltzmix.learning.weights import learned

SHAPES = ["full", "tied", "diag", "spherical"]
RECIPES = [EM(), DAEM(), SEM(length=20), CEM(), BEEM(), BEEM(weights="learned", small="keep")]


def start(X, k, shape="full", seed=0):
    data = Table.of(X)
    family = Gaussian(shape).prepare(data, k)
    labels = np.random.default_rng(seed).permutation(len(X)) % k
    begin = fit_start(
        data, family, Hard(labels, k), learned, np.random.default_rng(seed), Workers()
    )
    return data, begin


@settings(max_examples=40)
@given(
    st.sampled_from(SHAPES),
    st.integers(2, 6),
    st.integers(1, 4),
    st.floats(0.5, 6),
    st.integers(0, 10**6),
)
def test_the_likelihood_never_falls_in_em(shape, k, d, separation, seed):
    X, _ = make_mixture(150, k, d, separation=separation, random_state=seed)
    data = Table.of(X)
    family = Gaussian(shape, added_variance=0.0)  # a ridge is no part of the likelihood
    labels = np.random.default_rng(seed).permutation(len(X)) % k
    begin = fit_start(
        data, family, Hard(labels, k), learned, np.random.default_rng(seed), Workers()
    )
    scores = []
    try:
        for state in learn(
            Evidence(data), EM(tolerance=1e-9), begin, Randomness((1, 2)), Workers(), max_iter=60
        ):
            if (
                not state.finished
                and np.linalg.cond([component.covariance_matrix for component in state.bank]).max()
                > 1e6
            ):
                break  # a collapsing component: the likelihood has no maximum to climb to
            scores.append(state.step.score)
    except ValueError as error:
        assert "positive definite" in str(error)
    assert (np.diff(scores) > -1e-9).all()


@settings(max_examples=25)
@given(st.sampled_from(RECIPES), st.integers(0, 10**6))
def test_every_recipe_yields_finite_states_that_account_for_every_observation(recipe, seed):
    X, _ = make_mixture(120, 4, 2, unbalance=5, random_state=seed)
    data, begin = start(X, 4, seed=seed)
    for state in learn(
        Evidence(data), recipe, begin, Randomness.from_seed(seed), Workers(), max_iter=50
    ):
        assert np.isfinite(state.step.score)
        np.testing.assert_allclose(state.step.counts.sum(), len(X))
        np.testing.assert_allclose(state.weights.sum(), 1)


@pytest.mark.parametrize("recipe", RECIPES)
def test_block_size_changes_no_label_and_no_digit_that_matters(recipe, monkeypatch):
    X, _ = make_mixture(300, 4, 2, random_state=3)
    data, begin = start(X, 4)

    def run():
        return list(
            learn(Evidence(data), recipe, begin, Randomness.from_seed(5), Workers(), max_iter=30)
        )

    whole = run()
    monkeypatch.setattr(table, "block_size", lambda d, k: 37)
    blocks = run()
    assert len(whole) == len(blocks)
    for one, two in zip(whole, blocks, strict=True):
        np.testing.assert_allclose(one.step.counts, two.step.counts, rtol=1e-9)
        np.testing.assert_allclose(one.step.score, two.step.score, rtol=1e-10)


def test_the_same_random_numbers_give_the_same_run():
    X, _ = make_square(random_state=0)
    data, begin = start(X, 4)
    recipe = SEM(length=30)
    states = list(learn(Evidence(data), recipe, begin, Randomness.from_seed(1), Workers()))
    again = list(learn(Evidence(data), recipe, begin, Randomness.from_seed(1), Workers()))
    assert [s.step.score for s in states] == [s.step.score for s in again]


def test_beem_returns_its_best_state_and_em_its_last():
    X, _ = make_square(random_state=0)
    data, begin = start(X, 4)
    for recipe in (BEEM(), EM()):
        scores, kept = [], None
        for progress in learn_in_turn(
            Evidence(data), [recipe], begin, Randomness.from_seed(0), Workers()
        ):
            scores.append(progress.state.step.score)
            kept = progress.kept
        expected = max(scores) if recipe == BEEM() else scores[-1]
        assert kept.step.score == expected


def test_a_second_recipe_starts_from_what_the_first_returned():
    X, _ = make_square(random_state=0)
    data, begin = start(X, 4)
    progress = list(
        learn_in_turn(Evidence(data), [BEEM(), EM()], begin, Randomness.from_seed(0), Workers())
    )
    first = [p for p in progress if p.state.step.phase == "BEEM"]
    second = [p for p in progress if p.state.step.phase == "EM"]
    assert second[0].state.bank is first[-1].kept.bank


def test_states_are_immutable():
    X, _ = make_square(random_state=0)
    data, begin = start(X, 4)
    state = next(learn(Evidence(data), EM(), begin, Randomness.from_seed(0), Workers()))
    with pytest.raises(AttributeError):
        state.weights = None


def one_component_far_away(X):
    """Return a start in which component 1 sits far away from everything."""
    data = Table.of(X)
    family = Gaussian().prepare(data, 2)
    near = family.fit(data)
    far = family.fit(data).moved_to(Table.of([[1e4, 1e4]]))
    return data, Start(family.bank([near, far]), np.array([0.5, 0.5]))


def test_an_empty_component_keeps_its_parameters_or_is_reseeded_or_refused():
    X, _ = make_square(random_state=0)
    data, begin = one_component_far_away(X)

    def second_state(small):
        states = learn(Evidence(data), CEM(small=small), begin, Randomness.from_seed(0), Workers())
        next(states)
        return next(states)

    kept = second_state("keep").bank.components[1]
    np.testing.assert_array_equal(kept.mean, [1e4, 1e4])
    reseeded = second_state("reseed").bank.components[1]
    assert np.abs(reseeded.mean).max() < 10
    with pytest.raises(ValueError, match="Component 1 was left with too few observations"):
        second_state("error")


def test_em_keeps_a_component_without_any_share():
    X, _ = make_square(random_state=0)
    data, begin = one_component_far_away(X)
    for state in learn(Evidence(data), EM(), begin, Randomness.from_seed(0), Workers()):
        assert np.isfinite(state.step.score)
    np.testing.assert_array_equal(state.bank.components[1].mean, [1e4, 1e4])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: EM(tolerance=-1), "tolerance must be a number of zero or more"),
        (lambda: BEEM(temperature=0), "temperature must be a number above 0"),
        (lambda: BEEM(cooling=2), "cooling must be a number above 0"),
        (lambda: BEEM(floor=0), "floor must be a number above 0"),
        (lambda: BEEM(patience=0), "patience must be a whole number"),
        (lambda: BEEM(weights="some"), "weights must be one of 'uniform', 'learned'"),
        (lambda: BEEM(small="drop"), "small must be one of"),
        (lambda: BEEM(patience=1.5), "patience must be a whole number"),
        (lambda: BEEM(temperature="a"), "temperature must be a number"),
        (lambda: DAEM(beta=0), "beta must be"),
        (lambda: DAEM(growth=1), "growth must be"),
        (lambda: SEM(length=0), "length must be"),
        (lambda: CEM(small="drop"), "small must be one of"),
    ],
)
def test_recipes_refuse_bad_arguments(make, message):
    with pytest.raises(ValueError, match=message):
        make()
