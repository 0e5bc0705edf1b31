"""Ctrl-C while something must not stop halfway."""

import signal
from threading import current_thread, main_thread
from typing import Any


class Uninterrupted:
    """A context in which Ctrl-C waits; what it raises is raised at the end.

    Python runs the handler of a signal in the main thread, between any two steps. Other threads are
    never interrupted, so they do nothing here.
    """

    def __init__(self) -> None:
        self._handler: Any = None
        self._is_waiting = False

    def __enter__(self) -> None:
        handler = signal.getsignal(signal.SIGINT)
        if current_thread() is main_thread() and callable(handler):
            self._handler = handler
            signal.signal(signal.SIGINT, self._wait)

    def _wait(self, *_: object) -> None:
        self._is_waiting = True

    def __exit__(self, *_: object) -> None:
        handler, self._handler = self._handler, None
        if handler is None:
            return
        signal.signal(signal.SIGINT, handler)
        if self._is_waiting:
            self._is_waiting = False
            handler(signal.SIGINT, None)
