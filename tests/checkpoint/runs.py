"""Fits for tests of checkpoints: how they are made, compared, interrupted and started again."""

import json
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import numpy as np

from boltzmix import Mixture
from boltzmix.datasets import make_rainbow, make_square
from boltzmix.families import HMM, Gaussian

ROOT = Path(__file__).parents[2]
SQUARE = make_square(random_state=0)[0][::4]
RAINBOW = make_rainbow(random_state=0)[0]


def sequences(n=20, length=15):
    """Return sequences of two kinds."""
    rng = np.random.default_rng(0)
    waves = (np.sin(np.arange(length) / period)[:, None] for period in rng.choice([1.0, 3.0], n))
    return [wave + rng.normal(0, 0.3, (length, 1)) for wave in waves]


PROCESSES = {
    "points": lambda **more: (
        Mixture(Gaussian(), 8, init="random", algorithm="auto", **more),
        RAINBOW,
    ),
    "sequences": lambda **more: (Mixture(HMM(2), 3, algorithm="auto", **more), sequences()),
}


class Interrupt:
    """A `verbose` function that interrupts a fit when it has seen so many new states."""

    def __init__(self, after=np.inf):
        self.after, self.n_seen = after, 0

    def __call__(self, state):
        self.n_seen += 1
        if self.n_seen >= self.after:
            raise KeyboardInterrupt


def bits(model):
    """Return all that a fit has found, for comparisons bit by bit."""
    history = model.history_
    columns = (history.phase, history.iteration, history.temperature, history.score, history.counts)
    trials = [(one.moves, one.recipe, one.after, one.accepted) for one in history.trials]
    return [
        model.weights_.tobytes(),
        model.labels_.tobytes(),
        model.lower_bound_,
        model.n_iter_,
        model.converged_,
        repr(model.components_),
        [column.tobytes() for column in columns],
        [(one.temperature.tobytes(), one.score.tobytes()) for one in history.trials],
        history.moves,
        trials,
    ]


def n_steps(model):
    """Return the number of steps of the run that was kept, those of its trials included."""
    return len(model.history_) + sum(map(len, model.history_.trials))


def interrupted(make, fit, path, pauses):
    """Interrupt a fit again and again; return the model, and how many states its last part had."""
    for after in pauses:
        try:
            fit(make(checkpoint=path, verbose=Interrupt(after)))
        except KeyboardInterrupt as stopped:
            assert str(path) in stopped.__notes__[0]
        else:
            raise AssertionError("The fit ended before it was interrupted.")
    last = Interrupt()
    return fit(make(checkpoint=path, verbose=last)), last.n_seen


def start(kind, path, pause):
    """Start a fit in a process of its own, which waits some seconds at every iteration."""
    command = [sys.executable, "-m", "tests.checkpoint.runs", kind, str(path), str(pause)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=ROOT, text=True, **pipes)


def wait_for_checkpoint(process, path, n_times=2):
    """Wait until a process has written its checkpoint: when it begins, then when that is due."""
    ends, versions = time.monotonic() + 300, {_version(path)}
    while len(versions) <= n_times:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < ends, "No checkpoint was written within five minutes."
        time.sleep(0.01)
        versions.add(_version(path))


def _version(path):
    return path.stat().st_mtime_ns if path.exists() else None


def kill(process):
    """Kill a process so that it can do nothing about it."""
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL


def digest(model):
    """Return a checksum of all that a fit has found."""
    return sha256(repr(bits(model)).encode()).hexdigest()


def main(kind, path, pause):
    """Fit as a process of its own, and print a checksum and the number of new states."""
    n_seen = 0

    def watch(state):
        nonlocal n_seen
        n_seen += 1
        time.sleep(float(pause))

    model, X = PROCESSES[kind](random_state=0, n_jobs=1, checkpoint=path, verbose=watch)
    model.fit(X)
    print(json.dumps({"digest": digest(model), "n_seen": n_seen}))


if __name__ == "__main__":
    main(*sys.argv[1:])
