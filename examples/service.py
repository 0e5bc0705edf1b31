"""Cluster files that strangers send: each in a process of its own, with limits.

A service calls `cluster` for each file, and passes on its labels or its sentence. Run as a script,
it clusters a file that is in order, one that unpacks to far too much, and one that is damaged.

Limits of memory need Linux or macOS. What else the process may do (its user, files, network) is
limited from outside, as by a container.
"""

import bz2
import os
import subprocess
import sys
import tempfile
from pathlib import Path

MEMORY = 4 * 2**30  # bytes of address space, of which libraries take more than half
SECONDS = 60  # of processor time, and of waiting
LARGEST = 50_000_000  # bytes of a file that is accepted
FAMILIES = ("robust-gaussian", "gaussian", "student-t", "auto", "poisson", "categorical")


class RefusedError(Exception):
    """A file that cannot be clustered; the sentence says why, and can be shown to its sender."""


def cluster(content: bytes, n_components: int, family: str = "robust-gaussian") -> str:
    """Return the labels of the rows of a table, as CSV, or raise a `RefusedError`.

    Nothing that the sender chose becomes an option or the name of a file. A family is one of a
    short list, never ``module:Class``, which would import code.
    """
    if len(content) > LARGEST:
        raise RefusedError(f"The file is larger than {LARGEST:,} bytes.")
    if family not in FAMILIES or not 1 <= n_components <= 50:
        raise RefusedError(f"Choose 1 to 50 components, and one of {', '.join(FAMILIES)}.")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "table").write_bytes(content)
        options = ["-k", str(int(n_components)), "--family", family, "--out", "labels.csv"]
        options += ["--max-size", "200MB", "--escape-formulas"]
        _run(["fit", "table", *options], Path(folder))
        return (Path(folder) / "labels.csv").read_text(encoding="utf-8")


def _run(arguments: list[str], folder: Path) -> None:
    """Run the command in a folder of its own; raise its sentence if it fails."""
    try:
        ended = subprocess.run(
            [sys.executable, "-P", "-m", "boltzmix", *arguments],  # -P: import nothing from there
            cwd=folder,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=SECONDS,
            preexec_fn=None if os.name == "nt" else _limit,
        )
    except subprocess.TimeoutExpired:
        raise RefusedError("The file takes too long.") from None
    lines = ended.stderr.decode(errors="replace").splitlines()
    if ended.returncode != 0:
        said = lines[-1] if ended.returncode == 1 and lines else "The file takes too much."
        raise RefusedError(said.removeprefix("boltzmix: "))


def _limit() -> None:
    """Limit the memory, the processor time and the files of the process that is started."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (10 * LARGEST, 10 * LARGEST))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Cluster three files."""
    table = "a,b\n" + "\n".join(f"{i % 2 * 9 + i / 100},{i % 7}" for i in range(100))
    print(f"In order: {cluster(table.encode(), 2).count(chr(10)) - 1} labels")
    for name, content in (
        ("Too large", bz2.compress(b"1.5,2.5\n" * 2**24)),
        ("Damaged", b"PAR1" + bytes(100)),
    ):
        try:
            cluster(content, 2)
        except RefusedError as sentence:
            print(f"{name}: {sentence}")


if __name__ == "__main__":
    main()
