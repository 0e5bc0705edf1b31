"""The background of outliers: a uniform density over an ellipsoid around all the data."""

import numpy as np
import pytest

from boltzmix.data import Table
from boltzmix.families import RobustGaussian, StudentT


def background(X, weights=None, **options):
    data = Table.of(X, missing=True)
    family = RobustGaussian(ridge=1e-12, resolution=None, **options)
    return family.prepare(data, 3, weights).outlier_background(data, weights)


def circle(radius=1.0):
    angles = np.linspace(0, 2 * np.pi, 100, endpoint=False)
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def rows(n=200, d=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 5


def test_the_density_is_one_over_the_area():
    for radius in (1.0, 20.0):
        found = background(circle(radius)).log_prob(Table.of([[0.0, 0.0], [1e9, 0.0]]))
        np.testing.assert_allclose(found, -np.log(np.pi * radius**2), atol=1e-9)


def test_all_rows_lie_inside_and_one_on_the_surface():
    X = rows()
    covariance = np.cov(X.T, bias=True)
    apart = X - X.mean(axis=0)
    squares = np.einsum("ni,ij,nj->n", apart, np.linalg.inv(covariance), apart)
    assert background(X).radius == pytest.approx(np.sqrt(squares.max()))


@pytest.mark.parametrize("covariance", ["full", "tied", "diag", "spherical"])
def test_units_and_rotations_change_the_density_as_they_change_the_volume(covariance):
    X, matrix = rows(), np.random.default_rng(1).normal(size=(3, 3)) * [1e3, 1.0, 1e-2]
    one, other = (
        background(each, covariance=covariance).log_prob(Table.of(each[:2]))
        for each in (X, X @ matrix)
    )
    np.testing.assert_allclose(one - other, np.linalg.slogdet(matrix)[1], rtol=1e-6)


def test_whole_weights_are_rows_that_occur_so_often():
    X, weights = rows(50), np.random.default_rng(0).integers(1, 4, 50)
    weighted, repeated = background(X, weights.astype(float)), background(np.repeat(X, weights, 0))
    some = Table.of(X[:1])
    np.testing.assert_allclose(weighted.log_prob(some), repeated.log_prob(some), rtol=1e-9)


def test_missing_values_are_left_out():
    X = circle()
    X[0, 1] = X[1, 0] = np.nan
    found = background(X).log_prob(
        Table.of([[0.0, np.nan], [0.0, 0.0], [np.nan] * 2], missing=True)
    )
    assert found[0] == pytest.approx(-np.log(2.0), abs=0.1)  # an interval of length two
    assert found[1] == pytest.approx(-np.log(np.pi), abs=0.1)
    assert found[2] == 0.0


def test_constant_columns_and_few_rows_have_a_finite_density():
    flat = np.column_stack([rows(), np.full(200, 7.0)])
    for X in (flat, rows(4, 10), np.ones((5, 2))):
        assert np.isfinite(background(X).log_prob(Table.of(X))).all()


def test_other_families_take_outliers_from_their_background():
    data = Table.of(rows())
    family = StudentT().prepare(data, 2)
    found, expected = family.outlier_background(data), family.background(data)
    np.testing.assert_array_equal(found.log_prob(data), expected.log_prob(data))
