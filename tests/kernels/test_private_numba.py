"""Names of Numba that are not public still mean what boltzmix.kernels.private_numba needs.

Each test says what to do if a release of Numba breaks it. Until that is done, let `pyproject.toml`
ask for an older Numba.
"""

import ast
from pathlib import Path

import numpy as np
from numba import njit

from boltzmix.kernels import private_numba
from boltzmix.kernels.private_numba import (
    COMPILATION,
    WAITING,
    WITHOUT_ALLOCATION,
    Cache,
    Listener,
    compiled_by,
    compiler_lock,
    keep_in,
    listen,
    serialised,
)

KERNELS = Path(private_numba.__file__).parent


def double(x):
    return 2 * x


def test_no_other_module_uses_them():
    """Move what this finds to private_numba.py."""
    for path in set(KERNELS.parent.rglob("*.py")) - {KERNELS / "private_numba.py"}:
        names = {
            node.module
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and node.module
        }
        assert not {name for name in names if name.startswith("numba.core")}, path


def test_a_listener_hears_what_is_compiled_and_how_long_others_wait():
    """Without: kernels.clock cannot leave out compilation of fit_time_, nor hold back Ctrl-C.

    Drop both listeners then, and `fit_time_` includes compilation.
    """
    heard = []

    class Ear(Listener):
        def on_start(self, event):
            heard.append(compiled_by(event) if event.kind == COMPILATION else event.kind)

        def on_end(self, event):
            pass

    for kind in (COMPILATION, WAITING):
        listen(kind, Ear())
    assert njit(double)(3) == 6
    assert WAITING in heard
    assert double in [one[0] for one in heard if isinstance(one, tuple)]


def test_the_lock_of_the_compiler_is_free_and_can_be_held():
    """Without: a process that is forked while kernels are compiled may wait forever."""
    compiler_lock.acquire()
    compiler_lock.release()


def test_kernels_compile_without_counting_references():
    """Without: delete WITHOUT_ALLOCATION; kernels take about a fifth longer to compile."""
    assert njit(**WITHOUT_ALLOCATION)(double)(4) == 8


def test_compiled_forms_are_saved_to_files_of_ours_and_loaded_from_them():
    """Without: use ``njit(cache=True)``, which keeps no checksums of files and sources."""
    saved = {}

    class Files:
        def __init__(self, folder, name):
            assert "double" in name

        def load(self, key):
            return saved.get(repr(key))

        def save(self, key, data):
            assert isinstance(serialised(data), bytes)
            saved[repr(key)] = data

    for n_hits in (0, 1):
        kernel = njit(double)
        keep_in(Cache(double, Files), kernel)
        assert kernel(np.float64(2.0)) == 4.0
        assert sum(kernel.stats.cache_hits.values()) == n_hits
    assert len(saved) == 1
