"""Tests of the benchmark `choice`: its sets, methods, saved results, page and picture."""

from argparse import Namespace

import numpy as np
import pytest

from benchmarks import choice_sets
from benchmarks.choice import Saved, attempt, choice
from benchmarks.choice_methods import CHOOSERS, MCLUST, OWN, PEER, Choice, Chooser
from benchmarks.choice_pages import markdown, score_choices
from benchmarks.choice_sets import SEPARATED, find_choice_sets, most_components
from benchmarks.labelled_sets import standardised
from boltzmix.datasets import make_mixture

TINY = standardised(*make_mixture(90, 3, 2, separation=9, random_state=0))
OPTIONS = {"seeds": 1, "threads": 1, "again": False}


def test_sets_have_the_numbers_of_clusters_in_their_names():
    sets, _ = find_choice_sets()
    for name in ("K5-D2-far-unbalanced", "K8-D10-near", "K2-D5-near-axes"):
        data = sets[name].make(0)
        assert f"K{data.k}-D{data.rows.shape[1]}" in name
        np.testing.assert_allclose(data.rows.std(axis=0), 1)


@pytest.mark.parametrize("name", [OWN, PEER, "BIC"])
def test_methods_find_three_separated_clusters(name):
    found = attempt(CHOOSERS[name], TINY, 0, 1)
    assert found["k"] == 3
    assert found["ARI"] > 0.95
    assert found["seconds"] > 0


def test_timed_sets_are_fitted_by_timed_methods_only():
    timed = find_choice_sets()[0]["K5-D8-2000"].make(0)
    assert CHOOSERS["up to 9"].suits(timed)
    assert not CHOOSERS[OWN].suits(timed)
    assert CHOOSERS[MCLUST].suits(TINY)
    assert not CHOOSERS["up to 9"].suits(TINY)
    assert most_components(5) == 11


def test_an_error_is_saved_as_such():
    def fail(rows, most, seed, threads):
        raise RuntimeError("no model")

    assert attempt(Chooser(fail), TINY, 0, 1) == {"error": "RuntimeError: no model"}


@pytest.mark.slow
def test_results_are_saved_and_shown(tmp_path, monkeypatch):
    monkeypatch.delenv("BOLTZMIX_DATA", raising=False)
    monkeypatch.setattr(choice_sets, "ROWS_OF_EACH", 40)
    options = Namespace(sets="K2-D2-far,K2-D2-near", methods=OWN, **OPTIONS)
    written = choice(options, tmp_path, lambda text: None)
    assert {path.name for path in written} == {"choice.json", "choice.md", "choice.png"}
    saved = Saved.load(tmp_path / "choice.json")
    assert saved.sets["K2-D2-far",]["group"] == SEPARATED
    page = markdown(saved.sets, saved.fits, saved.sessions)
    assert "## Separated clusters" in page
    assert "1.00" in page


def test_scores_count_how_often_the_number_was_found():
    sets = {("a",): {"set": "a", "group": SEPARATED, "n": 9, "d": 2, "k": 3}}
    rows = [{"seconds": 1.0, "k": k, "ARI": 0.5} for k in (3, 3, 4)]
    fits = {("a", OWN, seed): row for seed, row in enumerate(rows)}
    fits["a", OWN, 3] = {"error": "RuntimeError: none"}
    found = score_choices(sets, fits)["a", OWN]
    assert (found.found, found.numbers, found.errors) == (0.5, (3, 3, 4), 1)
    assert Choice(1.0, 3, np.zeros(3)).k == 3
