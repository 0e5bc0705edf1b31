"""Every example that needs no further package runs, and prints its results."""

import runpy
from pathlib import Path

import pytest

NEEDS_TORCH = "neural_density"  # PyTorch is no dependency: this one is run by hand
EXAMPLES = sorted(
    path
    for path in (Path(__file__).parents[1] / "examples").glob("*.py")
    if path.stem != NEEDS_TORCH
)
LONG = (
    "any_density",
    "areas",
    "directions",
    "film_of_a_fit",
    "service",
    "two_slopes",
)  # for make test-slow


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize(
    "path",
    [pytest.param(one, marks=[pytest.mark.slow] * (one.stem in LONG)) for one in EXAMPLES],
    ids=lambda path: path.stem,
)
def test_an_example_runs(path, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) >= 2
