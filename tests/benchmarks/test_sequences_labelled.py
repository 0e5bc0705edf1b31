"""Tests of the benchmarks `sequences-labelled` and `single-hmm`: sets, results and pages."""

import json
from argparse import Namespace

import numpy as np
import pytest

from benchmarks import single_hmm
from benchmarks.labelled_methods import Fit, Method
from benchmarks.pictures import SEQUENCES_LOOKS
from benchmarks.sequences_labelled import Saved, measure, sequences_labelled
from benchmarks.sequences_labelled_methods import METHODS
from benchmarks.sequences_labelled_pages import markdown
from benchmarks.sequences_labelled_sets import LETTERS, TURNED, VOWELS, find_sets, warm_up_data
from benchmarks.single_hmm_pages import markdown as single_page

OPTIONS = {"sets": None, "methods": None, "seeds": 1, "threads": 1, "again": False}


def ignore(text):
    """Report nothing."""


@pytest.fixture
def data_folder(monkeypatch, tmp_path):
    """Return a folder with one set of the archive: flat and rising series."""
    rng = np.random.default_rng(0)
    labels = np.repeat([1, 2], 15)
    X = np.where(labels[:, None] == 1, np.sin(np.arange(12)), np.arange(12))
    (tmp_path / "ucr").mkdir()
    np.savez(tmp_path / "ucr" / "New.npz", X=X + rng.normal(0, 0.1, X.shape), y=labels)
    monkeypatch.setenv("BOLTZMIX_DATA", str(tmp_path))
    return tmp_path


def test_series_are_normalised_and_have_one_column(data_folder):
    sets, absent = find_sets()
    assert set(sets) == {"New", VOWELS}
    assert absent == ["character_trajectories_a-e.npz"]
    data = sets["New"].make(0)
    assert data.k == 2
    np.testing.assert_allclose(data.rows.mean(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(data.rows.std(axis=1), 1)
    assert data.with_slopes.n_features == 2


def test_sequences_of_several_columns_are_resampled_and_standardised():
    series, several = warm_up_data()
    assert several.resampled.shape == (20, int(np.median(several.sequences.lengths)), 2)
    assert several.rows.shape[0] == 20
    np.testing.assert_array_equal(series.resampled[:, :, 0], series.rows)


def test_letters_are_turned_in_four_ways(data_folder):
    steps = np.arange(12.0).reshape(4, 3)
    np.savez(
        data_folder / "character_trajectories_a-e.npz",
        values=np.tile(steps, (2, 1)), lengths=[4, 4], labels=["a", "b"],
    )  # fmt: skip
    turned = find_sets()[0][TURNED].make(0)
    assert turned.k == 8
    for place, expected in enumerate(
        [steps, steps * (-1, 1, 1), steps * (1, -1, 1), (steps * (-1, -1, 1))[::-1]]
    ):
        np.testing.assert_array_equal(list(turned.sequences)[2 * place], expected)


def test_the_command_writes_results_a_page_and_a_picture(data_folder, tmp_path):
    options = Namespace(**OPTIONS | {"sets": "New", "methods": "K-means,GMM on PCA"})
    paths = sequences_labelled(options, tmp_path, ignore)
    assert [path.suffix for path in paths] == [".json", ".md", ".png"]
    fits = json.loads(paths[0].read_text())["fits"]
    assert {row["method"]: row["ARI"] for row in fits} == {"K-means": 1.0, "GMM on PCA": 1.0}
    page = paths[1].read_text()
    assert "| New | 1.000 | 1.000 | – |" in page
    assert "0.341 for k-Shape" in page


def test_every_method_has_a_marker_and_letters_have_a_purity():
    assert list(SEQUENCES_LOOKS) == list(METHODS)
    sets = {(LETTERS,): {"set": LETTERS, "group": "multivariate", "n": 9, "lengths": "3–9", "d": 3,
                         "k": 5}}  # fmt: skip
    row = {"session": 0, "ARI": 0.5, "NMI": 0.5, "seconds": 1.0, "warnings": 0, "converged": None}
    fits = {(LETTERS, "K-means", seed): row | {"purity": 0.8 + seed / 10} for seed in (0, 1)}
    machine = {"cores": 2, "python": "3", "system": "Linux", "architecture": "any"}
    session = {"date": "2020", "threads": 1, "versions": {}, "load": 0.1, "machine": machine}
    assert "| letters a-e | K-means | 2 | 0.500 | 0.850 | 0.850 | 0.800 |" in markdown(
        sets, fits, [session]
    )


def test_fits_that_are_saved_are_not_repeated(data_folder, tmp_path):
    calls = []

    def solve(data, seed, threads):
        calls.append(len(data.labels))
        return Fit(1.0, data.labels)

    options = Namespace(**OPTIONS | {"sets": "New"})
    plan = single_hmm.Plan.of(options, find_sets()[0], {"known": Method(solve)})
    for _ in range(2):
        measure(plan, Saved.load(tmp_path / "saved.json"), ignore)
    assert calls.count(30) == 1


def test_single_models_are_compared_by_their_log_likelihood(tmp_path):
    options = Namespace(**OPTIONS | {"sets": "3 states", "methods": "hmmlearn"})
    paths = single_hmm.single_hmm(options, tmp_path, ignore)
    (row,) = json.loads(paths[0].read_text())["fits"]
    assert row["log-likelihood"] < 0
    fits = {("a", "x", 0): {"log-likelihood": -1.0, "seconds": 1.0, "session": 0},
            ("a", "y", 0): {"log-likelihood": -2.5, "seconds": 1.0, "session": 0}}  # fmt: skip
    (session,) = json.loads(paths[0].read_text())["sessions"]
    page = single_page(fits, [session | {"load": 2.5}])
    assert "| a | x | -1.00 | -1.00 | -1.00 | 1.00 | 2.5 | 1 of 1 |" in page
    assert "| 0 of 1 |" in page
