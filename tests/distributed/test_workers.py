"""Fits on worker processes have the same bits, however many there are, and if some are killed."""

import os
import signal

import dask.array as da
import dask.bag as db
import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.data import Sequences
from boltzmix.distributed.client import Watch
from boltzmix.families import HMM, Gaussian
from boltzmix.learning import EM

pytestmark = pytest.mark.filterwarnings("ignore:.*did not converge")


def started(n_workers, **options):
    from distributed import Client, LocalCluster

    options |= {"n_workers": n_workers, "threads_per_worker": 1, "dashboard_address": ":0"}
    return Client(LocalCluster(**options))


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


def worker(fullness, status="running"):
    return {"memory_limit": 4e8, "metrics": {"memory": 4e8 * fullness}, "status": status}


def test_workers_that_are_lost_again_and_again_with_much_memory_are_too_small():
    watch = Watch()
    looks = [{"a": worker(0.9), "b": worker(0.2)}, {"b": worker(0.9)}, {"c": worker(0.8)}, {}]
    assert [watch.is_too_full(one) for one in looks] == [False, False, True, True]
    assert watch.limit == 4e8


def test_workers_that_are_lost_with_little_memory_are_not_too_small():
    watch = Watch()
    assert not any(watch.is_too_full({str(k): worker(0.3)}) for k in range(20))


@pytest.mark.slow
def test_workers_with_too_little_memory_end_a_fit_in_a_sentence(rows):
    message = "each of which may take 260 MB, have too little memory"
    with (
        started(1, memory_limit="260MB") as client,
        client.cluster,
        pytest.raises(RuntimeError, match=message),
    ):
        Mixture(n_components=4, random_state=0).fit(da.from_array(rows, chunks=500))


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
