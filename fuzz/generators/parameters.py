"""Odd parameters of families, algorithms, estimators, their methods, and functions."""

import warnings
from collections.abc import Callable
from functools import cache, partial
from inspect import Parameter, getattr_static, isclass, signature
from typing import Any

import numpy as np
import pandas as pd

import boltzmix
from boltzmix import GaussianMixture, Mixture, Sequences, Trajectories, datasets, plots
from boltzmix.families import HMM, Gaussian, GrowthCurve, LinearRegression, Product
from boltzmix.learning import Recipe
from experiments.baselines import OMGP, PowerKMeans, ThompsonMixture

from ..calls import Call, described, run_calls
from ..data import draw_data
from ..dice import Dice
from ..odd import N_ODD, odd_value
from ..templates import TEMPLATES

VARIABLE = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
FEW: dict[str, Any] = {"algorithm": "em", "max_iter": 3, "random_state": 0}
RECIPES = [
    kind
    for name in boltzmix.__all__
    if isclass(kind := getattr(boltzmix, name)) and issubclass(kind, Recipe)
]
FUNCTIONS = ("verbose", "init", "features", "fit", "log_prob", "sample", "read", "algorithm")
SKIPPED = [
    "set_params",
    "get_params",
    "get_metadata_routing",
    "set_fit_request",
    "set_partial_fit_request",
    "set_predict_request",
    "set_predict_proba_request",
    "set_score_request",
    "partial_fit",
]


def names_of(function: Any) -> list[str]:
    """Return the names of the arguments of a function."""
    parameters = signature(function).parameters.values()
    return [one.name for one in parameters if one.kind not in VARIABLE and one.name != "self"]


def with_odd(dice: Dice, names: list[str], most: int = 2) -> dict[str, Any]:
    """Return odd values of one or two arguments."""
    chosen = sorted({dice.pick(names) for _ in range(1 if dice.chance(0.7) else most)})
    given = {name: odd_value(int(dice.rng.integers(N_ODD))) for name in chosen}
    return {name: None if _is_own_code(name, one) else one for name, one in given.items()}


def _is_own_code(name: str, value: Any) -> bool:
    """Return whether an argument is a function of the user, whose errors are the user's."""
    return name in FUNCTIONS and callable(value)


def use(model: Any, X: Any, y: Any = None, **more: Any) -> Any:
    """Fit a mixture, and call its most common methods."""
    model.fit(X, y, **more)
    repr(model.components_)
    model.sample(3)
    return model.predict(X, y)


def family_call(dice: Dice) -> Call:
    """Return the use of a family with odd parameters."""
    name = dice.pick([name for name, one in TEMPLATES.items() if isclass(one.make)])
    template = TEMPLATES[name]
    if template.is_estimator:
        return estimator_call(dice)
    dice.is_valid = True
    data = draw_data(template, dice, 2 if 2 in template.columns else template.columns[0])
    given = {**template.settings_of(dice), **with_odd(dice, names_of(template.make))}

    def work() -> Any:
        family = template.make(**given)
        repr(family)
        return use(Mixture(family, 2, **FEW), data.read(), data.y)

    return Call(described(template.make.__name__, given), work)


def algorithm_call(dice: Dice) -> Call:
    """Return a fit by an algorithm with odd parameters."""
    kind = dice.pick(RECIPES)
    names = names_of(kind)
    given = with_odd(dice, names) if names else {}
    settings: dict[str, Any] = {**FEW, "max_iter": 20}
    return Call(
        described(kind.__name__, given),
        lambda: use(Mixture(Gaussian(), 2, **{**settings, "algorithm": kind(**given)}), table()),
    )


def estimator_call(dice: Dice) -> Call:
    """Return a fit of an estimator with odd parameters."""
    kind = dice.pick(
        [Mixture, Mixture, Mixture, GaussianMixture, OMGP, PowerKMeans, ThompsonMixture]
    )
    given = with_odd(dice, names_of(kind))
    few = {"n_components": 2, "random_state": 0, "max_iter": 3}
    settings = {**{name: one for name, one in few.items() if name in names_of(kind)}, **given}
    if kind in (Mixture, GaussianMixture):
        settings = {"algorithm": "em", **settings}
        return Call(described(kind.__name__, given), lambda: use(kind(**settings), table()))
    if kind is OMGP:
        return Call(
            described("OMGP", given), lambda: kind(**settings).fit(table()[:, :1], table()[:, 1])
        )
    return Call(described(kind.__name__, given), lambda: kind(**settings).fit(table()))


@cache
def table() -> Any:
    """Return two clusters of rows."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(24, 2)) + 6 * (np.arange(24) % 2)[:, None]


@cache
def fitted() -> dict[str, tuple[Any, dict[str, Any]]]:
    """Return fitted mixtures, and the data of each as arguments of methods."""
    X, rng = table(), np.random.default_rng(1)
    mixed = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "kind": np.where(X[:, 0] > 3, "x", "y")})
    walks = [rng.normal(size=(6, 1)).cumsum(axis=0) for _ in range(8)]
    growth = [(np.arange(5.0), rng.normal(size=5)) for _ in range(8)]
    given: dict[str, tuple[Any, Any, Any]] = {
        "table": (Gaussian(), X, None),
        "mixed": (Product.auto(mixed), mixed, None),
        "lines": (LinearRegression(), X[:, :1], X[:, 1]),
        "chains": (HMM(2), walks, None),
        "growth": (GrowthCurve(), growth, None),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they need not converge
        return {
            name: (Mixture(family, 2, **FEW).fit(data, y), {"X": data, "y": y})
            for name, (family, data, y) in given.items()
        }


def called(function: Callable[..., Any], name: str, base: dict[str, Any], dice: Dice) -> Call:
    """Return the call of a function with odd arguments, and others that suit."""
    names = names_of(function)
    given = with_odd(dice, names) if names else {}
    suiting = {one: value for one, value in base.items() if one in names}
    return Call(described(name, given), partial(function, **{**suiting, **given}))


def method_call(dice: Dice) -> Call:
    """Return the call of a method of a fitted mixture."""
    which = dice.pick(list(fitted()))
    model, data = fitted()[which]
    names = [one for one in dir(Mixture) if not one.startswith("_") and one not in SKIPPED]
    name = dice.pick([one for one in names if callable(getattr_static(Mixture, one))])
    base = {**data, "path": "model.bmix", "n_samples": 3, "n": 2, "bootstrap": 2, "n_replicates": 2}
    return _of_copy(model, name, which, base, dice)


def _of_copy(model: Any, name: str, which: str, base: dict[str, Any], dice: Dice) -> Call:
    """Return the call of a method; one that fits again does so in a copy."""
    if name.startswith("fit"):
        model = Mixture(model.family, 2, **FEW)
    return called(getattr(model, name), f"{which}.{name}", base, dice)


def functions() -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    """Return functions by name, with arguments that suit."""
    model, data = fitted()["table"]
    X = data["X"]
    long = pd.DataFrame({"id": [0, 0, 1, 1], "time": [0.0, 1.0, 0.0, 1.0], "value": X[:4, 0]})
    found: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
        "compare": (boltzmix.compare, {**data, "families": Gaussian(), "n_components": [1, 2]}),
        "load": (boltzmix.load, {"path": "model.bmix"}),
        "purity_score": (
            boltzmix.metrics.purity_score,
            {"labels_true": [0, 1], "labels_pred": [0, 1]},
        ),
        "Sequences": (Sequences, {"values": X, "ends": np.array([0, 24])}),
        "Trajectories": (Trajectories, {"times": X[:, 0], "values": X, "ends": np.array([0, 24])}),
        "from_lengths": (Sequences.from_lengths, {"X": X, "lengths": [12, 12]}),
        "from_padded": (Sequences.from_padded, {"X": X[:, :, None]}),
        "from_channels_first": (Sequences.from_channels_first, {"X": X[:, :, None]}),
        "from_rows": (Sequences.from_rows, {"X": X, "sequence": np.repeat([0, 1], 12)}),
        "from_frame": (Sequences.from_frame, {"frame": long.set_index(["id", "time"])}),
        "with_slopes": (Sequences.of([X]).with_slopes, {}),
        "from_long": (Trajectories.from_long, {"frame": long, "id": "id", "time": "time"}),
        "from_wide": (Trajectories.from_wide, {"X": X}),
        "states": (plots.states, {"component": fitted()["chains"][0].components_[0]}),
    }
    for name in datasets.__all__:
        if name.startswith(("make", "draw")):
            found[name] = getattr(datasets, name), {}
    for name in plots.__all__:
        if callable(getattr(plots, name)) and name.islower() and name not in found:
            found[name] = getattr(plots, name), {"model": model, "states": [], **data}
    return found


def function_call(dice: Dice) -> Call:
    """Return the call of a function."""
    known = functions()
    name = dice.pick(list(known))
    return called(known[name][0], name, known[name][1], dice)


def make_call(number: int) -> Call:
    """Return the call of a number."""
    dice = Dice(number)
    makers = [family_call, family_call, estimator_call, method_call, algorithm_call, function_call]
    return dice.pick(makers)(dice)


def run(count: int, seed: int, minutes: float) -> int:
    """Run calls; print failures; return how many failed."""
    return run_calls("parameters", make_call, count, seed, minutes)
