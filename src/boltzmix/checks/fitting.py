"""Checks of how a family is fitted."""

from copy import deepcopy
from functools import cached_property
from numbers import Real

import numpy as np

from ..data import Data, FloatArray
from ..families import Family
from .case import Case, ContractError, close

LOST = 0.01  # nats per observation, or per step of it, that a prior may cost
ORDER = 0.02  # by how much the mean log-likelihood may depend on the order of rows


def check_fit_returns_a_new_object(case: Case) -> None:
    """Check that `fit` returns a new object, and leaves the one it is called on as it is."""
    for component in (case.family, case.fitted):
        held, before = dict(vars(component)), _copies(component)
        new = component.fit(case.data.take(case.halves[0]), rng=case.rng())
        if new is component:
            raise ContractError(
                f"{case.name}.fit returned the object it was called on: the contract wants a new"
                " one, since components are shared between steps of the learning."
            )
        if not isinstance(new, Family):
            raise ContractError(
                f"{case.name}.fit returned {type(new).__name__}: the contract wants a new object"
                " of the family, fitted."
            )
        changed = _changed(component, held, before)
        if changed:
            raise ContractError(
                f"{case.name}.fit changed {changed} of the object it was called on: the contract"
                " wants a new object, and the old one as it was."
            )


def check_fit_leaves_log_densities_as_they_were(case: Case) -> None:
    """Check that `fit` does not change the `log_prob` of the component it is called on."""
    before = np.array(case.fitted.log_prob(case.data))
    case.fitted.fit(case.data.take(case.halves[0]), rng=case.rng())
    if not np.array_equal(before, case.fitted.log_prob(case.data)):
        raise ContractError(
            f"{case.name}.fit changed the log_prob of the component it was called on: the contract"
            " wants parameters that are never changed in place, nor shared and changed."
        )


def check_fitting_again_loses_no_likelihood(case: Case) -> None:
    """Check that a second fit to the same observations loses no likelihood (a warm start)."""
    again = case.fitted.fit(case.data, rng=case.rng(1))
    before, after = (case.total(one, case.data) for one in (case.fitted, again))
    size = len(case.data) * case.data.mean_size
    if not after >= before - LOST * size:
        raise ContractError(
            f"{case.name} fitted a second time to the same observations has a log-likelihood of"
            f" {after:.6g}, and had {before:.6g}: the contract wants a fitted component to start"
            " from its parameters, or to come back to them."
        )


def check_log_prior_is_a_number(case: Case) -> None:
    """Check that `log_prior` of a fitted component is a finite number."""
    found = case.fitted.log_prior
    if not isinstance(found, Real) or not np.isfinite(float(found)):
        raise ContractError(
            f"{case.name}.log_prior is {found!r}: the contract wants a finite number, the log"
            " density of the prior at the parameters."
        )


def check_fit_maximises_likelihood_times_prior(case: Case) -> None:
    """Check that no component fitted to other observations is more probable, prior included."""
    if case.family.joint:
        return
    halves = [case.data.take(half) for half in case.halves]
    fits = [case.prepared.fit(half, rng=case.rng()) for half in halves]
    if not any(one.log_prior for one in fits):
        return
    for data, own, other in zip(halves, fits, fits[::-1], strict=True):
        best, instead = _objective(own, data), _objective(other, data)
        if not best >= instead - LOST * len(data) * data.mean_size:
            raise ContractError(
                f"{case.name} fitted to some observations has a log-likelihood plus log_prior of"
                f" {best:.6g} for them, less than the {instead:.6g} of a component fitted to"
                " others: the contract wants fit to maximise this sum; look at log_prior, and at"
                " its sign."
            )


def _objective(component: Family, data: Data) -> float:
    bank = component.bank([component])
    return float(bank.evaluate(data).log_densities.sum() + bank.log_prior.sum())


def check_order_does_not_matter(case: Case) -> None:
    """Check that a fit does not depend on the order of the observations."""
    if not case.deterministic:
        return
    order = case.rng().permutation(len(case.data))
    for chosen in (order, np.arange(len(order))[::-1]):
        other = case.prepared.fit(case.data.take(chosen), rng=case.rng())
        before, after = (case.total(one, case.data) for one in (case.fitted, other))
        if not close(after / len(order), before / len(order), ORDER):
            raise ContractError(
                f"{case.name} fitted to the same observations in another order has a"
                f" log-likelihood of {after:.6g}, not {before:.6g}: the contract wants fits that"
                " do not depend on the order."
            )


def check_weights_of_one_are_no_weights(case: Case) -> None:
    """Check that weights of one are the same as no weights."""
    seen, kept = map(case.data.take, case.halves)
    if _differ(case, seen, np.ones(len(seen)), seen, kept):
        raise ContractError(
            f"{case.name} fitted with weights of one differs from a fit without weights: the"
            " contract of weighted = True wants them to be the same."
        )


def check_a_weight_of_three_is_three_rows(case: Case) -> None:
    """Check that an observation with a weight of three counts as three equal observations."""
    seen, kept = map(case.data.take, case.halves)
    rare = np.argsort(case.log_densities[case.halves[0]])[: len(seen) // 4]
    weights = np.ones(len(seen))
    weights[rare] = 3
    repeated = seen.take(np.concatenate([np.arange(len(seen)), rare, rare]))
    if _differ(case, seen, weights, repeated, kept):
        raise ContractError(
            f"{case.name} fitted with weights of three on some observations differs from a fit in"
            " which these come three times: the contract of weighted = True wants them to be the"
            " same; if fit does not honour weights, declare weighted = False."
        )


def check_a_weight_of_zero_is_no_row(case: Case) -> None:
    """Check that an observation with a weight of zero does not count."""
    kept, left_out = case.halves
    weights = np.zeros(len(case.data))
    weights[kept] = 1
    if _differ(case, case.data, weights, case.data.take(kept), case.data.take(left_out)):
        raise ContractError(
            f"{case.name} fitted with weights of zero on some observations differs from a fit"
            " without these: the contract of weighted = True wants them to be the same."
        )


def _differ(case: Case, data: Data, weights: FloatArray, instead: Data, judged: Data) -> bool:
    """Return whether a fit with weights surely differs from one without, to other observations.

    They are compared by their log densities of observations that neither was fitted to.
    """
    if not case.fitted.weighted:
        return False
    weighted, plain = case.sure_fit(data, weights), case.sure_fit(instead)
    return weighted is not None and plain is not None and not case.alike(weighted, plain, judged)


def _copies(component: Family) -> dict[str, object]:
    """Return copies of the attributes of a component that can be copied."""
    copies = {}
    for name, value in vars(component).items():
        try:
            copies[name] = deepcopy(value)
        except Exception:
            copies[name] = value
    return copies


def _changed(component: Family, held: dict[str, object], before: dict[str, object]) -> str | None:
    """Return the name of an attribute of a component that has changed."""
    for name, value in vars(component).items():
        if name in held:
            if value is not held[name] or not _same(value, before[name]):
                return name
        elif not isinstance(getattr(type(component), name, None), cached_property):
            return name
    return None


def _same(one: object, other: object) -> bool:
    """Return whether plain values are equal; objects of other kinds are taken to be equal."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, np.asarray(other), equal_nan=one.dtype.kind == "f")
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, int | float | str | bool):
        return one == other or one != one
    return True


FITTING = (
    check_fit_returns_a_new_object,
    check_fit_leaves_log_densities_as_they_were,
    check_fitting_again_loses_no_likelihood,
    check_log_prior_is_a_number,
    check_fit_maximises_likelihood_times_prior,
    check_order_does_not_matter,
    check_weights_of_one_are_no_weights,
    check_a_weight_of_three_is_three_rows,
    check_a_weight_of_zero_is_no_row,
)
