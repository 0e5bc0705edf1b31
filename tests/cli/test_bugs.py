"""A bug does not pose as a mistake of the user: it has an exit code, a log and a traceback."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import boltzmix.cli.fit
from tests.command import assert_one_sentence, run

FIT = ("fit", "rows.csv", "-k", "2", "--seed", "0")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "logs"))
    (tmp_path / "logs").mkdir()
    rows = np.random.default_rng(0).normal(size=(30, 2))
    pl.DataFrame(rows, ["a", "b"]).write_csv("rows.csv")
    return tmp_path


@pytest.fixture
def bug(folder, monkeypatch):
    """Let a part of the command raise a ValueError that no sentence of boltzmix describes."""
    monkeypatch.setattr(boltzmix.cli.fit, "summarise", np.linalg.inv)
    return folder


def test_a_bug_names_its_log(bug):
    result = run(*FIT)
    assert result.exit_code == 3
    (log,) = (bug / "logs").glob("boltzmix-*.log")
    (sentence,) = [line for line in result.stderr.splitlines() if "bug" in line]
    assert sentence.startswith("boltzmix: this is a bug of boltzmix (TypeError: ")
    assert str(log) in sentence
    assert "Traceback" not in result.output + result.stderr
    content = log.read_text()
    assert "Traceback" in content
    assert "cli/fit.py" in content.replace("\\", "/")


def test_debug_prints_the_traceback_of_a_bug_in_place_of_a_log(bug):
    result = run("--debug", *FIT)
    assert result.exit_code == 3
    assert "Traceback" in result.stderr
    assert "report it with the traceback above" in result.stderr
    assert not any((bug / "logs").iterdir())


def test_a_log_that_cannot_be_written_is_no_further_error(folder, monkeypatch):
    def fail(*_):
        monkeypatch.setattr("tempfile.tempdir", str(folder / "nowhere"))
        return np.zeros(3) @ np.zeros(4)

    monkeypatch.setattr(boltzmix.cli.fit, "summarise", fail)
    monkeypatch.setattr("boltzmix.cli.errors._is_of_user", lambda file: False)
    result = run(*FIT)
    assert result.exit_code == 3
    assert "which boltzmix --debug prints" in result.stderr


def test_a_mistake_has_no_log_and_a_traceback_only_with_debug(folder):
    wrong = ("fit", "rows.csv", "-k", "900")
    assert_one_sentence(run(*wrong), "-k 900 is more than the 30 observations of the file")
    result = run("--debug", *wrong)
    assert result.exit_code == 1
    assert "Traceback" in result.stderr
    assert result.stderr.strip().splitlines()[-1].startswith("boltzmix: -k 900 is more")
    assert "Traceback" not in run(*wrong).stderr
    assert not any((folder / "logs").iterdir())


def test_an_error_of_an_own_family_names_its_file(folder, monkeypatch):
    monkeypatch.syspath_prepend(str(folder))
    (folder / "broken_family.py").write_text(
        "from boltzmix.families import Family\n\n\n"
        "class Broken(Family):\n"
        "    def fit(self, data, *, weights=None, rng=None):\n"
        "        return self.nothing\n\n"
        "    def log_prob(self, data):\n"
        "        return data.values[:, 0]\n"
    )
    result = run(*FIT, "--family", "broken_family:Broken")
    assert_one_sentence(result, "broken_family.py, in fit: AttributeError: 'Broken' object")
    assert str(Path("broken_family.py").resolve()) in result.stderr
