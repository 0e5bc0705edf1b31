import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn import linear_model
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from boltzmix import BEEM, EM, Mixture
from boltzmix.data import Regression
from boltzmix.families.distributions.regressions.linear_regression import LinearRegression
from boltzmix.metrics import purity_score

LINES = np.array([[1.0, 2.0], [4.0, -1.5]])  # intercept and slope


def draw(n=200, seed=0, p=2, m=1, offset=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + offset
    y = X @ rng.normal(size=(p, m)) + rng.normal(scale=0.3, size=(n, m)) + 2
    return Regression.of(X, y)


def draw_lines(n=300, seed=0):
    rng = np.random.default_rng(seed)
    x, labels = rng.uniform(0, 3, size=(n, 1)), rng.integers(2, size=n)
    intercept, slope = LINES[labels].T
    return x, intercept + slope * x[:, 0] + rng.normal(scale=0.2, size=n), labels


def waves(inputs):
    return np.column_stack([np.sin(inputs[:, 0]), np.cos(inputs[:, 0])])


@pytest.mark.parametrize("m", [1, 3])
@pytest.mark.parametrize("offset", [0.0, 1e5])
def test_coefficients_are_scikit_learns(m, offset):
    data = draw(m=m, offset=offset)
    fitted = LinearRegression(ridge=0).fit(data)
    expected = linear_model.LinearRegression().fit(data.inputs, data.targets)
    np.testing.assert_allclose(fitted.coefficients.T, expected.coef_, rtol=1e-6)
    np.testing.assert_allclose(fitted.intercept, expected.intercept_, rtol=1e-6)
    errors = data.targets - expected.predict(data.inputs)
    np.testing.assert_allclose(fitted.variance, (errors**2).mean(axis=0), rtol=1e-6)


def test_the_default_ridge_hardly_shows():
    data = draw()
    default, exact = LinearRegression().fit(data), LinearRegression(ridge=0).fit(data)
    np.testing.assert_allclose(default.coefficients, exact.coefficients, rtol=1e-5)


@pytest.mark.parametrize("offset", [0.0, 2000.0])
def test_a_polynomial_is_scikit_learns_wherever_the_inputs_lie(offset):
    data = draw(p=2)
    inputs = data.inputs
    targets = np.sin(inputs[:, 0]) * inputs[:, 1]
    fitted = LinearRegression(3, ridge=0).fit(Regression.of(inputs + offset, targets))
    pipeline = make_pipeline(PolynomialFeatures(3), linear_model.LinearRegression())
    expected = pipeline.fit(inputs, targets).predict(inputs)
    np.testing.assert_allclose(fitted.predict(inputs + offset), expected, atol=1e-6)
    assert fitted.coefficients.shape == (9, 1)


def test_features_of_ones_own():
    x = np.linspace(0, 10, 100)[:, None]
    y = 1 + 2 * np.sin(x[:, 0]) - 3 * np.cos(x[:, 0])
    fitted = LinearRegression(features=waves).fit(Regression.of(x, y))
    np.testing.assert_allclose(fitted.coefficients[:, 0], [2, -3], rtol=1e-5)
    expected = 1 + 2 * np.sin(20) - 3 * np.cos(20)
    np.testing.assert_allclose(fitted.predict([[20.0]]), [expected], rtol=1e-5)
    assert fitted.min_observations == 4


@pytest.mark.parametrize("m", [1, 3])
def test_log_prob_is_scipys(m):
    data = draw(m=m)
    fitted = LinearRegression().fit(data)
    means, deviations = fitted.predict(data.inputs, return_std=True)
    assert means.shape == deviations.shape == ((200,) if m == 1 else (200, m))
    expected = norm(means.reshape(200, m), deviations.reshape(200, m)).logpdf(data.targets)
    np.testing.assert_allclose(fitted.log_prob(data), expected.sum(axis=1), rtol=1e-10)


@pytest.mark.parametrize("degree", [1, 3])
def test_doubling_a_weight_is_doubling_an_observation(degree):
    data, weights = draw(40), np.ones(40)
    weights[:7] = 2
    doubled = data.take(np.r_[:40, :7])
    family = LinearRegression(degree).prepare(data, 2)
    one, two = family.fit(data, weights=weights), family.fit(doubled)
    np.testing.assert_allclose(one.coefficients, two.coefficients)
    np.testing.assert_allclose(one.variance, two.variance)
    assert not np.allclose(one.coefficients, family.fit(data).coefficients)


def test_weighted_least_squares_are_scikit_learns():
    data, weights = draw(), np.random.default_rng(1).exponential(size=200)
    fitted = LinearRegression(ridge=0).fit(data, weights=weights)
    expected = linear_model.LinearRegression().fit(data.inputs, data.targets, weights)
    np.testing.assert_allclose(fitted.coefficients.T, expected.coef_, rtol=1e-8)


@given(st.integers(0, 200))
def test_statistics_of_two_blocks_add_up_to_those_of_the_whole(cut):
    data = draw(offset=100.0)
    family = LinearRegression(2).prepare(data, 1)
    one, other = (family.summarise(data.take(at)) for at in (slice(0, cut), slice(cut, None)))
    together, whole = family.from_statistics(one + other), family.fit(data)
    np.testing.assert_allclose(together.coefficients, whole.coefficients, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(together.variance, whole.variance, rtol=1e-7)
    doubled = family.from_statistics(family.summarise(data) * 2)
    np.testing.assert_allclose(doubled.coefficients, whole.coefficients)


def test_few_repeated_or_no_observations_have_a_solution():
    data = draw()
    family = LinearRegression(2).prepare(data, 2)
    for some in (slice(0, 0), slice(0, 1), [3] * 20):
        fitted = family.fit(data.take(np.arange(200)[some]))
        assert np.isfinite(fitted.log_prob(data)).all()
        np.testing.assert_array_equal(fitted.variance, family.scales.least_variance)
    constant = Regression.of(np.ones((30, 1)), data.targets[:30])
    for ridge in (0, 1e-6):
        fitted = LinearRegression(ridge=ridge).fit(constant)
        np.testing.assert_allclose(fitted.predict([[1.0]]), constant.targets.mean())


def test_the_noise_has_a_floor_that_follows_the_targets():
    x = np.linspace(0, 1, 50)[:, None]
    y = 3 * x[:, 0]
    for scale in (1, 1e6):
        fitted = LinearRegression(floor=0.01).prepare(Regression.of(x, scale * y), 2)
        least = 0.01 * (scale * y).var() / 4
        np.testing.assert_allclose(fitted.scales.least_variance, least)
        np.testing.assert_allclose(fitted.fit(Regression.of(x, scale * y)).variance, least)
    outlier = np.append(y, 1e9)
    robust = LinearRegression().prepare(Regression.of(np.append(x, [[1.0]], axis=0), outlier), 1)
    assert robust.scales.least_variance < 1e-3


def test_fit_returns_a_new_object_and_leaves_the_template():
    template = LinearRegression()
    fitted = template.fit(draw())
    assert template.coefficients is None
    assert template.scales is None
    assert fitted.fit(draw(seed=1)).scales is fitted.scales


def test_counts_of_parameters_and_observations():
    data = draw(p=2, m=3)
    fitted = LinearRegression(2).fit(data)
    assert fitted.n_parameters == 3 * (1 + 5) + 3
    assert fitted.min_observations == 1 + 5 + 1
    assert LinearRegression().min_observations == 3


def test_moving_goes_through_the_point():
    data = draw()
    moved = LinearRegression().fit(data).moved_to(data.take(slice(5, 6)))
    np.testing.assert_allclose(moved.predict(data.inputs[5:6]), data.targets[5])


def test_targets_can_be_drawn_for_inputs():
    data = draw(m=2)
    fitted = LinearRegression().fit(data)
    X = np.random.default_rng(0).normal(size=(20_000, 2))
    drawn = fitted.sample_targets(X, np.random.default_rng(1))
    refitted = LinearRegression().fit(Regression.of(X, drawn))
    np.testing.assert_allclose(refitted.coefficients, fitted.coefficients, atol=0.02)
    np.testing.assert_allclose(refitted.variance, fitted.variance, rtol=0.05)


def test_observations_cannot_be_drawn():
    X, y, _ = draw_lines()
    model = Mixture(LinearRegression(), 2, random_state=0).fit(X, y)
    with pytest.raises(NotImplementedError, match=r"knows no distribution of inputs.*sample_targ"):
        model.sample(5)


@pytest.mark.parametrize("algorithm", ["auto", "em", BEEM(), [BEEM(), EM()], "cem", "sem", "daem"])
def test_two_lines_are_found(algorithm):
    X, y, labels = draw_lines()
    model = Mixture(LinearRegression(), 2, algorithm=algorithm, random_state=0).fit(X, y)
    assert purity_score(labels, model.labels_) > 0.9
    found = np.array([[one.intercept[0], one.coefficients[0, 0]] for one in model.components_])
    np.testing.assert_allclose(found[np.argsort(found[:, 0])], LINES, atol=0.25)
    np.testing.assert_array_equal(model.predict(X, y), model.labels_)


@pytest.mark.parametrize("init", ["random", "points", "kmeans", "kmeans++"])
def test_every_start_serves(init):
    X, y, labels = draw_lines()
    model = Mixture(LinearRegression(), 2, init=init, random_state=0).fit(X, y)
    assert purity_score(labels, model.labels_) > 0.9


def test_beem_finds_two_lines_from_nearly_every_seed():
    found = 0
    for seed in range(20):
        X, y, labels = draw_lines(seed=seed)
        model = Mixture(LinearRegression(), 2, algorithm="beem", random_state=seed).fit(X, y)
        found += purity_score(labels, model.labels_) > 0.9
    assert found >= 18


def test_crossing_parabolas_are_found():
    rng = np.random.default_rng(0)
    x, labels = rng.uniform(-2, 2, size=(400, 1)), rng.integers(2, size=400)
    y = np.where(labels == 0, x[:, 0] ** 2, 3 - x[:, 0] ** 2) + rng.normal(scale=0.1, size=400)
    model = Mixture(LinearRegression(degree=2), 2, random_state=0).fit(x, y)
    assert purity_score(labels, model.labels_) > 0.9


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("seed", range(5))
def test_em_never_lowers_the_likelihood(seed):
    X, y, _ = draw_lines(seed=seed)
    model = Mixture(LinearRegression(), 3, algorithm="em", random_state=seed).fit(X, y)
    assert (np.diff(model.history_.score) > -1e-8).all()


def test_the_mixture_density_is_scipys():
    X, y, _ = draw_lines()
    model = Mixture(LinearRegression(), 2, random_state=0).fit(X, y)
    density = sum(
        weight * norm(*one.predict(X, return_std=True)).pdf(y)
        for one, weight in zip(model.components_, model.weights_, strict=True)
    )
    np.testing.assert_allclose(model.score_samples(X, y), np.log(density))
    np.testing.assert_allclose(model.aic(X, y), -2 * np.log(density).sum() + 2 * (2 * 3 + 1))


def test_a_stream_is_learned_from():
    X, y, labels = draw_lines(6000)
    model = Mixture(LinearRegression(), 2, random_state=0)
    for place in np.split(np.arange(6000), 10):
        model.partial_fit(X[place], y[place])
    assert purity_score(labels, model.predict(X, y)) > 0.9
    found = np.array([[one.intercept[0], one.coefficients[0, 0]] for one in model.components_])
    np.testing.assert_allclose(found[np.argsort(found[:, 0])], LINES, atol=0.1)


def test_sample_weights_leave_out_what_has_none():
    X, y, labels = draw_lines()
    weights = (labels == 0).astype(float)
    model = Mixture(LinearRegression(), 1, random_state=0).fit(X, y, sample_weight=weights)
    alone = Mixture(LinearRegression(), 1, random_state=0).fit(X[labels == 0], y[labels == 0])
    np.testing.assert_allclose(model.components_[0].coefficients, alone.components_[0].coefficients)


def test_the_same_seed_gives_the_same_bits_for_any_number_of_jobs():
    X, y, _ = draw_lines(150_000)
    assert len(Regression.of(X, y).blocks(2)) > 1
    one, two = (
        Mixture(LinearRegression(), 2, algorithm="em", random_state=0, n_jobs=jobs).fit(X, y)
        for jobs in (1, 2)
    )
    assert one.lower_bound_ == two.lower_bound_


def test_a_fitted_mixture_can_be_pickled():
    X, y, _ = draw_lines()
    model = Mixture(LinearRegression(2), 2, random_state=0).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X, y), model.predict_proba(X, y))


def test_frames_are_read():
    X, y, _ = draw_lines()
    frame = pd.DataFrame({"x": X[:, 0], "y": y})
    model = Mixture(LinearRegression(), 2, random_state=0).fit(frame[["x"]], frame["y"])
    assert model.feature_names_in_.tolist() == ["x"]


def test_bad_arguments_raise_an_error():
    for wrong, message in (
        ({"degree": 0}, "degree must be a whole number of at least 1, not 0"),
        ({"degree": 1.5}, "degree must be"),
        ({"features": 3}, "features must be a function of inputs"),
        ({"ridge": -1}, "ridge must be zero or a positive number, not -1"),
        ({"floor": 0}, "floor must be a number above 0 and at most 1, not 0"),
    ):
        with pytest.raises(ValueError, match=message):
            LinearRegression(**wrong)


def test_bad_data_raise_an_error():
    data = draw(m=2)
    constant = Regression.of(data.inputs, np.column_stack([data.targets[:, 0], np.ones(200)]))
    with pytest.raises(ValueError, match="Column 1 of y is constant"):
        LinearRegression().prepare(constant, 1)
    for factor in (1e-160, 1e160):
        with pytest.raises(ValueError, match="column 0 of y does not fit into double precision"):
            LinearRegression().prepare(Regression.of(data.inputs, factor * data.targets), 1)
    fitted = LinearRegression().fit(data)
    with pytest.raises(ValueError, match=r"y has 1 column\(s\), but LinearRegression was fitted"):
        fitted.log_prob(draw())
    with pytest.raises(ValueError, match=r"X has 3 column\(s\), but LinearRegression was fitted"):
        fitted.predict(np.ones((4, 3)))
    with pytest.raises(ValueError, match="y is missing"):
        Mixture(LinearRegression(), 2).fit(data.inputs)
    for features, message in (
        (lambda inputs: inputs[:, 0], "must return one row of features for each of 200 inputs"),
        (lambda inputs: np.full(inputs.shape, np.nan), "features returned NaN or infinity"),
    ):
        with pytest.raises(ValueError, match=message):
            LinearRegression(features=features).fit(data)


def test_an_unfitted_component_says_so():
    for ask in (
        lambda: LinearRegression().log_prob(draw()),
        lambda: LinearRegression().predict([[1.0]]),
        lambda: LinearRegression().n_parameters,
    ):
        with pytest.raises(ValueError, match="This LinearRegression has no parameters yet"):
            ask()
    with pytest.raises(ValueError, match="has no scales yet: call fit, or prepare, first"):
        LinearRegression().summarise(draw())


def test_what_is_shown():
    assert repr(LinearRegression(2)) == "LinearRegression(degree=2)"
    assert repr(LinearRegression(features=waves)) == "LinearRegression(features=...)"
    data = Regression.of([[0.0], [1.0], [2.0]], [0.0, 1.0, 5.0])
    shown = "LinearRegression(degree=1, intercept=[-0.5], coefficients=[[2.5]], variance=[0.5])"
    assert repr(LinearRegression(ridge=0).fit(data)) == shown


def formula(family, data, names):
    return family.fit(data).describe().picture.formula(names)


def test_a_parabola_is_an_equation_in_standardised_inputs():
    x = np.linspace(0, 4, 21)[:, None]
    z = (x - x.mean()) / x.std()
    data = Regression.of(x, 3 - 2 * z + 0.5 * z**2)
    first, second = formula(LinearRegression(degree=2), data, ["age"]).splitlines()
    assert first.startswith("target = 3 − 2 z(age) + 0.5 z(age)² ± ")
    assert second == "where z(age) = (age − 2) / 1.21"


def test_products_of_inputs_are_named_in_the_order_of_the_coefficients():
    data = draw(p=2, m=2)
    *equations, definitions = formula(LinearRegression(degree=4), data, ["a", "b"]).splitlines()
    assert len(equations) == 2
    for text in equations:
        places = [text.index(f" {term} ") for term in ("z(a)", "z(b)", "z(a)²", "z(a) z(b)")]
        assert places == sorted(places)
        assert "z(a)² z(b)" in text
        assert text.split(" ± ")[0].endswith("+ 2 more terms")
    assert definitions.startswith("where z(a) = (a ")
    assert ", z(b) = (b " in definitions


@pytest.mark.parametrize(
    ("features", "name"), [(waves, "waves"), (lambda inputs: waves(inputs), "features")]
)
def test_own_features_are_named_by_their_function(features, name):
    x = np.linspace(0, 6, 30)[:, None]
    data = Regression.of(x, 1 + 2 * np.sin(x) - 3 * np.cos(x))
    found = formula(LinearRegression(features=features), data, ["hour"])
    assert found.startswith(f"target = 1 + 2 {name}(hour)[0] − 3 {name}(hour)[1] ± ")
