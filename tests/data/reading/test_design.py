"""Design matrices: columns by name, categories, formulas, and what is wrong with input."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boltzmix.data import Design

PEOPLE = pd.DataFrame(
    {
        "age": [31.0, 45.0, 28.0, 60.0],
        "sex": ["f", "m", "m", "f"],
        "smokes": [True, False, True, False],
        "body mass": [22.0, 30.0, 25.0, 27.0],
    }
)


@pytest.mark.parametrize("frame", [PEOPLE, pl.from_pandas(PEOPLE)])
def test_categories_become_indicators_of_all_but_the_first(frame):
    design = Design.of("age + sex + smokes", frame)
    assert design.names == ("age", "sex[m]", "smokes[True]")
    assert_array_equal(design.matrix(frame)[:, 1:], [[0, 1], [1, 0], [1, 1], [0, 0]])
    assert_array_equal(design.matrix(frame)[:, 0], PEOPLE["age"])


def test_columns_by_list_by_number_and_all():
    numbers = PEOPLE[["age", "body mass"]]
    expected = numbers.to_numpy()
    assert_array_equal(Design.of(["age", "body mass"], PEOPLE).matrix(PEOPLE), expected)
    assert_array_equal(Design.of("age + `body mass`", PEOPLE).matrix(PEOPLE), expected)
    assert_array_equal(Design.of("~ age + body mass", PEOPLE).matrix(PEOPLE), expected)
    assert_array_equal(Design.of([0, 1], expected).matrix(expected), expected)
    assert_array_equal(Design.of(None, numbers).matrix(numbers), expected)


def test_formula_has_interactions_and_functions():
    design = Design.of("log(age) * sex + I(age**2)", PEOPLE)
    found = dict(zip(design.names, design.matrix(PEOPLE).T, strict=True))
    is_m = PEOPLE["sex"] == "m"
    assert_allclose(found["log(age)"], np.log(PEOPLE["age"]))
    assert_allclose(found["I(age ** 2)"], PEOPLE["age"] ** 2)
    assert_allclose(found["log(age):sex[m]"], np.log(PEOPLE["age"]) * is_m)
    assert len(design) == 4


@pytest.mark.parametrize("terms", ["age + sex", "age:sex"])
def test_new_rows_have_the_categories_of_the_first(terms):
    design = Design.of(terms, PEOPLE)
    one = PEOPLE[1:2]
    assert_array_equal(design.matrix(one), design.matrix(PEOPLE)[1:2])


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ("age._ + sex", "'._ \\+ sex' is none of what it may have"),
        ("age + height", "covariates has no column 'height'"),
        ("age +", "something is missing at its end"),
        ("age:", "cannot be read"),
        ("age + poly(age)", "functions I, C, abs"),
        ("().__class__", "none of what it may have"),
        ("age:sex - 1", "leaves the intercept out"),
        ("C(age) + age:sex", "categories of the numbers in column 'age'"),
        ([1.5], "by a list of columns, not"),
        (["age", "age"], "used twice"),
        (7, "there is no column 7"),
    ],
)
def test_bad_terms_get_one_sentence(terms, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        Design.of(terms, PEOPLE, "covariates")


def test_bad_values_name_column_and_row():
    design = Design.of("age + sex", PEOPLE)
    with pytest.raises(ValueError, match="'sex' of covariates holds 'x' in row 2"):
        design.matrix(PEOPLE.assign(sex=["f", "m", "x", "f"]), "covariates")
    with pytest.raises(ValueError, match="'age' of X is missing or not finite in row 1"):
        design.matrix(PEOPLE.assign(age=[1, np.nan, 2, 3]))
    with pytest.raises(ValueError, match=r"term 'log\(age\)' .* not finite in row 0"):
        Design.of("log(age) + sex:age", PEOPLE).matrix(PEOPLE.assign(age=[-1, 2, 3, 4]))
