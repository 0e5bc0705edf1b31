from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boltzmix import BEEM, CEM, DAEM, EM, SEM, Mixture
from boltzmix.data import BlockSizes, Hard, Table
from boltzmix.datasets import make_mixture, make_square
from boltzmix.families import Gaussian
from boltzmix.learning import (
    MixtureState,
    Randomness,
    Run,
    State,
    TrainingData,
    Workers,
    fit_start,
)
from boltzmix.learning.engine.state import drained
from boltzmix.learning.parts import learned

SHAPES = ["full", "tied", "diag", "spherical"]
RECIPES = [EM(), DAEM(), SEM(length=20), CEM(), BEEM(small="reseed"), BEEM(weights="learned")]


def start(X, k, family=None, seed=0):
    """Return training data, and a mixture state fitted to random labels."""
    data = TrainingData(Table.of(X))
    family = (family or Gaussian()).prepare(data.observations, k)
    labels = Hard(np.random.default_rng(seed).permutation(len(X)) % k, k)
    return data, fit_start(data, family, labels, learned, np.random.default_rng(seed), Workers())


def learn(data, recipe, begin, seed=0, max_iter=1000):
    return recipe.learn(Run(data, Randomness.from_seed(seed), Workers(), max_iter), begin)


def learn_all(data, recipe, begin):
    """Return all states, and the final state that the recipe returns."""
    states, run = [], learn(data, recipe, begin)
    while True:
        try:
            states.append(next(run))
        except StopIteration as end:
            return states, end.value


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
    family = Gaussian(
        shape, added_variance=0.0
    )  # EM does not maximise the likelihood if there is a ridge
    data, begin = start(X, k, family, seed)
    scores = []
    try:
        for state in learn(data, EM(tolerance=1e-9), begin, max_iter=60):
            if (
                not state.step.finished
                and np.linalg.cond([component.covariance_matrix for component in state.bank]).max()
                > 1e6
            ):
                break  # a component collapses, and the likelihood is unbounded
            scores.append(state.step.score)
    except ValueError as error:
        assert "positive definite" in str(error)
    assert (np.diff(scores) > -1e-9).all()


@settings(max_examples=25)
@given(st.sampled_from(RECIPES), st.integers(0, 10**6))
def test_every_recipe_yields_finite_scores_and_counts_of_all_observations(recipe, seed):
    X, _ = make_mixture(120, 4, 2, unbalance=5, random_state=seed)
    data, begin = start(X, 4, seed=seed)
    for state in learn(data, recipe, begin, seed, max_iter=50):
        assert np.isfinite(state.step.score)
        np.testing.assert_allclose(state.step.counts.sum(), len(X))
        np.testing.assert_allclose(state.weights.sum(), 1)


@pytest.mark.parametrize("recipe", RECIPES)
def test_block_size_changes_counts_and_scores_only_by_rounding(recipe):
    X, _ = make_mixture(300, 4, 2, random_state=3)
    data, begin = start(X, 4)

    whole = list(learn(data, recipe, begin, 5, max_iter=30))
    small = data.observations.in_blocks(BlockSizes(smallest=37, largest=37))
    blocks = list(learn(TrainingData(small), recipe, begin, 5, max_iter=30))
    assert len(whole) == len(blocks)
    for one, two in zip(whole, blocks, strict=True):
        np.testing.assert_allclose(one.step.counts, two.step.counts, rtol=1e-9)
        np.testing.assert_allclose(one.step.score, two.step.score, rtol=1e-10)


def test_the_same_random_numbers_give_the_same_run():
    X, _ = make_square(random_state=0)
    data, begin = start(X, 4)
    recipe = SEM(length=30)
    states = list(learn(data, recipe, begin, 1))
    again = list(learn(data, recipe, begin, 1))
    assert [s.step.score for s in states] == [s.step.score for s in again]


def test_beem_returns_its_best_state_and_em_its_last():
    X, _ = make_square(random_state=0)
    data, begin = start(X, 4)
    for recipe in (BEEM(), EM()):
        states, kept = learn_all(data, recipe, begin)
        scores = [state.step.score for state in states]
        expected = max(scores) if recipe == BEEM() else scores[-1]
        assert kept.step.score == expected


def test_a_second_recipe_starts_from_the_best_state_of_the_first():
    X, _ = make_square(random_state=0)
    states = []
    Mixture(Gaussian(), 4, algorithm=[BEEM(), EM()], verbose=states.append, random_state=0).fit(X)
    first = [state for state in states if state.step.phase == "BEEM"]
    second = next(state for state in states if state.step.phase == "EM")
    best = max(first, key=lambda state: state.step.score)
    np.testing.assert_array_equal(second.bank.means, best.bank.means)


def test_a_run_ends_after_max_iter_m_steps():
    X, _ = make_square(random_state=0)
    data, begin = start(X, 4)
    states = list(learn(data, EM(0.0), begin, max_iter=3))
    assert [state.step.iteration for state in states] == [0, 1, 2, 3]
    assert not any(state.step.finished for state in states)


def test_states_are_immutable():
    X, _ = make_square(random_state=0)
    data, begin = start(X, 4)
    state = next(learn(data, EM(), begin))
    assert isinstance(state, State)
    with pytest.raises(AttributeError):
        state.weights = None


def one_component_far_away(X):
    """Return training data, and a state whose component 1 is far from all observations."""
    data = Table.of(X)
    family = Gaussian().prepare(data, 2)
    near = family.fit(data)
    far = family.fit(data).moved_to(Table.of([[1e4, 1e4]]))
    return TrainingData(data), MixtureState(family.bank([near, far]), np.array([0.5, 0.5]))


def test_an_empty_component_keeps_its_parameters_or_is_reseeded_or_raises():
    X, _ = make_square(random_state=0)
    data, begin = one_component_far_away(X)

    def second_state(small):
        states = learn(data, CEM(small=small), begin)
        next(states)
        return next(states)

    kept = second_state("keep").bank.components[1]
    np.testing.assert_array_equal(kept.mean, [1e4, 1e4])
    reseeded = second_state("reseed").bank.components[1]
    assert np.abs(reseeded.mean).max() < 10
    with pytest.raises(ValueError, match="Component 1 was left with too few observations"):
        second_state("error")


def test_em_keeps_a_component_without_any_responsibility():
    X, _ = make_square(random_state=0)
    data, begin = one_component_far_away(X)
    for state in learn(data, EM(), begin):
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
def test_recipes_raise_on_bad_arguments(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_blocks_in_memory_are_the_same_objects_in_the_next_step():
    data = TrainingData(Table.of(np.arange(12.0).reshape(6, 2)), np.arange(6.0))
    halves, thirds = [slice(0, 3), slice(3, 6)], [slice(0, 2), slice(2, 4), slice(4, 6)]
    first = [data.in_blocks(halves)(place) for place in halves]
    assert all(data.in_blocks(halves)(p) is one for p, one in zip(halves, first, strict=True))
    np.testing.assert_array_equal(first[1].sample_weight, [3, 4, 5])
    np.testing.assert_array_equal(
        np.concatenate([data.in_blocks(thirds)(place).observations.values for place in thirds]),
        data.observations.values,
    )


def test_em_without_an_extra_step_ends_at_once_where_em_has_converged():
    X, _ = make_mixture(300, 3, 2, separation=4, random_state=0)
    data, begin = start(X, 3)
    states, found = learn_all(data, EM(1e-6, extra_step=False), begin)
    assert abs(states[-1].step.score - states[-2].step.score) < 1e-6
    assert all(b.step.gain == b.step.score - a.step.score for a, b in pairwise(states))

    again, end = learn_all(data, EM(1e-6, extra_step=False), found)
    assert len(again) == 1 and again[0].step.finished
    np.testing.assert_array_equal(end.bank.means, found.bank.means)
    stricter, _ = learn_all(data, EM(found.step.gain / 10, extra_step=False), found)
    assert len(stricter) > 1


def test_em_takes_over_no_gain_from_other_data():
    X, _ = make_mixture(300, 3, 2, separation=4, random_state=0)
    data, begin = start(X, 3)
    _, found = learn_all(data, EM(1e-6), begin)
    some = data.take(np.arange(200))
    states, _ = learn_all(some, EM(1e-6, extra_step=False), found)
    assert states[0].step.gain is None and len(states) > 1


def test_an_e_step_is_not_repeated_within_a_run():
    X, _ = make_mixture(300, 3, 2, separation=4, random_state=0)
    data, begin = start(X, 3)
    run = Run(data, Randomness.from_seed(0), Workers())
    found = drained(EM(1e-6).learn(run, begin))
    before = run.last_e_step.found
    drained(EM(np.inf, extra_step=False).learn(run, found))
    assert run.last_e_step.found is before
