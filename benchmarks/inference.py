"""Measure bootstraps: how often intervals hold the truth, and how long they take.

`python -m benchmarks inference` measures both, and writes a page of all that is saved.
"""

import json
import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from threadpoolctl import threadpool_limits

from boltzmix import Mixture
from boltzmix.families import Gaussian

from .contenders import no_convergence_warnings
from .inference_pages import write_page
from .inference_sets import SETS, Known
from .measure import environment

Report = Callable[[str], None]
LEVEL, REPLICATES = 0.9, 200
PEER_REPLICATES = 5  # of StepMix, of which 200 take many minutes
ROWS, COLUMNS, COMPONENTS, ROUNDS = 10_000, 8, 5, 2
VARIANTS: dict[str, Callable[[Any], Any]] = {
    "as it is": lambda family: family,
    "without prior": lambda family: replace(family, prior=0.0),
}


def inference(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Measure coverage and time, save both, and write the page."""
    path = folder / "inference.json"
    saved = json.loads(path.read_text()) if path.exists() else {"coverage": {}}
    names = options.sets.split(",") if options.sets else list(SETS)
    with threadpool_limits(1):
        for name in names:
            for variant in variants_of(name):
                key = f"{name}, {variant}"
                if options.again or saved["coverage"].get(key, {}).get("sets") != options.seeds:
                    saved["coverage"][key] = coverage(name, variant, options.seeds) | environment()
                    path.write_text(json.dumps(saved, indent=1) + "\n")
                report(f"{key}: {saved['coverage'][key]['mean']:.3f}")
        if options.again or "speed" not in saved:
            saved["speed"] = speed(report) | environment()
            path.write_text(json.dumps(saved, indent=1) + "\n")
    return [path, *write_page(saved, folder)]


def variants_of(name: str) -> list[str]:
    """Return the variants of the family of a set; there is one if it has no prior."""
    family = SETS[name](np.random.default_rng(0)).family
    return [one for one in VARIANTS if one == "as it is" or bool(getattr(family, "prior", False))]


def coverage(name: str, variant: str, n_sets: int) -> dict[str, Any]:
    """Return how often intervals hold the true values, over so many simulated sets."""
    held: dict[str, list[bool]] = {}
    left_out = 0
    for seed in range(n_sets):
        known = SETS[name](np.random.default_rng((seed, 21)))
        known = replace(known, family=VARIANTS[variant](known.family))
        found, moved = held_values(known, seed)
        left_out += moved
        for key, value in found.items():
            held.setdefault(key, []).append(value)
    by_name = {key: float(np.mean(values)) for key, values in held.items()}
    return {
        "sets": n_sets,
        "mean": float(np.mean(list(by_name.values()))),
        "by parameter": by_name,
        "left out": left_out / (n_sets * REPLICATES),
    }


def held_values(known: Known, seed: int) -> tuple[dict[str, bool], int]:
    """Return which true values the intervals of one set hold, and the replicates left out."""
    k = int(known.labels.max()) + 1
    covariates = known.covariates
    columns = None if covariates is None else list(range(covariates.shape[1]))
    model = Mixture(known.family, k, membership=columns, random_state=seed, n_jobs=1)
    model.fit(known.X, known.y, covariates=covariates)
    counts = np.zeros((k, k))
    np.add.at(counts, (known.labels, model.labels_), 1)
    places = linear_sum_assignment(counts, maximize=True)[1]
    found = model.bootstrap(known.X, known.y, REPLICATES, random_state=seed, covariates=covariates)
    rows = {(row["component"], row["parameter"]): row for row in found.rows(LEVEL)}
    held = {}
    true_place = np.argsort(places)
    for (component, parameter), value in known.truth_of(places).items():
        row = rows[str(component), parameter]
        name = f"{parameter} of {true_place[component]}"
        held[name] = bool(row["lower"] <= value <= row["upper"])
    return held, found.n_moved


def speed(report: Report) -> dict[str, Any]:
    """Time 200 replicates, a fit, and StepMix's bootstrap, in turn; keep the best of each."""
    rng = np.random.default_rng(0)
    centres = rng.normal(0, 2.0, (COMPONENTS, COLUMNS))
    X = centres[rng.integers(COMPONENTS, size=ROWS)] + rng.normal(size=(ROWS, COLUMNS))
    found: dict[str, list[float]] = {}
    families: dict[str, Any] = {
        "default": None,
        "Gaussian()": Gaussian(),
        'Gaussian("diag")': Gaussian("diag"),
    }
    for number in range(ROUNDS):
        for name, family in families.items():
            model = Mixture(family, COMPONENTS, random_state=number, n_jobs=1)
            model.fit(X[:2_000]).bootstrap(X[:2_000], n=2)  # compiles kernels
            _time(found, f"fit, {name}", partial(model.fit, X))
            bootstrap = partial(model.bootstrap, X, n=REPLICATES, random_state=number)
            _time(found, f"bootstrap, {name}", bootstrap)
        for name, measurement in {"diag": "gaussian_diag", "full": "gaussian_full"}.items():
            model = _stepmix(X, measurement, number)
            bootstrap = partial(model.bootstrap, X, n_repetitions=PEER_REPLICATES)
            with no_convergence_warnings():
                _time(found, f"StepMix, {name}", partial(bootstrap, progress_bar=False))
        report(f"timed {number + 1} of {ROUNDS} rounds")
    return {
        "seconds": {name: min(values) for name, values in found.items()},
        "peer replicates": PEER_REPLICATES,
    }


def _stepmix(X: Any, measurement: str, seed: int) -> Any:
    """Return StepMix's fit."""
    from stepmix.stepmix import StepMix

    with no_convergence_warnings():
        model = StepMix(
            COMPONENTS, measurement=measurement, random_state=seed, progress_bar=0, verbose=0
        )
        return model.fit(X)


def _time(found: dict[str, list[float]], name: str, function: Callable[[], Any]) -> None:
    began = time.process_time()
    function()
    found.setdefault(name, []).append(time.process_time() - began)
