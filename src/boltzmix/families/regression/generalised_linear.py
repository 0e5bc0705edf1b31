"""Generalised linear models: targets whose mean is a function of a linear predictor.

Given its dispersion, the log-likelihood of each of these models is concave in intercept and
coefficients, and so is the log density of their Gaussian prior (the ridge). An M-step finds the
maximum by Newton's method, in turn with that of the dispersion; it begins with the parameters of
the fitted component, and its objective never falls.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self, cast

import numpy as np

from ...data import FloatArray, Regression, Rng, Weights
from ..contract.bank import Bank, Evaluation, log_prob_by_bank
from ..contract.base import Family
from ..contract.description import Curve, Description
from ..contract.search_hints import SearchHints
from ..shared.copies import altered, replaced
from ..shared.validation import fitted, row_name
from .linear_predictor import LinearPredictor
from .penalised_likelihood import PenalisedLikelihood, log_prior
from .regression_equation import linear_predictor
from .responses import Outcomes, Response, bounded, offset_of


class GeneralisedLinearBank(Bank):
    """K models of the same features, which are computed once for all."""

    def evaluate(self, data: Regression, *, is_rounded: bool = True) -> Evaluation:
        """Return the log density of the targets under each component, shape (n, K)."""
        members = cast("Sequence[GeneralisedLinear]", self.components)
        intercepts, coefficients = zip(*(one.fitted_parameters for one in members), strict=True)
        dispersions = np.array([one.dispersion or 0.0 for one in members])
        predictors = members[0].expand(data.inputs) @ np.stack(coefficients, axis=1)
        predictors += np.array(intercepts)
        if data.offset is not None:
            predictors += data.offset[:, None]
        outcomes, response = Outcomes.of(data), members[0].response
        impossible = response.outside(outcomes)
        with np.errstate(all="ignore"):
            found = response.log_kernel(outcomes.as_columns, bounded(predictors), dispersions)
            found += response.log_base(outcomes.as_columns)
        found[impossible] = -np.inf
        return self.evaluated(found, data)


INTERCEPT_PRECISION = 1e-6  # of its prior, so that targets that are all zero have a solution too
ROUNDS = 20  # in which coefficients and the dispersion are found in turn, at most, in a first fit
CLOSE = 1e-7  # relative change of the dispersion at which both have converged


@dataclass(frozen=True, eq=False, repr=False)
class GeneralisedLinear(LinearPredictor):
    """One target, whose distribution depends on a linear predictor, and maybe on a dispersion.

    Subclasses have a `Response`, and name the field of its dispersion, if it has one.
    """

    weighted = True
    response: ClassVar[Response]
    dispersion_name: ClassVar[str | None] = None

    @property
    def search_hints(self) -> SearchHints:
        """Hints by which a search is not made shorter.

        With the longer search, mixtures of 2 and 3 Poisson regressions of doctor visits (randhie,
        5,048 rows) reach the best likelihood in 6 and 5 of 8 seeds, in 0.7 and 4.2 s; with the
        shorter one of costly families in 4 and 1 of 8, in 0.5 and 1.7 s.
        """
        return replace(super().search_hints, costly=False)

    def least_variance(self, data: Regression, n_components: int, weights: Weights) -> FloatArray:
        """Return the floor of what the dispersion may be, shape (1,)."""
        return np.zeros(1)

    def __repr__(self) -> str:
        names = ["intercept", "coefficients", *filter(None, [self.dispersion_name])]
        degree = None if self.degree == 1 else self.degree
        shown = {"degree": degree, "formula": self.formula}
        shown |= {name: getattr(self, name) for name in names}
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
        outside = self.response.outside(outcomes)
        if outside.any():
            row = int(np.argmax(outside))
            raise ValueError(
                f"{row_name(row, first_row)} of y holds {outcomes.targets[row]:.12g}, but"
                f" {self.name} takes {self.response.takes}."
            )

    def target_scales(
        self, data: Regression, n_components: int, weights: Weights
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the predictor of the mean of all targets, one, and the least dispersion."""
        least = self.least_variance(data, n_components, weights)
        own = np.ones(len(data)) if weights is None else weights
        return (
            np.array([self.response.level(Outcomes.of(data), offset_of(data), own)]),
            np.ones(1),
            least,
        )

    def fit(self, data: Regression, *, weights: Weights = None, rng: Rng = None) -> Self:
        """Return a new component fitted to `data`, from which unknown scales are taken first."""
        prepared = self.prepare(data, 1, weights)
        own = np.ones(len(data)) if weights is None else np.asarray(weights, dtype=float)
        likelihood = PenalisedLikelihood(prepared, data, own)
        place, dispersion = likelihood.start()
        for _ in range(ROUNDS if self.coefficients is None else 1):
            place = likelihood.maximum(place, dispersion)
            before, dispersion = dispersion, likelihood.dispersion(place, dispersion)
            if dispersion is None or before is None or abs(dispersion - before) <= CLOSE * before:
                break
        return prepared.with_standard(place, dispersion)

    def with_standard(self, place: FloatArray, dispersion: float | None) -> Self:
        """Return this component with coefficients (1 + q,) of standardised features."""
        scales = self.prepared_scales
        coefficients = place[1:] / scales.features
        found: dict[str, object] = {
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
    def coefficient_prior(self) -> tuple[FloatArray, FloatArray]:
        """Centres and precisions of the prior of `standard`, each of shape (1 + q,)."""
        scales = self.prepared_scales
        centre, precision = np.zeros((2, 1 + len(scales.features)))
        centre[0], precision[0], precision[1:] = scales.level[0], INTERCEPT_PRECISION, self.ridge
        return centre, precision

    @property
    def log_prior(self) -> float:
        """Log density of the prior of intercept and coefficients, but for a constant."""
        return log_prior(self.standard, self.coefficient_prior)

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
        return 1 + self.fitted_parameters[1].size + (self.dispersion_name is not None)

    log_prob = log_prob_by_bank

    def bank(self, components: Sequence[Family]) -> GeneralisedLinearBank:
        """Return regressions as a bank."""
        return GeneralisedLinearBank(components)

    def predict(self, X: object) -> FloatArray:
        """Return the expected target of inputs X (n, p), shape (n,)."""
        mean, trials = self._expected(X)
        return mean * trials

    def sample_targets(self, X: object, rng: np.random.Generator) -> FloatArray:
        return np.asarray(
            self.response.draw(*self._expected(X), self.dispersion or 0.0, rng), dtype=float
        )

    def _expected(self, X: object) -> tuple[FloatArray, FloatArray]:
        """Return the mean of one trial, and the number of trials, of each row."""
        self.fitted_parameters  # noqa: B018 - which raises
        inputs, offset = self.read_inputs(X)
        trials = X.trials if isinstance(X, Regression) else self.used_columns.trials_in(X)
        predictor = self._predictor(inputs) + (0.0 if offset is None else offset)
        mean = self.response.mean(bounded(predictor))
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
        mean = self.response.mean(bounded(self._predictor(inputs)))
        return mean[:, None], self.response.deviation(mean, self.dispersion or 0.0)[:, None]

    def _formula(self, names: Sequence[str]) -> str:
        """Return the equation of the linear predictor."""
        intercept, coefficients = self.fitted_parameters
        right = linear_predictor(intercept, coefficients, self.feature_names(names))
        others = [f"+ {name}" for name in self._offset_names()]
        noise = f"{self.dispersion_name} {self.dispersion:.3g}" if self.dispersion_name else ""
        first = " ".join([f"{self.response.link_name}(mean) = {right}", *others])
        return "\n".join([", ".join(filter(None, [first, noise])), *self.definitions(names)])

    def _offset_names(self) -> list[str]:
        offset = [] if self.offset is None else [str(self.offset)]
        return [*offset, *([] if self.exposure is None else [f"log({self.exposure})"])]

    def moved_to(self, observation: Regression) -> Self:
        """Return this component, shifted so that its mean is near the target of an observation."""
        outcomes = Outcomes.of(observation)
        reached = self._predictor(observation.inputs)[0]
        level = self.response.level(outcomes, offset_of(observation), np.ones(1))
        return altered(self, intercept=self.fitted_parameters[0] + level - reached)

    @property
    def parameter_vector(self) -> FloatArray:
        """Intercept, coefficients and the logarithm of the dispersion, shape (p,)."""
        intercept, coefficients = self.fitted_parameters
        log_dispersion = [] if self.dispersion is None else [np.log(self.dispersion)]
        return np.array([intercept, *coefficients, *log_dispersion])

    def with_parameter_vector(self, values: FloatArray) -> Self:
        """Return this component with other parameters."""
        q = self.fitted_parameters[1].size
        changes: dict[str, object] = {
            "intercept": float(values[0]),
            "coefficients": values[1 : 1 + q],
        }
        if self.dispersion_name is not None:
            changes[self.dispersion_name] = float(np.exp(values[1 + q]))
        return replaced(self, **changes)
