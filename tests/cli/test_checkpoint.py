"""`boltzmix fit --checkpoint`: Ctrl-C leaves a checkpoint, and the same command goes on from it."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from tests.checkpoint.runs import ROOT, SQUARE, wait_for_checkpoint
from tests.command import assert_one_sentence, run

FAMILY = """
import os
import time
import numpy as np
from boltzmix.families import Family


class Unit(Family):
    mean = None

    def fit(self, data, *, weights=None, rng=None):
        time.sleep(float(os.environ.get("PAUSE", 0)))
        new = type(self)()
        new.mean = data.values.mean(axis=0)
        return new

    def log_prob(self, data):
        return -0.5 * ((data.values - self.mean) ** 2).sum(axis=1) - np.log(2 * np.pi)
"""
STOPPED = (
    "boltzmix: stopped by Ctrl-C, and the checkpoint run.bmix is up to date: the same fit, started"
    " again, goes on from there."
)
FIT = ("fit", "rows.csv", "-k", "5", "--seed", "0", "--checkpoint", "run.bmix")
SLOW = (*FIT, "--family", "slow_family:Unit", "--algorithm", "sem", "--out", "labels.csv")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    np.savetxt(tmp_path / "rows.csv", SQUARE, delimiter=",", header="x,y", comments="")
    (tmp_path / "slow_family.py").write_text(FAMILY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def start(folder, pause):
    """Start the command as a process of its own; components take some seconds to be fitted."""
    paths = os.pathsep.join([str(ROOT / "src"), str(folder)])
    environment = {**os.environ, "PYTHONPATH": paths, "PAUSE": str(pause)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command = [sys.executable, "-m", "boltzmix", *SLOW]
    return subprocess.Popen(command, cwd=folder, env=environment, **pipes)


@pytest.mark.slow
def test_ctrl_c_leaves_a_checkpoint_and_one_sentence(folder, monkeypatch):
    process = start(folder, pause=0.02)
    wait_for_checkpoint(process, folder / "run.bmix")
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=300)
    assert (process.returncode, output, errors.strip()) == (130, "", STOPPED)
    assert not (folder / "labels.csv").exists()

    _, errors = start(folder, pause=0.0).communicate(timeout=300)
    found = (folder / "labels.csv").read_text()
    (folder / "run.bmix").unlink()
    monkeypatch.syspath_prepend(folder)
    assert run(*SLOW).exit_code == 0
    assert found == (folder / "labels.csv").read_text()


def test_a_command_with_a_checkpoint_is_one_that_can_be_repeated(folder):
    assert run(*FIT, "--out", "one.csv").exit_code == 0
    assert run(*FIT, "--out", "other.csv").exit_code == 0
    assert (folder / "one.csv").read_text() == (folder / "other.csv").read_text()


def test_wrong_checkpoints_raise_one_sentence(folder):
    assert run(*FIT, "--save", "model.bmix").exit_code == 0
    assert_one_sentence(run(*FIT, "--noise"), "noise was False and is True")
    assert_one_sentence(run(*FIT[:3], "4", *FIT[4:]), "-k was 5 and is 4")
    assert_one_sentence(run(*FIT[:-1], "model.bmix"), "is a model, not a checkpoint")
    assert_one_sentence(run(*FIT[:-1], "run.txt"), "--checkpoint must end in .bmix")
    assert_one_sentence(run(*FIT[:-1], "absent/run.bmix"), "--checkpoint does not exist")
    assert_one_sentence(run(*FIT, "--save", "run.bmix"), "would overwrite")
    assert_one_sentence(run("inspect", "run.bmix"), "is a checkpoint, not a model")
    assert_one_sentence(run("predict", "run.bmix", "rows.csv"), "is a checkpoint, not a model")
