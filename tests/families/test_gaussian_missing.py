"""Gaussians of rows with missing values."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import multivariate_normal

from boltzmix import Mixture
from boltzmix.checks import check_family
from boltzmix.data import Table
from boltzmix.families import Gaussian
from boltzmix.metrics import adjusted_rand_score

SHAPES = ["full", "tied", "diag", "spherical"]


def make_rows(n=200, share=0.2, seed=0, d=3):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + np.arange(d) + 5
    rows[rng.random(rows.shape) < share] = np.nan
    rows[0] = np.nan
    return rows


@pytest.mark.parametrize("shape", SHAPES)
def test_a_row_is_as_likely_as_what_is_known_of_it(shape):
    rows = make_rows()
    table = Table.of(rows, missing=True)
    fitted = Gaussian(shape).prepare(table, 1).fit(table)
    covariance = fitted.covariance_matrix
    expected = []
    for row in rows:
        there = ~np.isnan(row)
        if not there.any():
            expected.append(0.0)
            continue
        known = multivariate_normal(fitted.mean[there], covariance[np.ix_(there, there)])
        expected.append(known.logpdf(row[there]))
    np.testing.assert_allclose(fitted.log_prob(table), expected, rtol=1e-9, atol=1e-12)


def test_independent_columns_are_fitted_to_the_values_they_have():
    rows = make_rows()
    weights = np.random.default_rng(1).uniform(0.5, 2, len(rows))
    table = Table.of(rows, missing=True)
    diagonal = Gaussian("diag", added_variance=0.0).fit(table, weights=weights)
    cells = squares = 0.0
    for column, values in enumerate(rows.T):
        there = ~np.isnan(values)
        mean = np.average(values[there], weights=weights[there])
        variance = np.average((values[there] - mean) ** 2, weights=weights[there])
        np.testing.assert_allclose(diagonal.mean[column], mean)
        np.testing.assert_allclose(diagonal.variance[column], variance)
        cells, squares = cells + weights[there].sum(), squares + variance * weights[there].sum()
    ball = Gaussian("spherical", added_variance=0.0).fit(table, weights=weights)
    np.testing.assert_allclose(ball.variance, squares / cells)


def test_a_fit_reaches_the_greatest_likelihood():
    rows = make_rows(60, 0.25, 3, d=2)
    table = Table.of(rows, missing=True)
    fitted = Gaussian(added_variance=0.0).fit(table)

    def loss(point):
        root = np.array([[np.exp(point[2]), 0.0], [point[3], np.exp(point[4])]])
        other = Gaussian(added_variance=0.0, mean=point[:2], variance=root @ root.T)
        return -other.log_prob(table).sum()

    best = minimize(loss, [5.0, 6.0, 0.0, 0.0, 0.0], method="BFGS", tol=1e-9)
    assert fitted.log_prob(table).sum() == pytest.approx(-best.fun, abs=1e-3)
    np.testing.assert_allclose(fitted.mean, best.x[:2], atol=0.01)


@pytest.mark.parametrize("shape", SHAPES)
def test_likelihood_never_falls_in_em(shape):
    rows = np.vstack([make_rows(150, seed=1), make_rows(150, seed=2) + 4])
    family = Gaussian(shape, added_variance=0.0)
    model = Mixture(family, 2, algorithm="em", random_state=0).fit(rows)
    assert (np.diff(model.history_.score) > -1e-9).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_the_contract_holds(shape):
    check_family(Gaussian(shape), make_rows(80))


@pytest.mark.parametrize("shape", SHAPES)
def test_rows_without_missing_values_fit_the_same_whether_these_are_allowed(shape):
    rows = np.nan_to_num(make_rows(share=0.0), nan=1.0)
    one, *others = (
        Gaussian(shape).fit(table)
        for table in (Table.of(rows), Table(rows), Table.of(rows, missing=True))
    )
    for other in others:
        np.testing.assert_array_equal(one.mean, other.mean)
        np.testing.assert_array_equal(one.variance, other.variance)
    assert not Table.of(rows, missing=True).has_missing and Table(make_rows()).has_missing


@pytest.mark.parametrize("shape", SHAPES)
def test_blocks_with_and_without_missing_values_add_up(shape):
    rows = np.nan_to_num(make_rows(400, share=0.0), nan=5.0)
    rows[200:] = make_rows(200, seed=5)
    whole, first, second = (Table.of(part, missing=True) for part in (rows, rows[:200], rows[200:]))
    start = Gaussian(shape).prepare(whole, 1).fit(whole)
    expected = start.from_statistics(start.summarise(whole))
    for one, other in ((first, second), (second, first)):
        added = start.from_statistics(start.summarise(one) + start.summarise(other))
        np.testing.assert_allclose(added.mean, expected.mean)
        np.testing.assert_allclose(added.variance, expected.variance)


@pytest.mark.parametrize("shape", SHAPES)
def test_clusters_are_found_in_spite_of_missing_values(shape):
    rng = np.random.default_rng(0)
    z = rng.integers(0, 3, 300)
    rows = rng.normal(size=(300, 4)) + 3 * np.eye(3, 4)[z] * [2, 2, 2, 1]
    rows[rng.random(rows.shape) < 0.1] = np.nan
    model = Mixture(Gaussian(shape), 3, random_state=0).fit(rows)
    assert adjusted_rand_score(z, model.labels_) > 0.85
    nothing = model.predict_proba(np.full((1, 4), np.nan))[0]
    np.testing.assert_allclose(nothing, model.weights_)


def test_starts_at_points_and_streams_take_missing_values():
    rows = make_rows(300)
    for init in ("points", "kmeans"):
        model = Mixture(n_components=2, init=init, algorithm="em", random_state=0)
        assert np.isfinite(model.fit(rows).lower_bound_)
    for shape in SHAPES:
        model = Mixture(Gaussian(shape), 2, algorithm="em", random_state=0)
        for start in range(0, 300, 100):
            model.partial_fit(rows[start : start + 100])
        assert np.isfinite(model.lower_bound_)


def test_a_column_without_a_value_raises_an_error():
    rows = make_rows()
    rows[:, 1] = np.nan
    with pytest.raises(ValueError, match="Column 1 of X has no value in any row"):
        Mixture(n_components=2).fit(rows)
