"""Notice whatever runs: events of the interpreter, calls of functions, and a canary."""

import builtins
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

FORBIDDEN_EVENTS = (
    *("exec", "compile", "import", "marshal", "pickle", "subprocess", "socket", "ctypes"),
    *("os.", "pty.", "shutil.", "open", "builtins.input", "builtins.breakpoint", "code."),
)
FORBIDDEN_CALLS = {
    *("eval", "exec", "compile", "open", "__import__", "system", "popen", "input", "breakpoint"),
    *("globals", "locals", "vars", "getattr_static"),
}
GENERATED = ("__init__", "__new__", "__eq__", "__hash__", "__repr__", "<lambda>")  # of dataclasses


@dataclass
class Watched:
    """What ran that should not have.

    Parameters
    ----------
    canary : str
        The name of a function among the builtins that nothing may call.
    allowed : tuple of str
        Beginnings of events that may happen.
    """

    canary: str
    allowed: tuple[str, ...] = ()
    found: list[str] = field(default_factory=list)

    def note(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Keep an event of the interpreter, if it is forbidden."""
        if event.startswith(FORBIDDEN_EVENTS) and not event.startswith(self.allowed or ("\0",)):
            self.found.append(f"{event} {arguments!r:.200}")

    def profile(self, frame: FrameType, event: str, argument: Any) -> None:
        """Keep a call, if it is forbidden, or of code that was made from text."""
        code = frame.f_code
        if event == "c_call" and argument.__name__ in FORBIDDEN_CALLS:
            self.found.append(f"{argument.__name__} was called in {code.co_filename}")
        made = code.co_filename.startswith("<") and not code.co_filename.startswith("<frozen")
        if event == "call" and made and code.co_name not in GENERATED:
            self.found.append(f"{code.co_name} of {code.co_filename} was called")

    def problem(self) -> str:
        """Return what ran, or an empty text."""
        return "; ".join(self.found[:5])


_watchers: list[Watched] = []
_is_hooked: list[bool] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _watchers:
        _watchers[-1].note(event, arguments)


@contextmanager
def watched(events: Watched, closely: bool = False) -> Iterator[None]:
    """Watch what runs; closely, also each call of a function, which takes long."""
    if not _is_hooked:
        sys.addaudithook(_hook)
        _is_hooked.append(True)
    setattr(builtins, events.canary, lambda *_: events.found.append("the canary was called"))
    _watchers.append(events)
    if closely:
        sys.setprofile(events.profile)
    try:
        yield
    finally:
        if closely:
            sys.setprofile(None)
        _watchers.pop()
        delattr(builtins, events.canary)
