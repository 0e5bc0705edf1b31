"""Tests of the benchmark `choice`: its sets, methods, saved results, page and picture."""

import time
from argparse import Namespace

import numpy as np
import pandas as pd
import pytest

from benchmarks.choice import CAN_STOP, Saved, attempt, choice, scores, time_limit, without_groups
from benchmarks.choice_methods import CHOOSERS, GIVEN, OPEN, OWN_AT_K, Chooser
from benchmarks.choice_pages import markdown
from benchmarks.choice_peers import Choice, prediction_strength
from benchmarks.choice_populations import POPULATIONS
from benchmarks.choice_scores import score_all, summarise
from benchmarks.choice_sets import (
    ONE_POPULATION,
    SEPARATED,
    ChoiceData,
    encoded,
    find_choice_sets,
    one_partition,
)
from boltzmix.datasets import make_mixture

TINY = one_partition(*make_mixture(90, 3, 2, separation=9, random_state=0))
K_MEANS = "K-means by silhouette"
OPTIONS = {"seeds": 1, "threads": 1, "again": False, "limit": 100.0}


def test_sets_have_the_numbers_of_clusters_in_their_names():
    sets, _ = find_choice_sets()
    for name in ("K5-D2-far-unbalanced", "K8-D10-near", "K2-D5-near-axes"):
        data = sets[name].make(0)
        assert f"K{data.k}-D{data.rows.shape[1]}" in name
        np.testing.assert_allclose(data.rows.std(axis=0), 1)


@pytest.mark.parametrize("name", POPULATIONS)
def test_populations_have_one_class_and_are_drawn_from_the_seed(name):
    one = find_choice_sets()[0][name]
    data, same, other = one.make(1), one.make(1), one.make(2)
    assert data.numbers == (1,)
    assert one.group == ONE_POPULATION
    assert np.isfinite(data.encoded).all()
    assert (data.encoded == same.encoded).all()
    assert data.encoded.shape != other.encoded.shape or (data.encoded != other.encoded).any()
    if "-D" in name:
        assert data.rows.shape[1] == int(name.split("-D")[1].split("-")[0])


@pytest.mark.parametrize(
    "name", [one for one in OPEN if OPEN[one].source == "" and one != "boltzmix"]
)
def test_peers_find_three_separated_clusters(name):
    found = attempt(CHOOSERS[name], TINY, 0, 1, 100)
    assert found["k"] == found["classes"] == 3
    assert found["ARI"] > 0.8  # of HDBSCAN, some rows are noise
    assert found["seconds"] > 0


@pytest.mark.parametrize("name", [one for one in GIVEN if GIVEN[one].installed])
def test_methods_that_are_given_a_number_try_that_of_each_partition(name):
    halves = np.where(TINY.references == 2, 1, TINY.references)
    wrong = np.random.default_rng(0).permutation(TINY.references)
    data = ChoiceData(TINY.rows, np.hstack([wrong, halves]))
    assert data.numbers == (3, 2)
    assert set(CHOOSERS[name].solve(data, 0, 1)) == {2, 3}
    assert attempt(CHOOSERS[name], data, 0, 1, 100)["k"] in {2, 3}
    assert not CHOOSERS[name].suits(ChoiceData(TINY.rows, np.zeros((90, 1), dtype=int)))


def test_the_best_partition_and_the_nearest_number_count():
    references = np.array([[0, 0, 1, 1, -1], [0, 1, 2, 3, 4]]).T
    data = ChoiceData(np.zeros((5, 1)), references)
    found = Choice(1.0, 3, np.array([7, 7, 8, 8, 9]))
    assert scores(data, found, None) == {"k": 3, "classes": 2, "ARI": 1.0}
    assert scores(data, found, 5)["ARI"] < 1


def test_mixed_tables_are_encoded_without_missing_cells():
    frame = pd.DataFrame({"x": [1.0, np.nan, 3.0, 9.0], "c": ["a", "b", None, "a"], "one": 2})
    found = encoded(frame)
    assert found.shape == (4, 3)
    np.testing.assert_allclose(found[:, 0].mean(), 0, atol=1e-12)
    assert found[1, 0] == pytest.approx((3.0 - 4.0) / np.std([1.0, 3.0, 3.0, 9.0]))
    assert found[:, 1:].tolist() == [[1, 0], [0, 1], [1, 0], [1, 0]]


def test_prediction_strength_is_one_for_separated_clusters_and_low_for_more():
    halves = np.array_split(np.random.default_rng(0).permutation(90), 2)
    assert prediction_strength(TINY.rows, halves, 3, 0) == 1
    assert prediction_strength(TINY.rows, halves, 6, 0) < 0.8


def test_an_error_is_saved_as_such():
    def fail(data, seed, threads):
        raise RuntimeError("no model")

    assert attempt(Chooser(fail), TINY, 0, 1, 100) == {"error": "RuntimeError: no model"}


@pytest.mark.skipif(not CAN_STOP, reason="Windows has no timer that stops a fit")
def test_a_fit_that_takes_too_long_is_stopped():
    with pytest.raises(TimeoutError, match="more than"), time_limit(0.05):
        time.sleep(5)
    with time_limit(0.05):
        pass
    time.sleep(0.1)


def test_a_group_stands_for_its_sets():
    sets, _ = find_choice_sets()
    names = without_groups("iris,one-population", sets)
    assert names.split(",") == ["iris", *POPULATIONS]
    assert without_groups(None, sets) is None


def test_results_are_saved_and_shown(tmp_path, monkeypatch):
    monkeypatch.delenv("BOLTZMIX_DATA", raising=False)
    methods = f"{K_MEANS},{OWN_AT_K},scikit-learn by BIC"
    options = Namespace(sets="K2-D2-far,K2-D2-near,normal-D2", methods=methods, **OPTIONS)
    lines: list[str] = []
    written = choice(options, tmp_path, lines.append)
    assert {path.name for path in written} == {"choice.json", "choice.md", "choice.png"}
    saved = Saved.load(tmp_path / "choice.json")
    assert saved.sets["K2-D2-far",]["group"] == SEPARATED
    assert len(saved.fits) == 8  # no number is given to one population
    page = markdown(saved.sets, saved.fits, saved.sessions)
    for title in ("Separated clusters", "One population", "The number of clusters given"):
        assert f"## {title}" in page
    assert any("normal-D2, seed 0, scikit-learn by BIC: 1 for 1" in line for line in lines)


def test_scores_are_means_over_seeds_and_sets():
    rows = [{"seconds": 1.0, "k": k, "classes": 3, "ARI": 0.5} for k in (3, 3, 12)]
    fits = {("a", "p", seed): row for seed, row in enumerate(rows)}
    fits["a", "p", 3] = {"error": "RuntimeError: none"}
    fits["b", "p", 0] = fits["a", "q", 0] = {"seconds": 3.0, "k": 4, "classes": 4, "ARI": 1.0}
    scored = score_all(fits)
    one = scored["a", "p"]
    assert (one.seeds, one.errors, one.most, one.ratio, one.usual) == (4, 1, 12, 4, 3)
    assert (one.right, one.factor) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    found = summarise(scored, ["a", "b"], ["p", "q", "r"])
    assert list(found) == ["p", "q"]
    assert (found["p"].sets, found["p"].errors, found["p"].ari) == (2, 1, 0.75)
    assert (found["p"].shared, found["q"].shared) == (0.5, 1.0)
