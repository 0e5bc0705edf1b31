import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.special import gammaln
from scipy.stats import vonmises_fisher

from boltzmix import Mixture
from boltzmix.data import Table
from boltzmix.families import VonMisesFisher

CASES = [(2, 0.5), (2, 1e6), (3, 10.0), (10, 100.0), (50, 1e4), (300, 30.0), (300, 1e3)]
BEYOND_SCIPY = [(1000, 2.0), (1000, 300.0), (5000, 100.0), (3, 1e-6), (200, 1e-3)]


def make(d, concentration):
    return VonMisesFisher(direction=np.eye(d)[0], concentration=concentration)


def draw(d=3, concentration=10.0, n=300, seed=0):
    return Table.of(make(d, concentration).sample(n, np.random.default_rng(seed)))


@pytest.mark.parametrize(("d", "concentration"), CASES)
def test_log_prob_is_scipys(d, concentration):
    table = draw(d, concentration)
    expected = vonmises_fisher(np.eye(d)[0], concentration).logpdf(table.values)
    np.testing.assert_allclose(make(d, concentration).log_prob(table), expected, rtol=1e-9)


@pytest.mark.parametrize(("d", "concentration"), BEYOND_SCIPY)
def test_densities_integrate_to_one(d, concentration):
    log_area = np.log(2) + (d - 1) / 2 * np.log(np.pi) - gammaln((d - 1) / 2)
    fitted = make(d, concentration)

    def log_height(angle):
        density = fitted.intercept + fitted.slopes[0] * np.cos(angle)
        return density + log_area + (d - 2) * np.log(np.sin(angle))

    total, _ = quad(lambda angle: np.exp(log_height(angle)), 1e-6, np.pi - 1e-6, points=[np.pi / 2])
    assert total == pytest.approx(1, abs=1e-6)


def test_without_concentration_all_directions_are_alike():
    expected = -np.log(4 * np.pi)
    np.testing.assert_allclose(make(3, 0.0).log_prob(draw()), expected, atol=1e-5)
    np.testing.assert_allclose(draw(3, 0.0, n=9999).values.mean(axis=0), 0, atol=0.03)


@pytest.mark.parametrize(("d", "concentration"), [*CASES, (1000, 1e5), (1000, 300.0)])
def test_fit_maximises_the_weighted_likelihood(d, concentration):
    table, weights = draw(d, concentration), np.random.default_rng(1).random(300)
    fitted = VonMisesFisher(floor=1e-9).fit(table, weights=weights)
    resultant = weights @ table.values
    np.testing.assert_allclose(fitted.direction, resultant / np.linalg.norm(resultant), atol=1e-9)

    def loss(log_concentration):
        one = VonMisesFisher(direction=fitted.direction, concentration=np.exp(log_concentration))
        return -weights @ one.log_prob(table) / weights.sum()

    around = np.log(fitted.concentration) + np.array([-1.0, 1.0])
    best = minimize_scalar(loss, bounds=around, method="bounded", options={"xatol": 1e-7})
    assert fitted.concentration == pytest.approx(np.exp(best.x), rel=1e-4)


@pytest.mark.parametrize(("d", "concentration"), [(2, 3.0), (3, 1e5), (20, 50.0), (100, 400.0)])
def test_samples_are_those_of_scipy(d, concentration):
    rows = draw(d, concentration, n=20_000).values
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-12)
    theirs = vonmises_fisher(np.eye(d)[0], concentration).rvs(20_000, random_state=1)
    for power in (1, 2):
        mine, other = (1 - rows[:, 0]) ** power, (1 - theirs[:, 0]) ** power
        assert mine.mean() == pytest.approx(other.mean(), rel=0.08)


def test_concentration_is_bounded_by_the_data():
    table = draw()
    same = Table.of(np.repeat(table.values[:1], 5, axis=0))
    spread = 1 - np.linalg.norm(table.values.mean(axis=0))
    fitted = VonMisesFisher().prepare(table, 2).fit(same)
    assert fitted.concentration == pytest.approx(2 / spread * 1e4)
    assert VonMisesFisher(highest_concentration=7.0).fit(same).concentration == 7
    opposite = VonMisesFisher().fit(Table.of([[1.0, 0.0], [-1.0, 0.0]]))
    assert opposite.concentration == pytest.approx(0, abs=1e-5)


def test_other_lengths_raise_an_error():
    message = "^Row 1 of X has a norm of 5, but VonMisesFisher takes directions, of norm one"
    model = Mixture(VonMisesFisher(), 2, random_state=0).fit(draw(2).values)
    for refuse in (VonMisesFisher().observe, VonMisesFisher().fit, model.predict):
        with pytest.raises(ValueError, match=message):
            refuse(Table.of([[1.0, 0.0], [3.0, 4.0]]))
    with pytest.raises(ValueError, match=r"^A row of X has a norm of 5"):
        make(2, 1.0).log_prob(Table.of([[3.0, 4.0]]))
    with pytest.raises(ValueError, match="X has 1 column, but VonMisesFisher takes directions"):
        VonMisesFisher().observe([[1.0]])


def test_bad_arguments_raise_an_error():
    with pytest.raises(ValueError, match="floor must be a number above 0"):
        VonMisesFisher(floor=0)
    with pytest.raises(ValueError, match=r"concentration must be a number of zero to 1e\+08"):
        make(2, -1.0)
    with pytest.raises(ValueError, match="direction must be a vector of norm one"):
        VonMisesFisher(direction=np.ones(2))


def test_n_parameters_and_what_is_shown():
    assert VonMisesFisher().fit(draw()).n_parameters == 3
    assert repr(VonMisesFisher()) == "VonMisesFisher()"
    assert repr(make(2, 2.5)) == "VonMisesFisher(direction=[1. 0.], concentration=2.5)"
