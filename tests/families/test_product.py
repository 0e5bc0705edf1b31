"""Mixed tables: a family for each column."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

from boltzmix import BEEM, EM, Mixture
from boltzmix.checks import check_family
from boltzmix.families import (
    HMM,
    Bernoulli,
    Categorical,
    Dirichlet,
    Gamma,
    Gaussian,
    GaussianProcess,
    LogNormal,
    NegativeBinomial,
    Poisson,
    Product,
    ScipyFamily,
    StudentT,
)
from boltzmix.metrics import adjusted_rand_score


def make_mixed(n=300, seed=0):
    """Return a frame of numbers, counts and categories in three clusters, and the clusters."""
    rng = np.random.default_rng(seed)
    z = rng.integers(0, 3, n)
    kinds = np.array(["a", "b", "c"])[np.where(rng.random(n) < 0.8, z, rng.integers(0, 3, n))]
    frame = pd.DataFrame(
        {
            "income": rng.lognormal(0.8 * z, 0.5),
            "x": rng.normal(2.5 * z, 1),
            "y": rng.normal(-2.0 * z, 1),
            "visits": rng.poisson(2 + 3 * z),
            "kind": kinds,
            "member": rng.random(n) < np.array([0.1, 0.5, 0.9])[z],
        }
    )
    return frame, z


FAMILY = Product(
    {
        "income": LogNormal(),
        ("x", "y"): Gaussian(),
        "visits": Poisson(),
        "kind": Categorical(),
        "member": Bernoulli(),
    }
)


def with_missing(frame, share, seed):
    gone = np.random.default_rng(seed).random(frame.shape) < share
    return frame.astype({"kind": object, "member": object, "visits": float}).mask(gone)


def test_log_densities_add_up():
    frame, _ = make_mixed()
    data = FAMILY.observe(frame)
    fitted = FAMILY.fit(data)
    income, place, visits, kind, member = fitted.parts.values()
    codes = frame["kind"].map({"a": 0, "b": 1, "c": 2})
    expected = (
        stats.lognorm(income.deviation[0], scale=np.exp(income.mean[0])).logpdf(frame["income"])
        + stats.multivariate_normal(place.mean, place.variance).logpdf(frame[["x", "y"]])
        + stats.poisson(visits.rate[0]).logpmf(frame["visits"])
        + np.log(kind.probabilities[0][codes])
        + stats.bernoulli(member.probability[0]).logpmf(frame["member"])
    )
    np.testing.assert_allclose(fitted.log_prob(data), expected, rtol=1e-10)
    assert fitted.n_parameters == 2 + 5 + 1 + 2 + 1
    assert fitted.categories == {"kind": ("a", "b", "c"), "member": (False, True)}


def test_the_contract_holds():
    frame, _ = make_mixed(120)
    check_family(FAMILY, frame)
    check_family(FAMILY, with_missing(frame, 0.1, 0))
    numbers = frame[["income", "x", "y", "visits"]].to_numpy()
    check_family(Product({0: Gamma(), (1, 2): Gaussian("tied"), 3: NegativeBinomial()}), numbers)


def test_capabilities_are_those_that_all_parts_have():
    assert FAMILY.weighted and FAMILY.additive and FAMILY.missing
    assert not FAMILY.movable and not FAMILY.distances
    numbers = Product({0: Gaussian(), 1: Poisson()})
    assert numbers.movable and numbers.distances
    assert not Product({0: NegativeBinomial(), 1: Poisson()}).additive
    assert not Product({0: Dirichlet(), 1: Poisson()}).missing
    assert Product({0: StudentT(), 1: Poisson()}).missing


def test_pandas_polars_and_permuted_columns_give_the_same():
    frame, _ = make_mixed(200)
    model = Mixture(FAMILY, 3, random_state=0).fit(frame)
    other = pl.DataFrame({name: frame[name].tolist() for name in frame})
    again = Mixture(FAMILY, 3, random_state=0).fit(other)
    np.testing.assert_array_equal(model.labels_, again.labels_)
    np.testing.assert_array_equal(model.predict(other[:, ::-1].with_columns(z=0)), model.labels_)
    copied = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copied.predict(frame), model.labels_)


def test_columns_left_out_are_ignored():
    frame, _ = make_mixed(200)
    family = Product({"x": Gaussian(), "visits": Poisson()})
    with_all = Mixture(family, 3, random_state=0).fit(frame)
    without = Mixture(family, 3, random_state=0).fit(frame[["x", "visits"]])
    np.testing.assert_array_equal(with_all.labels_, without.labels_)
    assert with_all.feature_names_in_.tolist() == ["x", "visits"]


def test_codes_are_those_of_the_fit():
    frame, _ = make_mixed(200)
    model = Mixture(FAMILY, 3, random_state=0).fit(frame)
    rows = frame[frame["kind"] != "a"].reset_index(drop=True)
    np.testing.assert_array_equal(model.predict(rows), model.labels_[frame["kind"] != "a"])
    rows.loc[3, "kind"] = "z"
    with pytest.raises(ValueError, match="'kind' of X holds 'z' in row 3, which was not there"):
        model.predict(rows)
    rows["kind"] = 1.0
    with pytest.raises(ValueError, match=r"'kind' of X holds 1\.0 in row 0"):
        model.predict(rows)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_threads_do_not_change_a_bit(n_jobs):
    frame, _ = make_mixed(30_000)
    frame = with_missing(frame, 0.05, 0)
    model = Mixture(FAMILY, 3, algorithm=EM(), max_iter=3, random_state=0, n_jobs=n_jobs)
    with pytest.warns(UserWarning, match="did not converge"):
        bound = model.fit(frame).lower_bound_
    with pytest.warns(UserWarning, match="did not converge"):
        assert bound == model.set_params(n_jobs=3 - n_jobs).fit(frame).lower_bound_


def test_likelihood_never_falls_in_em():
    frame = with_missing(make_mixed(300)[0], 0.2, 1)
    model = Mixture(FAMILY, 3, algorithm="em", random_state=0).fit(frame)
    assert (np.diff(model.history_.score) > -1e-9).all()


def test_streams_learn():
    frame, z = make_mixed(900)
    model = Mixture(FAMILY, 3, random_state=0)
    for start in range(0, 900, 300):
        model.partial_fit(frame[start : start + 300])
    assert adjusted_rand_score(z, model.predict(frame)) > 0.8


def test_samples_are_like_the_rows():
    frame, _ = make_mixed()
    model = Mixture(FAMILY, 3, random_state=0).fit(frame)
    rows, labels = model.sample(2000)
    drawn = pd.DataFrame(rows, columns=model.feature_names_in_)
    assert set(drawn["kind"]) == {"a", "b", "c"} and set(drawn["member"]) == {False, True}
    assert np.mean(model.predict(drawn) == labels) > 0.85
    assert abs(drawn["x"].astype(float).mean() - frame["x"].mean()) < 0.3


@pytest.mark.slow
def test_missing_cells_cost_little():
    lost = []
    for seed in range(10):
        frame, z = make_mixed(seed=seed)
        mixture = Mixture(FAMILY, 3, algorithm=[BEEM(), EM(1e-5)], random_state=seed)
        complete = mixture.fit(frame).labels_
        incomplete = mixture.fit(with_missing(frame, 0.1, seed)).labels_
        lost.append(adjusted_rand_score(z, complete) - adjusted_rand_score(z, incomplete))
    assert np.mean(lost) < 0.05, lost


def test_a_family_is_chosen_for_each_column():
    frame, z = make_mixed()
    model = Mixture("auto", 3, random_state=0).fit(frame)
    chosen = {key: part.name for key, part in model.components_[0].parts.items()}
    assert chosen == {
        ("income", "x", "y"): "RobustGaussian",
        "visits": "NegativeBinomial",
        "kind": "Categorical",
        "member": "Bernoulli",
    }
    assert adjusted_rand_score(z, model.labels_) > 0.8
    assert "'kind': Categorical(" in repr(model.components_[0])


def test_a_choice_can_be_overridden():
    frame, _ = make_mixed(100)
    family = Product.auto(frame, {"income": Gamma(), ("x", "y"): Gaussian()})
    assert [part.name for part in family.parts.values()] == [
        "Gamma", "Gaussian", "NegativeBinomial", "Categorical", "Bernoulli",
    ]  # fmt: skip
    assert Mixture(family, 2, random_state=0).fit(frame).components_[0].parts["income"].rate > 0


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({}, "takes a dictionary of columns"),
        (Gaussian(), "takes a dictionary of columns"),
        ({"x": "gaussian"}, "column 'x' must be a Family such as Gaussian"),
        ({1.5: Gaussian()}, "must be the name or the number of a column"),
        ({(): Gaussian()}, "must be the name or the number of a column"),
        ({"x": Gaussian(), ("x", "y"): Gaussian()}, "Column 'x' is used twice"),
        ({"x": HMM(2)}, "must be one of rows, and HMM is not"),
        ({"x": GaussianProcess()}, "must be one of rows, and GaussianProcess is not"),
    ],
)
def test_bad_parts_raise_an_error_with_a_sentence(parts, message):
    with pytest.raises(ValueError, match=message):
        Product(parts)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"wealth": Gaussian()}, "X has no column 'wealth': its columns are income, x"),
        ({17: Gaussian()}, "X has 6 columns, so there is no column 17"),
        ({"x": Gaussian(), 1: Gaussian()}, "Column 1 of X is used twice"),
        ({"kind": Gaussian()}, "Column 'kind' of X holds '[abc]', which is no number"),
        ({"x": Poisson()}, "Column 'x' of X holds .* but Poisson takes counts"),
    ],
)
def test_bad_columns_raise_an_error_with_a_sentence(parts, message):
    with pytest.raises(ValueError, match=message):
        Mixture(Product(parts), 2).fit(make_mixed(50)[0])


def test_arrays_without_names_raise_an_error_where_names_are_needed():
    with pytest.raises(ValueError, match="X has no column names, but column 'x' is asked for"):
        Mixture(Product({"x": Gaussian()}), 2).fit(np.ones((5, 1)))
    with pytest.raises(ValueError, match="two dimensions"):
        Mixture(Product({0: Gaussian()}), 2).fit(np.ones(5))


def test_parts_without_missing_values_raise_for_them():
    frame, _ = make_mixed(50)
    frame.loc[3, "x"] = np.nan
    with pytest.raises(ValueError, match="X contains NaN in column 'x', row 3"):
        Mixture(Product({"x": ScipyFamily(stats.norm), "y": Gaussian()}), 2).fit(frame)


def test_columns_that_suit_no_family_raise_an_error_with_a_sentence():
    frame, _ = make_mixed(50)
    with pytest.raises(TypeError, match="Column 'day' of X holds dates or times"):
        parts = {"day": Gaussian()}
        Mixture(Product(parts), 2).fit(frame.assign(day=pd.date_range("2020", periods=50)))
    with pytest.raises(
        ValueError, match=r"X has no column that can be clustered \('empty': left out"
    ):
        Mixture("auto", 2).fit(pd.DataFrame({"empty": [None] * 50}))
    with pytest.raises(ValueError, match="There is no family 'gauss'"):
        Mixture("gauss", 2).fit(frame)


def test_nested_lists_and_weights_are_taken():
    rows = [[1.0, "a"], [2.0, "b"], [3.5, "a"], [5.5, None], [1.5, "b"], [2.5, "a"]]
    model = Mixture("auto", 1, random_state=0).fit(rows, sample_weight=[1, 1, 2, 0, 1, 1])
    mean = model.components_[0].parts[0].mean
    np.testing.assert_allclose(mean, (1 + 2 + 7 + 1.5 + 2.5) / 6)
