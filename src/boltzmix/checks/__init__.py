"""Checks of the contract of a family, for anyone who writes one."""

from collections.abc import Callable, Iterator
from functools import partial

from ..families import Family
from .case import Case, ContractError
from .densities import DENSITIES
from .fitting import FITTING
from .learning import LEARNING
from .statistics import STATISTICS

CHECKS = (*DENSITIES, *FITTING, *STATISTICS, *LEARNING)

__all__ = ["ContractError", "check_family", "family_checks"]


def check_family(
    family: Family, data: object = None, y: object = None, random_state: int = 0
) -> None:
    """Check that a family keeps its contract.

    Parameters
    ----------
    family : Family
        An object of your family, not the class.
    data : what the family is fitted to, optional
        A few dozen observations; simulated unless given, if simulated ones suit the family.
    y : targets, optional
        For families that have them.
    random_state : int, default=0

    Raises
    ------
    ContractError
        At the first check that fails, with a sentence that says what is wrong. It is an
        AssertionError.

    Examples
    --------
    >>> from boltzmix.families import Family, Poisson
    >>> check_family(Poisson())
    >>> class Forgetful(Poisson):
    ...     def log_prob(self, data):
    ...         return super().log_prob(data).sum()
    >>> check_family(Forgetful())
    Traceback (most recent call last):
        ...
    boltzmix.checks.case.ContractError: Forgetful.log_prob returned shape () for 60 observations:
    the contract wants one log density for each, shape (60,).
    """
    for _, check in family_checks(family, data, y, random_state):
        check()


def family_checks(
    family: Family, data: object = None, y: object = None, random_state: int = 0
) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the name of each check, and a function without arguments that makes it.

    Parameters are those of `check_family`. With pytest::

        @pytest.mark.parametrize(("name", "check"), family_checks(MyFamily()))
        def test_my_family(name, check):
            check()

    Examples
    --------
    >>> from boltzmix.families import Poisson
    >>> name, check = next(family_checks(Poisson()))
    >>> name
    'log_prob_is_one_number_each'
    """
    if not isinstance(family, Family):
        raise TypeError(
            "check_family takes an object whose class derives from boltzmix.families.Family, not"
            f" {family!r}."
        )
    case = Case.of(family, data, y, random_state)
    for check in CHECKS:
        name = check.__name__.removeprefix("check_")
        yield name, partial(case.make, check)
