"""The base of all regressions: inputs, features of them, scales and names."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import comb
from numbers import Integral
from typing import Any, Self

import numpy as np

from ...data import (
    DATA,
    Design,
    FloatArray,
    InputError,
    Name,
    Regression,
    Table,
    Weights,
    derived,
    evenly_spaced,
    is_whole,
    shown,
)
from ..contract.capabilities import RegressionFamily
from ..shared.copies import replaced
from ..shared.validation import MOST_DEGREE, read_count, read_not_negative
from .regression_columns import RegressionColumns, Terms, check_names, checked_terms
from .regression_equation import (
    Features,
    check_features,
    own_feature_names,
    products,
    standardised_products,
)
from .regression_scales import RegressionScales, centre_and_spread

SCALE_ROWS = 20_000  # from which scales are taken, at most


@dataclass(frozen=True, eq=False, repr=False)
class LinearPredictor(RegressionFamily):
    """Targets that depend on a linear predictor: an intercept plus coefficients times features.

    Write ``target_scales`` beside what every family needs. Subclasses describe the fields.
    """

    degree: int = 1
    features: Features | None = None
    ridge: float = 1e-6
    formula: Terms = None
    offset: Name | None = None
    exposure: Name | None = None
    design: Design | None = field(default=None, init=False)
    input_names: tuple[str, ...] | None = field(default=None, init=False)
    scales: RegressionScales | None = field(default=None, init=False)
    intercept: Any = field(default=None, init=False)
    coefficients: FloatArray | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        read_count(self, "degree", most=MOST_DEGREE)
        if self.features is not None and not callable(self.features):
            raise ValueError(
                "features must be a function of inputs (n, p) returning features (n, q), not"
                f" {shown(self.features)}."
            )
        read_not_negative(self, "ridge")
        for name in ("formula", "offset", "exposure"):
            given = getattr(self, name)
            if isinstance(given, Integral) and not is_whole(given, 0):
                raise InputError(
                    f"{name} must name a column of {DATA}, and {shown(given)} is none."
                )
        check_names(self.used_columns.others)
        object.__setattr__(self, "formula", checked_terms(self.formula))
        self._check_degree()

    def _check_degree(self) -> None:
        """Raise if a fitted regression has another number of features than its degree makes."""
        if self.coefficients is None or self.scales is None or self.features is not None:
            return
        n_inputs, n_features = len(self.scales.centre), len(self.scales.features)
        fits = self.degree <= n_features or not n_inputs
        if not fits or comb(n_inputs + self.degree, self.degree) != n_features + 1:
            raise ValueError(
                f"A regression of degree {self.degree} on {n_inputs} input(s) cannot have"
                f" {n_features} feature(s)."
            )

    @property
    def used_columns(self) -> RegressionColumns:
        """The columns of a table that are inputs, targets and others."""
        return RegressionColumns(self.formula, self.offset, self.exposure)

    @derived
    def min_observations(self) -> int:
        """One more than the number of coefficients, including the intercept."""
        return 3 if self.scales is None else len(self.scales.features) + 2

    @abstractmethod
    def target_scales(
        self, data: Regression, n_components: int, weights: Weights
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return level, unit and least variance of the targets, each of shape (m,)."""

    def observe(self, X: object, y: object = None) -> Any:
        """Read inputs and targets; of a frame, text becomes indicators of categories."""
        columns = self.used_columns
        if isinstance(X, Regression):
            data = X
        elif self.design is None and (self.scales is not None or columns.are_plain(X)):
            data = Regression.of(X, y)
        else:
            data = columns.read(X, y, self.design or columns.design(X))
        self.check(data, first_row=0)
        return data

    def check_remote(self) -> None:
        """Raise a ValueError if columns that are not in memory would have to be chosen."""
        super().check_remote()
        if self.formula is not None or self.used_columns.others or self.design is not None:
            raise InputError(
                f"{DATA} is a Dask collection, of which {self.name} takes all columns, as numbers:"
                " leave"
                " formula, offset and exposure out, and pass the inputs only."
            )

    def prepare(self, data: Regression, n_components: int, weights: Weights = None) -> Self:
        """Take design, names and scales from the data, unless present."""
        if self.scales is not None:
            return self
        chosen = evenly_spaced(len(data), SCALE_ROWS)
        some, own = data.take(chosen), None if weights is None else weights[chosen]
        unknown = np.empty(0)
        centre, spread = centre_and_spread(some.inputs, own)
        targets = self.target_scales(some, n_components, own)
        scales = RegressionScales(centre, spread, unknown, unknown, *targets)
        named = replaced(self, design=some.design, input_names=some.input_names, scales=scales)
        feature_centre, features = centre_and_spread(named.expand(some.inputs), own)
        scales = scales._replace(feature_centre=feature_centre, features=features)
        return replaced(named, scales=scales)

    def expand(self, inputs: FloatArray) -> FloatArray:
        """Return the features of inputs (n, p), without the intercept, shape (n, q)."""
        scales = self.prepared_scales
        if inputs.shape[1] != len(scales.centre):
            raise InputError(
                f"{DATA} has {inputs.shape[1]} column(s), but {self.name} was fitted to"
                f" {len(scales.centre)}."
            )
        if self.features is not None:
            return check_features(self.features(inputs), len(inputs))
        if self.degree == 1:
            return inputs
        return products((inputs - scales.centre) / scales.spread, self.degree)

    def n_inputs(self, n_columns: int) -> int:
        """Return the number of inputs, which a design may have made of other columns."""
        return n_columns if self.scales is None else len(self.scales.centre)

    def read_inputs(self, X: object) -> tuple[FloatArray, FloatArray | None]:
        """Return the inputs (n, p) and the offset (n,) of rows, whose targets do not matter."""
        if isinstance(X, Regression):
            return X.inputs, X.offset
        if self.design is None:
            return Table.of(X).values.astype(float), None
        return self.design.matrix(X), self.used_columns.offset_in(X)

    def feature_names(self, inputs: Sequence[str] | None = None) -> tuple[str, ...]:
        """Return the names of the features, given those of the inputs if they have none."""
        scales = self.prepared_scales
        unnamed = inputs or [f"input {j}" for j in range(len(scales.centre))]
        names = list(self.input_names or unnamed)
        if self.features is not None:
            return tuple(own_feature_names(self.features, names, len(scales.features)))
        if self.degree > 1:
            return tuple(standardised_products(names, self.degree, scales)[0])
        return tuple(names)

    def definitions(self, inputs: Sequence[str] | None = None) -> list[str]:
        """Return the definitions of standardised inputs, where the features are products."""
        if self.features is not None or self.degree == 1:
            return []
        scales = self.prepared_scales
        names = self.input_names or inputs or [f"input {j}" for j in range(len(scales.centre))]
        return standardised_products(names, self.degree, scales)[1]

    def sample(self, n: int, rng: np.random.Generator) -> Any:
        """Raise, because there is no distribution of the inputs."""
        raise NotImplementedError(
            f"{self.name} knows no distribution of inputs, so it cannot draw observations:"
            " draw targets for inputs X of your own by a component's sample_targets(X, rng)."
        )

    def sample_like(self, data: Regression, rng: np.random.Generator) -> Regression:
        """Draw targets at the inputs of observations, with their offset and trials."""
        drawn = np.asarray(self.sample_targets(data, rng), dtype=float)
        return replace(data, targets=drawn.reshape(data.targets.shape))

    @property
    def prepared_scales(self) -> RegressionScales:
        """The scales of the data; raise if there are none yet."""
        if self.scales is None:
            raise ValueError(f"This {self.name} has no scales yet: call fit, or prepare, first.")
        return self.scales
