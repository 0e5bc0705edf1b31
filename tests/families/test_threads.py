"""How many threads families use."""

import threading
import time

import numpy as np
import pytest

from boltzmix.families import HMM
from boltzmix.families.contract.threads import allowed_threads, limit_threads, threaded_map


def threads_used(n_tasks):
    """Return the threads in which tasks ran, at least one task long each."""

    def task(_):
        time.sleep(0.01)
        return threading.get_ident(), allowed_threads()

    with threaded_map(n_tasks) as map_tasks:
        return list(map_tasks(task, range(n_tasks)))


def test_a_limit_holds_inside_and_no_longer():
    everywhere = allowed_threads()
    assert everywhere >= 1
    with limit_threads(3):
        assert allowed_threads() == 3
        with limit_threads(1):
            assert allowed_threads() == 1
        assert allowed_threads() == 3
    assert allowed_threads() == everywhere


def test_a_limit_ends_with_an_error():
    before = allowed_threads()
    with pytest.raises(RuntimeError), limit_threads(before + 1):
        raise RuntimeError
    assert allowed_threads() == before


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_no_more_threads_than_allowed_are_used(limit):
    with limit_threads(limit):
        used = {thread for thread, _ in threads_used(12)}
    assert len(used) <= limit
    assert (threading.get_ident() in used) == (limit == 1)


def test_one_task_needs_no_thread():
    with limit_threads(4):
        ((thread, allowed),) = threads_used(1)
    assert thread == threading.get_ident()
    assert allowed == 4


def test_threads_start_no_others():
    with limit_threads(2):
        assert {allowed for _, allowed in threads_used(6)} == {1}


def test_results_keep_their_order():
    with limit_threads(3), threaded_map(50) as map_tasks:
        assert list(map_tasks(lambda a, b: a - b, range(50), range(1, 51))) == [-1] * 50


def test_a_limit_of_another_thread_does_not_count():
    seen = []
    with limit_threads(7):
        other = threading.Thread(target=lambda: seen.append(allowed_threads()))
        other.start()
        other.join()
    assert seen == [allowed_threads()]


def test_a_hidden_markov_model_fits_in_as_many_threads_as_it_is_allowed(monkeypatch):
    rng = np.random.default_rng(0)
    sequences = [rng.normal(size=(200, 1)) for _ in range(2000)]
    started = []
    start = threading.Thread.start
    monkeypatch.setattr(
        threading.Thread, "start", lambda thread: (started.append(thread), start(thread))[1]
    )
    with limit_threads(1):
        alone = HMM(2, n_steps=2).fit(sequences)
    assert not started
    with limit_threads(2):
        together = HMM(2, n_steps=2).fit(sequences)
    assert 1 <= len(started) <= 2
    assert np.array_equal(alone.transitions, together.transitions)
