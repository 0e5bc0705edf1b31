"""Compiled kernels on disk that are damaged, or cannot be written, end no fit."""

import os
import subprocess
import sys
from hashlib import sha256

import pytest

USE = """
import numpy as np
from boltzmix.kernels import assignment

{before}
joints, zeros = np.array([[0.0, 3.0], [1.0, 2.0]]), np.zeros(2)
labels, scores = np.empty(2, dtype=np.int64), np.empty(2)
assignment.best_labels(joints, zeros, labels)
assignment.largest(joints, zeros, scores)
entropy = assignment.mean_entropy(np.zeros((2, 5)), 1.0)
print(labels.tolist(), scores.tolist(), round(entropy / np.log(2), 9))
"""
RESULT = "[1, 0] [1.0, 3.0] 1.0"
COMPILING = "Compiling kernels, once on this machine…"


def use_kernels(folder, before=""):
    """Use three kernels in a process of their own; return what it prints on standard error."""
    own = {**os.environ, "NUMBA_CACHE_DIR": str(folder), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", USE.format(before=before)]
    ended = subprocess.run(command, env=own, capture_output=True, encoding="utf-8", check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip() == RESULT
    return ended.stderr.splitlines()


def damage(path, how):
    """Change a file; it begins with checksums of 32 bytes, of the rest and of the sources."""
    content = bytearray(path.read_bytes())
    if how == "empty":
        content = b""
    elif how == "truncated":
        content = content[: len(content) // 2]
    elif how == "one bit":
        content[-100] ^= 1
    elif how == "other sources":
        content[40] ^= 1
        content[:32] = sha256(content[32:]).digest()
    path.write_bytes(content)


def test_kernels_that_are_damaged_or_out_of_date_are_compiled_again(tmp_path):
    assert use_kernels(tmp_path) == [COMPILING]
    paths = sorted(tmp_path.rglob("*.nbc"))
    for path, how in zip(paths, ("empty", "truncated", "one bit"), strict=True):
        damage(path, how)
    note, compiling = use_kernels(tmp_path)
    assert note.startswith("Compiled kernels on disk are damaged, such as ")
    assert compiling == COMPILING
    assert use_kernels(tmp_path) == []
    for path in paths:
        damage(path, "other sources")
    assert use_kernels(tmp_path) == [COMPILING]
    assert sorted(tmp_path.rglob("*")) == sorted([paths[0].parent, *paths])


NO_ROOM = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # as on a disk without room
"""
NO_FOLDER = """
import shutil
from pathlib import Path
shutil.rmtree({folder!r})
Path({folder!r}).write_text("")
"""


@pytest.mark.parametrize("before", [NO_ROOM, NO_FOLDER], ids=["no room", "no folder"])
def test_kernels_that_cannot_be_kept_are_used_with_one_note(before, tmp_path):
    if before == NO_ROOM:
        pytest.importorskip("resource")
    compiling, note = use_kernels(tmp_path / "kept", before.format(folder=str(tmp_path / "kept")))
    assert compiling == COMPILING
    assert note.startswith("Compiled kernels cannot be kept on disk, so the next process compiles")
