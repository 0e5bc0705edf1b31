"""Checks of mixtures of a family."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..data import Data, FloatArray, Regression, Sequences, Trajectories, counted
from ..mixture import Mixture
from .case import Case, ContractError

MAX_ITER = 15


def check_mixtures_can_be_learned(case: Case) -> None:
    """Check that a mixture of two is learned by BEEM, CEM and, if the family is weighted, EM."""
    algorithms = ["beem", "cem", *(["em"] if case.fitted.weighted else [])]
    for algorithm in algorithms:
        model = Mixture(
            case.family, 2, algorithm=algorithm, max_iter=MAX_ITER, random_state=case.seed
        ).fit(case.data)
        responsibilities = model.predict_proba(case.data)
        if not np.allclose(responsibilities.sum(axis=1), 1):
            raise ContractError(
                f"The responsibilities of a mixture of two {case.name} learned by {algorithm!r} do"
                " not add up to one: the contract wants log densities that are numbers."
            )


def check_other_columns_raise_an_error(case: Case) -> None:
    """Check that observations with too many columns raise a ValueError with a sentence."""
    model = _mixture(case).fit(case.data)
    X, y = _raw(case.data)
    wide = _changed(X, lambda values: np.hstack([values, values]))
    try:
        model.score_samples(wide, y)
    except (TypeError, ValueError) as error:
        _check_sentence(case, error, "observations with too many columns")
    else:
        raise ContractError(
            f"{case.name} fitted to {counted(case.data.n_features, 'column')} takes observations"
            f" with {2 * case.data.n_features}: the contract wants a ValueError; look at observe."
        )


def check_no_observations_raise_an_error(case: Case) -> None:
    """Check that no observations at all raise a ValueError with a sentence."""
    X, y = _raw(case.data.take(slice(0, 1)))
    nothing = [] if isinstance(X, list) else X[:0]
    try:
        _mixture(case).fit(nothing, None if y is None else y[:0])
    except (TypeError, ValueError) as error:
        _check_sentence(case, error, "no observations")
    else:
        raise ContractError(
            f"{case.name} can be fitted to no observations at all: the contract wants a"
            " ValueError; look at observe."
        )


def check_missing_values_raise_an_error_or_are_understood(case: Case) -> None:
    """Check that a mixture of observations with NaN is fitted, or raises a sentence.

    Log densities that are not numbers raise one.
    """
    X, y = _raw(case.data)
    X = _changed(X, _without_first_value, every=False)
    try:
        _mixture(case).fit(X, y).score_samples(X, y)
    except (TypeError, ValueError) as error:
        _check_sentence(case, error, "NaN")


def _mixture(case: Case) -> Mixture:
    return Mixture(case.family, 1, algorithm="cem", max_iter=2, random_state=case.seed)


def _raw(data: Data) -> tuple[Any, Any]:
    """Return observations as a user would pass them: X and y."""
    if isinstance(data, Regression):
        return data.inputs, data.targets
    if isinstance(data, Sequences | Trajectories):
        return list(data), None
    return np.asarray(data.as_vectors(), dtype=float), None


def _changed(X: object, change: Callable[[Any], Any], every: bool = True) -> Any:
    """Return observations with other values: those of a table, or of every (or the last) one."""
    if not isinstance(X, list):
        return change(X)

    def changed(one: object) -> object:
        return (one[0], change(one[1])) if isinstance(one, tuple) else change(one)

    return [changed(one) if every or place == len(X) - 1 else one for place, one in enumerate(X)]


def _without_first_value(values: FloatArray) -> FloatArray:
    return np.where(np.arange(values.size).reshape(values.shape) == 0, np.nan, values)


def _check_sentence(case: Case, error: Exception, what: str) -> None:
    if len(str(error).split()) < 4:
        raise ContractError(
            f"{case.name} raises {error!r} for {what}: the contract wants a sentence that says what"
            " is wrong."
        ) from error


LEARNING = (
    check_mixtures_can_be_learned,
    check_other_columns_raise_an_error,
    check_no_observations_raise_an_error,
    check_missing_values_raise_an_error_or_are_understood,
)
