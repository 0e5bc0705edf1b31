"""Clusters of merged components: labels, probabilities, files, words, pictures and the command."""

import json

import numpy as np
import polars as pl
import pytest
from matplotlib.colors import to_hex
from sklearn.metrics import adjusted_rand_score

import boltzmix
from boltzmix import DegenerateMixtureWarning, Mixture, compare, plots
from boltzmix.families import MarkovChain
from boltzmix.look import PALETTE
from tests.command import assert_one_sentence, run

TRUTH = np.repeat([0, 1], 150)


@pytest.fixture(scope="module")
def moons():
    rng = np.random.default_rng(0)
    first, second = rng.uniform(0, np.pi, (2, 150))
    upper = np.column_stack([np.cos(first), np.sin(first)])
    lower = np.column_stack([1 - np.cos(second), 0.5 - np.sin(second)])
    return np.vstack([upper, lower]) + rng.normal(0, 0.06, (300, 2))


@pytest.fixture(scope="module")
def model(moons):
    return Mixture(n_components="auto", n_clusters="auto", random_state=0).fit(moons)


@pytest.fixture(scope="module")
def given(moons):
    return Mixture(n_components=8, n_clusters=2, noise=True, random_state=0).fit(moons)


def test_two_moons_are_two_clusters_of_several_components(model):
    assert model.n_clusters_ == 2 < model.n_components_
    assert adjusted_rand_score(TRUTH, model.labels_) > 0.98
    curve = model.comparison_.clusters
    assert curve.chosen == 2
    assert (curve.by_component > 0.85).all()


@pytest.mark.parametrize("name", ["model", "given"])
def test_labels_predictions_and_probabilities_agree(name, request, moons):
    model = request.getfixturevalue(name)
    k = model.n_components_
    own, merged = model.predict_component_proba(moons), model.predict_proba(moons)
    assert own.shape[1] - k == merged.shape[1] - model.n_clusters_ == int(model.noise)
    for cluster in range(model.n_clusters_):
        members = np.flatnonzero(model.clusters_ == cluster)
        np.testing.assert_allclose(merged[:, cluster], own[:, members].sum(axis=1), atol=1e-12)
    np.testing.assert_array_equal(merged[:, 2:], own[:, k:])
    np.testing.assert_array_equal(model.predict(moons), model.labels_)
    np.testing.assert_array_equal(model.predict_components(moons), model.component_labels_)
    assert set(model.labels_) <= {0, 1, -1}
    sizes = [model.weights_[model.clusters_ == cluster].sum() for cluster in (0, 1)]
    assert sizes == sorted(sizes, reverse=True)


def test_merges_leave_the_density_as_it_is(given, moons):
    alone = Mixture(n_components=8, noise=True, random_state=0).fit(moons)
    np.testing.assert_array_equal(given.score_samples(moons), alone.score_samples(moons))
    assert given.bic(moons) == alone.bic(moons)
    assert given.icl(moons) == alone.icl(moons)
    np.testing.assert_array_equal(given.component_labels_, alone.labels_)
    np.testing.assert_array_equal(alone.clusters_, np.arange(8))


@pytest.mark.parametrize("name", ["model", "given"])
def test_a_file_keeps_the_clusters(name, request, moons, tmp_path):
    model = request.getfixturevalue(name)
    model.save(tmp_path / "m.bmix")
    loaded = boltzmix.load(tmp_path / "m.bmix")
    np.testing.assert_array_equal(loaded.clusters_, model.clusters_)
    np.testing.assert_array_equal(loaded.predict_proba(moons), model.predict_proba(moons))
    np.testing.assert_array_equal(loaded.labels_, model.labels_)
    assert repr(loaded.summary()) == repr(model.summary())


@pytest.mark.parametrize("n_clusters", [0, -1, 2.5, True, "several", 9])
def test_a_wrong_number_of_clusters_raises(n_clusters, moons):
    with pytest.raises(ValueError, match=r"^n_clusters"):
        Mixture(n_components=8, n_clusters=n_clusters).fit(moons)


def test_as_many_clusters_as_components_merge_nothing(moons):
    found, plain = (
        Mixture(n_components=3, n_clusters=n, random_state=0).fit(moons) for n in (3, None)
    )
    np.testing.assert_array_equal(found.labels_, plain.labels_)
    assert "clusters" not in repr(found.summary()).splitlines()[0]


def test_the_summary_says_which_components_make_up_each_cluster(model):
    summary = model.summary()
    assert repr(summary).startswith(f"2 clusters of {model.n_components_} components of 300")
    first, second = summary.clusters
    assert sorted(first["components"] + second["components"]) == [*range(model.n_components_)]
    assert first["observations"] == (model.labels_ == 0).sum()
    assert [first["agreement"], second["agreement"]] == [*model.comparison_.clusters.by_component]
    frame = summary.to_frame()
    np.testing.assert_array_equal(frame.cluster, model.clusters_)
    np.testing.assert_array_equal(frame.observations, np.bincount(model.component_labels_))
    assert f"2 clusters of {model.n_components_} components; fits to halves" in repr(summary)
    assert summary._repr_html_().count("<table>") == 2


def test_compare_merges_components_as_a_mixture_does(moons):
    found = compare(moons, n_components=[7, 8], n_clusters=2, random_state=0)
    assert [one.model.n_clusters_ for one in found] == [2, 2]
    assert "2 clusters of " in repr(found)
    assert "2 clusters of " in repr(found.without_models())
    held_out = [row["held_out"] for row in found.rows()]
    assert found.best_candidate().n_components == [7, 8][int(np.argmax(held_out))]


def test_too_few_observations_for_halves_are_one_cluster(moons):
    with pytest.warns(DegenerateMixtureWarning, match="fewer than"):
        model = Mixture(n_components=8, n_clusters="auto", random_state=0).fit(moons[::12])
    assert model.n_clusters_ == 1
    assert "were not compared" in repr(model.summary())


def test_numbers_that_halves_are_too_small_for_raise(moons):
    with pytest.raises(ValueError, match="too few observations"):
        Mixture(n_components=[6, 7], random_state=0).fit(moons[:30])


def test_clusters_that_halves_do_not_find_again_are_named():
    rows = np.random.default_rng(0).normal(size=(150, 2))
    with pytest.warns(DegenerateMixtureWarning, match="hardly found again in halves of the rows"):
        model = Mixture(n_components=[3, 4], random_state=0).fit(rows)
    (problem,) = [one for one in model.problems_ if one.kind == "halves"]
    (curve,) = model.comparison_.agreement.values()
    assert problem.value == curve.by_component.min() < 0.5
    assert problem.components == tuple(np.flatnonzero(curve.by_component < 0.5))
    summary = model.summary()
    assert "but no cluster structure" in repr(summary)
    np.testing.assert_array_equal(summary.to_frame().agreement, curve.by_component)
    assert any("hardly found again" in one for one in model.report(rows).findings["problems"])


def test_pictures_give_components_the_colours_of_their_clusters(model, moons):
    own = [PALETTE[cluster].lower() for cluster in model.clusters_]
    axes = plots.clusters(model, moons).plot()
    assert [to_hex(line.get_color()) for line in axes.lines[1::2]] == own
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert names == ["cluster 0", "cluster 1"]
    legend = plots.pairs(model, moons).plot()[0, 0].figure.legends[0]
    names = [text.get_text() for text in legend.get_texts()]
    assert names == ["cluster 0 (50%)", "cluster 1 (50%)"]
    unsure = plots.uncertainty(model, moons)
    np.testing.assert_allclose(unsure.uncertainty, 1 - model.predict_proba(moons).max(axis=1))
    assert unsure.share_uncertain < 0.01
    drawn = [to_hex(line.get_color()) for line in plots.allocations(model).plot().lines]
    assert [colour for colour in drawn if colour in own][:: len(model.history_.phases)] == own
    chosen = plots.criteria(model).plot()
    assert chosen.get_xlabel() == "clusters"


def test_panels_of_members_name_the_cluster_of_a_component():
    rng = np.random.default_rng(0)
    chains = [
        rng.choice(3, (20, 1), p=[[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]][n % 2]) for n in range(40)
    ]
    model = Mixture(MarkovChain(), 3, n_clusters=2, random_state=0).fit(chains)
    cells = plots.sequences(model, chains).plot()
    for k, (axes,) in enumerate(cells):
        assert axes.get_title().startswith(f"component {k} of cluster {model.clusters_[k]}, ")
    assert "2 clusters of 3 components of 40" in repr(model.summary())


def test_a_report_on_merged_components_shows_both(model, moons):
    found = model.report(moons, compare_with=TRUTH).findings
    assert found["title"].startswith(f"2 clusters of {model.n_components_} RobustGaussian")
    assert found["clusters"]["of_components"] == model.clusters_.tolist()
    assert [row["size"] for row in found["clusters"]["rows"]] == np.bincount(model.labels_).tolist()
    sizes = [row["size"] for row in found["components"]["rows"]]
    assert sizes == np.bincount(model.component_labels_).tolist()
    assert found["agreement"]["headings"] == ["known class", "cluster 0", "cluster 1"]
    assert found["agreement"]["sentences"][0].startswith(
        "Compared with 'known class', the clusters"
    )
    assert found["choice"]["x_label"] == "clusters"


def test_methods_of_latent_classes_are_about_components(model, moons):
    k = model.n_components_
    assert model.profiles(moons).columns[0].means.shape == (1, k)
    assert model.classification(moons).table.shape == (k, k)
    assert len(model.three_step(moons, outcome=moons[:, 0]).estimates.values) == k


@pytest.fixture
def folder(moons, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"x": moons[:, 0], "y": moons[:, 1], "moon": TRUTH}).write_csv("moons.csv")
    return tmp_path


def test_the_command_writes_clusters_and_components(folder):
    result = run(
        "fit", "moons.csv", "-k", "8", "--clusters", "2", "--seed", "0", "--compare-with", "moon",
        "--out", "l.csv", "--save", "m.bmix", "--report", "r.html",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert result.output.startswith("2 clusters of 8 components on 300 rows")
    assert "the clusters have an adjusted Rand index of 1.000" in result.output
    labels, model = pl.read_csv("l.csv"), boltzmix.load("m.bmix")
    assert labels.columns == ["label", "probability", "component"]
    assert labels["label"].to_list() == model.labels_.tolist()
    assert labels["component"].to_list() == model.component_labels_.tolist()
    assert model.clusters_[labels["component"].to_numpy()].tolist() == labels["label"].to_list()
    assert "--clusters 2" in (folder / "r.html").read_text()
    shown = run("inspect", "m.bmix").output
    assert "│ 1       │ " in shown
    assert "--clusters 2" in shown
    proba = run("predict", "m.bmix", "moons.csv", "--proba").output.splitlines()
    assert proba[0] == "label,probability,component,p0,p1"


def test_the_command_chooses_clusters_and_says_how_sure_it_is(folder):
    options = ("--columns", "x,y", "--clusters", "auto", "--seed", "0", "--json")
    found = json.loads(run("fit", "moons.csv", *options).output)
    assert found["n_clusters"] == len(found["clusters"]) == 2
    assert found["choice"]["sentence"].startswith("2 clusters of ")
    assert [one["agreement"] > 0.8 for one in found["clusters"]] == [True, True]
    compared = run("compare", "moons.csv", "-k", "7,8", *options)
    assert json.loads(compared.output)["best"]["n_clusters"] == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("--clusters many", "--clusters must be a whole number of at least 1, or auto, not 'many'"),
        ("--clusters 1..3", "--clusters must be a whole number"),
        ("--clusters 0", "--clusters must be a whole number"),
        ("-k 2 --clusters 3", "--clusters 3 must be at least 1 and at most -k"),
    ],
)
def test_a_wrong_option_is_one_sentence(arguments, words, folder):
    assert_one_sentence(run("fit", "moons.csv", *arguments.split()), words)
