"""Sets whose number of clusters is known, for the benchmark `choice`."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import ceil
from typing import Any

from boltzmix.datasets import make_mixture

from .labelled_sets import LABELLED, Labelled, find_sets, standardised

SEPARATED, OVERLAPPING, TIMED = "separated", "overlapping", "timed"  # groups of sets
NUMBERS = (1, 2, 5, 8, 15, 30)
FEW_NUMBERS = (2, 5, 8)
COLUMNS = (2, 5, 10)
UNBALANCE = 5.0
FAR, NEAR = 5.0, 2.5  # separation of means; see `make_mixture`
ROWS_OF_EACH, FEWEST_ROWS = 150, 500
TIMED_SETS = {"K5-D8-2000": 2_000, "K5-D8-10000": 10_000}
UP_TO = 9  # components in timed sets


@dataclass(frozen=True)
class ChoiceSet:
    """A data set, or a distribution to draw it from.

    Parameters
    ----------
    make : function
        Returns the data of a seed.
    group : str
        SEPARATED, OVERLAPPING, TIMED or LABELLED.
    drawn : bool
        Whether each seed draws new data.
    """

    make: Callable[[int], Labelled]
    group: str
    drawn: bool = True


def draw(
    n: int, k: int, d: int, separation: float, unbalance: float, rotated: bool, seed: int
) -> Labelled:
    """Draw a mixture of Gaussians, with standardised columns."""
    return standardised(
        *make_mixture(
            n, k, d, separation=separation, unbalance=unbalance, rotated=rotated, random_state=seed
        )
    )


def rows_of(k: int) -> int:
    """Return the number of rows of a simulated set of K clusters."""
    return max(FEWEST_ROWS, ROWS_OF_EACH * k)


def most_components(k: int) -> int:
    """Return the largest number of components that is compared where K is right."""
    return ceil(1.4 * k) + 4


def find_choice_sets() -> tuple[dict[str, ChoiceSet], list[str]]:
    """Return all sets by name, and the names of those whose data are absent."""
    found, absent = find_sets()
    sets = dict(_simulated())
    for name, one in found.items():
        if one.group == LABELLED or name in ("S1", "A1"):
            group = LABELLED if one.group == LABELLED else SEPARATED
            sets[name] = ChoiceSet(one.make, group, drawn=False)
    return sets, absent


def _simulated() -> Any:
    for k, d, unbalance in product(NUMBERS, COLUMNS, (1.0, UNBALANCE)):
        if k > 1 or unbalance == 1:
            ending = "-unbalanced" if unbalance > 1 else ""
            make = partial(draw, rows_of(k), k, d, FAR, unbalance, True)
            yield f"K{k}-D{d}-far{ending}", ChoiceSet(make, SEPARATED)
    for k, d, rotated in product(FEW_NUMBERS, COLUMNS, (True, False)):
        ending = "" if rotated else "-axes"
        make = partial(draw, rows_of(k), k, d, NEAR, 1.0, rotated)
        yield f"K{k}-D{d}-near{ending}", ChoiceSet(make, OVERLAPPING)
    for name, n in TIMED_SETS.items():
        yield name, ChoiceSet(partial(draw, n, 5, 8, 3.0, 1.0, True), TIMED)
