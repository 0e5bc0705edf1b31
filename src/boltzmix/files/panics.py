"""Errors of readers that are written in Rust, which end as no other exception does."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from .paths import unreadable

PANICS = "pyo3_runtime"  # the module of an exception that is no `Exception`


@contextmanager
def panics_as_errors(name: str) -> Iterator[None]:
    """Raise a `ValueError` where a reader panics, and hide what it prints on standard error.

    Parameters
    ----------
    name : str
        Name of the file in messages.
    """
    with tempfile.TemporaryFile() as hidden:
        try:
            kept = os.dup(2)
        except OSError:  # it is closed
            kept = os.open(os.devnull, os.O_WRONLY)
        os.dup2(hidden.fileno(), 2)
        try:
            yield
        except BaseException as error:
            if type(error).__module__ != PANICS:
                raise
            raise unreadable(name, ValueError("its content is damaged")) from None
        finally:
            os.dup2(kept, 2)
            os.close(kept)
