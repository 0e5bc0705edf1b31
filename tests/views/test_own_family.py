"""Plots, report and command show the description of a family outside the package."""

import json
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
import pytest

import tests.own_family_file
from boltzmix import Mixture, plots
from tests.command import run
from tests.own_family_file import Rayleigh

RNG = np.random.default_rng(0)
LENGTHS = np.concatenate([RNG.rayleigh(1, 200), RNG.rayleigh(20, 100)])[:, None]
SOURCE = Path(tests.own_family_file.__file__)


@pytest.fixture(scope="module")
def model():
    return Mixture(Rayleigh(), 2, random_state=0).fit(LENGTHS)


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "lengths_of_mine.py").write_text(SOURCE.read_text())
    pl.DataFrame({"length": LENGTHS[:, 0]}).write_csv("lengths.csv")
    return tmp_path


def density(model, x):
    scales = np.array([component.scale for component in model.components_])[:, None]
    return model.weights_[:, None] * x / scales**2 * np.exp(-(x**2) / (2 * scales**2))


def words(model):
    return [f"scale {component.scale:.3g}" for component in model.components_]


def test_plots_show_the_density_of_the_family(model):
    drawing = plots.clusters(model, LENGTHS)
    grid = drawing.outlines[0][:, 0]
    expected = np.where(grid > 0, density(model, grid), 0)
    np.testing.assert_allclose([curve[:, 1] for curve in drawing.outlines], expected, atol=1e-12)
    drawing.plot()
    pairs = plots.pairs(model, LENGTHS)
    (curves,) = pairs.densities
    np.testing.assert_allclose(curves[1:], density(model, curves[0]), atol=1e-12)
    pairs.plot()
    plots.overview(model, LENGTHS)
    plots.uncertainty(model, LENGTHS).plot()


def test_the_report_shows_the_parameters_and_the_density(model):
    findings = model.report(LENGTHS).findings
    assert findings["title"] == "2 Rayleigh components in 300 rows"
    assert findings["components"]["headings"] == ["column 0"]
    rows = findings["components"]["rows"]
    assert [row["words"] for row in rows] == [[one] for one in words(model)]
    assert [row["full"] for row in rows] == words(model)
    (column,) = findings["columns"]
    grid = np.array(column["curves"]["at"])
    np.testing.assert_allclose(
        column["curves"]["densities"], density(model, grid), rtol=1e-3, atol=1e-6
    )


def test_the_command_shows_the_parameters(folder):
    asked = "--plot p.png --report r.html --save m.bmix"
    name = "lengths_of_mine:Rayleigh"
    fitted = run("fit", "lengths.csv", "-k", "2", "--seed", "0", "--family", name, *asked.split())
    assert fitted.exit_code == 0, fitted.stderr
    assert "Family: Rayleigh" in fitted.output
    facts = json.loads(run("inspect", "m.bmix", "--family", name, "--json").stdout)
    scales = [component["parameters"]["scale"] for component in facts["components"]]
    assert sorted(scales) == pytest.approx([1, 20], rel=0.15)
    inspected = run("inspect", "m.bmix", "--family", name)
    for shown in (fitted.output, inspected.output):
        for scale in scales:
            assert f"length scale {scale:.3g}" in shown
        assert "Rayleigh(" not in shown
    assert "Rayleigh(" not in Path("r.html").read_text()
    assert "length" in Path("r.html").read_text()
