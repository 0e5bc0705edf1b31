"""scipy.stats distributions of either kind, as one thing: named parameters and a log density."""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy import stats

from ...data import FloatArray, shown

Values = Mapping[str, float]


class Law(ABC):
    """A distribution of numbers whose parameters have names."""

    @property
    @abstractmethod
    def label(self) -> str:
        """The name of the distribution in messages."""

    @property
    @abstractmethod
    def discrete(self) -> bool:
        """Whether it is one of whole numbers."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """Names of all parameters."""

    @property
    def shapes(self) -> tuple[str, ...]:
        """Names of the parameters other than loc and scale."""
        return tuple(name for name in self.names if name not in ("loc", "scale"))

    @abstractmethod
    def log_density(self, x: FloatArray, values: Mapping[str, object]) -> FloatArray:
        """Return log densities or probabilities, of the shape of x; NaN for no distribution.

        Parameters of shape (m, 1) give an array of shape (m, n).
        """

    @abstractmethod
    def support(self, values: Values) -> tuple[float, float]:
        """Return the least and greatest value; NaN for no distribution."""

    @abstractmethod
    def quantiles(self, probabilities: object, values: Values) -> FloatArray:
        """Return quantiles."""

    @abstractmethod
    def sample(self, n: int, values: Values, rng: np.random.Generator) -> FloatArray:
        """Draw n numbers."""

    def allows(self, values: Values) -> bool:
        """Return whether there is a distribution with these parameters."""
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            low, high = self.support(values)
        return bool(low <= high)


@dataclass(frozen=True)
class GenericLaw(Law):
    """An object of scipy's ``rv_continuous`` or ``rv_discrete``."""

    distribution: Any

    @property
    def label(self) -> str:
        return str(self.distribution.name)

    @cached_property
    def discrete(self) -> bool:
        return isinstance(self.distribution, stats.rv_discrete)

    @cached_property
    def names(self) -> tuple[str, ...]:
        shapes = [name.strip() for name in (self.distribution.shapes or "").split(",")]
        moving = ("loc",) if self.discrete else ("loc", "scale")
        return (*filter(None, shapes), *moving)

    def log_density(self, x: FloatArray, values: Mapping[str, object]) -> FloatArray:
        log_density = self.distribution.logpmf if self.discrete else self.distribution.logpdf
        return cast(FloatArray, log_density(x, **values))

    def support(self, values: Values) -> tuple[float, float]:
        low, high = self.distribution.support(**values)
        return float(low), float(high)

    def quantiles(self, probabilities: object, values: Values) -> FloatArray:
        return cast(FloatArray, self.distribution.ppf(probabilities, **values))

    def sample(self, n: int, values: Values, rng: np.random.Generator) -> FloatArray:
        whole = {name: int(value) for name, value in values.items() if float(value).is_integer()}
        given = {**values, **whole} if self.discrete else values
        return np.asarray(self.distribution.rvs(**given, size=n, random_state=rng), dtype=float)


@dataclass(frozen=True)
class ClassLaw(Law):
    """A class of scipy's newer kind, such as `scipy.stats.Normal`.

    Those do not list the names of their parameters, so these are given. A ``loc`` or ``scale``
    among them that the class does not have itself moves or stretches the distribution.
    """

    distribution: Any
    given: tuple[str, ...]

    @property
    def label(self) -> str:
        return str(self.distribution.__name__)

    @cached_property
    def discrete(self) -> bool:
        return any(one.__name__ == "DiscreteDistribution" for one in self.distribution.__mro__)

    @property
    def names(self) -> tuple[str, ...]:
        return self.given

    def log_density(self, x: FloatArray, values: Mapping[str, Any]) -> FloatArray:
        inner, loc, scale = self._parts(values)
        x = (x - loc) / scale
        if self.discrete:
            return cast(FloatArray, inner.logpmf(x))
        return cast(FloatArray, inner.logpdf(x) - np.log(scale))

    def support(self, values: Values) -> tuple[float, float]:
        inner, loc, scale = self._parts(values)
        if not scale > 0:
            return np.nan, np.nan
        low, high = inner.support()
        return float(low * scale + loc), float(high * scale + loc)

    def quantiles(self, probabilities: Any, values: Values) -> FloatArray:
        inner, loc, scale = self._parts(values)
        return cast(FloatArray, inner.icdf(np.asarray(probabilities)) * scale + loc)

    def sample(self, n: int, values: Values, rng: np.random.Generator) -> FloatArray:
        inner, loc, scale = self._parts(values)
        return np.asarray(inner.sample(n, rng=rng), dtype=float) * scale + loc

    def _parts(self, values: Values) -> tuple[Any, float, float]:
        own = {name: value for name, value in values.items() if name not in ("loc", "scale")}
        return self.distribution(**own), values.get("loc", 0.0), values.get("scale", 1.0)


def as_law(distribution: Any, given: tuple[str, ...]) -> Law:
    """Return a scipy.stats distribution as a law; raise for anything else.

    Parameters
    ----------
    distribution : rv_continuous, rv_discrete, or a class of the newer kind
    given : tuple of str
        Names of parameters, which the newer kind does not list.

    Examples
    --------
    >>> as_law(stats.gamma, ()).names
    ('a', 'loc', 'scale')
    """
    if isinstance(distribution, stats.rv_continuous | stats.rv_discrete):
        return GenericLaw(distribution)
    methods = ("logpdf", "logpmf", "icdf", "support", "sample")
    if isinstance(distribution, type) and all(hasattr(distribution, one) for one in methods):
        return _class_law(ClassLaw(distribution, given))
    hint = " itself, without parameters" if hasattr(distribution, "logpdf") else ""
    raise ValueError(
        "distribution must be a distribution of scipy.stats of one number, such as"
        f" scipy.stats.gamma{hint}, not {shown(distribution)}."
    )


def _class_law(law: ClassLaw) -> ClassLaw:
    """Raise if the class does not have parameters of these names."""
    if not law.given:
        raise ValueError(
            f"{law.label} is a class whose parameters are not known by name: give values to start"
            " from, such as start={'mu': 0, 'sigma': 1}."
        )
    try:
        law.support(dict.fromkeys(law.given, 1.0))
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{law.label} could not be made of the parameters {', '.join(law.given)}: {error}"
        ) from None
    return law
