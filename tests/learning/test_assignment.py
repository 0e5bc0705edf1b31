import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import logsumexp, softmax

from boltzmix.data import Hard
from boltzmix.learning.assignment import (
    argmax,
    log_likelihood,
    modified_responsibility,
    sampled,
    soft,
)

joints = arrays(
    float, st.tuples(st.integers(1, 20), st.integers(1, 6)), elements=st.floats(-1e5, 1e3)
)
temperatures = st.floats(0.1, 100)


def no_draw():
    raise AssertionError("nothing is drawn here")


@given(joints, temperatures)
def test_modified_responsibility_is_a_softmax(joint, temperature):
    expected = softmax(joint / temperature, axis=1)
    np.testing.assert_allclose(
        modified_responsibility(joint, temperature), expected, rtol=1e-9, atol=1e-12
    )


@given(joints, temperatures)
def test_responsibilities_sum_to_one_and_do_not_change_their_input(joint, temperature):
    before = joint.copy()
    np.testing.assert_allclose(modified_responsibility(joint, temperature).sum(axis=1), 1)
    np.testing.assert_array_equal(joint, before)


@given(joints)
def test_log_likelihood_is_logsumexp(joint):
    np.testing.assert_allclose(log_likelihood(joint), logsumexp(joint, axis=1), atol=1e-9)


def test_an_impossible_row_is_shared_equally_and_scores_minus_infinity():
    joint = np.full((1, 4), -np.inf)
    np.testing.assert_array_equal(modified_responsibility(joint, 1.0), np.full((1, 4), 0.25))
    assert log_likelihood(joint)[0] == -np.inf


def test_sampled_labels_follow_the_responsibilities():
    joint = np.tile(np.log([0.5, 0.2, 0.3]), (100_000, 1))
    draw = np.random.default_rng(0).random
    membership = sampled(joint, 1.0, lambda: draw(len(joint)), None)
    np.testing.assert_allclose(membership.counts / len(joint), [0.5, 0.2, 0.3], atol=0.006)


@pytest.mark.parametrize("number", [0.0, 1 - 2**-53])
def test_the_ends_of_the_unit_interval_are_labels_too(number):
    joint = np.log([[0.1] * 10])
    (label,) = sampled(joint, 1.0, lambda: np.array([number]), None).labels
    assert label == (0 if number == 0 else 9)


def test_a_component_of_probability_zero_is_never_drawn():
    joint = np.array([[-np.inf, 0.0, -np.inf]] * 3)
    draws = np.array([0.0, 0.5, 1 - 2**-53])
    np.testing.assert_array_equal(sampled(joint, 1.0, lambda: draws, None).labels, [1, 1, 1])


def test_argmax_takes_the_best():
    membership = argmax(np.array([[0.0, 1.0], [2.0, 1.0]]), 1.0, no_draw, None)
    assert isinstance(membership, Hard)
    np.testing.assert_array_equal(membership.labels, [1, 0])


@given(joints)
def test_soft_shares_are_scaled_by_sample_weights(joint):
    weights = np.arange(1.0, len(joint) + 1)
    shares = soft(joint, 1.0, no_draw, weights).shares
    np.testing.assert_allclose(shares.sum(axis=1), weights)
