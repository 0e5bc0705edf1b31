"""Hashes of the results of many fits, to see whether a change of the code leaves their bits.

There is one fit for each family, algorithm and set of options (the grid), and as many fuzzed fits
as are asked for. Each line of the file has what was fitted and the hash of all that was found.
"""

import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from boltzmix import Mixture

from .cases import make_case
from .data import KINDS
from .dice import Dice
from .templates import TEMPLATES

ALGORITHMS = ("auto", "beem", "em", "daem", "sem", "cem")
OPTIONS = ("plain", "noise", "covariates", "weights and labels", "two starts")
ROWS, COMPONENTS, MOST_STEPS = 60, 3, 30


def write_hashes(path: Path, count: int, seed: int, processes: int) -> None:
    """Write one line for each fit of the grid and for so many fuzzed fits."""
    grid = product(TEMPLATES, ALGORITHMS, OPTIONS)
    jobs = [*grid, *range(seed, seed + count)]
    jobs.sort(key=lambda job: sha256(repr(job).encode()).digest())  # a part of them is a sample
    with path.open("w") as file, ProcessPoolExecutor(processes) as pool:
        for line in pool.map(hash_of, jobs, chunksize=8):
            file.write(f"{line}\n")
            file.flush()


def hash_of(job: tuple[str, str, str] | int) -> str:
    """Fit a family by an algorithm with an option, or the case of a number; return its line."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if isinstance(job, int):
            return f"{job}: {_hash_of_case(job)}"
        return f"{', '.join(job)}: {_hash_of_grid(*job)}"


def _hash_of_case(number: int) -> str:
    case = make_case(number)
    try:
        model = case.model()
        if case.template.is_estimator:
            model.set_params(random_state=0)
        model.fit(case.data.read(), case.data.y, **case.arguments)
    except Exception as error:
        return f"{type(error).__name__} {_digest([str(error).encode()])}"
    covariates = case.arguments.get("covariates")
    return _digest(_results(model, (case.data.read(), case.data.y, covariates)))


def _hash_of_grid(name: str, algorithm: str, option: str) -> str:
    """Fit a family to data that suit it, with 60 observations."""
    template, dice = TEMPLATES[name], Dice(sum(map(ord, name)))
    dice.is_valid = True
    data = KINDS[template.kind](template, dice, ROWS, max(template.columns[0], 2))
    n, rng = data.n, np.random.default_rng(0)
    settings: dict[str, Any] = {"max_iter": MOST_STEPS, "random_state": 0, "n_jobs": 1}
    arguments: dict[str, Any] = {}
    if option == "noise":
        settings["noise"] = True
    elif option == "two starts":
        settings["n_init"] = 2
    elif option == "covariates":
        settings["membership"] = ["a"]
        arguments["covariates"] = pd.DataFrame({"a": rng.normal(size=n)})
    elif option == "weights and labels":
        arguments["sample_weight"] = rng.random(n) + 0.5
        arguments["labels"] = np.where(np.arange(n) < COMPONENTS, np.arange(n) % COMPONENTS, -1)
    try:
        family = template.make(**template.fixed)
        if template.is_estimator:
            model = family.set_params(random_state=0).fit(data.read())
        else:
            mixture = Mixture(family, COMPONENTS, algorithm=algorithm, **settings)
            model = mixture.fit(data.read(), data.y, **arguments)
    except Exception as error:
        return f"{type(error).__name__} {_digest([str(error).encode()])}"
    return _digest(_results(model, (data.read(), data.y, arguments.get("covariates"))))


def _results(model: Any, given: tuple[Any, ...]) -> Iterator[bytes]:
    """Yield what was found as bytes: labels, steps and trials, probabilities and densities."""
    history = model.history_
    arrays: Iterable[Any] = (
        *(model.labels_, model.weights_, model.lower_bound_, model.noise_weight_),
        *(history.iteration, history.temperature, history.score, history.counts),
        *(one.score for one in history.trials),
    )
    yield from (np.ascontiguousarray(one).tobytes() for one in arrays)
    yield repr([[(move.kind, move.components) for move in made] for made in history.moves]).encode()
    for name in ("predict_component_proba", "score_samples", "bic"):
        try:
            yield np.ascontiguousarray(getattr(model, name)(*given)).tobytes()
        except Exception as error:
            yield f"{type(error).__name__}: {error}".encode()


def _digest(parts: Iterable[bytes]) -> str:
    found = sha256()
    for part in parts:
        found.update(part)
    return found.hexdigest()[:16]


def differences(one: Path, other: Path) -> tuple[int, list[str]]:
    """Return how many fits two files have in common, and those whose hashes differ."""
    before, after = map(_read, (one, other))
    common = [name for name in before if name in after]
    return len(common), [name for name in common if before[name] != after[name]]


def _read(path: Path) -> dict[str, str]:
    return dict(line.rsplit(": ", 1) for line in path.read_text().splitlines())
