"""Generalised linear models: targets whose mean is a function of a linear predictor.

Given its dispersion, the log-likelihood of each of these models is concave in intercept and
coefficients, and so is the log density of their Gaussian prior (the ridge). An M-step finds the
maximum by Newton's method, in turn with that of the dispersion; it begins with the parameters of
the fitted component, and its objective never falls.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from ...data import FloatArray, Regression
from ..base import Family
from ..description import Curve, Description
from .copies import altered
from .generalised_linear_bank import GeneralisedLinearBank
from .newton import newton_maximum
from .outcomes import Outcomes
from .regression_equation import linear_predictor
from .regression_family import RegressionFamily
from .validation import fitted, row_name

INTERCEPT_PRECISION = 1e-6  # of its prior, so that targets that are all zero have a solution too
ROUNDS = 20  # in which coefficients and the dispersion are found in turn, at most
CLOSE = 1e-7  # relative change of the dispersion at which both have converged


@dataclass(frozen=True, eq=False, repr=False)
class GeneralisedLinear(RegressionFamily):
    """One target, whose distribution depends on a linear predictor, and maybe on a dispersion.

    Write ``log_kernel``, ``log_base``, ``slopes``, ``mean``, ``deviation``, ``draw`` and
    ``outside``; with a dispersion, name its field in ``dispersion_name``, and write
    ``likeliest_dispersion``.
    """

    weighted = True
    dispersion_name: ClassVar[str | None] = None
    link_name: ClassVar[str] = "log"
    takes: ClassVar[str]  # which targets, in messages

    # What a response distribution says. Arrays of outcomes and predictors broadcast.

    @abstractmethod
    def log_kernel(self, outcomes: Outcomes, predictor: FloatArray, dispersion: Any) -> FloatArray:
        """Return the log densities but for `log_base`."""

    @abstractmethod
    def log_base(self, outcomes: Outcomes) -> FloatArray:
        """Return the part of the log densities that depends on the outcomes only."""

    @abstractmethod
    def slopes(
        self, outcomes: Outcomes, predictor: FloatArray, dispersion: Any
    ) -> tuple[FloatArray, FloatArray]:
        """Return the derivative of `log_kernel` by the predictor, and minus the second one."""

    @abstractmethod
    def mean(self, predictor: FloatArray) -> FloatArray:
        """Return the means, for one trial."""

    @abstractmethod
    def deviation(self, mean: FloatArray) -> FloatArray:
        """Return the standard deviations of targets with these means, for one trial."""

    @abstractmethod
    def draw(self, mean: FloatArray, trials: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Draw targets."""

    @abstractmethod
    def outside(self, outcomes: Outcomes) -> Any:
        """Return which targets are impossible, shape (n,)."""

    def likeliest_dispersion(
        self, outcomes: Outcomes, predictor: FloatArray, weights: FloatArray, start: Any
    ) -> Any:
        """Return the likeliest dispersion, given the linear predictor (n,)."""
        return None

    def least_variance(
        self, data: Regression, n_components: int, weights: FloatArray | None
    ) -> FloatArray:
        """Return the floor of what the dispersion may be, shape (1,)."""
        return np.zeros(1)

    # What follows from it.

    def __repr__(self) -> str:
        names = ["intercept", "coefficients", *filter(None, [self.dispersion_name])]
        shown = {"formula": self.formula, **{name: getattr(self, name) for name in names}}
        with np.printoptions(precision=4, threshold=12):
            words = (
                f"{name}={f'{value:.4g}' if isinstance(value, float) else repr(value)}"
                for name, value in shown.items()
                if value is not None
            )
            return f"{self.name}({', '.join(words)})".replace("array(", "").replace("])", "]")

    def check(self, data: Regression, first_row: int | None = None) -> None:
        """Raise a ValueError if there are several targets, or one that is impossible."""
        if data.targets.shape[1] != 1:
            raise ValueError(
                f"y has {data.targets.shape[1]} columns, but {self.name} has one target: pass one"
                " column."
            )
        outcomes = Outcomes.of(data)
        outside = self.outside(outcomes)
        if outside.any():
            row = int(np.argmax(outside))
            raise ValueError(
                f"{row_name(row, first_row)} of y holds {outcomes.targets[row]:.12g}, but"
                f" {self.name} takes {self.takes}."
            )

    def target_scales(
        self, data: Regression, n_components: int, weights: FloatArray | None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the predictor of the mean of all targets, one, and the least dispersion."""
        least = self.least_variance(data, n_components, weights)
        own = np.ones(len(data)) if weights is None else weights
        return np.array([self.level(Outcomes.of(data), _offset(data), own)]), np.ones(1), least

    def level(self, outcomes: Outcomes, offset: FloatArray, weights: FloatArray) -> float:
        """Return the intercept that fits the mean of targets with a log link.

        Half a count is added, so that targets that are all zero have one too.
        """
        return float(np.log((weights @ outcomes.targets + 0.5) / (weights @ np.exp(offset))))

    def fit(
        self,
        data: Regression,
        *,
        weights: FloatArray | None = None,
        rng: np.random.Generator | None = None,
    ) -> Self:
        """Return a new component fitted to `data`, from which unknown scales are taken first."""
        prepared = self.prepare(data, 1, weights)
        own = np.ones(len(data)) if weights is None else np.asarray(weights, dtype=float)
        likelihood = _Likelihood(prepared, data, own)
        place, dispersion = likelihood.start()
        for _ in range(ROUNDS):
            place = likelihood.maximum(place, dispersion)
            before, dispersion = dispersion, likelihood.dispersion(place, dispersion)
            if dispersion is None or abs(dispersion - before) <= CLOSE * before:
                break
        return prepared.with_standard(place, dispersion)

    def with_standard(self, place: FloatArray, dispersion: float | None) -> Self:
        """Return this component with coefficients (1 + q,) of standardised features."""
        scales = self.prepared_scales
        coefficients = place[1:] / scales.features
        found: dict[str, Any] = {
            "intercept": float(place[0] - coefficients @ scales.feature_centre),
            "coefficients": coefficients,
        }
        if self.dispersion_name is not None:
            found[self.dispersion_name] = dispersion
        return altered(self, **found)

    @property
    def standard(self) -> FloatArray:
        """Intercept and coefficients of standardised features, shape (1 + q,)."""
        scales, (intercept, coefficients) = self.prepared_scales, self.fitted_parameters
        start = intercept + coefficients @ scales.feature_centre
        return np.concatenate([[start], coefficients * scales.features])

    @property
    def prior(self) -> tuple[FloatArray, FloatArray]:
        """Centres and precisions of the prior of `standard`, each of shape (1 + q,)."""
        scales = self.prepared_scales
        centre, precision = np.zeros((2, 1 + len(scales.features)))
        centre[0], precision[0], precision[1:] = scales.level[0], INTERCEPT_PRECISION, self.ridge
        return centre, precision

    @property
    def log_prior(self) -> float:
        """Log density of the prior of intercept and coefficients, but for a constant."""
        return _log_prior(self.standard, self.prior)

    @property
    def dispersion(self) -> float | None:
        """The dispersion of a fitted component, if it has one."""
        return None if self.dispersion_name is None else getattr(self, self.dispersion_name)

    @property
    def fitted_parameters(self) -> tuple[float, FloatArray]:
        """Intercept and coefficients; raise if there are none yet."""
        return fitted(self, "intercept", "coefficients")

    @property
    def n_parameters(self) -> int:
        """Number of free parameters."""
        return 1 + self.fitted_parameters[1].size + (self.dispersion_name is not None)

    def log_prob(self, data: Regression) -> FloatArray:
        """Return the log density of each observation's target, given its inputs, shape (n,)."""
        return self.bank([self]).log_prob(data)[:, 0]

    def bank(self, components: Sequence[Family]) -> GeneralisedLinearBank:
        """Return regressions as a bank."""
        return GeneralisedLinearBank(components)

    def predict(self, X: Any) -> FloatArray:
        """Return the expected target of inputs X (n, p), shape (n,)."""
        mean, trials = self._expected(X)
        return mean * trials

    def sample_targets(self, X: Any, rng: np.random.Generator) -> FloatArray:
        """Draw targets for inputs X (n, p), shape (n,)."""
        return np.asarray(self.draw(*self._expected(X), rng), dtype=float)

    def _expected(self, X: Any) -> tuple[FloatArray, FloatArray]:
        """Return the mean of one trial, and the number of trials, of each row."""
        self.fitted_parameters  # noqa: B018 - which raises
        inputs, offset = self.read_inputs(X)
        trials = X.trials if isinstance(X, Regression) else self.used_columns.trials_in(X)
        mean = self.mean(self._predictor(inputs) + (0.0 if offset is None else offset))
        return mean, np.ones(len(mean)) if trials is None else trials

    def _predictor(self, inputs: FloatArray) -> FloatArray:
        intercept, coefficients = self.fitted_parameters
        return intercept + self.expand(inputs) @ coefficients

    def describe(self) -> Description:
        """Return intercept, coefficients by name and dispersion, and the curve of the mean."""
        intercept, coefficients = self.fitted_parameters
        parameters = {"intercept": intercept, "coefficients": coefficients}
        if self.dispersion_name is not None:
            parameters[self.dispersion_name] = self.dispersion
        return Description(
            parameters,
            picture=Curve(self._curve, self._formula),
            labels={"coefficients": self.feature_names()},
        )

    def _curve(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return means and standard deviations of the target at inputs (g, p), shapes (g, 1)."""
        mean = self.mean(self._predictor(inputs))
        return mean[:, None], self.deviation(mean)[:, None]

    def _formula(self, names: Sequence[str]) -> str:
        """Return the equation of the linear predictor."""
        intercept, coefficients = self.fitted_parameters
        right = linear_predictor(intercept, coefficients, self.feature_names(names))
        others = [f"+ {name}" for name in self._offset_names()]
        noise = f"{self.dispersion_name} {self.dispersion:.3g}" if self.dispersion_name else ""
        first = " ".join([f"{self.link_name}(mean) = {right}", *others])
        return "\n".join([", ".join(filter(None, [first, noise])), *self.definitions(names)])

    def _offset_names(self) -> list[str]:
        offset = [] if self.offset is None else [str(self.offset)]
        return [*offset, *([] if self.exposure is None else [f"log({self.exposure})"])]

    def moved_to(self, observation: Regression) -> Self:
        """Return this component, shifted so that its mean is near the target of an observation."""
        outcomes = Outcomes.of(observation)
        reached = self._predictor(observation.inputs)[0]
        level = self.level(outcomes, _offset(observation), np.ones(1))
        return altered(self, intercept=self.fitted_parameters[0] + level - reached)

    @property
    def parameter_vector(self) -> FloatArray:
        """Intercept, coefficients and the logarithm of the dispersion, shape (p,)."""
        intercept, coefficients = self.fitted_parameters
        log_dispersion = [] if self.dispersion is None else [np.log(self.dispersion)]
        return np.array([intercept, *coefficients, *log_dispersion])

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Names of the entries of `parameter_vector`."""
        more = [] if self.dispersion_name is None else [f"log {self.dispersion_name}"]
        return ("intercept", *self.feature_names(), *more)

    def with_parameter_vector(self, values: FloatArray) -> Self:
        """Return this component with other parameters."""
        q = self.fitted_parameters[1].size
        changes: dict[str, Any] = {"intercept": float(values[0]), "coefficients": values[1 : 1 + q]}
        if self.dispersion_name is not None:
            changes[self.dispersion_name] = float(np.exp(values[1 + q]))
        return replace(self, **changes)


class _Likelihood:
    """The weighted log-likelihood of some observations, plus the log prior."""

    def __init__(self, family: GeneralisedLinear, data: Regression, weights: FloatArray) -> None:
        scales = family.prepared_scales
        standard = (family.expand(data.inputs) - scales.feature_centre) / scales.features
        self.rows = np.column_stack([np.ones(len(data)), standard])
        self.family, self.weights, self.prior = family, weights, family.prior
        self.outcomes, self.offset = Outcomes.of(data), _offset(data)
        self.total = float(weights.sum())

    def start(self) -> tuple[FloatArray, Any]:
        """Return where the maximum is searched from: the fitted parameters, if they are better."""
        flat = self.prior[0].copy()
        if self.total > 0:
            flat[0] = self.family.level(self.outcomes, self.offset, self.weights)
        if self.family.coefficients is None:
            return flat, self.dispersion(flat, None)
        own, dispersion = self.family.standard, self.family.dispersion
        better = self.value(own, dispersion) >= self.value(flat, dispersion)
        return own if better else flat, dispersion

    def predictor(self, place: FloatArray) -> FloatArray:
        """Return the linear predictors, shape (n,)."""
        return self.rows @ place + self.offset

    def value(self, place: FloatArray, dispersion: Any) -> float:
        """Return the objective; minus infinity where it overflows."""
        with np.errstate(over="ignore", invalid="ignore"):
            kernel = self.family.log_kernel(self.outcomes, self.predictor(place), dispersion)
            total = float(self.weights @ kernel) + _log_prior(place, self.prior)
        return total if np.isfinite(total) else -np.inf

    def maximum(self, place: FloatArray, dispersion: Any) -> FloatArray:
        """Return the best intercept and coefficients, given the dispersion."""
        centre, precision = self.prior

        def slopes(at: FloatArray) -> tuple[FloatArray, FloatArray]:
            first, second = self.family.slopes(self.outcomes, self.predictor(at), dispersion)
            gradient = self.rows.T @ (self.weights * first) - precision * (at - centre)
            curvature = self.rows.T @ (self.rows * (self.weights * second)[:, None])
            return gradient, curvature + np.diag(precision)

        return newton_maximum(
            lambda at: self.value(at, dispersion), slopes, place, max(self.total, 1.0)
        )

    def dispersion(self, place: FloatArray, start: Any) -> Any:
        """Return the best dispersion, given intercept and coefficients; never a worse one."""
        predictor = self.predictor(place)
        found = self.family.likeliest_dispersion(self.outcomes, predictor, self.weights, start)
        if start is None or found is None:
            return found
        return found if self.value(place, found) >= self.value(place, start) else start


def _log_prior(place: FloatArray, prior: tuple[FloatArray, FloatArray]) -> float:
    centre, precision = prior
    return float(-(precision @ (place - centre) ** 2) / 2)


def _offset(data: Regression) -> FloatArray:
    return np.zeros(len(data)) if data.offset is None else data.offset
