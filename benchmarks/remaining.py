"""How well the number of iterations that are left is estimated while EM runs.

Every `Step` of EM has an estimate, from which progress shows the remaining time. Here it is
compared with the number of iterations that EM then took.
"""

import json
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from boltzmix import EM, GaussianMixture, Mixture
from boltzmix.datasets import make_mixture
from boltzmix.families import Bernoulli, Poisson
from boltzmix.learning import State

from .measure import environment

FIRST_SEED = 100  # the estimate was chosen on seeds 0 to 2 of similar sets
FEWEST = 20  # iterations of a fit that is counted: shorter ones take no time
PLACES = (0.25, 0.5, 0.75)
LONG = 5000
Report = Callable[[str], None]
Fit = tuple[str, Any, Any]


def fits(seed: int) -> Iterator[Fit]:
    """Yield a name, a mixture and data: of Gaussians, robust Gaussians, counts and yes or no."""
    for k, d, separation in [(4, 2, 2.0), (8, 5, 2.0), (10, 3, 1.0), (15, 2, 3.0)]:
        X, _ = make_mixture(3000, k, d, separation=separation, random_state=seed)
        name = f"K{k}-D{d}-{separation:g}"
        yield name, GaussianMixture(k, tol=1e-5, max_iter=LONG, random_state=seed), X
        yield f"{name} robust", _em(None, k, seed), X
    rng = np.random.default_rng(seed)
    labels = rng.integers(4, size=2000)
    counts = rng.poisson(rng.gamma(2, 3, size=(4, 3))[labels])
    yield "counts", _em(Poisson(), 4, seed), counts
    answers = rng.random((2000, 8)) < rng.beta(0.7, 0.7, size=(4, 8))[labels]
    yield "answers", _em(Bernoulli(), 4, seed), answers.astype(float)


def _em(family: Any, n_components: int, seed: int) -> Mixture:
    options = {} if family is None else {"family": family}
    return Mixture(
        **options, n_components=n_components, algorithm=EM(1e-5), init="random", max_iter=LONG,
        random_state=seed,
    )  # fmt: skip


def estimates(model: Any, X: Any) -> dict[str, Any] | None:
    """Fit a mixture; return its length and the estimates on the way, unless it was short."""
    states: list[State] = []
    model.set_params(verbose=states.append).fit(X)
    length = states[-1].step.iteration
    if length < FEWEST or not model.converged_:
        return None
    places = [round(place * length) for place in PLACES]
    return {"length": length, "estimates": [[i, states[i].step.n_left] for i in places]}


def remaining(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Fit all mixtures; write JSON and a page; return where."""
    paths = [folder / "remaining.json", folder / "remaining.md"]
    found = []
    with threadpool_limits(options.threads):
        for seed in range(FIRST_SEED, FIRST_SEED + options.seeds):
            for name, model, X in fits(seed):
                one = estimates(model, X)
                found += [] if one is None else [{"name": name, "seed": seed, **one}]
            report(f"seed {seed}")
    saved = {"environment": environment(), "seeds": options.seeds, "found": found}
    paths[0].write_text(json.dumps(saved, indent=1) + "\n")
    paths[1].write_text(page(saved))
    return paths


def page(saved: dict[str, Any]) -> str:
    """Return the table of ratios of estimated to true remaining iterations."""
    found = saved["found"]
    lengths = [one["length"] for one in found]
    head = (
        "# The remaining time of EM\n\nMeasured by `python -m benchmarks remaining`:"
        f" {len(found)} fits of at least {FEWEST} iterations ({min(lengths)} to {max(lengths)},"
        f" median {np.median(lengths):.0f}), {saved['seeds']} seeds. The ratio is that of the"
        " iterations that were estimated to be left to those that were.\n\n"
        "| Of EM done | Fits with an estimate | Quartiles of the ratio | Within a factor of two |\n"
        "| --- | --- | --- | --- |\n"
    )
    return head + "\n".join(_row(found, number) for number in range(len(PLACES))) + "\n"


def _row(found: list[dict[str, Any]], number: int) -> str:
    pairs = [(one["length"], *one["estimates"][number]) for one in found]
    ratios = np.array([left / (length - i) for length, i, left in pairs if left is not None])
    low, middle, high = np.quantile(ratios, [0.25, 0.5, 0.75])
    close = ((ratios >= 0.5) & (ratios <= 2)).mean()
    return (
        f"| {PLACES[number]:.0%} | {len(ratios) / len(pairs):.0%} | {low:.2f}, {middle:.2f},"
        f" {high:.2f} | {close:.0%} |"
    )
