"""Fit a case, call every method of the fitted mixture, and say what failed."""

import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import current_thread, main_thread
from time import process_time
from typing import Any

import numpy as np

import boltzmix
from boltzmix.families import Product

from .cases import Case
from .judging import foreign_warnings, is_own_error, not_finite, where

MOST_SECONDS = 20.0  # of processor time for one call
NEGLIGIBLE_WEIGHT = 1e-30  # relative to the largest, below which `fit` leaves an observation out


class TookLong(BaseException):
    """A call took more processor time than it may; no exception, so that nothing catches it."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `TookLong` after so many seconds of processor time, if this is the main thread."""
    if current_thread() is not main_thread():
        yield
        return

    def end(*_: object) -> None:
        raise TookLong

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)  # again, if a callback swallowed the first
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@dataclass
class Outcome:
    """What happened in a case.

    Parameters
    ----------
    failures : list of str
    message : str
        The first error of boltzmix, if there was one.
    fitted : bool
        Whether `fit` succeeded.
    seconds : float
        Processor time of `fit`.
    """

    failures: list[str] = field(default_factory=list)
    message: str = ""
    seconds: float = 0.0
    fitted: bool = False

    def call(self, name: str, work: Callable[[], Any]) -> Any:
        """Call a method; note a foreign error or warning. Return None where there is no result."""
        with foreign_warnings() as warned:
            try:
                with at_most(MOST_SECONDS):
                    result = work()
            except TookLong as error:
                result = None
                self.failures.append(f"{name}: took {MOST_SECONDS:.0f} s ({where(error)})")
            except Exception as error:
                result = None
                if is_own_error(error):
                    self.message = self.message or f"{name}: {error}"
                else:
                    kind = type(error).__name__
                    self.failures.append(f"{name}: {kind}: {str(error)[:200]} ({where(error)})")
        self.failures += [f"{name}: {one}" for one in dict.fromkeys(warned)]
        return result

    def check(self, found: list[str]) -> None:
        """Note failures that were found in a result."""
        self.failures += found


def run(case: Case) -> Outcome:
    """Fit a case, and call every method of the fitted mixture."""
    outcome = Outcome()
    began = process_time()
    model = outcome.call("fit", lambda: _fitted(case))
    outcome.seconds = process_time() - began
    outcome.fitted = model is not None
    if model is not None and not outcome.failures:
        _check_attributes(outcome, model, case)
        _check_methods(outcome, model, case)
        _check_other_data(outcome, model, case)
    return outcome


def _fitted(case: Case) -> Any:
    return case.model().fit(case.data.read(), case.data.y, **case.arguments)


def _check_attributes(outcome: Outcome, model: Any, case: Case) -> None:
    for name in ("weights_", "lower_bound_", "noise_weight_"):
        outcome.check(not_finite(name, getattr(model, name)))
    if abs(model.weights_.sum() + model.noise_weight_ - 1) > 1e-6:
        outcome.check([f"weights_ sum to {model.weights_.sum() + model.noise_weight_}"])
    if not np.isin(model.labels_, np.arange(-1, model.n_components_)).all():
        outcome.check([f"labels_ has {np.unique(model.labels_)}"])
    outcome.call("repr", lambda: repr(model.components_))


def _check_methods(outcome: Outcome, model: Any, case: Case) -> None:
    """Call all methods with the data of the fit."""
    X, y, covariates = case.data.read(), case.data.y, case.arguments.get("covariates")
    given = (X, y, covariates)
    proba = _check_predictions(outcome, model, given, "")
    scores = outcome.call("score_samples", lambda: model.score_samples(*given))
    if scores is not None:
        weights = case.arguments.get("sample_weight")
        outcome.check(not_finite("score_samples", scores[_have_weight(weights, len(scores))]))
        if np.isfinite(scores).all():
            for name in ("score", "bic"):
                number = outcome.call(name, partial(getattr(model, name), *given))
                outcome.check(not_finite(name, 0.0 if number is None else number))
    drawn = outcome.call("sample", lambda: model.sample(5, covariates))
    if drawn is not None:
        outcome.check(_not_finite_draws(drawn[0], _left_out(model, drawn[0])))
    if case.template.kind in ("table", "frame"):
        filled = outcome.call("impute", lambda: model.impute(X, covariates))
        if filled is not None:
            outcome.check(_still_missing(filled, _left_out(model, filled)))
    if proba is not None:
        _check_file(outcome, model, given, proba)


def _check_predictions(outcome: Outcome, model: Any, given: tuple[Any, ...], which: str) -> Any:
    """Check that probabilities are such, and that `predict` is the largest of them."""
    labels = outcome.call(f"predict{which}", lambda: model.predict(*given))
    proba = outcome.call(f"predict_proba{which}", lambda: model.predict_proba(*given))
    if labels is None or proba is None:
        return None
    found = not_finite(f"predict_proba{which}", proba)
    if not found and np.abs(proba.sum(axis=1) - 1).max() > max(1e-9, 8 * np.finfo(proba.dtype).eps):
        found = [f"predict_proba{which} sums to {proba.sum(axis=1).min()}"]
    best = proba.argmax(axis=1)
    best = np.where(best < model.n_components_, best, -1)
    if not np.array_equal(labels, best):
        found.append(f"predict{which} is not the largest predict_proba")
    outcome.check(found)
    return proba


def _check_other_data(outcome: Outcome, model: Any, case: Case) -> None:
    """Predict other data, of which some may be impossible, but nothing may be NaN."""
    X = outcome.call("read", case.other.read)
    if X is None:
        return
    given = (X, case.other.y)
    _check_predictions(outcome, model, given, " of other data")
    scores = outcome.call("score_samples of other data", lambda: model.score_samples(*given))
    if scores is not None and np.isnan(scores).any():
        outcome.check(["score_samples of other data has nan"])


def _check_file(outcome: Outcome, model: Any, given: tuple[Any, ...], proba: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.bmix"

        def saved_and_loaded() -> Any:
            model.save(path)
            return boltzmix.load(path).predict_proba(*given)

        again = outcome.call("save and load", saved_and_loaded)
        if again is not None and not np.array_equal(again, proba):
            outcome.check(["save and load: predict_proba differs"])


def _have_weight(weights: Any, n: int) -> Any:
    """Return which of n observations have weights that are not negligible."""
    weights = np.broadcast_to(1.0 if weights is None else weights, n)
    return weights > NEGLIGIBLE_WEIGHT * weights.max()


def _left_out(model: Any, table: Any) -> list[int]:
    """Return the numbers of the columns of a table that no part of a product uses."""
    component = model.components_[0]
    if not isinstance(component, Product):
        return []
    keys = [key if isinstance(key, tuple) else (key,) for key in component.parts]
    used = {name for key in keys for name in key}
    names = getattr(table, "columns", component.columns or range(table.shape[1]))
    return [place for place, name in enumerate(names) if not used & {place, name}]


def _not_finite_draws(drawn: Any, left_out: list[int]) -> list[str]:
    """Return a sentence if draws are not finite, but for columns that are left out."""
    if left_out:
        drawn = np.delete(drawn, left_out, axis=1)
    parts = drawn if isinstance(drawn, list) else [drawn]
    arrays = [np.asarray(one) for part in parts for one in _arrays_of(part)]
    return [one for array in arrays for one in _not_finite_values("sample", array)][:1]


def _arrays_of(part: Any) -> list[Any]:
    """Return the arrays of one draw: a pair of times and values, or one array."""
    return list(part) if isinstance(part, tuple) else [part]


def _still_missing(filled: Any, left_out: list[int]) -> list[str]:
    """Return a sentence if values are missing, but for columns that are left out."""
    array = filled.to_numpy() if hasattr(filled, "to_numpy") else np.asarray(filled)
    return _not_finite_values("impute", np.delete(array, left_out, axis=1))


def _not_finite_values(name: str, array: Any) -> list[str]:
    """Return a sentence if numbers are not finite, or objects are missing."""
    if array.dtype.kind in "fiu":
        return not_finite(name, array)
    values = array.ravel().tolist()
    bad = [one for one in values if one is None or one != one or one in (np.inf, -np.inf)]
    return [f"{name} has {bad[0]} ({len(bad)} of {len(values)})"] if bad else []
