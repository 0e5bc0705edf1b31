"""Hostile data end in a finite mixture, or in one sentence that says what to do."""

import re

import numpy as np
import pytest
from scipy import stats

from boltzmix import DegenerateMixtureWarning, Mixture
from boltzmix.data import Table
from boltzmix.families import (
    Bank,
    Exponential,
    Family,
    Gaussian,
    LinearRegression,
    LogisticRegression,
    NegativeBinomial,
    Poisson,
    PoissonRegression,
    Product,
    RobustGaussian,
    ScipyFamily,
    StudentT,
    Uniform,
    Weibull,
    ZeroInflatedLogNormal,
)

X = np.random.default_rng(0).normal(size=(60, 2)) + 6 * np.repeat([0, 1], 30)[:, None]
RAGGED = [[1.0, 2.0], [3.0]]


@pytest.mark.parametrize("family", [Gaussian(), "auto", Product({0: Gaussian()})])
def test_rows_of_different_lengths_raise(family):
    with pytest.raises(ValueError, match="X must be an array or nested lists whose rows"):
        Mixture(family, 2).fit(RAGGED)


@pytest.mark.parametrize("given", [[["a", "b"], ["a"]], np.zeros((3, 4, 5)), np.zeros(5)])
def test_what_may_be_sequences_names_a_family_of_sequences(given):
    with pytest.raises(ValueError, match=r"For sequences, choose a family of sequences, such as"):
        Mixture(n_components=2).fit(given)


def test_symbols_of_sequences_are_named_with_a_way_out():
    words = [np.array(list(word))[:, None] for word in ("abab", "bac", "abc")]
    message = r"Sequence 0: .* holds 'a' in row 0 .*: turn symbols into codes 0, 1, 2, …, the same"
    with pytest.raises(ValueError, match=message):
        Mixture("markov-chain", 2).fit(words)


@pytest.mark.parametrize(
    "family, given, words",
    [
        ("gaussian", X[:1], "n_samples = 1 observation of X"),
        ("gaussian", X[:2], "n_samples = 2 observations of X"),
        ("hmm", [[1.0, 2.0], [3.0, 1.0]], "but has 1 dimension."),
        ("gamma", [[1.0], [np.inf], [2.0]], "(1 such value in all)"),
        ("auto", np.zeros((0, 2)), "0 rows and 2 columns"),
    ],
)
def test_nouns_agree_with_their_numbers(family, given, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        Mixture(family, 3).fit(given)


@pytest.mark.parametrize(
    "argument", [{"labels": RAGGED}, {"sample_weight": RAGGED}, {"y": RAGGED}, {"init": RAGGED}]
)
def test_arguments_with_rows_of_different_lengths_raise_and_are_named(argument):
    ((name, value),) = argument.items()
    family = LinearRegression() if name == "y" else Gaussian()
    settings = argument if name == "init" else {}
    with pytest.raises(ValueError, match=f"^{name} must"):
        Mixture(family, 2, **settings).fit(X, **({} if name == "init" else {name: value}))


def test_masked_values_raise_in_a_product():
    masked = np.ma.masked_array(X, mask=X > 5)
    with pytest.raises(ValueError, match="masked values"):
        Mixture(Product({0: Gaussian()}), 2).fit(masked)


@pytest.mark.parametrize("family", [Gaussian(), StudentT(), Uniform(), Exponential()])
@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_numbers_whose_squares_do_not_fit_raise(family, scale):
    with pytest.raises(ValueError, match=r"olumn 0 of X .* do not fit into double precision"):
        Mixture(family, 2).fit(np.abs(X) * scale)


def test_targets_whose_squares_do_not_fit_raise():
    with pytest.raises(ValueError, match="Target 0 of y holds"):
        Mixture(LinearRegression(), 2).fit(X, X[:, 0] * 1e200)


@pytest.mark.parametrize("family", [Poisson(), NegativeBinomial()])
def test_counts_that_are_not_exact_raise(family):
    counts = np.random.default_rng(0).poisson(5.0, (30, 1)).astype(float)
    counts[3] = 1e18
    with pytest.raises(ValueError, match=r"Column 0 of X holds 1e\+18 in row 3"):
        Mixture(family, 2).fit(counts)


@pytest.mark.parametrize("init", ["kmeans", "kmeans++", "distance"])
def test_starts_by_distance_take_missing_values(init):
    holes = np.where(np.random.default_rng(1).random(X.shape) < 0.2, np.nan, X)
    model = Mixture(Gaussian(), 2, init=init, random_state=0).fit(holes)
    assert np.isfinite(model.lower_bound_)
    assert np.isfinite(model.impute(holes)).all()


def test_a_singular_covariance_can_be_sampled_and_fill_missing_values():
    singular = Gaussian(mean=np.zeros(3), variance=np.ones((3, 3)))
    drawn = singular.sample(50, np.random.default_rng(0))
    np.testing.assert_allclose(drawn, drawn[:, :1] * np.ones(3), atol=1e-6)
    holes = singular.observe([[2.0, 2.0, np.nan], [np.nan, -1.0, -1.0]])
    np.testing.assert_allclose(singular.expected(holes), [[2.0] * 3, [-1.0] * 3])


def test_weights_of_very_different_sizes_are_those_of_the_largest():
    weights = np.where(np.arange(60) % 2, 1e300, 1e-300)
    model = Mixture(Gaussian(), 2, algorithm="em", random_state=0)
    uneven = model.fit(X, sample_weight=weights).lower_bound_
    assert uneven == pytest.approx(model.fit(X[1::2]).lower_bound_, rel=1e-12)


def test_predictions_of_far_inputs_are_finite():
    counts = np.random.default_rng(0).poisson(np.exp(X[:, 0] / 4))
    model = Mixture(PoissonRegression(), 2, algorithm="em", random_state=0).fit(X, counts)
    proba = model.predict_proba(X * 1e9, counts)
    np.testing.assert_array_equal(model.predict(X * 1e9, counts), proba.argmax(axis=1))
    assert np.isfinite(proba).all()


class OfNearNumbers(Family):
    """A density of the unit interval, which is NaN far from it."""

    def fit(self, data, *, weights=None, rng=None):
        return self

    def log_prob(self, data):
        return np.where(data.values[:, 0] > 100, np.nan, 0.0)

    def bank(self, components):
        return BankOfNearNumbers(components)


class BankOfNearNumbers(Bank):
    def evaluate(self, data, *, is_rounded=True):
        found = np.stack([one.log_prob(data) for one in self.components], axis=1)
        return self.evaluated(found, data)


def test_observations_whose_density_cannot_be_computed_raise():
    model = Mixture(OfNearNumbers(), 1, random_state=0).fit([[0.1], [0.2], [0.3]])
    with pytest.raises(ValueError, match="log density of observation 1 of X"):
        model.predict([[0.5], [101.0]])


class OfSingularMatrices(Family):
    """A family whose fit inverts the covariance of its rows, or what is singular in any case."""

    def __init__(self, inverts_covariance):
        self.inverts_covariance = inverts_covariance

    def fit(self, data, *, weights=None, rng=None):
        matrix = np.cov(data.values.T) if self.inverts_covariance else np.zeros((2, 2))
        if np.linalg.matrix_rank(matrix) < 2:
            raise np.linalg.LinAlgError("Singular matrix")
        return self

    def log_prob(self, data):
        return np.zeros(len(data))


def test_singular_matrices_are_blamed_on_columns_only_where_these_depend_on_each_other():
    rows = np.random.default_rng(0).integers(9, size=(30, 2)).astype(float)
    with pytest.raises(ValueError, match="columns of X depend on each other"):
        Mixture(OfSingularMatrices(True), 1).fit(rows[:, [0, 0]])
    with pytest.raises(np.linalg.LinAlgError, match="columns of X do not depend") as caught:
        Mixture(OfSingularMatrices(False), 1).fit(rows)
    assert "Singular matrix" in str(caught.value.__cause__)


def test_predict_is_the_largest_probability_even_of_ties():
    codes = np.random.default_rng(0).integers(2, size=(40, 2)).astype(float)
    for seed in range(20):
        model = Mixture(Poisson(), 3, algorithm="em", max_iter=3, random_state=seed)
        with pytest.warns(UserWarning):
            model.fit(codes)
        proba = model.predict_proba(codes)
        np.testing.assert_array_equal(model.predict(codes), proba.argmax(axis=1))


def test_draws_and_filled_values_of_very_wide_components_are_finite():
    wide = Weibull(shape=[1e-3], scale=[1.0])
    assert np.isfinite(wide.sample(100, np.random.default_rng(0))).all()
    assert np.isfinite(wide.expected(wide.observe([[np.nan]]))).all()


def test_criteria_of_observations_far_away_overflow_without_a_warning():
    model = Mixture(Exponential(), 1).fit([[1e-70], [2e-70], [1e-70], [3e-70]])
    far = np.full((6, 1), 1e238)
    assert model.bic(far) == model.aic(far) == np.inf
    assert model.score(far) < -1e300


def test_inputs_that_are_constant_text_leave_an_intercept():
    inputs, targets = [["red"]] * 6, np.array([0.0, 1.0] * 3)
    model = Mixture(LogisticRegression(), 1).fit(inputs, targets)
    assert np.isfinite(model.lower_bound_)


def test_a_mixture_that_leaves_all_observations_to_noise_is_measured():
    rows = np.round(np.random.default_rng(0).normal(size=(10, 2)), 3) + 1e6
    model = Mixture(
        RobustGaussian(ridge=1.0, outliers=0.0), "auto", noise=True, random_state=0
    ).fit(rows.astype(np.float32))
    assert np.isfinite(model.lower_bound_)


def test_a_component_over_all_magnitudes_is_described_by_finite_numbers():
    rows = np.array([[5e-324], [2.0], [8.0], [3.0], [3.0], [1.0], [9.0]])
    component = ZeroInflatedLogNormal().fit(Table.of(rows))
    assert np.isfinite(component.describe().columns[0].centre)


def test_a_search_of_a_costly_family_ends_where_parameters_are_as_many_as_observations():
    rows = np.random.default_rng(0).gamma(2.0, 1.0, (8, 1))
    with pytest.warns(DegenerateMixtureWarning, match="use fewer components"):
        model = Mixture(ScipyFamily(stats.gamma, {"loc": 0}), 7, random_state=0).fit(rows)
    assert not model.history_.trials
