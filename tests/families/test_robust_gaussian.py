import numpy as np
import pytest
from scipy.stats import multivariate_t

from boltzmix import Mixture
from boltzmix.checks import check_family
from boltzmix.data import Table
from boltzmix.families import Ellipse, Gaussian, RobustGaussian, StudentT
from boltzmix.metrics import adjusted_rand_score

LOCATION, SCATTER = np.array([1.0, 2.0, -1.0]), np.diag([2.0, 1.0, 0.5]) + 0.2
SHAPES = ["full", "tied", "diag", "spherical"]


def known(degrees=5.0, scatter=SCATTER, **arguments):
    return RobustGaussian(degrees, location=LOCATION, scatter=scatter, **arguments)


def draw(n=400, degrees=5.0, seed=0):
    return Table.of(known(degrees).sample(n, np.random.default_rng(seed)))


def test_it_is_the_default_family():
    model = Mixture(n_components=2, random_state=0).fit(draw().values)
    assert all(type(one) is RobustGaussian for one in model.components_)


def test_it_keeps_the_contract():
    check_family(RobustGaussian(), draw().values)


@pytest.mark.parametrize("covariance", SHAPES)
def test_it_keeps_the_contract_with_missing_values(covariance):
    rows = draw().values.copy()
    rows[np.random.default_rng(1).random(rows.shape) < 0.1] = np.nan
    check_family(RobustGaussian(covariance=covariance), rows)


def test_degrees_are_learned_between_3_and_30():
    heavy = np.random.default_rng(0).standard_cauchy((500, 1))
    light = np.random.default_rng(0).uniform(size=(500, 1))
    between = draw(2000, 8.0)
    assert RobustGaussian(n_steps=100).fit(Table.of(heavy)).degrees == 3
    assert RobustGaussian(n_steps=100).fit(Table.of(light)).degrees == 30
    assert RobustGaussian(n_steps=100).fit(between).degrees == pytest.approx(8, rel=0.25)


def test_clusters_that_differ_in_spread_only_are_two_in_many_columns():
    rng = np.random.default_rng(0)
    wide = np.repeat([1.0, 4.0], 150)
    rows = rng.normal(size=(300, 20)) * wide[:, None]
    model = Mixture(n_components=2, random_state=0).fit(rows)
    assert model.components_[0].degrees >= 20
    assert adjusted_rand_score(wide, model.labels_) > 0.9


@pytest.mark.parametrize("degrees", [2.9, 31, "many"])
def test_other_degrees_raise_an_error(degrees):
    with pytest.raises(ValueError, match="degrees must be None or a number from 3 to 30"):
        RobustGaussian(degrees)


def test_all_components_have_the_same_degrees():
    rng = np.random.default_rng(0)
    rows = np.concatenate([rng.standard_t(3, (300, 2)), 50 + rng.normal(size=(300, 2))])
    model = Mixture(n_components=2, random_state=0).fit(rows)
    one, two = model.components_
    assert one.degrees == two.degrees
    assert model.bic(rows) == pytest.approx(
        -2 * model.score_samples(rows).sum() + (2 * 5 + 1 + 1) * np.log(600)
    )


def test_mean_and_covariance_are_those_of_its_sample():
    component = known(8.0)
    rows = component.sample(400_000, np.random.default_rng(0))
    np.testing.assert_allclose(component.mean, rows.mean(axis=0), atol=0.02)
    np.testing.assert_allclose(component.covariance_matrix, np.cov(rows.T), atol=0.04)
    expected = multivariate_t(LOCATION, SCATTER, df=8.0)
    np.testing.assert_allclose(component.covariance_matrix, expected.shape * 8 / 6)
    np.testing.assert_array_equal(component.mean, LOCATION)


def test_a_component_that_is_not_fitted_has_no_mean():
    for name in ("mean", "covariance_matrix"):
        with pytest.raises(ValueError, match="has no parameters yet"):
            getattr(RobustGaussian(), name)


def test_what_is_shown():
    assert repr(RobustGaussian()) == "RobustGaussian()"
    assert repr(RobustGaussian(covariance="diag")) == "RobustGaussian(covariance='diag')"
    shown = RobustGaussian(4, location=np.array([1.5]), scatter=np.array([[2.0]]))
    assert repr(shown) == "RobustGaussian(degrees=4, location=[1.5], scatter=[[2.]])"


def test_describe_gives_degrees_mean_and_covariance():
    description = known().describe()
    assert set(description.parameters) == {"degrees", "mean", "covariance"}
    assert isinstance(description.picture, Ellipse)
    np.testing.assert_allclose(description.picture.covariance, 5 / 3 * SCATTER)
    for column, centre, variance in zip(
        description.columns, LOCATION, np.diag(5 / 3 * SCATTER), strict=True
    ):
        assert column.centre == centre
        assert column.spread == pytest.approx(np.sqrt(variance))


@pytest.mark.parametrize("degrees", [3.0, 7.5, 30.0])
def test_the_density_of_rows_with_missing_values_is_the_marginal_one(degrees):
    rows, component = draw(50).values, known(degrees)
    for there in ([0], [1, 2], [2, 0], [0, 1, 2]):
        there = sorted(there)
        hidden = np.full(rows.shape, np.nan)
        hidden[:, there] = rows[:, there]
        marginal = multivariate_t(LOCATION[there], SCATTER[np.ix_(there, there)], df=degrees)
        found = component.log_prob(Table.of(hidden, missing=True))
        np.testing.assert_allclose(found, marginal.logpdf(rows[:, there]), rtol=1e-10)


@pytest.mark.parametrize("covariance", ["diag", "spherical"])
def test_the_density_of_independent_columns_is_the_marginal_one(covariance):
    variance = np.array([2.0, 1.0, 0.5]) if covariance == "diag" else np.array(1.5)
    component = known(5.0, variance, covariance=covariance)
    rows = draw(50).values.copy()
    rows[:, 1] = np.nan
    dense = np.diag(np.broadcast_to(variance, 3)[[0, 2]])
    expected = multivariate_t(LOCATION[[0, 2]], dense, df=5.0).logpdf(rows[:, [0, 2]])
    found = component.log_prob(Table.of(rows, missing=True))
    np.testing.assert_allclose(found, expected, rtol=1e-10)
    np.testing.assert_array_equal(component.scatter_matrix, np.diag(np.broadcast_to(variance, 3)))


def test_missing_values_are_filled_with_conditional_means():
    rows = draw(20).values.copy()
    complete = rows.copy()
    rows[:, 2] = np.nan
    filled = known().expected(Table.of(rows, missing=True))
    slope = np.linalg.solve(SCATTER[:2, :2], SCATTER[:2, 2])
    np.testing.assert_allclose(filled[:, 2], LOCATION[2] + (rows[:, :2] - LOCATION[:2]) @ slope)
    np.testing.assert_array_equal(filled[:, :2], complete[:, :2])


def test_parameters_are_found_where_values_are_missing():
    rows = draw(4000, 6.0).values.copy()
    rows[np.random.default_rng(1).random(rows.shape) < 0.2] = np.nan
    fitted = RobustGaussian(n_steps=100).fit(Table.of(rows, missing=True))
    np.testing.assert_allclose(fitted.location, LOCATION, atol=0.1)
    np.testing.assert_allclose(fitted.scatter, SCATTER, atol=0.15)
    assert fitted.degrees == pytest.approx(6, rel=0.25)


@pytest.mark.parametrize("covariance", SHAPES)
def test_every_shape_has_its_own_form_and_number_of_parameters(covariance):
    model = Mixture(RobustGaussian(covariance=covariance), 2, random_state=0).fit(draw().values)
    shapes = {"full": (3, 3), "tied": (3, 3), "diag": (3,), "spherical": ()}
    counts = {"full": 12, "tied": 6, "diag": 6, "spherical": 2}
    one, two = model.components_
    assert np.shape(one.scatter) == shapes[covariance]
    assert np.array_equal(one.scatter, two.scatter) == (covariance == "tied")
    n_parameters = 2 * 3 + counts[covariance] + 1 + 1  # locations, scatters, degrees, weight
    bic = -2 * model.score_samples(draw().values).sum() + n_parameters * np.log(400)
    assert model.bic(draw().values) == pytest.approx(bic)


def test_outliers_bend_it_less_than_a_gaussian():
    rows = np.concatenate([draw(200, 30.0).values, np.full((4, 3), 1e3)])
    robust = RobustGaussian(n_steps=100).fit(Table.of(rows))
    np.testing.assert_allclose(robust.location, LOCATION, atol=0.4)
    assert np.abs(Gaussian().fit(Table.of(rows)).mean - LOCATION).min() > 10


def test_it_is_a_student_t_whose_degrees_have_bounds():
    table = draw(500, 6.0)
    robust, student = (kind(n_steps=100).fit(table) for kind in (RobustGaussian, StudentT))
    assert 3 < student.degrees < 30
    assert robust.degrees == pytest.approx(student.degrees, rel=1e-3)
    np.testing.assert_allclose(robust.scatter, student.scatter, rtol=1e-3)
