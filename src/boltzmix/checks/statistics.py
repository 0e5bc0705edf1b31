"""Checks of statistics, and of K components together."""

from typing import cast

import numpy as np

from ..data import Hard, Soft
from ..families import AdditiveFamily, Bank
from ..families.contract.bank import fitted_to, statistics_of
from .case import Case, ContractError, close


def check_statistics_of_parts_add_up(case: Case) -> None:
    """Check that the sum of the statistics of two parts is as good as those of the whole."""
    if not case.fitted.additive:
        return
    start, (one, other) = cast(AdditiveFamily, case.fitted), case.halves
    whole = start.from_statistics(start.summarise(case.data), case.rng())
    parts = start.summarise(case.data.take(one)) + start.summarise(case.data.take(other))
    if not case.alike(start.from_statistics(parts, case.rng()), whole, case.data):
        raise ContractError(
            f"{case.name} fitted to the added statistics of two halves differs from a fit to those"
            " of the whole: the contract of additive = True wants summarise(a) + summarise(b) to"
            " be as good as summarise(a and b)."
        )


def check_statistics_times_a_number_weigh(case: Case) -> None:
    """Check that statistics times a number are those of observations with that weight."""
    if not case.fitted.additive:
        return
    start = cast(AdditiveFamily, case.fitted)
    one, other = map(case.data.take, case.halves)
    weighted = start.summarise(one, np.full(len(one), 3.0)) + start.summarise(other)
    multiplied = start.summarise(one) * 3.0 + start.summarise(other)
    one_fit, other_fit = (
        start.from_statistics(statistics, case.rng()) for statistics in (weighted, multiplied)
    )
    if not case.alike(one_fit, other_fit, case.data):
        raise ContractError(
            f"{case.name} fitted to statistics times three differs from a fit with weights of"
            " three: the contract of additive = True wants summarise(a) * 3 to be as good as"
            " summarise(a, weights of three)."
        )


def check_statistics_are_all_a_fit_needs(case: Case) -> None:
    """Check that `from_statistics` of a summary equals `fit`.

    It does not apply to families whose statistics depend on their parameters, as in steps of EM.
    """
    start = case.prepared
    if not case.deterministic:
        return
    summed, later = (
        fitted_to(start, statistics_of(one, case.data), case.rng()) for one in (start, case.fitted)
    )
    if not case.alike(summed, later, case.data):
        return
    if not case.alike(summed, case.fitted, case.data):
        raise ContractError(
            f"{case.name}.from_statistics(summarise(data)) differs from fit(data): the contract"
            " wants them to be the same."
        )


def check_a_bank_evaluates_as_its_components_do(case: Case) -> None:
    """Check that `bank(components).log_prob` equals `log_prob` component by component."""
    bank = _two(case)
    together = np.asarray(bank.log_prob(case.data))
    if together.shape != (len(case.data), 2):
        raise ContractError(
            f"The bank of {case.name} returned log densities of shape {together.shape} for"
            f" {len(case.data)} observations and 2 components: the contract wants shape"
            f" ({len(case.data)}, 2)."
        )
    for k, component in enumerate(bank.components):
        if not close(together[:, k], component.log_prob(case.data), 1e-6):
            raise ContractError(
                f"The bank of {case.name} has other log densities than its component {k}: the"
                " contract wants bank.log_prob(data)[:, k] to be components[k].log_prob(data)."
            )


def check_a_bank_fits_as_its_components_do(case: Case) -> None:
    """Check that `bank.update` equals fits one by one, unless components share something."""
    bank = _two(case)
    if not case.deterministic or _shares_parameters(bank) or bank.log_prior.any():
        return
    labels = np.zeros(len(case.data), dtype=np.int32)
    labels[case.halves[1]] = 1
    memberships: list[Hard | Soft] = [Hard(labels, 2)]
    if case.fitted.weighted:
        to_first = case.rng().uniform(0.1, 0.9, len(labels))
        memberships.append(Soft(np.column_stack([to_first, 1 - to_first])))
    for membership in memberships:
        statistics = bank.summarise(case.data, membership)
        updated = bank.update(statistics, np.array([False, True]), case.rng())
        indices, weights = membership.members(0)
        first, second = bank.components
        own = statistics_of(first, case.data.take(indices), weights)
        wanted = (fitted_to(first, own, case.rng()), second)
        for k, component in enumerate(updated.components):
            if not case.alike(component, wanted[k], case.data):
                raise ContractError(
                    f"The bank of {case.name} fits component {k} differently from its own fit, or"
                    " does not keep it: the contract wants bank.update to fit each component to its"
                    " own statistics, and leave those in `keep` as they are."
                )


def _two(case: Case) -> Bank:
    """Return two components, fitted to halves of the observations."""
    halves = (case.data.take(half) for half in case.halves)
    return case.prepared.bank([case.prepared.fit(half, rng=case.rng()) for half in halves])


def _shares_parameters(bank: Bank) -> bool:
    try:
        return bank.n_parameters < sum(one.n_parameters for one in bank.components)
    except NotImplementedError:
        return False


STATISTICS = (
    check_statistics_of_parts_add_up,
    check_statistics_times_a_number_weigh,
    check_statistics_are_all_a_fit_needs,
    check_a_bank_evaluates_as_its_components_do,
    check_a_bank_fits_as_its_components_do,
)
