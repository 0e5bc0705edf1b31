"""The experiments on curves: their measurements, pages and pictures."""

from dataclasses import replace

import numpy as np
import pytest

from experiments import TABLES, columns, rows, write_pages
from experiments.measure import Results


@pytest.fixture(scope="module")
def few(measure_here):
    """Return two seeds of one row of each kind of method."""
    table = TABLES["curves-sinusoids"]
    chosen = ("MGP, BEEM, plain", "OMGP, σ² = 0.1")
    methods = tuple(method for method in table.methods if method.label in chosen)
    table = replace(table, methods=methods)
    return table, measure_here(table, repeats=2)


def test_every_update_has_a_purity_and_every_method_an_roc_curve(few):
    table, results = few
    assert len(table.methods) == 2
    for method in table.methods:
        values, bands = results.values[method.label], results.bands[method.label]
        assert {"ACC", "AUROC", "joint gain", "updates", "seconds"} <= set(values)
        assert len(bands["purity"]) == max(values["updates"]) + 1
        means = np.array(bands["ROC"])[:, 0]
        assert (np.diff(means) >= 0).all()
        area = np.trapezoid(means, dx=1 / (len(means) - 1))
        assert area == pytest.approx(np.mean(values["AUROC"]), abs=0.05)


def test_pages_and_pictures_show_saved_results(few, tmp_path):
    table, results = few
    results.save(tmp_path / "saved.json")
    loaded = Results.load(tmp_path / "saved.json")
    assert rows(table, loaded) == rows(table, results)
    assert columns(table) == ["Method", *table.metrics]
    page, picture = write_pages(table, loaded, tmp_path)
    assert "joint gain" in page.read_text()
    assert picture.stat().st_size > 10_000


def test_the_true_functions_find_most_labels():
    table = TABLES["curves-crossing"]
    points, labels = table.make_data(0)
    found = table.methods[-1].run(points, 0)
    assert np.mean(found.labels == labels) > 0.8
    assert found.figures["joint gain"] > -0.1
