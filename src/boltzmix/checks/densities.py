"""Checks of the densities and descriptions of a fitted family."""

import pickle
from collections.abc import Callable
from numbers import Integral

import numpy as np

from ..data import Data, FloatArray, Regression, Sequences, Table, Trajectories, counted
from ..families import Description, Family
from .case import Case, ContractError, close

Observe = Callable[[FloatArray], Data]  # observations with these numbers
FARTHEST = 14.0  # end of the grid of integration: its sinh, in units of the data's spread
POINTS = 20_001
NOT_ONE = 0.02  # how far an integral may be from one
LOST = 0.3  # nats per observation, or per step of it, that a fit to a sample may lose


def check_log_prob_is_one_number_each(case: Case) -> None:
    """Check that `log_prob` returns one log density per observation, and no NaN or infinity."""
    n, shape = len(case.data), case.log_densities.shape
    if shape != (n,):
        raise ContractError(
            f"{case.name}.log_prob returned shape {shape} for {n} observations: the"
            f" contract wants one log density for each, shape ({n},)."
        )
    bad = ~(case.log_densities < np.inf)
    if bad.any():
        raise ContractError(
            f"{case.name}.log_prob returned {case.log_densities[bad][0]} for observation"
            f" {bad.argmax()}: the contract wants a number, or -inf where the density is zero."
        )


def check_log_prob_of_an_observation_is_its_own(case: Case) -> None:
    """Check that `log_prob` of an observation does not depend on those beside it."""
    if case.family.joint:
        return
    for place in (0, len(case.data) // 2, len(case.data) - 1):
        alone = case.fitted.log_prob(case.data.take(np.array([place])))
        if not close(alone, case.log_densities[[place]], 1e-6):
            raise ContractError(
                f"{case.name}.log_prob of observation {place} is {np.ravel(alone)[0]:.6g} alone but"
                f" {case.log_densities[place]:.6g} beside others: the contract wants each"
                " observation evaluated by itself (or a JointFamily)."
            )


def check_densities_add_up_to_one(case: Case) -> None:
    """Check that the density integrates to one, or probabilities of whole numbers add up to one."""
    found = _single_numbers(case)
    if found is None:
        return
    component, observations, seen = found
    if _is_discrete(component, observations, seen):
        total = _sum(component, observations, seen)
        what = "probabilities of whole numbers add up"
    else:
        total, what = _integral(component, observations, seen), "density integrates"
    if total is not None and not abs(total - 1) < NOT_ONE:
        raise ContractError(
            f"{case.name}.log_prob is no log density: its {what} to {total:.4g}, where the"
            " contract wants 1; see that constants are there, and -inf off the support."
        )


def check_parameter_vector_makes_the_same_component(case: Case) -> None:
    """Check that a component made from its own `parameter_vector`, if it has one, is the same."""
    try:
        vector = case.fitted.parameter_vector
    except NotImplementedError:
        return
    if np.ndim(vector) != 1 or not np.isfinite(vector).all():
        raise ContractError(
            f"{case.name}.parameter_vector is {vector!r:.60}: the contract wants finite numbers,"
            " shape (p,)."
        )
    again = case.fitted.with_parameter_vector(vector).log_prob(case.data)
    if not close(again, case.log_densities, 1e-6):
        raise ContractError(
            f"{case.name}.with_parameter_vector(parameter_vector) has other log densities: the"
            " contract wants the same component."
        )


def check_n_parameters_is_a_count(case: Case) -> None:
    """Check that `n_parameters`, if given, is a whole number of zero or more."""
    try:
        found = case.fitted.n_parameters
    except NotImplementedError:
        return
    if not isinstance(found, Integral) or isinstance(found, bool) or int(found) < 0:
        raise ContractError(
            f"{case.name}.n_parameters is {found!r}: the contract wants a whole number of zero or"
            " more, the free parameters of one component."
        )


def check_pickling_keeps_log_densities(case: Case) -> None:
    """Check that a fitted component can be pickled, and is the same afterwards."""
    try:
        copied = pickle.loads(pickle.dumps(case.fitted))
    except Exception as error:
        raise ContractError(
            f"{case.name} cannot be pickled ({error}), so no mixture of it can be saved: define"
            " classes and functions at the top of a module, and hold no open files or locks."
        ) from error
    if not np.array_equal(copied.log_prob(case.data), case.log_densities):
        raise ContractError(
            f"{case.name}.log_prob differs after pickling: the contract wants all parameters"
            " pickled; look at __getstate__ and __reduce__."
        )


def check_a_sample_is_like_the_data(case: Case) -> None:
    """Check that a component fitted to a sample of another finds the data about as likely."""
    n = 10 * len(case.data)
    try:
        drawn = case.fitted.sample(n, case.rng())
    except NotImplementedError:
        return
    sample = case.fitted.observe(drawn)
    if len(sample) != n or sample.n_features != case.data.n_features:
        raise ContractError(
            f"{case.name}.sample({n}, rng) returned {len(sample)} observations of"
            f" {counted(sample.n_features, 'feature')}: the contract wants {n} of"
            f" {case.data.n_features}."
        )
    again = case.fitted.fit(sample, rng=case.rng())
    lost = np.median(case.log_densities - again.log_prob(case.data)) / case.data.mean_size
    if not lost < LOST:
        raise ContractError(
            f"{case.name}.sample does not draw from the density: fitted to a sample of {n}, it"
            f" finds half of the data {lost:.3g} nats or more less likely than before."
        )


def check_a_description_has_finite_numbers(case: Case) -> None:
    """Check that `describe` returns a Description, of numbers that are finite."""
    description = case.fitted.describe()
    if not isinstance(description, Description):
        raise ContractError(
            f"{case.name}.describe returned {type(description).__name__}: the contract wants a"
            " boltzmix.families.Description."
        )
    for name, value in description.parameters.items():
        if not np.isfinite(np.asarray(value, dtype=float)).all():
            raise ContractError(
                f"{case.name}.describe has the parameter {name} = {value!r}: the contract wants"
                " numbers, or arrays of numbers, that are finite."
            )


def _single_numbers(case: Case) -> tuple[Family, Observe, FloatArray] | None:
    """Return a component of single numbers, how they are observed, and those it was fitted to.

    None, if observations have more than one number and cannot be cut.
    """
    data: Data = case.data
    if isinstance(data, Regression):
        if data.targets.shape[1] != 1:
            return None
        first = data.inputs[:1]
        return (
            case.fitted,
            lambda x: Regression(np.repeat(first, len(x), axis=0), x[:, None]),
            data.targets[:, 0],
        )
    if isinstance(data, Sequences):
        cut = Sequences(data.values[:, :1], data.ends)
        return _refitted(
            case, cut, lambda x: Sequences.from_lengths(x[:, None], np.ones(len(x), dtype=int))
        )
    if isinstance(data, Trajectories):
        if data.n_features != 1:
            return None
        time = data.times[:1]
        return (
            case.fitted,
            lambda x: Trajectories(np.repeat(time, len(x)), x[:, None], np.arange(len(x) + 1)),
            data.values[:, 0],
        )
    if isinstance(data, Table):
        return _refitted(case, Table(data.values[:, :1]), lambda x: Table(x[:, None]))
    return None


def _refitted(
    case: Case, data: Table | Sequences, observations: Observe
) -> tuple[Family, Observe, FloatArray] | None:
    seen = data.values[:, 0].astype(float)
    seen = seen[~np.isnan(seen)]
    if case.data.n_features == 1:
        return case.fitted, observations, seen
    try:
        component = case.family.prepare(data, 1).fit(data, rng=case.rng())
        component.log_prob(data)
    except Exception:  # a family of several columns only
        return None
    return component, observations, seen


def _density(component: Family, observations: Observe, x: FloatArray) -> FloatArray | None:
    """Return densities of numbers, or None if some do not suit the family."""
    try:
        return np.exp(component.log_prob(observations(x)))
    except (TypeError, ValueError):
        return None


def _is_discrete(component: Family, observations: Observe, seen: FloatArray) -> bool:
    if (seen != np.floor(seen)).any():
        return False
    between = _density(component, observations, seen + 0.5)
    return between is None or not between.any()


def _sum(component: Family, observations: Observe, seen: FloatArray) -> float | None:
    """Return the sum of probabilities of all whole numbers that suit the family."""
    far = 50 * (np.abs(seen).max() + 10)
    for low, high in ((-far, far), (0.0, far), (0.0, seen.max())):
        found = _density(component, observations, np.arange(low, high + 1))
        if found is not None:
            return float(found.sum())
    return None


def _integral(component: Family, observations: Observe, seen: FloatArray) -> float | None:
    """Return the integral of the density, by the trapezoidal rule on a sinh-spaced grid.

    None, if numbers do not suit the family.
    """
    middle, spread = float(np.median(seen)), float(seen.std()) or 1.0
    if _are_angles(component, observations, seen):
        turn = np.linspace(middle - np.pi, middle + np.pi, POINTS)
        return float(np.trapezoid(np.exp(component.log_prob(observations(turn))), turn))
    steps = np.linspace(-FARTHEST, FARTHEST, POINTS)
    x = middle + spread * np.sinh(steps)
    for start in (-np.inf, 0.0):
        inside = x > start
        found = _density(component, observations, x[inside])
        if found is not None:
            slopes = spread * np.cosh(steps[inside])
            return float(np.trapezoid(found * slopes, steps[inside])) + _of_atoms(
                component, observations
            )
    return None


def _of_atoms(component: Family, observations: Observe) -> float:
    """Return the probability of all numbers that have one of their own."""
    if not component.atoms:
        return 0.0
    return float(np.exp(component.log_prob(observations(np.array(component.atoms)))).sum())


def _are_angles(component: Family, observations: Observe, seen: FloatArray) -> bool:
    """Return whether numbers a whole turn apart have the same density."""
    once, again = (_density(component, observations, seen + turn) for turn in (0.0, 2 * np.pi))
    if once is None or again is None:
        return False
    return bool(np.ptp(once) > 0 and np.allclose(once, again, rtol=1e-6))


DENSITIES = (
    check_log_prob_is_one_number_each,
    check_log_prob_of_an_observation_is_its_own,
    check_densities_add_up_to_one,
    check_parameter_vector_makes_the_same_component,
    check_n_parameters_is_a_count,
    check_pickling_keeps_log_densities,
    check_a_sample_is_like_the_data,
    check_a_description_has_finite_numbers,
)
