"""Tests of the benchmark `labelled`: its sets, methods, saved results, page and picture."""

import json
from argparse import Namespace

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score

from benchmarks import mclust
from benchmarks.fits import Plan
from benchmarks.labelled import ALL_METHODS, Saved, attempt, labelled, measure_labelled
from benchmarks.labelled_methods import ABLATIONS, FAMILIES, METHODS, OWN, PEER, Fit, Method
from benchmarks.labelled_pages import markdown, write_page
from benchmarks.labelled_scores import score_all, sets_behind, summarise
from benchmarks.labelled_sets import LABELLED, SIMULATED, LabelledSet, find_sets, standardised
from benchmarks.pictures import LABELLED_LOOKS
from boltzmix.datasets import make_mixture

TINY = standardised(*make_mixture(90, 3, 2, separation=9, random_state=0))
SESSION = {
    "date": "2020-01-01", "threads": 2, "versions": {"numpy": "2"}, "load": 0.1,
    "machine": {"cores": 2, "python": "3", "system": "Linux", "architecture": "any"},
}  # fmt: skip
OPTIONS = {"sets": None, "methods": None, "seeds": 1, "threads": 1, "again": False}


def ignore(text):
    """Report nothing."""


@pytest.fixture
def data_folder(monkeypatch, tmp_path):
    """Return a folder of data with one labelled file, whose second column is constant."""
    rng = np.random.default_rng(0)
    labels = np.repeat([5, 9], 40)
    X = np.column_stack([labels + rng.normal(size=80) / 9, np.ones(80), 100 * rng.normal(size=80)])
    (tmp_path / "labelled").mkdir()
    np.savez(tmp_path / "labelled" / "new_table.npz", X=X.astype(np.float32), y=labels)
    monkeypatch.setenv("BOLTZMIX_DATA", str(tmp_path))
    return tmp_path


def test_columns_are_standardised_and_constant_ones_left_out(data_folder):
    data = find_sets()[0]["new-table"].make(0)
    assert data.rows.shape == (80, 2)
    np.testing.assert_allclose(data.rows.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(data.rows.std(axis=0), 1)
    assert data.k == 2
    assert set(data.labels) == {0, 1}


def test_sets_of_scikit_learn_are_standardised_tables():
    X, labels = load_iris(return_X_y=True)
    data = find_sets()[0]["iris"].make(3)
    np.testing.assert_allclose(data.rows, (X - X.mean(axis=0)) / X.std(axis=0), atol=1e-10)
    np.testing.assert_array_equal(data.labels, labels)


def test_simulated_sets_are_a_group_of_their_own():
    sets, _ = find_sets()
    drawn = {name for name, one in sets.items() if one.group == SIMULATED}
    assert {"K15-D2-overlapping", "K100-D2"} <= drawn
    assert not drawn & {"iris", "wine", "breast-cancer", "digits", "sequences", "curves"}
    assert not np.array_equal(*(sets["K2-D2-separated"].make(seed).rows for seed in (0, 1)))


def test_one_sentence_names_the_sets_that_are_absent(monkeypatch, tmp_path):
    monkeypatch.delenv("BOLTZMIX_DATA", raising=False)
    messages = []
    options = Namespace(**OPTIONS | {"sets": "iris", "methods": "K-means"})
    labelled(options, tmp_path, messages.append)
    skipped = [one for one in messages if one.startswith("Skipped")]
    assert len(skipped) == 1
    assert skipped[0].startswith("Skipped: labelled/*.npz, S1, S3, A1; they are not in the folder")


@pytest.mark.parametrize("name", [name for name in ALL_METHODS if name != "mclust"])
def test_methods_find_separated_clusters(name):
    found, row = attempt(ALL_METHODS[name], TINY, 0, 1)
    assert row["ARI"] == pytest.approx(adjusted_rand_score(TINY.labels, found.labels))
    assert row["ARI"] > 0.9
    assert row["NMI"] > 0.9
    assert row["seconds"] > 0
    assert (row["objective"] is None) == (name in ("K-means", "Ward"))


@pytest.mark.skipif(not mclust.installed(), reason="Rscript or mclust is not installed")
def test_mclust_finds_separated_clusters():
    _, row = attempt(METHODS["mclust"], TINY, 0, 1)
    assert row["ARI"] > 0.9
    assert set(mclust.versions()) == {"R", "mclust"}


def test_a_missing_rscript_is_reported(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    mclust.versions.cache_clear()
    messages = []
    plan = Plan({}, {"mclust": METHODS["mclust"]}, 1)
    plan.drop_absent(messages.append)
    mclust.versions.cache_clear()
    assert messages == ["Skipped: mclust is not installed (Debian: r-cran-mclust)."]
    assert plan.methods == {}


def test_every_method_of_boltzmix_has_a_family_and_every_shown_method_a_marker():
    assert set(FAMILIES) <= set(ALL_METHODS)
    assert list(LABELLED_LOOKS) == list(METHODS)
    assert len(set(LABELLED_LOOKS.values())) == len(METHODS)


def test_the_command_writes_results_a_page_and_a_picture(data_folder, tmp_path):
    methods = f"{OWN},{PEER},K-means,Ward,EM from K-means"
    options = {"sets": "new-table,K2-D2-separated", "methods": methods, "seeds": 2}
    paths = labelled(Namespace(**OPTIONS | options), tmp_path, ignore)
    assert [path.name for path in paths] == ["labelled.json", "labelled.md", "labelled.png"]
    assert all(path.stat().st_size for path in paths)
    found = json.loads(paths[0].read_text())
    assert {row["set"]: row["group"] for row in found["sets"]} == {
        "K2-D2-separated": SIMULATED, "new-table": LABELLED,
    }  # fmt: skip
    ward = [(row["set"], row["seed"]) for row in found["fits"] if row["method"] == "Ward"]
    assert ward == [("K2-D2-separated", 0), ("K2-D2-separated", 1), ("new-table", 0)]
    agreements = [(row["set"], row["method"], row["pairs"]) for row in found["agreements"]]
    assert ("new-table", OWN, 1) in agreements
    assert {name for name, _, _ in agreements} == {"new-table"}
    page = paths[1].read_text()
    assert "benchmarks labelled --seeds 2" in page
    for title in ("Labelled sets", "The search", "Agreement between seeds", "Simulated sets"):
        assert f"## {title}\n" in page
    assert "| new-table | labelled | 80 | 2 | 2 |" in page


def counting(calls, labels):
    """Return a method that keeps the seeds it is called with, and one that ignores the seed."""

    def solve(data, seed, threads):
        if data is TINY:  # not while warming up
            calls.append(seed)
        return Fit(1.0, labels[seed][: len(data.labels)] if data is TINY else data.labels)

    return {"random": Method(solve), "fixed": Method(solve, random=False)}


def test_agreements_go_on_in_a_later_session_and_begin_anew_with_again(tmp_path):
    truth, other = TINY.labels, np.roll(TINY.labels, 45)
    calls, labels = [], [truth, truth, other, other]
    methods = counting(calls, labels)
    sets = {"tiny": LabelledSet(lambda seed: TINY, LABELLED)}
    path = tmp_path / "labelled.json"
    apart = adjusted_rand_score(truth, other)

    def run(seeds, again=False):
        measure_labelled(Plan(sets, methods, seeds, 1, again), Saved.load(path), ignore)
        return Saved.load(path).agreements["tiny", "random"]

    assert run(2) == {"set": "tiny", "method": "random", "pairs": 1, "ARI": 1.0}
    assert calls == [0, 0, 1]
    assert run(4)["pairs"] == 2
    assert calls[3:] == [2, 3]
    again = run(4, again=True)
    assert again["pairs"] == 6
    assert again["ARI"] == pytest.approx((2 + 4 * apart) / 6)


def rows_of(**aris):
    """Return sets and fits of two labelled sets, with two seeds each."""
    sets = {
        (name,): {"set": name, "group": LABELLED, "n": 9, "d": 2, "k": 3}
        for name in ("iris", "zoo")
    }
    fits = {}
    for method, values in aris.items():
        for place, value in enumerate(values):
            row = {"session": 0, "seconds": 2.0, "NMI": 0.5, "objective": -1.0, "warnings": place}
            row |= {"error": "none"} if value is None else {"ARI": value, "converged": True}
            fits[("iris", "zoo")[place // 2], method.replace("_", "-"), place % 2] = row
    return sets, fits


def test_a_summary_counts_sets_where_a_method_is_best_or_behind():
    _, fits = rows_of(boltzmix=[0.9, 0.7, 0.3, None], scikit_learn=[0.8, 0.8, 0.5, 0.5])
    scores = score_all(fits)
    assert (scores["zoo", OWN].ari, scores["zoo", OWN].errors) == (0.3, 1)
    found = summarise(scores, ["iris", "zoo"], METHODS, PEER)
    assert found[OWN].ari == pytest.approx(0.55)
    assert (found[OWN].best, found[OWN].behind, found[OWN].warned) == (1, 1, 2)
    assert (found[PEER].best, found[PEER].behind) == (2, 0)
    assert sets_behind(scores, ["iris", "zoo"], OWN, PEER) == ["zoo"]


def test_the_page_shows_errors_and_sets_where_the_peer_is_better(tmp_path):
    sets, fits = rows_of(boltzmix=[0.9, 0.9, 0.3, None], scikit_learn=[0.8, 0.8, 0.5, 0.5])
    agreements = {
        (name, OWN): {"set": name, "method": OWN, "pairs": pairs, "ARI": 0.9}
        for name, pairs in (("iris", 1), ("zoo", 1))
    }
    page = markdown(sets, agreements, fits, [SESSION])
    assert "2020-01-01 (load average 0.1), 2 threads on 2 cores" in page
    assert "| iris | 0.900 | 0.800 |" in page
    assert "| zoo | 0.300 (1 error) | 0.500 |" in page
    assert f"`{OWN}` is more than 0.10 below `{PEER}` on zoo." in page
    assert "agree by less than 0.95: iris (0.900)." in page
    assert [path.name for path in write_page({}, {}, {}, [], tmp_path)] == ["labelled.md"]


def test_variants_are_compared_on_sets_that_all_were_run_on():
    sets, fits = rows_of(boltzmix=[1.0, 0.8, 0.1, 0.1], **dict.fromkeys(ABLATIONS, (0.5, 0.5)))
    section = markdown(sets, {}, fits, [SESSION]).split("## Without one part")[1]
    assert "| Method | labelled, 1 sets |" in section
    assert "| boltzmix | 0.900 |" in section
    assert "| without tails | 0.500 |" in section


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sets": "iris,S9"}, "--sets accepts .*iris.* not 'S9'"),
        ({"methods": "magic"}, "--methods accepts boltzmix, .* not 'magic'"),
    ],
)
def test_invalid_options_raise(changes, message, tmp_path):
    with pytest.raises(SystemExit, match=message):
        labelled(Namespace(**OPTIONS | changes), tmp_path, ignore)
