"""Results as tables: summary, parameters, predictions of targets."""

import numpy as np
import pandas as pd
import pytest

from boltzmix import GaussianMixture, Mixture, load
from boltzmix.data import Trajectories
from boltzmix.families import (
    HMM,
    Gaussian,
    GrowthCurve,
    LinearRegression,
    LogisticRegression,
    PoissonRegression,
)


def table(n=400, seed=0, scale=1.0):
    """Return a frame of ten columns, of which only the last two differ between two groups."""
    rng = np.random.default_rng(seed)
    group = (rng.random(n) < 0.3).astype(int)
    X = rng.normal(size=(n, 10))
    X[:, 8] += 4 * group
    X[:, 9] += 8 * group
    return pd.DataFrame(scale * X, columns=[f"c{j}" for j in range(10)]), group


@pytest.fixture(scope="module")
def model():
    return Mixture(Gaussian("diag"), 2, random_state=0).fit(table()[0])


def test_a_summary_has_a_row_for_each_component(model):
    summary = model.summary()
    frame = summary.to_frame()
    np.testing.assert_allclose(frame["weight"], model.weights_)
    np.testing.assert_array_equal(frame["observations"], np.bincount(model.labels_))
    lines = repr(summary).splitlines()
    assert lines[0].startswith("2 components of 400 observations, 10 columns: c0, c1")
    assert lines[1] == "Family: Gaussian"
    assert "<table>" in summary._repr_html_()
    assert summary.rows()[1]["component"] == 1


def test_descriptions_have_the_columns_that_tell_components_apart_most(model):
    assert "apart most: c9, c8, " in repr(model.summary())
    for description in model.summary().to_frame()["description"]:
        assert description.startswith("c9 ")
        assert ", c8 " in description
    mixed = Mixture("auto", 2, random_state=0).fit(table()[0])
    assert mixed.summary().rows()[0]["description"].startswith("c9 ")
    assert "Families: RobustGaussian (10 columns)" in repr(mixed.summary())


def test_numbers_are_written_for_people():
    frame = table(1200, scale=1000.0)[0].iloc[:, 8:]
    summary = repr(Mixture(Gaussian("diag"), 2, random_state=0).fit(frame).summary())
    assert "1,200 observations, 2 columns: c8, c9" in summary
    assert "c9 8,0" in summary or "c9 7,9" in summary


@pytest.mark.parametrize(
    "fit",
    [
        lambda X: Mixture(n_components=2, noise=True, random_state=0).fit(X),
        lambda X: Mixture(n_components=[1, 2], random_state=0).fit(X),
        lambda X: GaussianMixture(2, random_state=0).fit(X),
        lambda X: Mixture(HMM(2), 2, random_state=0).fit(
            [X[i : i + 20] for i in range(0, 200, 20)]
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_every_mixture_has_a_summary_and_a_frame_of_parameters(fit, tmp_path):
    fitted = fit(table()[0].to_numpy()[:, 7:])
    fitted.save(tmp_path / "model.bmix")
    again = load(tmp_path / "model.bmix")
    assert repr(again.summary()) == repr(fitted.summary())
    frame = fitted.parameters_frame()
    assert list(frame) == ["component", "parameter", "entry", "value"]
    assert np.isfinite(frame["value"]).all()
    weights = frame[(frame["parameter"] == "weight")]["value"]
    np.testing.assert_allclose(weights.sum(), 1.0)


def test_parameters_are_named_by_column(model):
    frame = model.parameters_frame()
    wide = frame.pivot(index=["parameter", "entry"], columns="component", values="value")
    for k, component in enumerate(model.components_):
        np.testing.assert_allclose(wide.loc[("mean", "c8"), k], component.mean[8])


def lines(n=200, seed=0):
    rng = np.random.default_rng(seed)
    group, x = rng.random(n) < 0.3, rng.uniform(-1, 1, n)
    y = np.where(group, 6 - 4 * x, 1 + 2 * x) + rng.normal(0, 0.2, n)
    return pd.DataFrame({"x": x, "group": group.astype(float), "y": y})


def test_a_target_is_predicted_by_the_weights_of_components():
    data = lines()
    model = Mixture(LinearRegression(), 2, random_state=0).fit(data[["x"]], data["y"])
    inputs = pd.DataFrame({"x": [-0.5, 0.0, 0.5]})
    each = model.predict_target(inputs, by_component=True)
    for k, component in enumerate(model.components_):
        np.testing.assert_allclose(each[:, k], component.predict(inputs))
    np.testing.assert_allclose(model.predict_target(inputs), each @ model.weights_)
    np.testing.assert_allclose(model.predict_target(inputs)[1], data["y"].mean(), atol=0.3)


def test_a_target_is_predicted_by_the_weights_of_the_row():
    data = lines()
    family = LinearRegression(formula="y ~ x")
    model = Mixture(family, 2, membership="group", random_state=0).fit(data)
    error = model.predict_target(data.drop(columns="y")) - data["y"]
    assert np.sqrt((error**2).mean()) < 0.25


@pytest.mark.parametrize("family", [PoissonRegression, LogisticRegression])
def test_a_mean_of_other_targets_is_predicted(family):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 1))
    y = rng.poisson(3, 100) if family is PoissonRegression else rng.integers(0, 2, 100)
    model = Mixture(family(), 1).fit(X, y)
    np.testing.assert_allclose(model.predict_target(X).mean(), y.mean(), rtol=1e-3)


def test_several_targets_and_curves_are_predicted():
    data = lines()
    both = np.column_stack([data["y"], -data["y"]])
    model = Mixture(LinearRegression(), 2, random_state=0).fit(data[["x"]], both)
    found = model.predict_target(data[["x"]].head(4))
    assert found.shape == (4, 2)
    np.testing.assert_allclose(found[:, 0], -found[:, 1], atol=0.01)
    assert model.predict_target(data[["x"]].head(4), by_component=True).shape == (4, 2, 2)
    times = np.arange(6.0)
    rising = [(times, k % 2 * 5 + times + 0.1 * np.sin(k + times)) for k in range(12)]
    curves = Mixture(GrowthCurve(), 2, random_state=0).fit(Trajectories.of(rising))
    np.testing.assert_allclose(curves.predict_target(times), 2.5 + times, atol=0.3)


def test_a_mixture_without_targets_says_so(model):
    with pytest.raises(
        NotImplementedError, match="Gaussian has no targets that could be predicted"
    ):
        model.predict_target(table()[0])
