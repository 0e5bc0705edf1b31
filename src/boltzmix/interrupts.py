"""Ctrl-C while something must not stop halfway, or while libraries take it for an error."""

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


class Interruptible:
    """A context that ends in the exception of Ctrl-C, whatever libraries made of it.

    NumPy, for example, may turn any exception that is raised while it compares arrays into a
    `TypeError`; and Python drops one that is raised while an object is deleted, or in a function
    that compiled code calls.
    """

    def __init__(self) -> None:
        self._handler: Any = None
        self._raised: BaseException | None = None

    def __enter__(self) -> None:
        handler = signal.getsignal(signal.SIGINT)
        if current_thread() is main_thread() and callable(handler):
            self._handler = handler
            signal.signal(signal.SIGINT, self._remember)

    def _remember(self, *arguments: Any) -> None:
        try:
            self._handler(*arguments)
        except BaseException as error:
            self._raised = error
            raise

    def __exit__(self, _: object, error: BaseException | None, *__: object) -> None:
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
        raised, self._raised = self._raised, None
        try:
            if raised is not None and (error is None or isinstance(error, Exception)):
                raise raised from error
        finally:
            del raised, error  # a cycle of an error and this frame would keep what the fit used
