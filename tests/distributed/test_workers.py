"""Fits on worker processes have the same bits, however many there are, and if some are killed."""

import os
import signal

import dask.array as da
import dask.bag as db
import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.data import Sequences
from boltzmix.families import HMM, Gaussian
from boltzmix.learning import EM

pytestmark = pytest.mark.filterwarnings("ignore:.*did not converge")


def started(n_workers):
    from distributed import Client, LocalCluster

    return Client(LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=":0"))


def check_equal(one, other):
    assert one.lower_bound_ == other.lower_bound_
    np.testing.assert_array_equal(one.history_.counts, other.history_.counts)
    np.testing.assert_array_equal(np.asarray(one.labels_), other.labels_)


@pytest.mark.slow
def test_fits_are_equal_on_any_number_of_worker_processes(rows, walks):
    points = Mixture(n_components=4, random_state=0)
    tracks = Mixture(HMM(2, Gaussian("diag")), 2, algorithm="em", max_iter=3, random_state=0)
    local, local_tracks = points.fit(rows), tracks.fit(Sequences.of(walks))
    with started(3) as client, client.cluster:
        for n_workers in (3, 2, 1):
            client.cluster.scale(n_workers)
            while len(client.scheduler_info()["workers"]) != n_workers:
                client.sync(client.scheduler.identity)
            lazy = da.from_array(rows, chunks=(700 * n_workers, 3))
            check_equal(Mixture(n_components=4, random_state=0).fit(lazy), local)
        bag = db.from_sequence(walks, npartitions=5)
        again = Mixture(**tracks.get_params(deep=False)).fit(bag)
        check_equal(again, local_tracks)


@pytest.mark.slow
def test_two_killed_workers_change_no_bit(rows):
    settings = {"n_components": 4, "algorithm": EM(0.0), "max_iter": 12, "random_state": 0}
    killed = []

    def kill(state):
        if state.step.iteration in (3, 7):
            victim = next(iter(client.run(os.getpid).values()))
            killed.append(victim)
            os.kill(victim, signal.SIGKILL)

    with started(2) as client, client.cluster:
        model = Mixture(Gaussian(), verbose=kill, **settings).fit(da.from_array(rows, chunks=500))
        assert len(set(killed)) == 2
        check_equal(model, Mixture(Gaussian(), **settings).fit(rows))
