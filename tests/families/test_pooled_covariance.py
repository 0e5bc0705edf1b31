"""The prior that pulls covariances towards a common one."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.stats import ortho_group

from boltzmix import Mixture
from boltzmix.families import Gaussian, RobustGaussian, StudentT
from boltzmix.families.covariance.covariance import COVARIANCES, LETTERS, SHAPES
from boltzmix.families.covariance.pooled_covariance import PooledCovariance

D, K = 3, 4
PULLED = ["full", "diag", "spherical"]  # those in which nothing is common


def variances_of(name, seed=0, k=K):
    """Return K random variances in the form of a shape."""
    rng = np.random.default_rng(seed)
    if COVARIANCES[name].is_full:
        rows = rng.normal(size=(k, D, 2 * D))
        return rows @ rows.transpose(0, 2, 1) / D
    return rng.gamma(3.0, size=COVARIANCES[name].stack(k, D))


def divergence(p, sigma):
    """Return KL(N(0, p) | N(0, sigma)) for matrices."""
    return 0.5 * (
        np.trace(np.linalg.solve(sigma, p))
        - len(p)
        + np.linalg.slogdet(sigma)[1]
        - np.linalg.slogdet(p)[1]
    )


def log_densities(name, variances, common, strength=7.0):
    shape = COVARIANCES[name]
    return prior_of(PooledCovariance(shape, strength, common), variances)


def prior_of(prior, variances):
    whitening = prior.shape.whitening(variances)
    return prior.log_densities(whitening, prior.shape.log_determinants(whitening, D), D)


@pytest.mark.parametrize("name", PULLED)
def test_the_log_prior_is_minus_a_divergence(name):
    shape, variances, (common,) = COVARIANCES[name], variances_of(name), variances_of(name, 1, 1)
    expected = [-7.0 * divergence(shape.dense(common, D), shape.dense(one, D)) for one in variances]
    np.testing.assert_allclose(log_densities(name, variances, common), expected, rtol=1e-10)


@pytest.mark.parametrize("name", PULLED)
def test_the_log_prior_is_highest_at_the_common_covariance(name):
    (common,) = variances_of(name, 1, 1)
    assert log_densities(name, common[None], common) == pytest.approx(0, abs=1e-12)
    assert (log_densities(name, variances_of(name), common) < 0).all()


@pytest.mark.parametrize("name", PULLED)
def test_the_harmonic_mean_is_the_most_probable_common_covariance(name):
    shape, variances = COVARIANCES[name], variances_of(name)
    best = shape.harmonic_mean(variances)
    highest = log_densities(name, variances, best).sum()
    for other in variances_of(name, 2, 20):
        for distance in (1e-3, 0.1, 1.0):
            moved = (1 - distance) * best + distance * other
            assert log_densities(name, variances, moved).sum() < highest


@pytest.mark.parametrize("name", PULLED)
def test_a_fit_raises_likelihood_times_prior_over_any_other_covariance(name):
    shape, own, counts = COVARIANCES[name], variances_of(name), np.array([2.0, 5.0, 30.0, 400.0])
    (common,) = variances_of(name, 1, 1)
    prior = PooledCovariance(shape, 7.0, common, is_frozen=True)
    found, kept = prior.fit(own, counts[:, None], own, np.ones(K, dtype=bool))
    assert kept is common

    def objective(variances):
        likelihood = [
            -n * divergence(shape.dense(mine, D), shape.dense(one, D))
            for n, mine, one in zip(counts, own, variances, strict=True)
        ]
        return likelihood + prior_of(prior, variances)

    for seed in range(2, 12):
        for distance in (1e-3, 0.1):
            moved = (1 - distance) * found + distance * variances_of(name, seed)
            assert (objective(moved) < objective(found)).all()


@pytest.mark.parametrize("name", PULLED)
def test_the_pull_vanishes_as_data_grow(name):
    shape, own = COVARIANCES[name], variances_of(name)
    every = np.ones(K, dtype=bool)
    few, _ = PooledCovariance(shape, 7.0).fit(own, np.full((K, 1), 1e-6), own, every)
    many, _ = PooledCovariance(shape, 7.0).fit(own, np.full((K, 1), 1e9), own, every)
    np.testing.assert_allclose(few, np.broadcast_to(few[0], few.shape), rtol=1e-5)
    np.testing.assert_allclose(many, own, rtol=1e-6)


@pytest.mark.parametrize("name", COVARIANCES)
def test_without_a_prior_or_with_one_covariance_nothing_is_pulled(name):
    shape, own, every = COVARIANCES[name], variances_of(name), np.ones(K, dtype=bool)
    counts = np.full((K, 1), 5.0)
    found, common = PooledCovariance(shape, 0.0).fit(own, counts, own, every)
    assert found is own or shape.has_common_parts
    assert common is None
    alone, pooled = PooledCovariance(shape, 7.0).fit(own[:1], counts[:1], own[:1], every[:1])
    assert np.array_equal(alone, own[:1])
    if shape.shared:
        assert not prior_of(PooledCovariance(shape, 7.0, own[0]), own).any()
    else:
        assert np.array_equal(pooled, own[0])


def test_components_that_are_not_fitted_take_part_in_the_common_covariance():
    shape, own = COVARIANCES["full"], variances_of("full")
    fitted = np.array([True, False, True, True])
    counts = np.full((3, 1), 10.0)
    found, common = PooledCovariance(shape, 7.0).fit(own, counts, own[fitted], fitted)
    assert found.shape == (3, D, D)
    wide = own.copy()
    wide[1] *= 100
    _, other = PooledCovariance(shape, 7.0).fit(wide, counts, own[fitted], fitted)
    assert np.trace(other) > np.trace(common)


def three_clusters(seed=0):
    rng = np.random.default_rng(seed)
    rows = [
        rng.normal(size=(n, 2)) @ rng.normal(size=(2, 2)) + centre
        for n, centre in ((15, [0, 0]), (40, [6, 1]), (100, [-3, 8]))
    ]
    return np.concatenate(rows)


@pytest.mark.parametrize("family", [Gaussian, StudentT, RobustGaussian])
@pytest.mark.parametrize("transform", ["scaled", "rotated"])
def test_fits_do_not_depend_on_the_units_and_rotation_of_columns(family, transform):
    rows = three_clusters()
    rotation = ortho_group.rvs(2, random_state=0)
    matrix = np.diag([1000.0, 0.01]) if transform == "scaled" else rotation
    exact = family(ridge=1e-12, resolution=None)
    if family is RobustGaussian:
        exact = replace(exact, outliers=0)  # their background is a box, which has a direction
    one, two = (
        Mixture(exact, 3, algorithm="em", init=three_labels()).fit(data)
        for data in (rows, rows @ matrix + 5)
    )
    assert np.array_equal(one.predict(rows), two.predict(rows @ matrix + 5))
    for a, b in zip(one.components_, two.components_, strict=True):
        mine, theirs = a.fitted_parameters, b.fitted_parameters
        np.testing.assert_allclose(mine[0] @ matrix + 5, theirs[0], rtol=1e-6)
        np.testing.assert_allclose(matrix.T @ mine[1] @ matrix, theirs[1], rtol=1e-5)


def three_labels():
    return np.repeat([0, 1, 2], [15, 40, 100])


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize(
    ("family", "covariance"),
    [*product([Gaussian, RobustGaussian], SHAPES), *product([StudentT], LETTERS)],
)
def test_the_objective_never_falls_in_em(family, covariance):
    rng = np.random.default_rng(3)
    rows = np.concatenate([three_clusters(seed) for seed in range(2)])
    rows[:, 0] = rows[:, 0].round(0)
    for hide in (False, True):
        data = rows.copy()
        if hide:
            data[rng.random(data.shape) < [0.1, 0.6]] = np.nan
        model = Mixture(
            family(covariance=covariance), 4, algorithm="em", init="random", random_state=1
        )
        scores = model.fit(data).history_.score
        assert (np.diff(scores) > -1e-9).all(), (hide, np.diff(scores).min())


def test_bad_priors_raise_an_error():
    for prior in (-1, np.nan, "strong"):
        with pytest.raises(ValueError, match="prior must be"):
            Gaussian(prior=prior)
