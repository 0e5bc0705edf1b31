"""Write the page of the benchmark `single-hmm` from its saved results."""

from pathlib import Path
from typing import Any

import numpy as np

from .optimum_scores import Fits
from .tables import sessions_text, table

WITHIN = 1.0  # nats from the best known
RULES = (
    "One hidden Markov model with Gaussian emissions of diagonal covariance is fitted to each set:"
    " the yearly sunspots of statsmodels (309 steps, 5 states), and sequences drawn from 3 states"
    " (500 steps), 5 states (20 sequences of 50 steps) and 8 states (2,000 steps, two columns) that"
    " overlap."
    " Log-likelihoods are those of all sequences together, in nats. `boltzmix` is"
    " `Mixture(HMM(S), 1)`, whose priors count for next to nothing where there are so many steps;"
    " `boltzmix without priors` has none. `hmmlearn` is `GaussianHMM(S)` as it is, which stops"
    " after 10 iterations, and `hmmlearn converged` the same with `n_iter=1000, tol=1e-6`. Every"
    " method is run from the same seeds. The last column is how often a seed comes within"
    f" {WITHIN:g} nat of the highest log-likelihood that any method found on that set. The load"
    " average is that at the beginning of a session. Seconds are longer if it is above the number"
    " of cores, so they can be compared only at the same load."
)
HEADER = [
    "Set", "method", "best", "median", "lowest", "seconds (median)", "load average", "reached",
]  # fmt: skip


def write_page(fits: Fits, sessions: list[dict[str, Any]], folder: Path) -> list[Path]:
    """Write the page; return its path in a list."""
    path = folder / "single-hmm.md"
    path.write_text(markdown(fits, sessions))
    return [path]


def markdown(fits: Fits, sessions: list[dict[str, Any]]) -> str:
    """Return the page as Markdown."""
    seeds = 1 + max((seed for _, _, seed in fits), default=-1)
    about = (
        f"Measured by `python -m benchmarks single-hmm --seeds {seeds}`, all methods one after the"
        f" other at each seed. Sessions: {sessions_text(fits.values(), sessions)}."
    )
    found = table(HEADER, rows(fits, sessions))
    return "\n\n".join(["# A single hidden Markov model", about, RULES, found]) + "\n"


def rows(fits: Fits, sessions: list[dict[str, Any]]) -> list[list[str]]:
    """Return the cells of each set and method."""
    kept = {key: row for key, row in fits.items() if "error" not in row}
    best: dict[str, float] = {}
    for (name, _, _), row in kept.items():
        best[name] = max(best.get(name, -np.inf), row["log-likelihood"])
    cells = []
    for name, method in dict.fromkeys((name, method) for name, method, _ in kept):
        own = [row for key, row in kept.items() if key[:2] == (name, method)]
        found = np.array([row["log-likelihood"] for row in own])
        seconds = float(np.median([row["seconds"] for row in own]))
        load = float(np.mean([sessions[row["session"]]["load"] for row in own]))
        reached = int((found > best[name] - WITHIN).sum())
        numbers = [f"{value:.2f}" for value in (found.max(), np.median(found), found.min())]
        times = f"{seconds:.2f}", f"{load:.1f}"
        cells.append([name, method, *numbers, *times, f"{reached} of {len(own)}"])
    return cells
