"""The results of a three-step analysis."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from ...data import FloatArray, shown
from ..estimates import Estimates, WaldTest, p_value_cell
from .classes import AssignedClasses

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False, repr=False)
class ThreeStep:
    """The result of a three-step analysis.

    Parameters
    ----------
    estimates : Estimates
        Estimates with robust standard errors, which take the fitted mixture as known.
    classes : AssignedClasses
        Assignments of the rows that were used.
    correction : str or None
        "ml", "bch", or None.
    n_left_out : int
        Number of rows that were left out for a missing value.
    """

    estimates: Estimates
    classes: AssignedClasses
    correction: str | None
    n_left_out: int

    def __repr__(self) -> str:
        return "\n".join([repr(self.estimates), *self.sentences()])

    def _repr_html_(self) -> str:
        below = "".join(f"<p>{escape(one)}</p>" for one in self.sentences())
        return self.estimates._repr_html_() + below

    @property
    def classification(self) -> FloatArray:
        """Probability that a member of the row's component is assigned to the column's, (K, K)."""
        return self.classes.errors

    @property
    def n_used(self) -> int:
        """Number of rows that were used."""
        return len(self.classes.assignments)

    def to_frame(self, level: float = 0.95) -> "DataFrame":
        """Return a pandas frame with one row for each estimate."""
        return self.estimates.to_frame(level)

    def sentences(self) -> list[str]:
        """Say below the table what was tested, and which rows were used."""
        if not self.n_left_out:
            return []
        n = self.n_used + self.n_left_out
        return [f"{self.n_left_out:,} of {n:,} rows were left out, as a value is missing."]


@dataclass(frozen=True, eq=False, repr=False)
class CovariateEffects(ThreeStep):
    """How covariates change the probabilities of components.

    The estimates are coefficients of a multinomial logit: differences of log odds between a
    component and the reference, the first one. Their exponentials are odds ratios.

    Parameters
    ----------
    tests : mapping of str to WaldTest
        For each covariate, the test that it has no effect on any component.
    """

    tests: dict[str, WaldTest]

    def relative_to(self, component: int | str) -> Estimates:
        """Return the coefficients with another component as the reference."""
        reference, every = str(component), self.classes.names
        if reference not in every:
            raise ValueError(
                f"component must be one of {', '.join(every)}, not {shown(component)}."
            )
        others = [name for name in every if name != reference]
        unit = np.eye(len(every))
        rows = [unit[every.index(name)] - unit[every.index(reference)] for name in others]
        changes = np.array(rows)[:, 1:]  # the first component has no coefficients: they are zero
        found, n_terms = self.estimates, len(self.estimates) // len(others)
        moved = found.contrast(
            np.kron(changes, np.eye(n_terms)), tuple(np.repeat(others, n_terms).tolist())
        )
        caption = found.caption.replace(f"component {every[0]}", f"component {reference}")
        return replace(moved, names=found.names, caption=caption, notes=found.notes)

    def sentences(self) -> list[str]:
        tests = [f"No effect of {name}: {describe_test(test)}" for name, test in self.tests.items()]
        return [*tests, *super().sentences()]


@dataclass(frozen=True, eq=False, repr=False)
class DistalOutcome(ThreeStep):
    """An outcome within each component: its mean, or the probability of each category.

    Parameters
    ----------
    kind : str
        "number", "category" or "count".
    test : WaldTest
        The test that the outcome is the same in all components.
    differences : Estimates
        Differences between each two components.
    variances : array, shape (K,) or (K, C)
        Variance of the outcome, or of the indicator of each category, within each component.
    """

    kind: str
    test: WaldTest
    differences: Estimates
    variances: FloatArray

    def sentences(self) -> list[str]:
        return [f"Same in all components: {describe_test(self.test)}", *super().sentences()]


def describe_test(test: WaldTest) -> str:
    """Write a Wald test in a line."""
    if np.isnan(test.p_value):
        return "not tested."
    p = p_value_cell(test.p_value)
    p = f"p {p[0]} {p[1:]}" if p.startswith("<") else f"p = {p}"
    degrees = "degree" if test.degrees_of_freedom == 1 else "degrees"
    return f"Wald {test.statistic:.2f} with {test.degrees_of_freedom} {degrees} of freedom, {p}."


def pairwise_differences(estimates: Estimates, names: Sequence[str], n_columns: int) -> Estimates:
    """Return the differences between each two components, column by column.

    Parameters
    ----------
    estimates : Estimates
        Those of K components with C columns each.
    names : sequence of str, length K
    n_columns : int
        C.
    """
    pairs = list(combinations(range(len(names)), 2))
    contrasts = np.zeros((len(pairs), len(names)))
    for row, (one, other) in enumerate(pairs):
        contrasts[row, [other, one]] = 1.0, -1.0
    labels = [f"{names[other]} − {names[one]}" for one, other in pairs]
    columns = estimates.names[:n_columns]
    with_columns = tuple(label for label in labels for _ in columns)
    found = estimates.contrast(np.kron(contrasts, np.eye(n_columns)), with_columns)
    return replace(found, names=columns * len(pairs))
