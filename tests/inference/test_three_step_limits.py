"""Outside variables that say little, too much or nothing give results or one sentence."""

import numpy as np
import pandas as pd
import pytest

from boltzmix import Mixture
from boltzmix.inference.three_step.classes import AssignedClasses
from boltzmix.inference.three_step.relations import relate_to_outcome

CORRECTIONS = ["ml", "bch", None]
rng = np.random.default_rng(5)
KINDS = np.repeat([0, 1, 2], 100)
X = rng.normal(4.0 * KINDS, 1.0)[:, None]
AGE = rng.normal(40, 10, 300)
INCOME = rng.normal(KINDS, 1.0)


@pytest.fixture(scope="module")
def model():
    return Mixture(n_components=3, random_state=0).fit(X)


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_separation_leaves_coefficients_finite_and_without_errors(model, correction):
    people = pd.DataFrame({"kind": np.array(["a", "b", "c"])[model.labels_], "age": AGE})
    found = model.three_step(X, covariates=people, correction=correction)
    assert np.isfinite(found.estimates.values).all()
    assert np.isnan(found.estimates.standard_errors).any()
    assert "do not determine" in repr(found) and np.isnan(found.tests["kind"].p_value)


def test_categories_are_indicators_that_are_tested_together(model):
    people = pd.DataFrame({"town": rng.choice(["x", "y", "z"], 300), "age": AGE})
    found = model.three_step(X, covariates=people)
    assert found.estimates.names[:4] == ("intercept", "town[y]", "town[z]", "age")
    assert list(found.tests) == ["town", "age"]
    assert found.tests["town"].degrees_of_freedom == 4
    assert "odds ratio" in found._repr_html_() and "No effect of town: Wald" in repr(found)


def test_rows_with_missing_values_are_left_out_and_counted(model):
    income = np.where(np.arange(300) % 10 == 0, np.nan, INCOME)
    found = model.three_step(X, outcome=pd.Series(income, name="income"))
    assert (found.n_used, found.n_left_out) == (270, 30)
    assert "Mean of income" in repr(found) and "30 of 300 rows were left out" in repr(found)
    people = pd.DataFrame({"age": np.where(AGE < 30, np.nan, AGE), "town": ["x", None, "y"] * 100})
    found = model.three_step(X, covariates=people)
    assert found.n_left_out == people.isna().any(axis=1).sum()


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_a_component_without_an_observed_outcome_is_left_out_of_the_test(model, correction):
    income = np.where(model.labels_ == 1, np.nan, INCOME)
    found = model.three_step(X, outcome=income, correction=correction)
    assert np.isnan(found.estimates.values).tolist() == [False, True, False]
    assert found.test.degrees_of_freedom == 1 and "Component 1 has no members" in repr(found)


def test_probabilities_at_their_bounds_have_no_error(model):
    towns = np.array(["x", "y", "z"])[model.labels_]
    found = model.three_step(X, outcome=towns, correction="ml")
    np.testing.assert_allclose(found.estimates.values.reshape(3, 3), np.eye(3), atol=0.01)
    assert found.differences.names[:3] == ("x", "y", "z")


def test_a_class_that_is_never_assigned_cannot_be_corrected():
    posteriors = np.column_stack([np.full(9, 0.6), np.full(9, 0.4)])
    classes = AssignedClasses.of(posteriors, ("0", "1"), "modal")
    with pytest.raises(ValueError, match="Component 1 is never the most probable one"):
        relate_to_outcome(classes, np.arange(9.0))
    soft = AssignedClasses.of(posteriors, ("0", "1"), "soft")
    with pytest.raises(ValueError, match="overlap so much"):
        relate_to_outcome(soft, np.arange(9.0))
    naive = relate_to_outcome(classes, np.arange(9.0), correction=None)
    assert naive.estimates.values[0] == 4 and np.isnan(naive.estimates.values[1])


def test_one_component_has_a_mean_and_no_test():
    alone = Mixture(n_components=1, random_state=0).fit(X)
    found = alone.three_step(X, outcome=INCOME)
    assert found.estimates.values == pytest.approx(INCOME.mean())
    assert np.isnan(found.test.p_value) and len(found.differences) == 0
    assert "not tested" in repr(found)
    with pytest.raises(ValueError, match="at least two components"):
        alone.three_step(X, covariates=AGE[:, None])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "Pass either covariates or outcome"),
        ({"outcome": INCOME, "covariates": X}, "Pass either covariates or outcome"),
        ({"outcome": np.ones(300)}, "same value in all rows"),
        ({"outcome": ["a"] * 300}, "same value in all rows"),
        ({"outcome": np.full(300, np.nan)}, "no value that is not missing"),
        ({"outcome": INCOME[:5]}, "outcome has 5 rows, but X has 300"),
        ({"outcome": np.c_[INCOME, INCOME]}, "outcome has 2 columns"),
        ({"outcome": [[1, 2], [3]]}, "outcome must be an array or nested lists"),
        ({"outcome": np.full(300, np.inf)}, "finite numbers"),
        ({"outcome": AGE.astype(str)}, "too few"),
        ({"outcome": ["a", "b", "c"] * 100, "kind": "number"}, "use kind='category'"),
        ({"outcome": INCOME, "kind": "count"}, "whole numbers"),
        ({"outcome": INCOME, "kind": "gaussian"}, "kind must be 'auto'"),
        ({"outcome": INCOME, "correction": "BCH"}, "correction must be 'auto'"),
        ({"outcome": INCOME, "assignment": "hard"}, "assignment must be 'modal' or 'soft'"),
        ({"outcome": INCOME, "sample_weight": -AGE}, "not negative"),
        ({"outcome": INCOME, "n_bootstrap": -1}, "n_bootstrap must be"),
        ({"covariates": np.ones((300, 1))}, "has one value only"),
        ({"covariates": np.c_[AGE, INCOME, AGE - INCOME]}, "'2' is a combination"),
        ({"covariates": rng.normal(size=(300, 150))}, "302 coefficients, but only 300 rows"),
        ({"covariates": AGE[:5, None]}, "covariates has 5 rows, but X has 300"),
        ({"covariates": AGE}, "covariates must be a table with two dimensions"),
        ({"covariates": np.full((300, 1), np.nan)}, "Every row of covariates"),
    ],
)
def test_what_cannot_be_related_is_said_in_one_sentence(model, arguments, message):
    with pytest.raises(ValueError, match=message) as error:
        model.three_step(X, **arguments)
    assert str(error.value).endswith(".") and "\n" not in str(error.value)
