import numpy as np
import pytest
from scipy import stats

from boltzmix import Mixture
from boltzmix.checks import check_family
from boltzmix.data import Table
from boltzmix.families import ZeroInflatedLogNormal
from boltzmix.metrics import adjusted_rand_score
from boltzmix.pictures import marginal_densities


def amounts(zero, mean, deviation, n, rng):
    return np.where(rng.random(n) < zero, 0.0, rng.lognormal(mean, deviation, n))


@pytest.mark.parametrize("zeros", [0.0, 0.4, 0.97])
def test_it_keeps_the_contract(zeros):
    rng = np.random.default_rng(0)
    X = np.column_stack([amounts(zeros, 1.0, 1.0, 80, rng), amounts(0.5, 3.0, 0.2, 80, rng)])
    check_family(ZeroInflatedLogNormal(), X)
    X[::9, 0] = np.nan
    check_family(ZeroInflatedLogNormal(), X)


def test_density_and_fit_agree_with_scipy():
    rng = np.random.default_rng(1)
    x = amounts(0.3, 2.0, 0.7, 500, rng)
    found = ZeroInflatedLogNormal(prior=0).fit(Table.of(x[:, None]))
    above = np.log(x[x > 0])
    np.testing.assert_allclose(found.zero, (x == 0).mean())
    np.testing.assert_allclose([found.mean[0], found.deviation[0]], [above.mean(), above.std()])
    law = stats.lognorm(found.deviation[0], scale=np.exp(found.mean[0]))
    zero = found.zero[0]
    grid = np.array([0.0, 1e-3, 1.0, 50.0])
    expected = [np.log(zero), *(np.log1p(-zero) + law.logpdf(grid[1:]))]
    np.testing.assert_allclose(found.log_prob(Table.of(grid[:, None])), expected)
    np.testing.assert_allclose(found.means, (1 - zero) * law.mean())


def test_components_without_amounts_are_found():
    rng = np.random.default_rng(2)
    truth = np.repeat([0, 1, 2], 100)
    X = np.column_stack(
        [
            np.concatenate([np.zeros(100), *(amounts(0.1, mean, 0.4, 100, rng) for mean in means)])
            for means in [(1.0, 5.0), (6.0, 2.0)]
        ]
    )
    model = Mixture(ZeroInflatedLogNormal(), 3, random_state=0).fit(X)
    assert adjusted_rand_score(truth, model.labels_) > 0.85
    assert max(one.zero[0] for one in model.components_) > 0.9
    assert np.isfinite(model.score_samples(X)).all()


def test_negative_amounts_raise_an_error_with_a_sentence():
    with pytest.raises(ValueError, match="takes zeros and numbers above zero"):
        Mixture(ZeroInflatedLogNormal(), 2).fit([[0.0], [1.0], [-1.0]])


def test_pictures_show_the_density_beside_the_probability_of_zero():
    rng = np.random.default_rng(3)
    X = np.column_stack([amounts(0.5, 3.0, 0.5, 300, rng), rng.normal(size=300)])
    model = Mixture("auto", 1).fit(X)
    data = model.read(X)
    grid = np.linspace(0, 60, 200)
    (density,) = marginal_densities(model.components_, model.weights_, data, 0, grid)
    np.testing.assert_allclose(np.trapezoid(density, grid), (X[:, 0] > 0).mean(), atol=0.03)
    assert density[0] < 0.01
    assert f"({(X[:, 0] == 0).mean():.0%} are 0)" in repr(model.summary())
