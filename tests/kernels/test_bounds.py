"""Kernels read and write within the arrays that they are given."""

import os
import subprocess
import sys

import pytest


@pytest.mark.slow
def test_kernels_stay_within_their_arrays(tmp_path):
    """Compile all kernels with checks of indices, which raise IndexError, and run them."""
    own = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "tests.warm_up"]
    ended = subprocess.run(command, env=own, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
