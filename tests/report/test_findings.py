"""The findings of a report equal the values of the model and of NumPy."""

import json
from dataclasses import replace

import numpy as np
import pytest
from own_family import Exponential
from scipy import stats

from boltzmix import Mixture, load
from boltzmix.data import LazyTable
from boltzmix.datasets import make_mixture
from boltzmix.families import Gaussian
from boltzmix.learning import Move, Trial
from boltzmix.pictures import sample_of_groups
from boltzmix.report import find
from boltzmix.report.distributions import Scale
from boltzmix.report.findings import training
from tests.report import cases


def findings_of(case):
    model, given = case()
    return model, given, find(model, *given)


def facts(findings):
    return dict(findings["summary"])


@pytest.mark.parametrize("case", cases.ALL_CASES)
def test_findings_are_json_without_nan(case):
    _, _, findings = findings_of(case)
    assert json.loads(json.dumps(findings, allow_nan=False))["title"] == findings["title"]


@pytest.mark.parametrize("case", cases.ALL_CASES)
def test_summary_and_components_show_the_numbers_of_the_model(case):
    model, given, findings = findings_of(case)
    shown = facts(findings)
    number = lambda text: float(text.replace(",", "").replace("−", "-"))  # noqa: E731
    assert number(shown["Mean log-likelihood"]) == pytest.approx(model.score(*given), abs=1e-4)
    assert number(shown["BIC"]) == pytest.approx(model.bic(*given), abs=0.06)
    assert number(shown["ICL"]) == pytest.approx(model.icl(*given), abs=0.06)
    labels = model.predict_components(*given)
    sizes = [row["size"] for row in findings["components"]["rows"]]
    assert sizes[: len(model.components_)] == [
        (labels == k).sum() for k in range(len(model.components_))
    ]
    assert sum(sizes) == len(labels)
    certainty = model.predict_component_proba(*given).max(axis=1)
    for k in range(len(model.components_)):
        shown_certainty = findings["components"]["rows"][k]["certainty"]
        assert shown_certainty == pytest.approx(certainty[labels == k].mean(), rel=1e-3)
    np.testing.assert_array_equal(
        np.sum(findings["certainty"], axis=0), np.histogram(certainty, 20, (0, 1))[0]
    )


def test_noise_is_the_last_group():
    model, (frame,), findings = findings_of(cases.points)
    last = findings["components"]["rows"][-1]
    assert last["name"] == "noise"
    assert last["size"] == (model.predict(frame) < 0).sum() > 0
    assert last["weight"] == pytest.approx(model.noise_weight_, rel=1e-3)
    assert np.shape(findings["training"]["counts"])[0] == 5


def test_ellipses_have_means_and_covariances_of_components_on_every_axis():
    model, (X,), findings = findings_of(cases.many_columns)
    picture = findings["picture"]
    names = picture["axes"]
    assert names == [*(f"principal component {j}" for j in (1, 2, 3)),
                     *(f"column {j}" for j in range(5))]  # fmt: skip
    values = np.array(picture["values"])
    np.testing.assert_allclose(values[3:], X.T, rtol=1e-4)
    directions = np.linalg.lstsq(X - X.mean(axis=0), values[:3].T - values[:3].mean(axis=1))[0]
    for component, shown in zip(model.components_, picture["ellipses"], strict=True):
        np.testing.assert_allclose(shown["mean"][3:], component.mean, rtol=1e-4)
        covariance = np.array(shown["covariance"])
        np.testing.assert_allclose(covariance[3:, 3:], component.covariance_matrix, rtol=1e-4)
        projected = directions.T @ component.covariance_matrix @ directions
        np.testing.assert_allclose(covariance[:3, :3], projected, atol=1e-3)


def test_principal_components_are_uncorrelated_and_in_order():
    _, _, findings = findings_of(cases.many_columns)
    covariance = np.cov(findings["picture"]["values"][:3])
    variances = np.diagonal(covariance)
    np.testing.assert_allclose(covariance, np.diag(variances), atol=1e-3)
    assert (np.diff(variances) < 0).all()


def test_columns_are_counted_over_all_rows():
    model, (frame,), findings = findings_of(cases.mixed)
    labels = model.predict(frame)
    by_name = {column["name"]: column for column in findings["columns"]}
    city = by_name["city"]
    for k in range(2):
        for name, count in zip(city["categories"], city["counts"][k], strict=True):
            assert count == ((frame["city"] == name) & (labels == k)).sum()
    age = by_name["age"]
    assert age["missing"] == frame["age"].isna().sum() > 0
    expected = [
        np.histogram(frame["age"][labels == k].dropna(), np.shape(age["counts"])[1],
                     (age["low"], age["high"]))[0] for k in range(2)
    ]  # fmt: skip
    assert np.abs(np.array(age["counts"]) - expected).sum() <= 2
    assert np.sum(age["counts"]) + age["missing"] + age["beyond"] == len(frame)
    income = by_name["income"]
    inside = np.trapezoid(income["curves"]["densities"], income["curves"]["at"]).sum()
    assert 0.9 < inside < 1.01


def test_columns_have_the_marginal_densities_of_components():
    model, _, findings = findings_of(cases.many_columns)
    for place, column in enumerate(findings["columns"]):
        grid = np.array(column["curves"]["at"])
        for k, component in enumerate(model.components_):
            scale = np.sqrt(component.scatter[place, place])
            density = stats.t.pdf(grid, component.degrees, component.mean[place], scale)
            expected = model.weights_[k] * density
            np.testing.assert_allclose(
                column["curves"]["densities"][k], expected, rtol=1e-2, atol=1e-6
            )


def test_columns_in_which_components_differ_most_are_shown():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 40))
    X[:, [7, 23]] += 8 * rng.integers(2, size=(500, 1))
    model = Mixture(Gaussian("diag"), 2, random_state=0, n_init=3).fit(X)
    shown = [column["name"] for column in find(model, X)["columns"]]
    assert {"column 7", "column 23"} < set(shown)
    assert len(shown) == 12


def test_a_sample_has_many_observations_of_small_groups():
    labels = np.repeat([0, 1, 2], [100_000, 40, 20_000])
    sample = sample_of_groups(labels, 3, most=1000)
    counts = np.bincount(labels[sample])
    assert counts[1] == 40
    assert counts[0] > counts[2] > 200
    assert 990 <= len(sample) <= 1000
    assert len(np.unique(sample)) == len(sample)


def test_a_lazy_table_gives_the_same_report():
    X, _ = make_mixture(400, 3, 4, random_state=0)
    model = Mixture(n_components=3, random_state=0).fit(X)
    lazy = LazyTable(lambda start, stop: X[start:stop], X.shape)
    assert find(model, lazy) == find(model, X)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_a_family_without_n_parameters_has_no_criteria():
    rng = np.random.default_rng(0)
    X = rng.exponential(size=(100, 2))
    findings = find(Mixture(Exponential(), 2, random_state=0).fit(X), X)
    assert facts(findings)["BIC"] == facts(findings)["ICL"] == "–"
    assert findings["picture"]["ellipses"] == [None, None]


def test_curves_show_the_predictions_of_components():
    model, (x, y), findings = findings_of(cases.curves)
    shown = findings["picture"]["curves"]
    for component, curve in zip(model.components_, shown["components"], strict=True):
        mean, deviation = component.predict(np.array(shown["at"])[:, None], return_std=True)
        np.testing.assert_allclose(curve["means"][0], mean, atol=1e-3)
        of_targets = np.sqrt(deviation**2 + component.noise)
        np.testing.assert_allclose(curve["deviations"][0], of_targets, atol=1e-3)
    np.testing.assert_allclose(findings["picture"]["values"], [x[:, 0], y], atol=1e-4)


def test_members_and_states_belong_to_their_component():
    model, (X,), findings = findings_of(cases.sequences)
    labels = model.predict(X)
    for shown in findings["picture"]["members"]:
        assert (labels[shown["rows"]] == shown["group"]).all()
        first = shown["paths"][0]
        np.testing.assert_allclose(first["values"][0], X[shown["rows"][0]][:, 0], rtol=1e-3)
    for chain in findings["picture"]["chains"]:
        component = model.components_[chain["group"]]
        np.testing.assert_allclose(chain["transitions"], component.transitions, atol=1e-4)
        assert sum(chain["time"]) == pytest.approx(1, abs=1e-3)


def test_symbols_are_shown_by_name():
    model, (X,) = cases.symbols()
    picture = find(model, X, symbols={"column 0": ["eat", "play", "sleep"]})["picture"]
    assert picture["symbols"] == [["eat", "play", "sleep"]]
    assert picture["chains"][0]["states"] == [["eat"], ["play"], ["sleep"]]


def test_moves_and_trials_are_shown_with_their_steps():
    model, given = cases.many_columns()
    assert find(model, *given)["training"]["n_moves"] == sum(map(bool, model.history_.moves))
    moves = [()] * len(model.history_)
    moves[3] = (Move("merge", (0, 2), 0.1), Move("split", (1,), 0.2))
    scores = np.array([-2.0, -1.5, -1.0])
    trials = tuple(
        Trial(moves[3], "EM", 3, np.arange(3), np.ones(3), scores, accepted)
        for accepted in (True, False)
    )
    shown_training = training(replace(model.history_, moves=tuple(moves), trials=trials))
    assert shown_training["moves"] == [{"at": 3, "what": "merge 0 and 2, split 1"}]
    assert shown_training["trials"] == {"number": 2, "accepted": 1, "iterations": 4}


def test_training_has_every_phase_and_the_last_step():
    model, _, findings = findings_of(cases.many_columns)
    shown_training, history = findings["training"], model.history_
    assert [phase["name"] for phase in shown_training["phases"]] == history.phases
    assert shown_training["steps"][-1] == len(history) - 1
    np.testing.assert_allclose(
        shown_training["score"], history.score[shown_training["steps"]], rtol=1e-6
    )


def test_scales_exclude_outliers_and_give_each_whole_number_a_bin():
    rng = np.random.default_rng(0)
    values = np.append(rng.normal(size=10_000), 1e6)
    scale = Scale.of(values, np.zeros(len(values), dtype=int))
    assert scale(values)[1].sum() > 9900
    assert scale.high < 10
    labels = np.zeros(100, dtype=int)
    counts = Scale.of(rng.integers(3, 8, size=100).astype(float), labels)
    assert (counts.low, counts.high, counts.n_bins) == (2.5, 7.5, 5)
    assert Scale.of(np.array([np.nan]), labels[:1]).n_bins == 1


def test_far_noise_changes_neither_the_ranges_of_points_nor_the_bins_of_columns():
    points, _ = make_mixture(300, 2, 3, separation=6, random_state=0)
    far = 1e6 * np.random.default_rng(0).normal(size=(15, 3))
    X = np.vstack([points, far])
    model = Mixture(Gaussian(), 2, noise=True, random_state=0).fit(X)
    assert (model.labels_[300:] == -1).all()
    found = find(model, X)
    for column in found["columns"]:
        assert column["high"] - column["low"] < 20
        assert column["beyond"] >= 15
    for low, high in found["picture"]["ranges"]:
        assert high - low < 20


def test_a_choice_has_the_candidates_and_their_criteria():
    model, _, findings = findings_of(cases.chosen)
    choice, comparison = findings["choice"], model.comparison_
    assert choice["n_candidates"] == len(choice["rows"]) == 5
    assert [row["chosen"] for row in choice["rows"]].index(True) == model.n_components_ - 1
    (only,) = choice["lines"]
    (curve,) = comparison.agreement.values()
    assert (only["name"], only["numbers"]) == ("agreement of halves", [2, 3, 4, 5])
    np.testing.assert_allclose(only["values"], curve.median[1:], rtol=1e-6)
    np.testing.assert_allclose(only["spread"][0], curve.agreements[1:].min(axis=1), atol=1e-3)
    assert only["numbers"][only["best"]] == model.n_components_
    np.testing.assert_allclose(choice["needed"]["values"], curve.least[1:], atol=1e-3)
    numbers = choice["numbers"]["lines"]
    assert [line[0] for line in numbers if line[-1] == "chosen"] == [str(model.n_components_)]
    own = [row["agreement"] for row in findings["components"]["rows"]]
    np.testing.assert_allclose(own, curve.by_component, atol=1e-3)
    assert facts(findings)["Components"] == f"{model.n_components_}, chosen among 5 candidates"
    assert findings_of(cases.many_columns)[2]["choice"] is None


def test_a_loaded_model_has_the_same_choice_in_its_report(tmp_path):
    model, given = cases.chosen()
    model.save(tmp_path / "m.bmix")
    loaded = load(tmp_path / "m.bmix").report(*given).findings
    own = model.report(*given).findings
    for findings in (loaded, own):
        del findings["provenance"]  # it has the time, and a range becomes a list in a file
    assert loaded == own


def test_an_unfitted_model_and_a_missing_folder_raise(tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        Mixture().report([[1.0]])
    model, given = cases.many_columns()
    with pytest.raises(ValueError, match="does not exist: make it first"):
        model.report(*given).save(tmp_path / "absent" / "report.html")


def test_the_duration_of_a_fit_is_stored():
    model, _ = cases.many_columns()
    assert 0 < model.fit_time_ < 60


@pytest.mark.parametrize("case", cases.ALL_CASES)
def test_a_loaded_model_has_the_same_report_as_the_saved_one(case, tmp_path):
    model, given = case()
    model.save(tmp_path / "m.bmix")
    loaded = load(tmp_path / "m.bmix")
    assert loaded.report(*given).findings == model.report(*given).findings


@pytest.mark.parametrize("offset", [0.0, 5812345.0, 1.7e9])
def test_points_far_from_zero_keep_their_places(offset):
    X, _ = make_mixture(100, 2, 2, separation=5, random_state=0)
    X += offset
    model = Mixture(Gaussian(), 2, random_state=0).fit(X)
    picture = find(model, X)["picture"]
    np.testing.assert_allclose(np.transpose(picture["values"]), X, rtol=0, atol=1e-3)
    np.testing.assert_allclose(np.transpose(picture["ranges"]), [X.min(0), X.max(0)], atol=1e-3)
    for shape, component in zip(picture["ellipses"], model.components_, strict=True):
        np.testing.assert_allclose(shape["mean"], component.mean, rtol=0, atol=2e-3)
