import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from scipy.stats import norm
from scipy.stats.contingency import association
from sklearn.datasets import load_iris
from sklearn.metrics import mutual_info_score

from boltzmix import EM, LazyTable, Mixture
from boltzmix.families import (
    HMM,
    Automatic,
    Categorical,
    Gaussian,
    LinearRegression,
    MarkovChain,
    Poisson,
    Product,
)

FLOWERS = load_iris(as_frame=True).data.set_axis(["sl", "sw", "pl", "pw"], axis=1)


@pytest.fixture(scope="module")
def model():
    return Mixture(Gaussian(), 3, algorithm=EM(), random_state=0).fit(FLOWERS)


@pytest.fixture(scope="module")
def found(model):
    return model.profiles(FLOWERS)


def mixed(n=400, seed=0):
    rng = np.random.default_rng(seed)
    z = rng.integers(0, 2, n)
    return pd.DataFrame(
        {
            "noise": rng.normal(size=n),
            "colour": np.where(rng.random(n) < np.where(z, 0.9, 0.1), "red", "blue"),
            "height": rng.normal(6.0 * z, 1.0),
        }
    )


def test_means_and_deviations_are_weighted_by_responsibilities(model, found):
    r = model.predict_proba(FLOWERS)
    for name in FLOWERS:
        x, column = FLOWERS[name].to_numpy(), found[name]
        means = [np.average(x, weights=r[:, k]) for k in range(3)]
        deviations = [np.sqrt(np.cov(x, aweights=r[:, k], bias=True)) for k in range(3)]
        np.testing.assert_allclose(column.means[0], means)
        np.testing.assert_allclose(column.deviations[0], deviations)
    np.testing.assert_allclose(found.sizes, r.sum(axis=0))


def test_standard_errors_are_those_of_a_weighted_mean(model, found):
    r, x = model.predict_proba(FLOWERS), FLOWERS["sl"].to_numpy()
    column = found["sl"]
    away = r * (x[:, None] - column.means[0])
    errors = np.sqrt((away**2).sum(axis=0)) / r.sum(axis=0)
    np.testing.assert_allclose(column.errors[0], errors)
    np.testing.assert_allclose(column.high - column.means, norm.ppf(0.975) * column.errors)
    narrow = model.profiles(FLOWERS, level=0.5)["sl"]
    np.testing.assert_allclose(narrow.high - narrow.means, norm.ppf(0.75) * column.errors)


def test_eta_squared_and_differences_are_those_of_weighted_groups(model, found):
    r, x = model.predict_proba(FLOWERS), FLOWERS["pl"].to_numpy()
    column = found["pl"]
    between = (r.sum(axis=0) * (column.means[0] - x.mean()) ** 2).sum()
    assert column.effect == pytest.approx(between / (len(x) * x.var()))
    others = 1 - r[:, 0]
    own, rest = np.average(x, weights=r[:, 0]), np.average(x, weights=others)
    within = r[:, 0] @ (x - own) ** 2 + others @ (x - rest) ** 2
    assert column.differences[0, 0] == pytest.approx((own - rest) / np.sqrt(within / len(x)))


def certain_categories():
    """Return rows whose first column tells components apart for sure."""
    rng = np.random.default_rng(0)
    z = np.arange(300) % 3
    return pd.DataFrame(
        {"x": rng.normal(1000.0 * z), "c": np.minimum(z + rng.integers(0, 2, 300), 2)}
    )


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")  # all are narrow
def test_for_certain_labels_effects_are_those_of_scipy_and_scikit_learn():
    X = certain_categories()
    family = Product({"x": Gaussian(), "c": Categorical()})
    model = Mixture(family, 3, random_state=0).fit(X)
    column, labels = model.profiles(X)["c"], model.predict(X)
    table = pd.crosstab(labels, X.c).to_numpy()
    assert column.effect == pytest.approx(association(table, method="cramer"), abs=1e-6)
    np.testing.assert_allclose(column.means.T, table / table.sum(axis=1, keepdims=True), atol=1e-6)
    p, of_label, of_code = (
        table / 300, table.sum(axis=1) / 300, table.sum(axis=0) / 300,
    )  # fmt: skip
    chance = (p * np.outer(1 / of_label - 1, 1 / of_code - 1)).sum() / 600
    mutual, entropy = mutual_info_score(labels, X.c), -(of_label * np.log(of_label)).sum()
    assert column.information == pytest.approx((mutual - chance) / (entropy - chance), abs=1e-6)
    assert model.profiles(X)["x"].information > 0.94


def test_columns_are_ranked_by_what_they_tell():
    X = mixed()
    model = Mixture(Automatic(), 2, random_state=0).fit(X)
    found = model.profiles(X)
    assert found.ranking == ("height", "colour", "noise")
    assert found["noise"].information < 0.1 < found["colour"].information
    assert found["colour"].categories == ("blue", "red")
    assert "colour = red" in repr(found)


def test_independent_columns_have_no_information_on_average():
    rng, shares = np.random.default_rng(0), []
    for _ in range(40):
        X = np.column_stack([rng.normal(size=100), np.repeat([0.0, 50.0], 50)])
        X[:, 1] += rng.normal(size=100)
        model = Mixture(Gaussian("diag"), 2, random_state=0).fit(X)
        shares.append(model.profiles(X).columns[0].information)
    assert np.mean(shares) < 0.04


def test_the_scale_of_a_column_changes_neither_effects_nor_ranking(model, found):
    scaled = FLOWERS * [1000, 0.01, 3, 7] + [5, 0, -1e3, 2]
    other = Mixture(Gaussian(), 3, algorithm=EM(), random_state=0).fit(scaled)
    again = other.profiles(scaled)
    assert again.ranking == found.ranking
    for name in FLOWERS:
        assert again[name].effect == pytest.approx(found[name].effect, rel=1e-3)
        assert again[name].information == pytest.approx(found[name].information, rel=1e-3)
        np.testing.assert_allclose(
            np.sort(again[name].differences), np.sort(found[name].differences), rtol=1e-2
        )


def test_the_order_of_components_is_the_order_of_their_profiles(model, found):
    init = np.array([2, 0, 1])[model.labels_]
    other = Mixture(Gaussian(), 3, algorithm=EM(), init=init, random_state=0).fit(FLOWERS)
    again = other.profiles(FLOWERS)
    np.testing.assert_allclose(again["pl"].means[0, [2, 0, 1]], found["pl"].means[0], rtol=1e-3)
    assert again["pl"].effect == pytest.approx(found["pl"].effect, rel=1e-3)


def test_missing_values_are_left_out_cell_by_cell():
    X = mixed()
    X.loc[::3, "height"] = np.nan
    X.loc[::4, "colour"] = None
    model = Mixture(Automatic(), 2, random_state=0).fit(X)
    found, r = model.profiles(X), model.predict_proba(X)
    there = X.height.notna().to_numpy()
    means = [np.average(X.height[there], weights=r[there, k]) for k in range(2)]
    np.testing.assert_allclose(found["height"].means[0], means)
    np.testing.assert_allclose(found["height"].sizes, r[there].sum(axis=0))
    np.testing.assert_allclose(found["colour"].means.sum(axis=0), 1)


def test_a_column_without_any_value_has_no_profile():
    X = mixed()
    model = Mixture(Automatic(), 2, random_state=0).fit(X)
    X["height"], X["colour"] = np.nan, None
    found = model.profiles(X)
    assert np.isnan(found["height"].means).all()
    assert np.isnan(found["colour"].means).all()
    assert found["height"].information == 0
    assert "–" in repr(found)


def test_intervals_of_probabilities_stay_between_zero_and_one():
    X = np.repeat([[0, 0], [1, 1], [0, 1]], 20, axis=0)
    found = Mixture(Categorical(), 2, random_state=0).fit(X).profiles(X)
    for column in found.columns:
        assert (column.low >= 0).all()
        assert (column.high <= 1).all()
        assert (column.low <= column.means).all()
        assert (column.means <= column.high).all()
        assert (column.high - column.low > 0.01).all()


def test_intervals_cover_the_truth_where_components_are_known():
    rng, covered = np.random.default_rng(0), []

    def draw(n):
        return rng.normal(3 * rng.integers(0, 2, n), 1)[:, None]

    model = Mixture(Gaussian(), 2, random_state=0).fit(draw(4000))
    truth = model.profiles(draw(200_000)).columns[0].means
    for _ in range(150):
        column = model.profiles(draw(200), level=0.9).columns[0]
        covered.append((column.low < truth) & (truth < column.high))
    assert 0.84 < np.mean(covered) < 0.96


def test_a_bootstrap_includes_the_uncertainty_of_components():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(2.2 * (np.arange(300) % 2), 1)})
    X["c"] = np.where(rng.random(300) < 0.4 + 0.3 * (np.arange(300) % 2), "a", "b")
    family = Product({"x": Gaussian(), "c": Categorical()})
    model = Mixture(family, 2, algorithm=EM(1e-9), init=np.arange(300) % 2).fit(X)
    known, found = model.profiles(X), model.profiles(X, bootstrap=60, random_state=0)
    for name in X:
        np.testing.assert_array_equal(found[name].means, known[name].means)
        assert (found[name].low <= found[name].high).all()
    assert (found["x"].errors > 1.2 * known["x"].errors).all()
    again = model.profiles(X, bootstrap=60, random_state=0)
    np.testing.assert_array_equal(again["c"].low, found["c"].low)


def test_sequences_show_their_steps_and_lengths():
    rng = np.random.default_rng(0)
    X = [rng.normal(k % 2 * 5.0, 1, (5 + 5 * (k % 2), 1)) for k in range(40)]
    model = Mixture(HMM(1), 2, random_state=0).fit(X)
    found, labels = model.profiles(X), model.predict(X)
    assert [column.name for column in found.columns] == ["column 0", "length"]
    steps = [
        np.concatenate([x for x, k in zip(X, labels, strict=True) if k == j]).mean()
        for j in range(2)
    ]
    np.testing.assert_allclose(found["column 0"].means[0], steps, atol=1e-6)
    assert set(np.round(found["length"].means[0])) == {5.0, 10.0}


def test_symbols_show_their_probabilities():
    X = [np.array([[k % 2], [k % 2], [k % 3], [2]]) for k in range(30)]
    model = Mixture(MarkovChain(), 2, random_state=0).fit(X)
    column = model.profiles(X).columns[0]
    assert column.categories == ("0", "1", "2")
    np.testing.assert_allclose(column.means.sum(axis=0), 1)


def test_curves_show_inputs_and_targets():
    rng = np.random.default_rng(0)
    x = rng.uniform(size=(80, 1))
    y = np.where(np.arange(80) % 2, 3 + x[:, 0], -x[:, 0]) + rng.normal(0, 0.1, 80)
    found = Mixture(LinearRegression(), 2, random_state=0).fit(x, y).profiles(x, y)
    assert found.ranking == ("target", "input 0")


def test_noise_is_one_more_group():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(80, 2)), rng.uniform(-20, 20, (15, 2))])
    model = Mixture(Gaussian(), 1, noise=True, random_state=0).fit(X)
    found = model.profiles(X)
    assert tuple(found.names) == ("0", "noise")
    assert found.columns[0].means.shape == (1, 2)


def test_far_noise_changes_neither_differences_nor_effects_nor_the_picture():
    rng = np.random.default_rng(0)
    near = np.concatenate([rng.normal(0, 1, (100, 2)), rng.normal(9, 1, (100, 2))])
    X = np.concatenate([near, 1e6 * rng.normal(size=(10, 2))])
    model = Mixture(Gaussian(), 2, noise=True, random_state=0).fit(X)
    found, expected = model.profiles(X), model.profiles(near)
    assert found.differences[:2] == expected.differences[:2]
    assert found.differences[0].startswith("Here column ")
    for one, other in zip(found.columns, expected.columns, strict=True):
        np.testing.assert_allclose(one.differences[:, :2], other.differences[:, :2], rtol=1e-6)
        np.testing.assert_allclose(one.effect, other.effect, rtol=1e-6)
        assert one.effect > 0.9
    axes = found.plot()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "component 0", "component 1"
    ]  # fmt: skip
    low, high = axes.get_xlim()
    assert high - low < 5


def test_one_component_and_noise_have_nobody_to_differ_from():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(80, 2)), rng.uniform(-20, 20, (15, 2))])
    model = Mixture(Gaussian(), 1, noise=True, random_state=0).fit(X)
    first, noise = model.profiles(X).differences
    assert first == "It is the only component."
    assert "varies more" in noise or "Here" in noise


def test_lazy_rows_have_the_same_profile(model):
    values = FLOWERS.to_numpy()
    names = tuple(FLOWERS)
    lazy = LazyTable(lambda start, stop: values[start:stop], values.shape, names, piece=40)
    np.testing.assert_allclose(
        model.profiles(lazy)["sl"].means, model.profiles(FLOWERS)["sl"].means
    )


def test_one_component_has_means_and_no_differences():
    found = Mixture(Poisson(), 1, random_state=0).fit([[1], [2], [4]]).profiles([[1], [2], [4]])
    assert found.columns[0].means == pytest.approx(7 / 3)
    assert np.isnan(found.columns[0].differences).all()
    assert found.columns[0].information == 0


def test_data_elsewhere_raise_one_sentence(model, tmp_path):
    collections = pytest.importorskip("dask.array")
    lazy = collections.from_array(FLOWERS.to_numpy())
    with pytest.raises(TypeError, match="pass a sample in memory"):
        model.profiles(lazy)
    FLOWERS.to_parquet(tmp_path / "flowers.parquet")
    with pytest.raises(ValueError, match="X is not in memory"):
        model.profiles(tmp_path)


def test_wrong_levels_columns_and_places_are_told(model):
    with pytest.raises(ValueError, match="level must lie between 0 and 1"):
        model.profiles(FLOWERS, level=95)
    with pytest.raises(KeyError, match="no column 'height'"):
        model.profiles(FLOWERS)["height"]


def test_frames_have_a_row_for_each_column_category_and_component(found):
    frame = found.to_frame()
    assert len(frame) == 4 * 3
    assert {"column", "component", "mean", "low", "high", "information"} < set(frame)
    assert "<table>" in found._repr_html_()


@pytest.mark.parametrize("families", [Gaussian("diag"), Categorical()])
def test_a_profile_is_drawn_in_given_axes(families):
    rng = np.random.default_rng(0)
    X = np.repeat(rng.integers(0, 3, (20, 4)), 5, axis=0) + (
        rng.normal(size=(100, 4)) if isinstance(families, Gaussian) else 0
    )
    found = Mixture(families, 2, random_state=0).fit(X).profiles(X)
    figure, ax = plt.subplots()
    assert found.plot(ax) is ax
    labels = [text.get_text() for text in ax.get_yticklabels()]
    assert labels[0].startswith(found.ranking[0])
    plt.close(figure)
