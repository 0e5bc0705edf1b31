import datetime
from time import process_time

import numpy as np
import pandas as pd
import polars as pl
import pytest

from boltzmix import Mixture, load
from boltzmix.families import Gamma, Gaussian, Product
from boltzmix.families.mixed.choosing_families import are_measurements, choose_family
from boltzmix.metrics import adjusted_rand_score

RNG = np.random.default_rng(0)
SCHOOL = [8, 9, 10, 11, 12, 12, 12, 13, 14, 16, 16, 18]
COLUMNS = {
    "Poisson": [RNG.poisson(4.0, 500), RNG.poisson(0.3, 200), RNG.poisson(30.0, 500)],
    "NegativeBinomial": [RNG.negative_binomial(1, 0.1, 500), RNG.negative_binomial(2, 0.5, 300)],
    "Categorical": [
        RNG.integers(1, 6, 60),  # ratings
        RNG.integers(0, 11, 200),  # from nought to ten
        RNG.integers(-2, 3, 100),
        RNG.choice(SCHOOL, 300),  # years of education
        RNG.choice([17.5, 22, 27, 32], 100),  # middles of brackets
    ],
    "Bernoulli": [RNG.integers(0, 2, 500), RNG.integers(1, 3, 100)],
    "ZeroInflatedLogNormal": [
        np.where(RNG.random(500) < 0.4, 0, RNG.lognormal(3, 1, 500)),
        np.where(RNG.random(500) < 0.4, 0, RNG.lognormal(6, 1, 500).round()),
        np.where(RNG.random(500) < 0.7, 0, RNG.normal(70, 8, 500).round()),
    ],
    "Beta": [RNG.beta(2, 3, 500), RNG.beta(0.5, 0.5, 300)],
    "LogNormal": [RNG.lognormal(0, 1, 500), RNG.lognormal(9, 0.6, 500).round()],
    "Gamma": [RNG.gamma(0.5, 1, 500)],
    "Gaussian": [
        RNG.poisson(1e4, 500),
        RNG.normal(50, 1, 500),
        -RNG.lognormal(0, 1, 500),
        RNG.integers(18, 80, 300),  # ages
        RNG.normal(0.3, 0.03, 200),
        RNG.choice(SCHOOL, 40),  # too few rows to learn a probability of each
    ],
    None: [np.full(30, np.nan), np.full(30, 7), np.arange(1, 101)],
}


@pytest.mark.parametrize("name", COLUMNS)
def test_what_suits_numbers(name):
    for values in COLUMNS[name]:
        chosen = choose_family(np.asarray(values, dtype=float))
        assert (None if chosen.family is None else chosen.family.name) == name, chosen
        assert chosen.reason


def make_people(n=300, seed=0):
    rng = np.random.default_rng(seed)
    group = rng.integers(2, size=n)
    return pd.DataFrame(
        {
            "id": [f"person {row}" for row in range(n)],
            "row": np.arange(n),
            "rating": np.where(group, rng.integers(1, 4, n), rng.integers(3, 6, n)),
            "spent": np.where(rng.random(n) < 0.4, 0.0, rng.lognormal(2 + 2 * group, 0.7)),
            "share": rng.beta(2 + 6 * group, 5),
            "colour": np.where(rng.random(n) < 0.2 + 0.6 * group, "red", "blue"),
            "same": 1,
        }
    ), group


@pytest.fixture(scope="module")
def people():
    return make_people()


@pytest.fixture(scope="module")
def model(people):
    with pytest.warns(UserWarning, match="is left out"):
        return Mixture("auto", 2, random_state=0).fit(people[0])


def test_every_column_has_a_family_and_a_reason(model, people):
    assert {one["column"]: one["family"] for one in model.column_families_.rows()} == {
        "id": None,
        "row": None,
        "rating": "Categorical",
        "spent": "ZeroInflatedLogNormal",
        "share": "Beta",
        "colour": "Bernoulli",
        "same": None,
    }
    assert model.column_families_["rating"].reason == "a scale of 5 numbers, 1 to 5"
    assert model.column_families_.to_frame().shape == (7, 3)
    assert "ZeroInflatedLogNormal  4" in repr(model.column_families_)
    assert adjusted_rand_score(people[1], model.labels_) > 0.8
    assert Mixture().fit(people[0][["share"]]).column_families_ is None


@pytest.mark.parametrize("column", ["id", "row", "same"])
def test_a_column_that_is_left_out_is_named(column, people):
    with pytest.warns(UserWarning, match=f"Column '{column}' is left out: .*choose its family"):
        Mixture("auto", 2, random_state=0).fit(people[0][["rating", "spent", column]])


@pytest.mark.parametrize(
    "dates",
    [
        pd.date_range("2024-01-01", periods=60),
        pd.date_range("2024-01-01", periods=60, tz="Europe/Stockholm"),
        pd.to_timedelta(np.arange(60), "h"),
        [datetime.date(2024, 1 + day % 2, 1) for day in range(60)],
        [datetime.time(hour % 24) for hour in range(59)] + [None],
    ],
)
def test_dates_are_left_out(dates):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=60), "when": dates})
    with pytest.warns(UserWarning, match="'when' is left out: it holds dates or times; to use it"):
        model = Mixture("auto", 1, random_state=0).fit(frame)
    assert model.column_families_["when"].family is None
    assert (model.predict(frame) == 0).all()


def test_numbers_that_are_categories_stay_numbers(model, people, tmp_path):
    frame = people[0].copy()
    frame.loc[::10, "rating"] = np.nan
    filled = model.impute(frame)["rating"]
    assert filled.dtype.kind == "f"
    assert set(filled) <= {1, 2, 3, 4, 5}
    drawn = Mixture("auto", 2, random_state=0).fit(frame[["rating", "spent"]]).sample(50)[0]
    assert drawn.dtype == float
    assert set(drawn[:, 0]) <= {1, 2, 3, 4, 5}
    assert "rating 4 (" in repr(model.summary())
    model.save(tmp_path / "people.bmix")
    again = load(tmp_path / "people.bmix")
    np.testing.assert_array_equal(again.predict(frame), model.predict(frame))
    assert again.column_families_.rows() == model.column_families_.rows()


def test_a_rating_that_was_not_there_raises_an_error_with_a_sentence(model, people):
    with pytest.raises(ValueError, match="Column 'rating' of X holds 6 in row 0, which was not"):
        model.predict(people[0].assign(rating=6))


def test_a_mapping_chooses_the_families_of_single_columns(people):
    columns = people[0][["rating", "spent", "share"]]
    for family in ({"share": "gamma"}, {"share": Gamma()}):
        model = Mixture(family, 2, random_state=0).fit(columns)
        found = model.column_families_
        assert [one.family for one in found.choices] == [
            "Categorical", "ZeroInflatedLogNormal", "Gamma",
        ]  # fmt: skip
        assert found["share"].reason == "chosen by you"
    model = Mixture({("rating", "share"): Gaussian()}, 2, random_state=0).fit(columns)
    assert list(model.components_[0].parts) == [("rating", "share"), "spent"]


@pytest.mark.parametrize("family", [{"share": "gam"}, {"share": 3}])
def test_a_mapping_to_something_else_raises_an_error_with_a_sentence(family, people):
    with pytest.raises(ValueError, match=r"did you mean .gamma|column .share. must be"):
        Mixture(family, 2).fit(people[0])


def test_numbers_are_categories_where_a_product_says_so():
    rows = np.array([[10.0], [20.0], [20.0], [40.0], [np.nan]])
    family = Product.auto(np.repeat(rows, 10, axis=0))
    assert family.as_categories == (0,)
    fitted = family.fit(family.observe(rows))
    assert fitted.categories == {0: (10, 20, 40)}
    assert fitted.n_parameters == 2


def test_known_classes_are_found_in_ratings_and_amounts():
    found = []
    for seed in range(4):
        frame, group = make_people(seed=seed)
        model = Mixture("auto", 2, random_state=0).fit(frame[["rating", "spent"]])
        found.append(adjusted_rand_score(group, model.labels_))
    assert np.mean(found) > 0.5


@pytest.mark.parametrize("algorithm", ["auto", "em"])
def test_the_number_of_components_can_be_chosen_as_well(algorithm):
    rng = np.random.default_rng(0)
    groups = np.repeat([0, 1], 60)
    frame = pd.DataFrame(
        {
            "length": rng.normal(8.0 * groups, 1.0),
            "visits": rng.poisson(3 + 20 * groups),
            "colour": np.where(rng.random(120) < 0.1 + 0.8 * groups, "red", "blue"),
        }
    )
    model = Mixture("auto", range(1, 4), algorithm=algorithm, random_state=0).fit(frame)
    assert model.n_components_ == 2
    assert adjusted_rand_score(model.labels_, groups) == 1.0


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_families_of_many_columns_take_time_in_proportion(kind):
    def seconds(d):
        names = [f"x{j}" for j in range(d)]
        frame = kind(dict(zip(names, np.random.default_rng(0).normal(size=(d, 12)), strict=True)))
        began = process_time()
        assert are_measurements(frame)
        return process_time() - began

    seconds(10)
    assert seconds(4_000) < 30 * seconds(400)  # 10 times, and 100 times if each looks at all
