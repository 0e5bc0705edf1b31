"""Tables of one population each, in which a method should find one cluster."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

ROWS = 500
COLUMNS = (2, 3, 10)
CONDITION = 100.0  # of the covariance of an elongated population
STEP = 0.5  # deviations between the values of a rounded column


class Population(NamedTuple):
    """A function that draws a table, and whether boltzmix fits it with the families `"auto"`."""

    draw: Callable[[Any], Any]
    mixed: bool = False


def elongated(rng: Any, d: int) -> Any:
    """Draw from a normal distribution whose variances differ by CONDITION, in random directions."""
    axes = np.linalg.qr(rng.normal(size=(d, d)))[0]
    return rng.normal(size=(ROWS, d)) * np.geomspace(1, np.sqrt(CONDITION), d) @ axes.T


def student(rng: Any, d: int) -> Any:
    """Draw from a multivariate t distribution with three degrees of freedom."""
    return rng.normal(size=(ROWS, d)) / np.sqrt(rng.chisquare(3, size=(ROWS, 1)) / 3)


def banana(rng: Any, d: int) -> Any:
    """Draw normal columns, the second of which depends on the square of the first."""
    rows = rng.normal(size=(ROWS, d))
    rows[:, 1] += rows[:, 0] ** 2
    return rows


KINDS: dict[str, Callable[[Any, int], Any]] = {
    "normal": lambda rng, d: rng.normal(size=(ROWS, d)),
    "elongated": elongated,
    "t3": student,
    "rounded": lambda rng, d: np.round(rng.normal(size=(ROWS, d)) / STEP) * STEP,
    "uniform": lambda rng, d: rng.uniform(size=(ROWS, d)),
    "log-normal-0.5": lambda rng, d: rng.lognormal(sigma=0.5, size=(ROWS, d)),
    "log-normal-1": lambda rng, d: rng.lognormal(size=(ROWS, d)),
    "exponential": lambda rng, d: rng.exponential(size=(ROWS, d)),
    "banana": banana,
}


def correlated(rng: Any, d: int, correlation: float) -> Any:
    """Draw normal columns, each pair of which has the same correlation."""
    shared = np.sqrt(correlation) * rng.normal(size=(ROWS, 1))
    return shared + np.sqrt(1 - correlation) * rng.normal(size=(ROWS, d))


def table(rng: Any, d: int, correlation: float, categories: tuple[int, ...] = ()) -> Any:
    """Draw correlated columns, and columns of so many categories, independent of all others."""
    frame = pd.DataFrame(correlated(rng, d, correlation), columns=[f"x{j}" for j in range(d)])
    for j, number in enumerate(categories):
        names = np.array([f"c{one}" for one in range(number)])
        frame[f"group{j}"] = rng.choice(names, size=ROWS, p=rng.dirichlet(np.full(number, 5.0)))
    return frame


def _of_kind(kind: str, d: int, rng: Any) -> Any:
    return KINDS[kind](rng, d)


def _populations() -> Iterator[tuple[str, Population]]:
    for kind in KINDS:
        for d in COLUMNS:
            yield f"{kind}-D{d}", Population(partial(_of_kind, kind, d))
    for rho in (0.7, 0.9):
        yield f"pair-{rho}", Population(partial(correlated, d=2, correlation=rho))
        yield f"auto-pair-{rho}", Population(partial(table, d=2, correlation=rho), mixed=True)
    for rho in (0.7, 0.9):
        for d, categories in ((2, (3,)), (4, (2, 4))):
            draw = partial(table, d=d, correlation=rho, categories=categories)
            yield f"auto-table-D{d + len(categories)}-{rho}", Population(draw, mixed=True)
    yield "copy", Population(partial(correlated, d=2, correlation=1.0))
    yield "auto-copy", Population(partial(table, d=2, correlation=1.0), mixed=True)


POPULATIONS: dict[str, Population] = dict(_populations())
