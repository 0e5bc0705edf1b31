"""A fit survives the loss of workers."""

import os
import signal

import dask.array as da
import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.families import Gaussian
from boltzmix.learning import EM


@pytest.mark.filterwarnings("ignore:.*did not converge")
@pytest.mark.filterwarnings("ignore::UserWarning:distributed")
def test_two_killed_workers_change_no_bit(rows, client):
    settings = {"n_components": 4, "algorithm": EM(0.0), "max_iter": 30, "random_state": 0}
    killed = []

    def kill(state):
        if state.step.iteration in (8, 16):
            pids = client.run(os.getpid)
            victim = next(iter(pids.values()))
            killed.append(victim)
            os.kill(victim, signal.SIGKILL)

    lazy = da.from_array(rows, chunks=(1000, 3))
    model = Mixture(Gaussian(), verbose=kill, **settings).fit(lazy)
    assert len(set(killed)) == 2
    local = Mixture(Gaussian(), **settings).fit(rows)
    assert model.lower_bound_ == local.lower_bound_
    np.testing.assert_array_equal(model.history_.counts, local.history_.counts)
