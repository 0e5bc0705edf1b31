import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import logsumexp, softmax

from boltzmix.data import Hard
from boltzmix.learning.parts.assignment import (
    argmax,
    best_component,
    best_log_prob,
    classification,
    log_likelihood,
    responsibilities,
    sampled,
    soft,
)

matrices = arrays(
    float, st.tuples(st.integers(1, 20), st.integers(1, 6)), elements=st.floats(-1e5, 1e3)
)
temperatures = st.floats(0.1, 100)


def weights_of(log_probs):
    weights = np.arange(1.0, log_probs.shape[1] + 1)
    return np.log(weights / weights.sum())


def no_draw():
    raise AssertionError("nothing is drawn here")


@given(matrices, temperatures)
def test_modified_responsibility_is_a_softmax_of_the_joint(log_probs, temperature):
    log_weights = weights_of(log_probs)
    found, scores = responsibilities(log_probs, log_weights, temperature)
    expected = softmax((log_probs + log_weights) / temperature, axis=1)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-16)
    np.testing.assert_allclose(scores, logsumexp(log_probs + log_weights, axis=1), atol=1e-10)


@given(matrices, temperatures)
def test_responsibilities_sum_to_one_and_do_not_change_their_input(log_probs, temperature):
    before = log_probs.copy()
    found, _ = responsibilities(log_probs, weights_of(log_probs), temperature)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    np.testing.assert_array_equal(log_probs, before)


@given(matrices)
def test_scores_equal_their_definitions(log_probs):
    log_weights = weights_of(log_probs)
    joint = log_probs + log_weights
    np.testing.assert_allclose(
        log_likelihood(log_probs, log_weights), logsumexp(joint, axis=1), atol=1e-10
    )
    np.testing.assert_array_equal(classification(log_probs, log_weights), joint.max(axis=1))
    np.testing.assert_array_equal(best_log_prob(log_probs, log_weights), log_probs.max(axis=1))
    np.testing.assert_array_equal(best_component(log_probs, log_weights), joint.argmax(axis=1))


def test_an_impossible_row_has_equal_responsibilities_and_scores_minus_infinity():
    found, scores = responsibilities(np.full((1, 4), -np.inf), np.log([0.1, 0.2, 0.3, 0.4]))
    np.testing.assert_array_equal(found, np.full((1, 4), 0.25))
    assert scores[0] == -np.inf
    assert log_likelihood(np.full((1, 4), -np.inf), np.zeros(4))[0] == -np.inf


def draw_labels(joint, numbers):
    assign = sampled(log_likelihood)
    membership, _ = assign(joint, np.zeros(joint.shape[1]), 1.0, lambda: numbers, None)
    return membership.labels


def test_sampled_labels_follow_the_responsibilities():
    joint = np.tile(np.log([0.5, 0.2, 0.3]), (100_000, 1))
    labels = draw_labels(joint, np.random.default_rng(0).random(len(joint)))
    np.testing.assert_allclose(np.bincount(labels) / len(joint), [0.5, 0.2, 0.3], atol=0.006)


@given(matrices, st.integers(0, 2**32))
def test_sampled_labels_invert_the_cumulated_responsibilities(log_probs, seed):
    draws = np.random.default_rng(seed).random(len(log_probs))
    found, _ = responsibilities(log_probs, np.zeros(log_probs.shape[1]))
    edges = found.cumsum(axis=1)
    labels = draw_labels(log_probs, draws)
    near = np.abs(edges - draws[:, None]).min(axis=1) < 1e-12
    expected = (draws[:, None] >= edges[:, :-1]).sum(axis=1)
    np.testing.assert_array_equal(labels[~near], expected[~near])


@pytest.mark.parametrize("number", [0.0, 1 - 2**-53])
def test_both_ends_of_the_unit_interval_give_valid_labels(number):
    (label,) = draw_labels(np.log([[0.1] * 10]), np.array([number]))
    assert label == (0 if number == 0 else 9)


def test_a_component_of_probability_zero_is_never_drawn():
    log_probs = np.array([[-np.inf, 0.0, -np.inf]] * 3)
    labels = draw_labels(log_probs, np.array([0.0, 0.5, 1 - 2**-53]))
    np.testing.assert_array_equal(labels, [1, 1, 1])


def test_an_impossible_row_is_drawn_from_all_components():
    labels = draw_labels(np.full((1000, 4), -np.inf), np.linspace(0, 0.999, 1000))
    np.testing.assert_allclose(np.bincount(labels), 250, atol=2)


def test_argmax_assigns_the_most_likely_component():
    log_probs = np.array([[0.0, 1.0], [2.0, 1.0]])
    membership, scores = argmax(log_probs, np.zeros(2), 1.0, no_draw, None)
    assert isinstance(membership, Hard)
    np.testing.assert_array_equal(membership.labels, [1, 0])
    np.testing.assert_array_equal(scores, [1, 2])


@given(matrices)
def test_soft_responsibilities_are_scaled_by_sample_weights(log_probs):
    weights = np.arange(1.0, len(log_probs) + 1)
    membership, _ = soft(log_probs, weights_of(log_probs), 1.0, no_draw, weights)
    np.testing.assert_allclose(membership.responsibilities.sum(axis=1), weights)
