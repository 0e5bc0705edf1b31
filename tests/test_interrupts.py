"""Ctrl-C waits where something must not stop halfway."""

import gc
import signal
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from boltzmix.interrupts import Interruptible, Uninterrupted
from boltzmix.parallel import one_thread_per_product, thread_pool


@pytest.fixture(autouse=True)
def interrupts_raise():
    """Raise KeyboardInterrupt on SIGINT, which shells ignore for what runs in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_waits_until_the_end():
    steps = []
    with pytest.raises(KeyboardInterrupt), Uninterrupted():
        signal.raise_signal(signal.SIGINT)
        steps.append("after the signal")
    assert steps == ["after the signal"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_interrupts_wait_for_the_outermost_of_nested_contexts():
    steps = []
    with pytest.raises(KeyboardInterrupt), Uninterrupted():
        with Uninterrupted():
            signal.raise_signal(signal.SIGINT)
        steps.append("between")
    assert steps == ["between"]


def test_nothing_is_raised_without_an_interrupt_or_in_other_threads():
    def enter():
        with Uninterrupted():
            return signal.getsignal(signal.SIGINT)

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(enter).result() is signal.default_int_handler
    assert enter() is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_what_a_fit_used_is_freed_once_the_interrupt_is_handled():
    class Used:
        """An object of the fit, such as a pool of threads."""

    kept = []

    def fit():
        used = Used()
        kept.append(weakref.ref(used))
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise TypeError("the arrays cannot be compared") from None

    gc.disable()
    try:
        with suppress(KeyboardInterrupt), Interruptible():
            fit()
        assert kept[0]() is None
    finally:
        gc.enable()


def test_an_interrupt_that_a_library_takes_for_an_error_is_raised_as_such():
    with pytest.raises(KeyboardInterrupt) as caught, Interruptible():
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise TypeError("the arrays cannot be compared") from None
    assert isinstance(caught.value.__cause__, TypeError)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_errors_without_an_interrupt_stay_as_they_are():
    with pytest.raises(TypeError, match="own"), Interruptible():
        raise TypeError("own")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupted_pool_begins_no_other_task():
    begun, gate = [], threading.Event()

    def work(number):
        begun.append(number)
        gate.wait()

    with pytest.raises(KeyboardInterrupt), thread_pool(1) as pool:
        pool.map(work, range(100))
        threading.Timer(0.1, gate.set).start()
        raise KeyboardInterrupt
    assert len(begun) <= 1


def test_an_interrupted_fit_gives_back_the_threads_of_products():
    from threadpoolctl import threadpool_info

    before = threadpool_info()
    with pytest.raises(KeyboardInterrupt), one_thread_per_product():
        raise KeyboardInterrupt
    assert threadpool_info() == before


def test_an_interrupt_that_is_dropped_is_raised_at_the_end():
    done = []
    with pytest.raises(KeyboardInterrupt), Interruptible():
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        done.append(True)
    assert done
