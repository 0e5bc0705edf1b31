"""Measure three-step analyses: how often intervals of 90 % hold the truth.

`python -m benchmarks three_step` measures it, and writes a page of all that is saved.
"""

import json
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from threadpoolctl import threadpool_limits

from boltzmix import EM, Mixture
from boltzmix.families import Bernoulli

from .measure import environment
from .tables import environment_text, table

Report = Callable[[str], None]
Methods = dict[str, dict[str, Any]]
LEVEL, ROWS, REPLICATES = 0.9, 1000, 100
SETS = {"well separated": 0.9, "overlapping": 0.8}  # probability of a class's usual answer
ERRORS: dict[str, Methods] = {
    "robust": {
        f"{correction}, {assignment}": {"correction": correction, "assignment": assignment}
        for correction in ("ml", "bch", None)
        for assignment in ("modal", "soft")
    },
    "bootstrap": {
        f"{correction}, modal": {"correction": correction, "n_bootstrap": REPLICATES}
        for correction in ("ml", "bch")
    },
}
KINDS = ("covariates", "number", "category", "count")
INTRODUCTION = (
    "How often intervals of 90 % hold the true value, over simulated sets of 1,000 people and all"
    " estimates. Three classes answer six questions; the usual answer of a class has a probability"
    " of 0.9 (well separated) or 0.8 (overlapping). Robust standard errors take the mixture as"
    " known. Without a correction, intervals miss the truth because estimates are biased."
)
COEFFICIENTS = np.array([[0.0, 0.0, 0.0], [0.3, 1.0, -0.5], [-0.4, -0.8, 0.6]])
MEANS, SPREADS = np.array([0.0, 1.0, 3.0]), np.array([1.0, 1.5, 0.7])
PROBABILITIES = np.array([[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.1, 0.8]])
RATES = np.array([1.0, 3.0, 6.0])


@dataclass(frozen=True, eq=False)
class People:
    """Answers to six questions, by three classes, with what is outside the questions.

    Parameters
    ----------
    classes : array of int, shape (n,)
    answers : array, shape (n, 6)
    outside : mapping of name to arguments of `three_step`
    """

    classes: Any
    answers: Any
    outside: dict[str, dict[str, Any]]


def draw(usual: float, rng: np.random.Generator) -> People:
    """Draw people whose usual answer has this probability in each class."""
    covariates = rng.normal(size=(ROWS, 2))
    odds = np.exp(np.column_stack([np.ones(ROWS), covariates]) @ COEFFICIENTS.T)
    classes = _chosen(odds / odds.sum(axis=1, keepdims=True), rng)
    answers = np.array([[1.0] * 6, [1.0] * 3 + [0.0] * 3, [0.0] * 6])
    chances = usual * answers + (1 - usual) * (1 - answers)
    outside = {
        "covariates": {"covariates": covariates},
        "number": {"outcome": rng.normal(MEANS[classes], SPREADS[classes])},
        "category": {"outcome": _chosen(PROBABILITIES[classes], rng), "kind": "category"},
        "count": {"outcome": rng.poisson(RATES[classes]), "kind": "count"},
    }
    return People(classes, (rng.random((ROWS, 6)) < chances[classes]).astype(float), outside)


def three_step(options: Namespace, folder: Path, report: Report) -> list[Path]:
    """Measure coverage, save it, and write the page."""
    path = folder / "three_step.json"
    saved = json.loads(path.read_text()) if path.exists() else {}
    with threadpool_limits(1):
        for name in options.sets.split(",") if options.sets else SETS:
            for errors in options.methods.split(",") if options.methods else ERRORS:
                key = f"{name}, {errors}"
                if options.again or saved.get(key, {}).get("sets") != options.seeds:
                    measured = coverage(SETS[name], options.seeds, ERRORS[errors])
                    saved[key] = measured | environment()
                    path.write_text(json.dumps(saved, indent=1) + "\n")
                report(f"{key}: {saved[key]['coverage']}")
    return [path, write_page(saved, folder)]


def coverage(usual: float, n_sets: int, methods: Methods) -> dict[str, Any]:
    """Return how often intervals hold the true values, by outside variable and method."""
    held: dict[str, dict[str, list[float]]] = {}
    for seed in range(n_sets):
        people = draw(usual, np.random.default_rng((seed, 21)))
        model = Mixture(
            Bernoulli(prior=0), 3, algorithm=EM(1e-8), n_init=3, max_iter=5000, random_state=seed
        ).fit(people.answers)
        for kind, outside in people.outside.items():
            truth = true_values(model, people, kind)
            for method, chosen in methods.items():
                found = model.three_step(people.answers, **outside, **chosen).estimates
                low, high = found.intervals(LEVEL).T
                share = float(np.mean((low <= truth) & (truth <= high)))
                held.setdefault(method, {}).setdefault(kind, []).append(share)
    means = {
        method: {kind: float(np.mean(values)) for kind, values in by_kind.items()}
        for method, by_kind in held.items()
    }
    return {"sets": n_sets, "coverage": means}


def true_values(model: Any, people: People, kind: str) -> Any:
    """Return the true values in the order of the estimates of a model."""
    counts = model.predict_proba(people.answers).T @ np.eye(3)[people.classes]
    order = linear_sum_assignment(counts, maximize=True)[1]
    if kind == "covariates":
        return (COEFFICIENTS[order] - COEFFICIENTS[order[:1]])[1:].ravel()
    return {"number": MEANS, "category": PROBABILITIES, "count": RATES}[kind][order].ravel()


def write_page(saved: dict[str, Any], folder: Path) -> Path:
    """Write the page of all that is saved."""
    rows = [
        [key.replace(", ", "; "), str(one["sets"]), method, *(f"{x:.3f}" for x in found.values())]
        for key, one in saved.items()
        for method, found in one["coverage"].items()
    ]
    header = ["Classes; errors", "Sets", "Correction, assignment", *KINDS]
    parts = ["# Three-step analysis: coverage", INTRODUCTION, table(header, rows)]
    parts.append(f"Measured on {environment_text(next(iter(saved.values())))}.")
    path = folder / "three_step.md"
    path.write_text("\n\n".join(parts) + "\n")
    return path


def _chosen(probabilities: Any, rng: np.random.Generator) -> Any:
    """Draw a category for each row of probabilities."""
    return (rng.random((len(probabilities), 1)) > probabilities.cumsum(axis=1)).sum(axis=1)
