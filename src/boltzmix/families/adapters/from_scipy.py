"""A family made of a distribution of scipy.stats."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np

from ...data import DATA, Data, FloatArray, InputError, Rng, Rows, Table, Weights, as_number, shown
from ..columns.scales import robust_variances
from ..contract.base import Family
from ..contract.description import ColumnDescription, Description
from ..shared.constants import as_finite
from ..shared.copies import replaced
from ..shared.validation import fitted, read_floor
from .laws import Law, Values, as_law
from .maximum_likelihood import FEW_STEPS, Problem, maximum_likelihood
from .optimisation import whole_only


def check_values(name: str, given: object) -> None:
    """Validate that an argument is a dict of finite numbers."""
    if not isinstance(given, Mapping):
        raise ValueError(f"{name} must be a dict such as {{'loc': 0}}, not {shown(given)}.")
    for key, value in given.items():
        if not np.isfinite(as_number(value)):
            raise ValueError(f"{name}[{shown(key)}] must be a finite number, not {shown(value)}.")


def check_one_column(data: Any, law: Law) -> None:
    """Validate that a table has one column."""
    if data.n_features != 1:
        raise InputError(
            f"{DATA} has {data.n_features} columns, but {law.label} is a distribution of one: pass"
            " one"
            f" column, such as {DATA}[:, [0]]."
        )


def check_whole_numbers(x: FloatArray, law: Law) -> None:
    """Validate that values (n,) are whole numbers, if the distribution is one of such."""
    broken = np.flatnonzero(x != np.floor(x))
    if law.discrete and len(broken):
        raise InputError(
            f"Column 0 of {DATA} holds {x[broken[0]]:.12g}, but {law.label} is a distribution of"
            " whole"
            " numbers: use a continuous one, or round the column."
        )


def listed(values: Values) -> str:
    """Return parameters and their values, for messages."""
    return ", ".join(f"{name}={value:.4g}" for name, value in values.items())


FIRST_OPTIMISATIONS = 2  # from the likeliest of a grid of starts


@dataclass(frozen=True, eq=False)
class ScipyFamily(Family):
    """Any distribution of scipy.stats, continuous or discrete, of one column.

    Parameters are found by weighted maximum likelihood.

    Parameters
    ----------
    distribution : rv_continuous, rv_discrete, or a class of scipy's newer kind
        Such as ``scipy.stats.gamma``, ``scipy.stats.nbinom``, ``scipy.stats.Normal``, or what
        ``scipy.stats.make_distribution`` returns.
    fixed : mapping of str to float, optional
        Parameters that are known. Those that are whole numbers must be given, such as
        ``{"n": 10}`` of ``binom``. The ``loc`` of a discrete distribution is 0 unless given. For
        distributions of positive numbers, give ``{"loc": 0}`` unless their lower end is unknown:
        fits are faster and more reliable.
    start : mapping of str to float, optional
        First values of parameters. The newer kind of distributions need them, because they do not
        list the names of their parameters; a ``loc`` or ``scale`` among them is learned too.
    floor : float, default=0.01
        Limits the density of a continuous component, so that none collapses onto a point: it is at
        most one over this fraction of the standard deviation that the data would have in each of
        K equal parts. It is robust: where the quartiles imply a smaller deviation, that one is
        taken.
    parameters : mapping of str to float, optional
        All parameters, the fixed ones included. Present once fitted.

    Attributes
    ----------
    least_width : float
        One over the greatest density, in place of `floor`.

    Examples
    --------
    >>> from scipy import stats
    >>> family = ScipyFamily(stats.gamma, fixed={"loc": 0})
    >>> rows = Table.of(stats.gamma(3, scale=2).rvs((2000, 1), random_state=0))
    >>> {name: round(value, 1) for name, value in family.fit(rows).parameters.items()}
    {'a': 3.1, 'loc': 0.0, 'scale': 1.9}
    """

    weighted = True

    distribution: Any
    fixed: Values = field(default_factory=dict)
    start: Values = field(default_factory=dict)
    floor: float = 0.01
    parameters: Values | None = None
    least_width: float | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        for name in ("fixed", "start"):
            check_values(name, getattr(self, name))
        if self.parameters is not None:
            check_values("parameters", self.parameters)
        law = self.law
        unknown = sorted({*self.fixed, *self.start} - set(law.names))
        if unknown:
            raise ValueError(
                f"{law.label} has no parameter {shown(unknown[0])}: it has {', '.join(law.names)}."
            )
        read_floor(self)
        if self.parameters is None:
            whole = [name for name in whole_only(law) if name not in self.known]
            if whole:
                raise ValueError(
                    f"The parameter {whole[0]} of {law.label} is a whole number, which cannot be"
                    f" learned: give it, as in fixed={{{whole[0]!r}: 10}}."
                )

    def __repr__(self) -> str:
        shown = self.fixed if self.parameters is None else self.parameters
        listed = "".join(f", {name}={value:.4g}" for name, value in shown.items())
        return f"ScipyFamily({self.law.label}{listed})"

    @property
    def name(self) -> str:
        return f"ScipyFamily({self.law.label})"

    @cached_property
    def law(self) -> Law:
        """The distribution, with names for its parameters."""
        return as_law(self.distribution, tuple(dict.fromkeys([*self.start, *self.fixed])))

    @property
    def known(self) -> Values:
        """Parameters that are not learned."""
        known = {name: float(value) for name, value in self.fixed.items()}
        if self.law.discrete and "loc" in self.law.names:
            known.setdefault("loc", 0.0)
        return known

    @property
    def n_parameters(self) -> int:
        """Number of parameters that are learned."""
        return len(self.law.names) - len(self.known)

    def describe(self) -> Description:
        """Return all parameters by name."""
        parameters = self._fitted()
        column = ColumnDescription(parameters=parameters, whole_numbers=self.law.discrete)
        return Description(parameters, columns=[column])

    def observe(self, X: object, y: object = None) -> Data:
        """Read a table, and check that it has one column."""
        data = super().observe(X, y)
        check_one_column(data, self.law)
        return data

    def prepare(self, data: Rows, n_components: int, weights: Weights = None) -> Self:
        """Fit all the data, from whose parameters components start."""
        check_one_column(data, self.law)
        x, weights = _with_weight(data.as_vectors()[:, 0].astype(float), weights)
        check_whole_numbers(x, self.law)
        ready = self
        if self.least_width is None and not self.law.discrete:
            ready = replaced(self, least_width=self.floor * self._width(x, weights) / n_components)
        if ready.parameters is not None:
            return ready
        problem = ready._problem(x, weights)
        found = maximum_likelihood(problem, ready._starts(problem), FIRST_OPTIMISATIONS)
        if found is None:
            raise ValueError(self._impossible(x))
        return replaced(ready, parameters=found)

    def fit(self, data: Table, *, weights: Weights = None, rng: Rng = None) -> Self:
        """Return a new component with the parameters of greatest likelihood that were found."""
        if self.parameters is None:
            return self.prepare(data, 1, weights)
        check_one_column(data, self.law)
        problem = self._problem(*_with_weight(data.values[:, 0].astype(float), weights))
        n_steps = 0 if problem.is_too_small else FEW_STEPS
        found = maximum_likelihood(problem, self._continued(problem), n_steps=n_steps)
        if found is None:
            found = maximum_likelihood(problem, problem.starts())
        if found is None:
            raise ValueError(self._impossible(problem.x))
        return replaced(self, parameters=found)

    def log_prob(self, data: Table) -> FloatArray:
        """Return the log density, or probability, of each row, shape (n,)."""
        check_one_column(data, self.law)
        with np.errstate(all="ignore"):
            found = self.law.log_density(data.values[:, 0].astype(float), self._fitted())
        values = np.minimum(found, self._highest)
        if np.isnan(values).any():
            place = int(np.flatnonzero(np.isnan(values))[0])
            raise ValueError(
                f"{self.law.label} of scipy.stats has no density at {data.values[place, 0]:g} with"
                f" {listed(self._fitted())}: fix a parameter, or use another distribution."
            )
        return values

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` rows, shape (n, 1)."""
        with np.errstate(over="ignore"):
            return as_finite(self.law.sample(n, self._fitted(), rng)[:, None])

    @property
    def _highest(self) -> float:
        """The greatest log density."""
        return np.inf if self.least_width is None else -float(np.log(self.least_width))

    def _problem(self, x: FloatArray, weights: FloatArray) -> Problem:
        return Problem(self.law, self.known, x, weights, self._highest)

    def _starts(self, problem: Problem) -> Iterator[Values]:
        """Yield the start that was given if it is complete, and a grid of others."""
        given = {**self.start, **self.known}
        if set(given) == set(self.law.names):
            yield {name: float(given[name]) for name in self.law.names}
        yield from problem.starts()

    def _continued(self, problem: Problem) -> Iterator[Values]:
        """Yield the current parameters, and the current shape moved to other numbers."""
        yield self._fitted()
        moved = problem.moved(self._fitted())
        if moved is not None:
            yield moved

    def _width(self, x: FloatArray, weights: FloatArray) -> float:
        """Return the standard deviation, or that the quartiles imply if this is less."""
        if x.min() == x.max():
            raise InputError(
                f"Column 0 of {DATA} is constant (every value is {x[0]:g}), so no"
                f" {self.law.label} can be fitted to it: use another column."
            )
        variance = np.atleast_1d(weights @ (x - weights @ x) ** 2)
        return float(np.sqrt(robust_variances(x[:, None], variance, weights)[0]))

    def _impossible(self, x: FloatArray) -> str:
        fixed = f" with {listed(self.known)} fixed" if self.known else ""
        return (
            f"No parameters of {self.law.label}{fixed} were found under which all values of X,"
            f" from {x.min():g} to {x.max():g}, are possible: see that they lie in its support,"
            " fix other parameters, or give values to start from as start={...}."
        )

    def _fitted(self) -> Values:
        (parameters,) = fitted(self, "parameters")
        return dict(parameters)


def _with_weight(x: FloatArray, weights: Weights) -> tuple[FloatArray, FloatArray]:
    """Return numbers with weight, and their weights, which add up to one."""
    if weights is None:
        return x, np.full(len(x), 1 / len(x))
    some = weights > 0
    return x[some], weights[some] / weights.sum()
