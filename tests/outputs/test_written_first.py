"""Results are written whatever becomes of standard output, and exit codes say how it ended."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.command import assert_one_sentence, run

ROOT = Path(__file__).parents[2]
FIT = ("fit", "rows.csv", "-k", "2", "--seed", "0", "--max-iter", "3", "--algorithm", "em")
WRITE = ("--out", "labels.csv", "--save", "m.bmix", "--report", "report.html")
ON_LINUX = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_rows(["α…", "b"])
    return tmp_path


def write_rows(names):
    rows = np.random.default_rng(0).normal(size=(40, len(names)))
    rows[:20] += 9
    pl.DataFrame(rows, names).write_csv("rows.csv")


def start(*arguments, stdout=subprocess.PIPE, redirect="", **environment):
    """Run the command as a process of its own, in a shell if standard output is redirected."""
    words = [sys.executable, "-m", "boltzmix", *arguments]
    paths = {"PYTHONPATH": str(ROOT / "src")}
    if redirect:
        words = ["sh", "-c", f'"$@" {redirect}', "sh", *words]
    return subprocess.run(
        words, stdout=stdout, stderr=subprocess.PIPE, env={**os.environ, **paths, **environment}
    )


@ON_LINUX
@pytest.mark.parametrize("redirect", ["> /dev/full", ">&-", "2>&1 | true"])
def test_files_are_written_although_nothing_can_be_printed(folder, redirect):
    result = start(*FIT, *WRITE, redirect=redirect)
    assert result.returncode == 0, result.stderr
    assert all(Path(name).is_file() for name in WRITE[1::2])
    assert b"Traceback" not in result.stderr
    if "|" not in redirect:
        assert b"boltzmix: note: the summary could not be printed: " in result.stderr


@ON_LINUX
@pytest.mark.parametrize("arguments", [(*FIT, "--json"), (*FIT, "--out", "-"), ("families",)])
def test_a_result_that_is_only_printed_and_cannot_be_is_an_error(folder, arguments):
    result = start(*arguments, redirect="> /dev/full")
    assert result.returncode == 1
    line = result.stderr.decode().splitlines()[-1]
    assert line == "boltzmix: Standard output could not be written: No space left on device."


@pytest.mark.parametrize(
    "environment",
    [
        pytest.param({"PYTHONIOENCODING": "latin-1"}, marks=pytest.mark.slow),
        pytest.param({"PYTHONIOENCODING": "cp1252"}, marks=pytest.mark.slow),
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    ],
)
def test_names_that_an_encoding_does_not_have_lose_nothing(folder, environment):
    result = start(*FIT, *WRITE, **environment)
    assert result.returncode == 0, result.stderr
    assert b"\\u03b1" in result.stdout
    found = start("predict", "m.bmix", "rows.csv", "--with-columns", **environment)
    assert found.stdout.decode("utf-8").startswith("α…,b,label,probability\n")


@ON_LINUX
def test_one_file_that_cannot_be_written_costs_no_other(folder):
    Path("limited").write_text('ulimit -f 8; exec "$@"')  # as on a disk that is nearly full
    words = ["sh", "limited", sys.executable, "-m", "boltzmix", *FIT, *WRITE]
    paths = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    result = subprocess.run(words, env=paths, capture_output=True, text=True)
    assert result.returncode == 1
    assert (
        result.stderr.splitlines()[-1] == "boltzmix: m.bmix could not be written: File too large."
    )
    assert "note: labels.csv was written." in result.stderr
    assert sorted(one.name for one in folder.iterdir()) == ["labels.csv", "limited", "rows.csv"]


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_ctrl_c_while_the_command_starts_ends_it_with_130(folder):
    for seconds in (0.15, 0.4):
        words = [sys.executable, "-m", "boltzmix", *FIT]
        paths = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        process = subprocess.Popen(words, env=paths, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
        assert b"boltzmix/" not in said
        if b"site.py" in said or process.returncode == -signal.SIGINT:
            continue  # Python itself had not started yet
        assert process.returncode == 130
        assert said.decode().splitlines()[-1].startswith("boltzmix: stopped by Ctrl-C")


def test_control_characters_reach_neither_terminal_nor_model(folder):
    write_rows(["a\x1b[31mred", "b\x07"])
    result = run(*FIT, *WRITE)
    assert result.exit_code == 0, result.stderr
    shown = [result.output, run("inspect", "m.bmix").output, Path("report.html").read_text()]
    assert not any(one in text for text in shown for one in "\x1b\x07")
    assert "left out of the names of columns" in result.stderr
    assert run("predict", "m.bmix", "rows.csv").exit_code == 0


def test_long_values_are_shortened(folder):
    lines = ["a,b", *(f"{i % 7}.5,{i}.25" for i in range(30)), f"1,{'x' * 10_000}"]
    Path("rows.csv").write_text("\n".join(lines))
    choice = (*FIT, "--family", "gaussian", "--columns", "b")
    assert_one_sentence(run(*choice), "Column 'b' of rows.csv is not numeric ('xxx")
    assert len(run(*choice).stderr) < 400


def test_formulas_of_spreadsheets_are_escaped_if_that_is_asked_for(folder):
    lines = ["name,a", *(f"=cmd|{i},{i % 2 * 9 + i / 50}" for i in range(30))]
    Path("rows.csv").write_text("\n".join(lines))
    written = [*FIT, "--id", "name", "--out", "-"]
    assert run(*written).stdout.splitlines()[1].startswith("=cmd|0,")
    assert run(*written, "--escape-formulas").stdout.splitlines()[1].startswith("'=cmd|0,")
