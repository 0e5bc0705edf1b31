"""Settings of the mixture, and arguments of `fit`: most of them valid, a few invalid."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from boltzmix import BEEM, EM

from .dice import Dice
from .hostile import make_hostile

ALGORITHMS = (
    "auto", "auto", "auto", "beem", "em", "em", "daem", "sem", "cem", ["beem", "em"],
    BEEM(temperature=2), EM(tolerance=1e-2),
)  # fmt: skip
INITS = ("auto", "auto", "distance", "random", "points", "kmeans", "kmeans++", "smyth")
INVALID: dict[str, tuple[Any, ...]] = {
    "n_components": (0, -1, 1.5, "many", None, [], True, [1, "x"], range(0), 10**9),
    "algorithm": ("newton", None, 3, [], ["em", 1]),
    "init": ("nearest", None, 7, {}, object()),
    "n_init": (0, -1, 1.5, None, "x", True),
    "max_iter": (0, -5, 2.5, None, "x"),
    "noise": ("yes", 0.3, None),
    "random_state": (-1, "x", 1.5),
    "n_jobs": (0, 1.5, "x"),
    "criterion": ("best", None, 3),
    "membership": ("nothing", "a +", 3, ["b"], "log(a)", "a:a", ""),
}


def draw_settings(dice: Dice, n: int) -> dict[str, Any]:
    """Draw settings of a `Mixture` for n observations."""
    n_components: Any = dice.pick([1, 2, 2, 3, 3, 5])
    if dice.chance(0.08):
        n_components = dice.pick_valid(["auto", range(1, 4), [1, 3]], [n, n + 1, max(n - 1, 1)])
    settings: dict[str, Any] = {
        "n_components": n_components,
        "algorithm": dice.pick(ALGORITHMS),
        "max_iter": dice.pick([1, 2, 3, 5, 10, 30, 1000]),
        "n_jobs": dice.pick([1, 1, 1, 2]),
        "random_state": 0,
    }
    if dice.chance(0.3):
        settings["init"] = dice.pick(INITS)
    elif dice.chance(0.1) and isinstance(n_components, int):
        settings["init"] = _start(dice, n, n_components)
    if dice.chance(0.15):
        settings["noise"] = True
    if dice.chance(0.1):
        settings["n_init"] = 2
    if dice.chance(0.1):
        settings["criterion"] = dice.pick(
            ["aic", "bic", "sabic", "caic", "icl", "effective_bic", "effective_icl", "cv"]
        )
    if dice.hostile_chance(0.04):
        name = dice.pick(list(INVALID))
        settings[name] = dice.pick(INVALID[name])
    return settings


def _start(dice: Dice, n: int, k: int) -> Any:
    """Return labels, responsibilities, or something that is neither."""
    rng = dice.rng
    valid: dict[str, Callable[[], Any]] = {
        "labels": lambda: rng.integers(k, size=n),
        "responsibilities": lambda: rng.dirichlet(np.ones(k), n),
        "list": lambda: rng.integers(k, size=n).tolist(),
        "function": lambda: lambda data, k, rng: rng.integers(k, size=len(data)),
    }
    invalid: dict[str, Callable[[], Any]] = {
        "out of range": lambda: rng.integers(k + 3, size=n),
        "not finite": lambda: np.full((n, k), np.nan),
        "zeros": lambda: np.zeros((n, k)),
        "too few": lambda: np.zeros(max(n - 1, 0), dtype=int),
        "ragged": lambda: [[1, 2], [3]],
        "text": lambda: ["a"] * n,
    }
    return (valid | invalid)[dice.pick_valid(list(valid), list(invalid))]()


def draw_weights(dice: Dice, n: int) -> Any:
    """Draw sample weights."""
    rng = dice.rng
    valid: dict[str, Callable[[], Any]] = {
        "ones": lambda: np.ones(n),
        "random": lambda: rng.random(n),
        "integers": lambda: rng.integers(0, 3, n),
        "some zero": lambda: np.where(rng.random(n) < 0.5, 0.0, rng.random(n)),
        "one only": lambda: np.eye(max(n, 1))[0][:n],
        "huge": lambda: np.full(n, 1e300),
        "tiny": lambda: np.full(n, 1e-300),
        "uneven": lambda: 10.0 ** rng.integers(-300, 300, n),
        "dominant": lambda: np.where(np.arange(n) == 0, 1e12, 1.0),
        "one number": lambda: 2.0,
        "series": lambda: pd.Series(rng.random(n)),
    }
    invalid: dict[str, Callable[[], Any]] = {
        "zeros": lambda: np.zeros(n),
        "negative": lambda: -np.ones(n),
        "missing": lambda: np.full(n, np.nan),
        "too many": lambda: np.ones(n + 1),
        "text": lambda: ["a"] * n,
        "ragged": lambda: [[1, 2], [3]],
    }
    return (valid | invalid)[dice.pick_valid(list(valid), list(invalid))]()


def draw_labels(dice: Dice, n: int, k: int) -> Any:
    """Draw known labels."""
    rng = dice.rng
    valid: dict[str, Callable[[], Any]] = {
        "few": lambda: np.where(rng.random(n) < 0.2, rng.integers(k, size=n), -1),
        "most": lambda: np.where(rng.random(n) < 0.8, rng.integers(k, size=n), -1),
        "all": lambda: rng.integers(k, size=n),
        "one": lambda: np.where(np.arange(n) == 0, 0, -1),
        "same": lambda: np.zeros(n, dtype=int),
        "none": lambda: np.full(n, -1),
        "floats": lambda: rng.integers(k, size=n).astype(float),
    }
    invalid: dict[str, Callable[[], Any]] = {
        "missing": lambda: np.full(n, np.nan),
        "out of range": lambda: rng.integers(-3, k + 3, n),
        "too few": lambda: np.zeros(max(n - 1, 0), dtype=int),
        "text": lambda: ["a"] * n,
        "ragged": lambda: [[0, 1], [0]],
        "objects": lambda: np.array([None] * n, dtype=object),
    }
    return (valid | invalid)[dice.pick_valid(list(valid), list(invalid))]()


def draw_arguments(dice: Dice, n: int, settings: dict[str, Any]) -> dict[str, Any]:
    """Draw arguments of `fit`; covariates come with a setting of the mixture."""
    arguments: dict[str, Any] = {}
    if dice.chance(0.15):
        arguments["sample_weight"] = draw_weights(dice, n)
    if dice.chance(0.12):
        k = settings.get("n_components", 1)
        arguments["labels"] = draw_labels(dice, n, k if isinstance(k, int) and k > 0 else 2)
    if dice.chance(0.08):
        table, _ = make_hostile(dice.rng.normal(size=(n, 1)), dice)
        numbers = table[:, 0] if table.shape[1] else np.zeros(len(table))
        arguments["covariates"] = pd.DataFrame(
            {"a": numbers, "b": dice.rng.choice(["u", "v"], len(table))}
        )
        if "membership" not in settings and not dice.hostile_chance(0.05):
            settings["membership"] = dice.pick_valid(["a", "b", "a + b", ["a"], "a:b"], ["log(a)"])
    return arguments
