"""A family made of two functions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any, NamedTuple, Self

import numpy as np

from ...data import FloatArray, Rng, Table, Weights, check_count, derived, shown
from ..contract.base import Family
from ..contract.description import Description, description_of_attributes
from ..shared.validation import fitted


class Functions(NamedTuple):
    """The functions of a user, and the number of free parameters."""

    fit: Callable[..., Any]
    log_prob: Callable[[FloatArray, Any], Any]
    sample: Callable[[int, Any, np.random.Generator], Any] | None
    n_parameters: int | None


@dataclass(frozen=True, eq=False, init=False)
class FunctionFamily(Family):
    """A family made of two functions, without writing a class.

    Parameters
    ----------
    fit : function of (rows) or (rows, weights) returning parameters
        Rows have shape (n, d), weights (n,). Parameters may be any object but None. If one of the
        arguments is called ``weights``, the family is weighted; if one is called ``rng``, it is
        given a NumPy generator.
    log_prob : function of (rows, parameters) returning log densities, shape (n,)
    sample : function of (n, parameters, rng) returning rows, shape (n, d), optional
    n_parameters : int, optional
        Number of free parameters, for BIC, AIC and ICL.
    parameters : object, optional
        Present once fitted.

    Examples
    --------
    >>> laplace = FunctionFamily(
    ...     fit=lambda rows: (np.median(rows), np.abs(rows - np.median(rows)).mean()),
    ...     log_prob=lambda rows, p: -np.abs(rows[:, 0] - p[0]) / p[1] - np.log(2 * p[1]),
    ...     n_parameters=2,
    ... )
    >>> fitted = laplace.fit(Table.of([[1.0], [2.0], [6.0]]))
    >>> fitted.parameters[0], fitted.log_prob(Table.of([[2.0]])).round(3)
    (np.float64(2.0), array([-1.204]))
    """

    functions: Functions
    parameters: Any

    def __init__(
        self,
        fit: Callable[..., Any],
        log_prob: Callable[[FloatArray, Any], Any],
        sample: Callable[[int, Any, np.random.Generator], Any] | None = None,
        n_parameters: int | None = None,
        parameters: object = None,
    ) -> None:
        for name, given in (("fit", fit), ("log_prob", log_prob), ("sample", sample)):
            if not callable(given) and not (name == "sample" and given is None):
                raise ValueError(f"{name} must be a function, not {shown(given)}.")
        if n_parameters is not None:
            check_count("n_parameters", n_parameters, least=0, most=10**9)
        functions = Functions(fit, log_prob, sample, n_parameters)
        object.__setattr__(self, "functions", functions)
        object.__setattr__(self, "parameters", parameters)

    def __repr__(self) -> str:
        names = [
            getattr(one, "__name__", repr(one))
            for one in (self.functions.fit, self.functions.log_prob)
        ]
        fitted = "" if self.parameters is None else f", parameters={shown(self.parameters)}"
        return f"FunctionFamily({', '.join(names)}{fitted})"

    @derived
    def weighted(self) -> bool:
        """Whether the function fit has an argument called weights."""
        return "weights" in self._arguments

    @property
    def n_parameters(self) -> int:
        """Number of free parameters, if it was given."""
        given = self.functions.n_parameters
        return super().n_parameters if given is None else int(given)

    def fit(self, data: Table, *, weights: Weights = None, rng: Rng = None) -> Self:
        """Return a new component with the parameters that the function fit finds."""
        given: dict[str, object] = {}
        if self.weighted:
            given["weights"] = np.ones(len(data)) if weights is None else weights
        elif weights is not None:
            raise ValueError(
                "FunctionFamily was given weights, but its function fit has no argument called"
                " weights: give it one, or fit without."
            )
        if "rng" in self._arguments:
            given["rng"] = np.random.default_rng(0) if rng is None else rng
        parameters = self.functions.fit(data.values, **given)
        if parameters is None:
            raise ValueError(
                "The function fit of FunctionFamily returned None: let it return the parameters."
            )
        return type(self)(**self.functions._asdict(), parameters=parameters)

    def log_prob(self, data: Table) -> FloatArray:
        found = self.functions.log_prob(data.values, self._fitted())
        return as_log_densities(found, len(data), "The function log_prob of FunctionFamily")

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` rows, shape (n, d)."""
        if self.functions.sample is None:
            raise NotImplementedError(
                "FunctionFamily cannot be sampled: give it a function sample(n, parameters, rng)."
            )
        rows = np.asarray(self.functions.sample(n, self._fitted(), rng), dtype=float)
        if rows.ndim != 2 or len(rows) != n:
            raise ValueError(
                f"The function sample of FunctionFamily must return {n} rows (shape ({n}, d)), but"
                f" returned shape {rows.shape}."
            )
        return rows

    def describe(self) -> Description:
        """Return the parameters by name, or by number where they have no names."""
        parameters = self._fitted()
        if isinstance(parameters, list | tuple) and not hasattr(parameters, "_asdict"):
            parameters = {f"parameter {place}": one for place, one in enumerate(parameters)}
        elif not isinstance(parameters, Mapping):
            fields = parameters._asdict() if hasattr(parameters, "_asdict") else None
            parameters = fields or getattr(parameters, "__dict__", {"parameter": parameters})
        return description_of_attributes(parameters)

    @property
    def _arguments(self) -> set[str]:
        try:
            arguments = signature(self.functions.fit).parameters.values()
        except (TypeError, ValueError):  # functions written in C may not name their arguments
            return set()
        return {one.name for one in arguments if one.kind is not Parameter.POSITIONAL_ONLY}

    def _fitted(self) -> Any:
        return fitted(self, "parameters")[0]


def as_log_densities(found: object, n: int, source: str) -> FloatArray:
    """Return log densities as an array of shape (n,); raise for other shapes, NaN or infinity.

    Examples
    --------
    >>> as_log_densities([-1.0, -2.0], 2, "log_prob")
    array([-1., -2.])
    """
    try:
        values = np.asarray(found, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(
            f"{source} must return an array of {n} log densities, one for each row, but returned"
            f" {type(found).__name__}."
        ) from None
    if values.shape != (n,):
        raise ValueError(
            f"{source} must return one log density for each of {n} rows (shape ({n},)), but"
            f" returned shape {values.shape}."
        )
    if not (values < np.inf).all():
        raise ValueError(
            f"{source} returned NaN or infinity for row {np.flatnonzero(~(values < np.inf))[0]}: a"
            " log density must be a number, or -inf where the density is zero."
        )
    return values
