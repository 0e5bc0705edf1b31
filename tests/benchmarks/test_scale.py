"""Tests of the benchmark `scale`: its rows, methods, model, saved results, page and picture."""

from argparse import Namespace

import numpy as np
import pytest

from benchmarks import scale as scale_module
from benchmarks.fits import Saved
from benchmarks.scale import Size, scale
from benchmarks.scale_measures import Clock, peak_memory, slope, traffic
from benchmarks.scale_methods import METHODS, Method, fit_dask, fit_local
from benchmarks.scale_model import block_rows, busiest, count_blocks, count_sums, fit_model
from benchmarks.scale_pages import markdown, power
from benchmarks.scale_rows import CHUNK, D, K, LazyRows, make_rows, write_parquet

START, PER_ROW, PER_TASK = 0.05, 3e-7, 8e-4
OPTIONS = {"seeds": 1, "threads": 1, "again": False}


def modelled(n, workers):
    """Return a row that the model fits exactly."""
    tasks = 3 * count_blocks(n) + count_sums(n)
    return {
        "n": n,
        "workers": workers,
        "seconds": START + PER_ROW * busiest(n, workers) + PER_TASK * tasks,
        "bytes": 4_000 + 12_000 * tasks,
        "tasks": tasks,
        "empty task": PER_TASK,
        "reading": 3e-8,
        "memory": {"worker": 4e8, "scheduler": 1e8, "client": 2e8},
        "session": 0,
    }


FITS = {
    (f"1e{power}", f"dask-{workers}", 0): modelled(10**power, workers)
    for power in (5, 6, 7, 8)
    for workers in (1, 2)
}


def test_rows_are_the_same_in_any_chunks():
    whole = make_rows(3, 0, 1_000)
    parts = [make_rows(3, first, min(first + 7, 1_000)) for first in range(0, 1_000, 7)]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    np.testing.assert_array_equal(LazyRows(1_000, 3)[100:300], whole[100:300])
    assert not np.array_equal(make_rows(4, 0, 1_000), whole)


def test_rows_come_from_gaussian_clusters():
    from sklearn.mixture import GaussianMixture

    rows = make_rows(0, 0, 20_000)
    model = GaussianMixture(K, n_init=3, random_state=0).fit(rows)
    np.testing.assert_allclose(model.weights_.sum(), 1)
    assert model.score(rows) > GaussianMixture(1).fit(rows).score(rows) + 2


def test_parquet_files_hold_the_same_rows(tmp_path):
    pytest.importorskip("pyarrow")
    rows = LazyRows(CHUNK + 500, 0)
    files = write_parquet(rows, tmp_path)
    assert files.shape == rows.shape
    np.testing.assert_array_equal(files[CHUNK - 100 : CHUNK + 200], rows[CHUNK - 100 : CHUNK + 200])


def test_a_local_fit_is_measured():
    found = fit_local(LazyRows(3_000, 0), 0, 1)
    assert found["seconds"] > 0
    assert found["memory"]["worker"] > 1e7
    assert np.isfinite(found["score"])


def test_a_method_names_what_is_missing():
    absent = Method(fit_local, "absent", 1, 100, needs=("no_such_module",))
    assert not absent.installed
    assert absent.source == "no_such_module is missing: pip install no-such-module"
    assert absent.suits(LazyRows(100, 0))
    assert not absent.suits(LazyRows(101, 0))


def test_the_clock_measures_slopes():
    assert slope([5.0, 7.0, 9.0]) == pytest.approx(2)
    numbers = iter([10, 13, 16])
    clock = Clock(lambda: next(numbers))
    for _ in range(3):
        clock(None)
    assert clock.per_iteration["seconds"] > 0
    assert clock.per_iteration["tasks"] == pytest.approx(3)
    assert traffic() >= 0
    assert peak_memory() > 1e7


@pytest.mark.slow
def test_a_fit_on_a_cluster_is_measured():
    pytest.importorskip("distributed")
    rows = LazyRows(2 * CHUNK, 0)
    found, local = fit_dask(rows, 0, 1), fit_local(rows, 0, 1)
    assert found["score"] == local["score"]
    assert set(found["memory"]) == {"worker", "scheduler", "client"}
    assert found["tasks"] >= 3  # two blocks and their sum
    assert min(found[name] for name in ("seconds", "bytes", "empty task")) > 0


def test_tasks_are_counted_as_they_are_made():
    assert (count_blocks(100_000), count_sums(100_000)) == (1, 0)
    assert (count_blocks(10**8), count_sums(10**8)) == (763, 48 + 3 + 1)
    assert block_rows(10**8) == 2**17
    assert block_rows(10**10) == 2**22
    assert busiest(100_000, 2) == 100_000
    assert busiest(10**9, 1) == 10**9


def test_the_model_recovers_its_coefficients():
    model = fit_model(FITS.values())
    found = [model.start, model.per_row, model.per_task, model.bytes_start, model.bytes_per_task]
    np.testing.assert_allclose(found, [START, PER_ROW, PER_TASK, 4_000, 12_000], rtol=1e-6)
    assert model.tasks_per_block == pytest.approx(3)
    assert model.seconds(10**9, 100) < model.seconds(10**9, 10) / 2
    assert fit_model([modelled(10**6, 1)]) is None


def test_the_power_of_linear_growth_is_one():
    own = {n: {"seconds": 2e-7 * n} for n in (10**6, 10**7, 10**8)}
    assert power(own, list(own)) == pytest.approx(1)


def test_the_page_shows_goals_model_and_assumptions():
    session = {
        "date": "2000-01-01", "threads": 2, "load": 0.0, "versions": {},
        "machine": {"cores": 2, "system": "Linux", "architecture": "x", "python": "3"},
    }  # fmt: skip
    failed = {"n": 10**6, "session": 0, "error": "RuntimeError: none"}
    page = markdown(FITS | {("1e6", "spark-2", 0): failed}, [session])
    assert "at most 400 MB for 100,000,000 rows" in page
    assert "10,000,000,000" in page
    assert "b = 300 ns" in page
    assert "RuntimeError: none" in page


@pytest.mark.slow
def test_results_are_saved_and_shown(tmp_path, monkeypatch):
    monkeypatch.setattr(scale_module, "SIZES", {"tiny": 2_000})
    options = Namespace(sizes="tiny", methods="local-1", **OPTIONS)
    lines = []
    written = scale(options, tmp_path, lines.append)
    assert {path.name for path in written} == {"scale.json", "scale.md", "scale.png"}
    (row,) = Saved.load(tmp_path / "scale.json").fits.values()
    assert row["n"] == 2_000 and row["seconds"] > 0
    assert "s per iteration" in lines[0]
    scale(options, tmp_path, lines.append)
    assert len(lines) == 1  # what is saved is not run again


def test_every_method_has_a_title_and_fits_a_size():
    rows = Size(10**5).make(0)
    assert rows.shape == (10**5, D)
    assert all(method.title and method.suits(rows) for method in METHODS.values())
