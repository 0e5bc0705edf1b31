"""A process that is killed and started again finds the same as one that was not, bit by bit."""

import json

import pytest

from .runs import PROCESSES, Interrupt, digest, kill, start, wait_for_checkpoint


@pytest.mark.slow
@pytest.mark.parametrize("kind", PROCESSES)
def test_a_killed_fit_goes_on_to_the_same_bits(kind, tmp_path):
    path = tmp_path / "run.bmix"
    process = start(kind, path, pause=0.02)
    wait_for_checkpoint(process, path)
    kill(process)
    output, errors = start(kind, path, pause=0.0).communicate()
    found = json.loads(output or errors)

    watch = Interrupt()
    model, X = PROCESSES[kind](random_state=0, verbose=watch)
    assert found["digest"] == digest(model.fit(X))
    assert 0 < found["n_seen"] < watch.n_seen
