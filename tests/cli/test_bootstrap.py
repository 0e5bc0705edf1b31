"""`boltzmix bootstrap`: the table of a saved model."""

import json

import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.families import Gaussian
from tests.command import assert_one_sentence, run

pd = pytest.importorskip("pandas")


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    side = np.arange(60)[:, None] % 2
    frame = pd.DataFrame(rng.normal(8 * side, 1, (60, 2)), columns=["a", "b"])
    frame.to_csv("rows.csv", index=False)
    Mixture(Gaussian(), 2, random_state=0, n_jobs=1).fit(frame).save("model.bmix")
    return "model.bmix", "rows.csv"


def test_it_prints_and_writes_the_table(files):
    result = run("bootstrap", *files, "-n", "20", "--seed", "0", "--out", "table.csv")
    assert result.exit_code == 0
    assert "standard error" in result.output
    assert "20 replicates of a weighted-likelihood bootstrap; intervals of 95%." in result.output
    table = pd.read_csv("table.csv")
    assert set(table.parameter) >= {"weight", "mean[a]", "covariance[a, b]"}
    assert (table.lower <= table.upper).all()


def test_it_shows_differences_and_json(files):
    result = run("bootstrap", *files, "-n", "9", "--kind", "resample", "--differences", "--json")
    facts = json.loads(result.output)
    assert facts["kind"] == "resample"
    assert {row["component"] for row in facts["estimates"]} == {"0 - 1"}


def test_it_draws(files, tmp_path):
    pytest.importorskip("matplotlib")
    assert run("bootstrap", *files, "-n", "5", "--plot", "means.png").exit_code == 0
    assert (tmp_path / "means.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-n", "1"], "--replicates must be a whole number of at least 2"),
        (["--level", "90"], "--level must be a number between 0 and 1"),
        (["--kind", "jackknife"], "--kind must be one of weighted, resample, parametric"),
        (["--out", "rows.csv"], "--out would overwrite rows.csv"),
    ],
)
def test_wrong_options_are_one_sentence(files, options, words):
    assert_one_sentence(run("bootstrap", *files, *options), words)
