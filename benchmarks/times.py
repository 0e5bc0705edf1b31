"""How long whole fits with default settings take: `make bench PARTS=times`.

The seconds are processor seconds of one thread, so that other programs on the machine matter
little. Every fit is made twice, and the second is timed: the first may compile kernels. How long
that takes is measured by itself, in a new process with an empty cache.
"""

import json
import os
import subprocess
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from boltzmix import Mixture
from boltzmix.datasets import (
    load_chick_weights,
    make_data_association,
    make_mixture,
    make_random_hmms,
)
from boltzmix.families import HMM, Categorical, GaussianProcess, GrowthCurve

from .measure import environment
from .tables import environment_text, table

Report = Callable[[str], None]
Fit = tuple[str, str, Callable[[], Any]]
FIRST = "import numpy as np; from boltzmix import Mixture; Mixture().fit(np.eye(9)[:, :2])"


def fits() -> Iterator[Fit]:
    """Yield the data, the call as it is written, and a function that makes the fit."""
    for n, d, k in [(1_000, 5, 3), (10_000, 10, 5), (100_000, 10, 10), (1_000_000, 5, 8)]:
        X, _ = make_mixture(n, k, d, separation=3.0, random_state=0)
        yield f"{n:,} rows × {d} columns", f"Mixture(n_components={k})", _fit(X, n_components=k)
        if n <= 10_000:
            yield (
                f"{n:,} rows × {d} columns",
                'Mixture(n_components="auto")',
                _fit(X, n_components="auto"),
            )
    rng = np.random.default_rng(0)
    answers = (rng.random((5_000, 10)) < rng.random((4, 10))[rng.integers(4, size=5_000)]) * 1
    yield "5,000 rows × 10 answers", "Mixture(Categorical(), 4)", _fit(answers, Categorical(), 4)
    sequences, _ = make_random_hmms(random_state=0)
    yield "60 sequences of 35 steps", "Mixture(HMM(4), 3)", _fit(sequences, HMM(4), 3)
    yield "60 sequences of 35 steps", "Mixture(HMM(), 3)", _fit(sequences, HMM(), 3)
    chicks, _ = load_chick_weights()
    yield (
        "50 trajectories of 12 points",
        "Mixture(GrowthCurve(), 2)",
        _fit(chicks, GrowthCurve(), 2),
    )
    x, y, _ = make_data_association("crossing", random_state=0)
    name = f"{len(x)} points of two curves"
    yield name, "Mixture(GaussianProcess(), 2)", _fit((x, y), GaussianProcess(), 2)


def _fit(data: Any, *arguments: Any, **options: Any) -> Callable[[], Any]:
    """Return a function that fits a mixture with one thread."""
    inputs = data if isinstance(data, tuple) else (data,)
    return lambda: Mixture(*arguments, **options, n_jobs=1, random_state=0).fit(*inputs)


def first_fit() -> float:
    """Return the processor seconds of a new process that compiles the kernels of Gaussians."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.times()
        environ = os.environ | {"NUMBA_CACHE_DIR": folder}
        subprocess.run([sys.executable, "-c", FIRST], check=True, env=environ, capture_output=True)
        after = os.times()
    return sum(after[2:4]) - sum(before[2:4])  # user and system time of children


def times(_: Namespace, folder: Path, report: Report) -> list[Path]:
    """Time all fits; write JSON and a page; return where."""
    paths = [folder / "times.json", folder / "times.md"]
    found = []
    with threadpool_limits(1):
        for data, call, fit in fits():
            fit()  # compiles what is needed
            start = process_time()
            model = fit()
            seconds = process_time() - start
            found.append([data, call, model.n_components_, seconds])
            report(f"{data}, {call}: {seconds:.2f} s")
    saved = {"environment": environment(), "first": first_fit(), "found": found}
    paths[0].write_text(json.dumps(saved, indent=1) + "\n")
    paths[1].write_text(page(saved))
    return paths


def page(saved: dict[str, Any]) -> str:
    """Write the table of times."""
    rows = [[data, f"`{call}`", str(k), _seconds(time)] for data, call, k, time in saved["found"]]
    return f"""# Times of whole fits

Processor seconds of one thread, on {environment_text(saved["environment"])}. \
`make bench PARTS=times` measures them on your machine. The first fit ever, in a new process \
with an empty cache of compiled kernels, took {saved["first"]:.0f} processor seconds for \
Gaussians. The load average of the machine was {saved["environment"]["load"]:.0f}; an idle \
machine is faster.

{table(["Data", "Fit", "components", "seconds"], rows)}
"""


def _seconds(time: float) -> str:
    return f"{time:.2g}" if time < 10 else f"{time:.0f}"
