"""Columns that are taken as logarithms, and the blocks of numbers of mixed tables."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from boltzmix import Mixture, load
from boltzmix.checks import check_family
from boltzmix.data import Table
from boltzmix.families import (
    HMM,
    Automatic,
    Categorical,
    Gaussian,
    Logarithms,
    LogNormal,
    Product,
    RobustGaussian,
)
from boltzmix.metrics import adjusted_rand_score


def make_rows(n=200, seed=0):
    """Return a positive skewed column and one of numbers, which are correlated."""
    rng = np.random.default_rng(seed)
    rows = rng.multivariate_normal([1.0, -2.0], [[1.0, 0.7], [0.7, 1.0]], n)
    return np.column_stack([np.exp(rows[:, 0]), rows[:, 1]])


def test_densities_are_those_of_the_columns_in_their_own_units():
    rows = make_rows()
    data = Table.of(rows)
    logged = np.column_stack([np.log(rows[:, 0]), rows[:, 1]])
    gaussian = Logarithms(Gaussian(), columns=(0,)).fit(data)
    law = stats.multivariate_normal(gaussian.family.mean, gaussian.family.variance)
    expected = law.logpdf(logged) - np.log(rows[:, 0])
    np.testing.assert_allclose(gaussian.log_prob(data), expected, rtol=1e-10)
    robust = Logarithms(RobustGaussian(), columns=(0,)).fit(data)
    inner = robust.family
    law = stats.multivariate_t(inner.location, inner.scatter, df=inner.degrees)
    expected = law.logpdf(logged) - np.log(rows[:, 0])
    np.testing.assert_allclose(robust.log_prob(data), expected, rtol=1e-10)
    bank = robust.bank([robust, robust])
    for matrix in (bank.log_prob(data), bank.evaluate(data).log_densities):
        assert matrix.shape == (200, 2)
        np.testing.assert_allclose(matrix[:, 0], matrix[:, 1])
    np.testing.assert_allclose(bank.log_prob(data)[:, 0], expected, rtol=1e-10)


def test_densities_of_observed_values_are_their_margins():
    rows = make_rows()
    rows[::3, 0], rows[1::3, 1] = np.nan, np.nan
    family = Logarithms(Gaussian(), columns=(0,))
    data = family.observe(rows)
    fitted = family.prepare(data, 1).fit(data)
    (mean, variance), there = (fitted.family.mean, fitted.family.variance), ~np.isnan(rows)
    only = there[:, 0] & ~there[:, 1]
    law = stats.lognorm(np.sqrt(variance[0, 0]), scale=np.exp(mean[0]))
    np.testing.assert_allclose(fitted.log_prob(data)[only], law.logpdf(rows[only, 0]), rtol=1e-9)
    assert (fitted.expected(data)[there] == rows[there]).all()
    slope = variance[0, 1] / variance[1, 1]
    median = np.exp(mean[0] + slope * (rows[0, 1] - mean[1]))
    np.testing.assert_allclose(fitted.expected(data)[0, 0], median, rtol=1e-9)


def test_a_mixture_is_that_of_the_logarithms():
    rows = np.exp(np.random.default_rng(0).normal(size=(150, 2)) + 4 * np.repeat([[0], [1]], 75, 0))
    family = Logarithms(Gaussian(resolution=None))
    model = Mixture(family, 2, random_state=0).fit(rows)
    other = Mixture(Gaussian(resolution=None), 2, random_state=0).fit(np.log(rows))
    assert adjusted_rand_score(model.labels_, other.labels_) == 1.0
    np.testing.assert_allclose(
        model.score_samples(rows),
        other.score_samples(np.log(rows)) - np.log(rows).sum(axis=1),
        rtol=1e-4,
    )
    own = LogNormal().fit(LogNormal().observe(rows[:, :1]))
    margin = Logarithms(Gaussian(ridge=1e-9)).fit(Table.of(rows[:, :1]))
    np.testing.assert_allclose(
        margin.log_prob(Table.of(rows[:, :1])), own.log_prob(Table.of(rows[:, :1])), rtol=1e-5
    )


@pytest.mark.parametrize("inner", [Gaussian(), RobustGaussian(), Gaussian("diag")])
def test_it_keeps_the_contract_of_a_family(inner):
    check_family(Logarithms(inner, columns=(0,)), make_rows(60))


def test_samples_and_descriptions_are_in_own_units():
    rows = make_rows(4000)
    fitted = Logarithms(RobustGaussian(), columns=(0,)).fit(Table.of(rows))
    drawn = fitted.sample(20_000, np.random.default_rng(0))
    np.testing.assert_allclose(np.median(drawn, axis=0), np.median(rows, axis=0), rtol=0.1)
    first, second = fitted.describe().columns
    np.testing.assert_allclose(first.centre, np.median(rows[:, 0]), rtol=0.05)
    np.testing.assert_allclose(second.centre, rows[:, 1].mean(), rtol=0.05)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Logarithms(HMM(2)), "family must be a family of rows such as Gaussian"),
        (lambda: Logarithms(columns=(-1,)), "columns must be the numbers of columns"),
        (lambda: Logarithms(columns=(2,)).observe(make_rows()), "columns has the number 2"),
        (lambda: Logarithms().observe(make_rows()), "Column 1 of X holds .* must be above zero"),
    ],
)
def test_bad_input_raises_a_sentence(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def make_people(n=400, rho=0.9, seed=0):
    """Return one population of correlated numbers, with an unrelated category."""
    rng = np.random.default_rng(seed)
    x, y = rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], n).T
    return pd.DataFrame(
        {"income": np.exp(x), "c": np.array(["a", "b", "c"])[rng.integers(3, size=n)], "age": y}
    )


@pytest.mark.parametrize("rho", [0.0, 0.7, 0.9])
def test_one_population_of_correlated_numbers_is_one_component(rho):
    people = make_people(rho=rho)
    one, two = (Mixture("auto", k, random_state=0).fit(people) for k in (1, 2))
    assert one.bic(people) < two.bic(people)
    assert one.icl(people) < two.icl(people)
    assert list(one.components_[0].parts) == [("income", "age"), "c"]


def test_copies_and_sums_of_columns_are_left_out():
    people = make_people().assign(
        inches=lambda t: (0.39 * t["age"] + 2).round(3),
        total=lambda t: t["age"] + t["income"],
        code=lambda t: t["c"].map({"a": 7, "b": 3, "c": 5}),
    )
    with pytest.warns(UserWarning, match="is left out") as warned:
        model = Mixture("auto", 1, random_state=0).fit(people)
    assert len(warned) == 3
    reasons = {one.column: one.reason for one in model.column_families_.choices if not one.family}
    assert reasons == {
        "inches": "left out: it is a copy of 'age'",
        "total": "left out: other columns add up to it",
        "code": "left out: it says the same as 'c'",
    }


def test_few_rows_do_not_make_columns_redundant():
    rows = np.random.default_rng(0).normal(size=(6, 5))
    assert list(Product.auto(rows).parts) == [(0, 1, 2, 3, 4)]


def test_columns_are_independent_if_a_user_says_so():
    people = make_people()
    assert list(Product.auto(people, independent=True).parts) == ["income", "c", "age"]
    family = Automatic({"income": LogNormal()})
    model = Mixture(family, 1, random_state=0).fit(people.assign(size=people["age"] ** 3))
    assert list(model.components_[0].parts) == ["income", "c", ("age", "size")]
    assert repr(Automatic(independent=True)) == "Automatic(independent=True)"


def test_a_block_is_filled_sampled_and_saved(tmp_path):
    people = make_people()
    people.loc[::5, "income"] = np.nan
    model = Mixture("auto", 2, random_state=0).fit(people)
    filled = model.impute(people)
    assert (filled["income"] > 0).all()
    gone = people["income"].isna()
    complete = make_people()
    errors = np.log(filled["income"][gone]) - np.log(complete["income"][gone])
    assert errors.std() < 0.6  # 0.44, given the age, and 1 without
    assert (filled["income"][~gone] == people["income"][~gone]).all()
    drawn, _ = model.sample(50)
    assert (drawn[:, 0].astype(float) > 0).all()
    model.save(tmp_path / "people.bmix")
    again = load(tmp_path / "people.bmix")
    np.testing.assert_array_equal(again.predict_proba(people), model.predict_proba(people))
    assert "income median" in repr(again.summary())
    with pytest.raises(ValueError, match=r"'income' of X holds 0 .*must be above zero"):
        model.predict(people.assign(income=0.0))


def test_halves_of_the_rows_have_the_coding_of_all():
    people = make_people()
    people.loc[:2, "c"] = "rare"
    family = Automatic()
    data = family.observe(people)
    prepared = family.prepare(data, 2)
    half = data.take(np.arange(3, len(people), 2))
    model = Mixture(prepared, 2, random_state=0).fit(half)
    log_densities = np.stack([one.log_prob(data) for one in model.components_])
    assert np.isfinite(log_densities).all()
    assert np.isfinite(prepared.fit(half).log_prob(data)).all()
    assert np.isfinite(model.score_samples(people)).all()


def test_classes_that_differ_in_correlations_are_found():
    """Two classes of which no column alone tells anything."""
    rng = np.random.default_rng(0)
    classes = np.repeat([0, 1], 150)
    rho = np.where(classes, 0.95, -0.95)
    x, noise = rng.normal(size=(2, 300))
    frame = pd.DataFrame({"x": x, "y": rho * x + np.sqrt(1 - rho**2) * noise})
    frame["c"] = np.where(rng.random(300) < 0.2 + 0.6 * classes, "a", "b")
    together = Mixture("auto", 2, random_state=0).fit(frame)
    apart = Mixture(Automatic(independent=True), 2, random_state=0).fit(frame)
    assert adjusted_rand_score(classes, together.labels_) > 0.6
    assert adjusted_rand_score(classes, apart.labels_) < 0.4


def test_a_category_beside_a_single_number_has_a_family_of_its_own():
    family = Product.auto(make_people()[["income", "c"]])
    assert list(map(type, family.parts.values())) == [LogNormal, Categorical]
