import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boltzmix.datasets import make_mixture, make_rainbow, make_square


def test_the_square_has_its_corners_sizes_and_spread():
    X, labels = make_square((1000, 500, 500, 100), random_state=0)
    assert np.bincount(labels).tolist() == [1000, 500, 500, 100]
    means = [X[labels == k].mean(axis=0) for k in range(4)]
    np.testing.assert_allclose(means, [[-5, 5], [5, 5], [5, -5], [-5, -5]], atol=0.15)
    np.testing.assert_allclose(X[labels == 0].var(axis=0), 0.3, rtol=0.15)


def test_the_rainbow_is_a_half_circle_of_radius_nine():
    X, labels = make_rainbow(80_000, random_state=0)
    means = np.array([X[labels == k].mean(axis=0) for k in range(8)])
    np.testing.assert_allclose(np.linalg.norm(means, axis=1), 9, atol=0.05)
    angles = np.degrees(np.arctan2(means[:, 1], means[:, 0]))
    np.testing.assert_allclose(np.abs(angles), 180 * np.arange(8) / 7, atol=0.5)
    np.testing.assert_allclose(np.cov(X[labels == 3].T), np.eye(2), atol=0.05)


@settings(max_examples=30)
@given(
    st.integers(1, 30), st.integers(1, 8), st.floats(0.5, 8), st.floats(1, 50), st.booleans(),
    st.integers(0, 1000),
)  # fmt: skip
def test_a_mixture_has_the_requested_size_and_unbalance(k, d, separation, unbalance, bent, seed):
    X, labels = make_mixture(
        1000, k, d, separation=separation, unbalance=unbalance, correlated=bent, random_state=seed
    )
    sizes = np.bincount(labels, minlength=k)
    assert X.shape == (1000, d)
    assert (sizes > 0).all()
    assert (np.diff(sizes) <= 1).all()
    if k > 1:
        assert sizes[0] / sizes[-1] <= unbalance * 1.5
        assert sizes[0] / sizes[-1] >= unbalance / 3


@pytest.mark.parametrize("correlated", [False, True])
def test_means_have_the_separation_and_clusters_unit_variance(correlated):
    X, labels = make_mixture(60_000, 6, 3, separation=4, correlated=correlated, random_state=0)
    means = np.array([X[labels == k].mean(axis=0) for k in range(6)])
    apart = np.linalg.norm(means[:, None] - means, axis=2)[~np.eye(6, dtype=bool)]
    assert apart.min() > 3.9
    for k in range(6):
        variances = np.linalg.eigvalsh(np.cov(X[labels == k].T))
        np.testing.assert_allclose(variances.mean(), 1, rtol=0.05)
        assert (variances.max() / variances.min() > 1.1) == correlated


@pytest.mark.parametrize("make", [make_square, make_rainbow, make_mixture])
def test_the_same_seed_draws_the_same_points(make):
    np.testing.assert_array_equal(make(random_state=3)[0], make(random_state=3)[0])
    assert (make(random_state=3)[0] != make(random_state=4)[0]).any()


def test_bad_arguments_raise():
    with pytest.raises(ValueError, match="sizes must be four"):
        make_square((1, 2))
    with pytest.raises(ValueError, match="n_components must lie between"):
        make_mixture(5, 6)
    with pytest.raises(ValueError, match="separation must be"):
        make_mixture(separation=0)
    with pytest.raises(ValueError, match="unbalance must be"):
        make_mixture(unbalance=0.5)
