import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import multivariate_t

from boltzmix import Mixture
from boltzmix.data import Table
from boltzmix.families import RobustGaussian, StudentT
from boltzmix.families.distributions.student_t_bank import (
    expected_log_likelihood,
    next_degrees,
)

FAMILIES = [StudentT, RobustGaussian]
SCATTER = np.array([[2.0, 0.5], [0.5, 1.0]])


def draw(n=500, degrees=4.0, seed=0):
    truth = StudentT(degrees, location=np.array([1.0, 2.0]), scatter=SCATTER)
    return Table.of(truth.sample(n, np.random.default_rng(seed)))


@pytest.mark.parametrize("degrees", [0.5, 1.0, 3.7, 200.0])
def test_log_prob_is_scipys(degrees):
    fitted = StudentT(degrees, location=np.array([1.0, 2.0]), scatter=SCATTER)
    expected = multivariate_t([1.0, 2.0], SCATTER, df=degrees).logpdf(draw().values)
    np.testing.assert_allclose(fitted.log_prob(draw()), expected, rtol=1e-10)


@pytest.mark.parametrize("degrees", [None, 2.0])
def test_fit_maximises_the_weighted_likelihood(degrees):
    table, weights = draw(200), np.random.default_rng(1).random(200)

    def loss(p):
        root = np.array([[np.exp(p[2]), 0], [p[3], np.exp(p[4])]])
        distribution = multivariate_t(p[:2], root @ root.T, df=degrees or np.exp(p[5]))
        return -weights @ distribution.logpdf(table.values) / weights.sum()

    best = minimize(loss, [1, 2, 0.3, 0.3, 0, 1.4], method="BFGS")
    fitted = StudentT(degrees, added_variance=0, n_steps=200).fit(table, weights=weights)
    assert weights @ fitted.log_prob(table) / weights.sum() == pytest.approx(-best.fun, abs=1e-6)
    np.testing.assert_allclose(fitted.location, best.x[:2], atol=1e-3)
    assert fitted.degrees == pytest.approx(degrees or np.exp(best.x[5]), rel=1e-2)


@pytest.mark.parametrize("degrees", [0.6, 2.0, 7.0, 200.0])
@pytest.mark.parametrize("family", FAMILIES)
def test_each_step_raises_the_likelihood(family, degrees):
    table, fitted = draw(degrees=degrees), family(added_variance=0, n_steps=1)
    scores = []
    for _ in range(100):
        fitted = fitted.fit(table)
        scores.append(fitted.log_prob(table).mean())
    assert (np.diff(scores) > -1e-12).all()


@given(st.floats(0.5, 200), st.integers(1, 500), st.floats(-60, -1.0001), st.sampled_from(FAMILIES))
def test_a_step_of_the_degrees_never_lowers_the_expected_log_likelihood(start, d, pull, family):
    before = float(np.clip(start, family.least_degrees, family.most_degrees))
    learning = family(degrees=before, learned=True)
    found = next_degrees(learning, d, np.array([1.0, 3.0]), np.array([pull, 3 * pull]))
    assert family.least_degrees <= found <= family.most_degrees
    after = expected_log_likelihood(found, pull)
    assert after >= expected_log_likelihood(before, pull)


@pytest.mark.parametrize("d", [1, 3, 100])
def test_degrees_are_learned_in_few_steps(d):
    truth = StudentT(4.0, location=np.zeros(d), scatter=np.eye(d))
    table = Table.of(truth.sample(2000, np.random.default_rng(0)))
    soon, late = (StudentT(added_variance=0, n_steps=n).fit(table) for n in (50, 300))
    assert soon.degrees == pytest.approx(late.degrees, rel=0.02)


def test_degrees_are_fixed_if_given_and_bounded_if_not():
    fixed = StudentT(3).fit(draw())
    assert fixed.degrees == 3
    assert fixed.n_parameters == 5
    gaussian = Table.of(np.random.default_rng(0).uniform(size=(500, 2)))
    learned = StudentT(n_steps=150).fit(gaussian)
    assert learned.degrees == 200
    assert learned.n_parameters == 6


def test_scaling_the_data_scales_the_parameters():
    one, two = StudentT().fit(draw()), StudentT().fit(Table.of(draw().values * 1000))
    np.testing.assert_allclose(two.location, one.location * 1000)
    np.testing.assert_allclose(two.scatter, one.scatter * 1e6)
    assert two.degrees == pytest.approx(one.degrees)


def test_constant_columns_give_finite_fits():
    rows = np.column_stack([draw().values, np.full(500, 7.0)])
    model = Mixture(StudentT(), 2, random_state=0).fit(rows)
    assert np.isfinite(model.lower_bound_)
    assert np.isfinite(StudentT().fit(Table.of(np.full((4, 2), 5.0))).log_prob(draw())).all()


def test_outliers_do_not_move_it():
    rows = np.concatenate([draw(200, 100.0).values, np.full((5, 2), 1e4)])
    fitted = StudentT(n_steps=100).fit(Table.of(rows))
    np.testing.assert_allclose(fitted.location, [1, 2], atol=0.3)


def test_bad_arguments_and_data_raise_an_error():
    for degrees in (0, 1000, "a"):
        with pytest.raises(ValueError, match="degrees must be None or a number from"):
            StudentT(degrees)
    with pytest.raises(ValueError, match="ridge must be a number above zero"):
        StudentT(ridge=0)
    with pytest.raises(ValueError, match="added_variance must be finite"):
        StudentT(added_variance=-1)
    with pytest.raises(ValueError, match="n_steps must be a whole number"):
        StudentT(n_steps=0)
    with pytest.raises(ValueError, match="column 0 of X does not fit into double precision"):
        StudentT().prepare(Table.of([[1e200], [2e200]]), 1)


def test_what_is_shown():
    assert repr(StudentT()) == "StudentT()"
    shown = StudentT(2, location=np.array([1.5]), scatter=np.array([[2.0]]))
    assert repr(shown) == "StudentT(degrees=2, location=[1.5], scatter=[[2.]])"
