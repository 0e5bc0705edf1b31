"""Temperatures, weights, stopping rules and random numbers: the small parts of the loop."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boltzmix.learning import History, Randomness, Step
from boltzmix.learning.parts import (
    constant,
    either,
    falling_entropy,
    geometric,
    labels_fixed,
    learned,
    length,
    linear,
    patience,
    rising_beta,
    tolerance,
    uniform,
)
from boltzmix.learning.parts.temperature import temperature_of


def steps(scores, temperature=1.0, n_changed=1):
    return [
        Step("EM", i, temperature, score, np.array([1.0, 2.0]), n_changed)
        for i, score in enumerate(scores)
    ]


def after(schedule, n_steps):
    return schedule(steps(np.zeros(n_steps)), None)


def test_geometric_temperatures_fall_to_the_floor():
    schedule = geometric(1.5, 0.97, 0.1)
    assert after(schedule, 0) == 1.5
    np.testing.assert_allclose(after(schedule, 10), 1.5 * 0.97**10)
    assert after(schedule, 1000) == 0.1


def test_beta_rises_to_one_and_stays_there():
    schedule = rising_beta(0.5, 1.1)
    assert after(schedule, 0) == 2.0
    assert after(schedule, 1000) == 1.0
    assert all(after(schedule, i) >= after(schedule, i + 1) for i in range(50))


def test_a_linear_temperature_falls_to_zero():
    schedule = linear(0.5, 4)
    assert [after(schedule, i) for i in range(5)] == [0.5, 0.375, 0.25, 0.125, 0.0]


def test_constant_temperature_is_constant():
    assert {after(constant(2.0), i) for i in range(5)} == {2.0}


def test_entropy_falls_linearly_for_any_scale_of_log_densities():
    log_probs = np.random.default_rng(0).normal(size=(300, 4))
    schedule = falling_entropy(0.5, 10)
    for n_steps, entropy in [(0, 0.5), (5, 0.25), (9, 0.05), (50, 0.05)]:
        cold, hot = (
            schedule(steps(np.zeros(n_steps)), lambda u=u: u * log_probs) for u in (1, 1e6)
        )
        np.testing.assert_allclose(entropy_of(log_probs, cold), entropy, atol=0.01)
        np.testing.assert_allclose(hot, 1e6 * cold, rtol=0.05)


def test_weights_sum_to_one_and_are_never_zero():
    np.testing.assert_array_equal(uniform(np.array([5.0, 0.0])), [0.5, 0.5])
    weights = learned(np.array([3.0, 0.0, 1.0]))
    np.testing.assert_allclose(weights, [0.75, 0, 0.25], atol=1e-14)
    assert (weights > 0).all()
    np.testing.assert_allclose(weights.sum(), 1)


def test_tolerance_stops_one_step_after_the_change_is_small():
    stop = tolerance(0.1)
    assert not stop(steps([0.0, 1.0]))
    assert not stop(steps([0.0, 1.0, 1.05]))
    assert stop(steps([0.0, 1.0, 1.05, 1.06]))


def test_tolerance_waits_for_temperature_one():
    hot, cold = steps([0.0, 0.0], temperature=2.0), steps([0.0, 0.0])
    assert not tolerance(0.1)(hot + cold)
    assert tolerance(0.1)(hot + cold + steps([0.0]))


def test_patience_counts_steps_since_the_best_score():
    stop = patience(3)
    assert not stop(steps([1, 5, 2, 3]))
    assert stop(steps([1, 5, 2, 3, 4]))
    assert not stop(steps([1, 5, 2, 3, 6]))


def test_negligible_gains_do_not_reset_patience():
    assert patience(3)(steps([1, 5, 5.00001, 5.00002, 5.00003]))
    assert not patience(3)(steps([1, 5, 5.01, 5.02, 5.03]))


@pytest.mark.parametrize(("ratio", "least"), [(0.5, 1e-3), (0.9, 1e-3), (0.99, 1e-5)])
def test_tolerance_estimates_exactly_when_gains_that_fall_geometrically_are_small(ratio, least):
    stop, scores = tolerance(least), np.cumsum(ratio ** np.arange(2000.0))
    last = next(i for i in range(len(scores)) if stop(steps(scores[: i + 1])))
    for i in {4, 7, max(last // 4, 4), last // 2, last - 1, last}:
        np.testing.assert_allclose(stop.n_left(steps(scores[: i + 1])), last - i, atol=1)
    assert stop.n_left(steps(scores[: last + 1])) == 0


def test_tolerance_estimates_nothing_while_gains_rise_or_temperatures_differ():
    stop = tolerance(1e-3)
    assert stop.n_left(steps([0.0, 1.0, 1.5])) is None
    assert stop.n_left(steps(np.arange(10.0) ** 2)) is None
    assert stop.n_left(steps(np.arange(10.0))) is None
    falling = np.cumsum(0.9 ** np.arange(10.0))
    assert stop.n_left(steps(falling, temperature=2.0)) is None
    assert tolerance(0.0).n_left(steps(falling)) is None
    assert stop.n_left(steps([-np.inf, *falling])) is not None
    assert stop.n_left(steps([-np.inf] * 5)) is None


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=12))
def test_estimates_are_never_negative(scores):
    n_left = tolerance(1e-3).n_left(steps(scores))
    assert n_left is None or n_left >= 0


def test_a_fixed_length_is_known_from_the_first_step():
    assert [length(3).n_left(steps(np.zeros(n))) for n in (1, 2, 4)] == [3, 2, 0]


def entropy_of(log_probs, temperature):
    found = np.exp(log_probs / temperature)
    found /= found.sum(axis=1, keepdims=True)
    return -(found * np.log(np.maximum(found, 1e-300))).sum(axis=1).mean() / np.log(4)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e4])
@pytest.mark.parametrize("entropy", [0.1, 0.5, 0.9])
def test_the_temperature_has_the_requested_entropy_and_scales_with_log_densities(entropy, scale):
    log_probs = np.random.default_rng(0).normal(size=(300, 4))
    found = temperature_of(entropy, scale * log_probs)
    np.testing.assert_allclose(entropy_of(scale * log_probs, found), entropy, atol=0.01)
    np.testing.assert_allclose(found, scale * temperature_of(entropy, log_probs), rtol=0.05)


def test_the_temperature_is_one_if_log_densities_are_equal():
    assert temperature_of(0.5, np.zeros((10, 3))) == 1
    assert temperature_of(0.5, np.zeros((10, 1))) == 1
    assert temperature_of(0.5, np.full((10, 3), -np.inf)) == 1


def test_either_stops_when_one_of_two_rules_does():
    rule = either(length(2), labels_fixed)
    assert rule(steps([0], n_changed=0))
    assert rule(steps([0, 0, 0]))
    assert not rule(steps([0, 0]))


def test_length_counts_m_steps_and_labels_fixed_needs_unchanged_labels():
    assert not length(2)(steps([0, 0]))
    assert length(2)(steps([0, 0, 0]))
    assert labels_fixed(steps([0], n_changed=0))
    assert not labels_fixed(steps([0], n_changed=3))
    assert not labels_fixed(steps([0], n_changed=None))


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 5), st.integers(0, 2**33))
def test_random_numbers_depend_on_the_observation_not_on_the_block(a, b, run, step):
    start, stop = min(a, b), max(a, b)
    randomness = Randomness.from_seed(7, run)
    whole = randomness.uniforms(step, slice(0, 300))
    np.testing.assert_array_equal(randomness.uniforms(step, slice(start, stop)), whole[start:stop])


def test_random_numbers_differ_between_seeds_runs_steps_and_purposes():
    drawn = [
        Randomness.from_seed(seed, run).uniforms(step, slice(0, 8))
        for seed in (0, 1)
        for run in (0, 1)
        for step in (0, 1)
    ]
    drawn += [Randomness.from_seed(0).generator(0).random(8)]
    drawn += [Randomness.from_seed(0).starter().random(8)]
    assert len({number for row in drawn for number in row.tolist()}) == 8 * len(drawn)


def test_uniforms_are_uniformly_distributed():
    numbers = Randomness.from_seed(3).uniforms(0, slice(0, 100_000))
    counts, _ = np.histogram(numbers, bins=20, range=(0, 1))
    assert (np.abs(counts - 5000) < 5 * np.sqrt(5000)).all()


def test_a_history_has_arrays_and_converts_to_a_frame():
    history = History.of(steps([1.0, 2.0, 3.0]))
    assert history.counts.shape == (3, 2)
    assert history.n_iter == 2
    frame = history.to_frame()
    assert list(frame.columns) == [
        "phase", "iteration", "temperature", "score", "move", "count_0", "count_1",
    ]  # fmt: skip
    assert len(frame) == len(history) == 3
    assert "EM: 3" in repr(history)
