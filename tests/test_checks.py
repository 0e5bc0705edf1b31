"""Every family passes all checks, and each check fails for a family that violates it."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from own_family import Exponential
from scipy import stats
from sklearn.mixture import BayesianGaussianMixture
from sklearn.mixture import GaussianMixture as PlainGaussianMixture
from sklearn.neighbors import KernelDensity

from boltzmix import Mixture, families
from boltzmix.checks import ContractError, check_family, family_checks
from boltzmix.data import Rows, Table
from boltzmix.families import (
    HMM,
    AdditiveFamily,
    Bank,
    Bernoulli,
    Beta,
    Categorical,
    Description,
    Dirichlet,
    FactorAnalyser,
    Family,
    FunctionFamily,
    Gamma,
    GammaRegression,
    Gaussian,
    GaussianProcess,
    Geometric,
    GrowthCurve,
    Laplace,
    LinearRegression,
    LogisticRegression,
    LogNormal,
    MarkovChain,
    Multinomial,
    NegativeBinomial,
    NegativeBinomialRegression,
    Poisson,
    PoissonRegression,
    RobustGaussian,
    ScipyFamily,
    SklearnFamily,
    StudentT,
    Uniform,
    VonMises,
    VonMisesFisher,
    Weibull,
)


def weighted_mean(rows, weights):
    return np.average(rows, axis=0, weights=weights)


def unit_log_prob(rows, mean):
    return (-((rows - mean) ** 2) / 2 - np.log(2 * np.pi) / 2).sum(axis=1)


def unit_sample(n, mean, rng):
    return rng.normal(mean, 1, (n, len(mean)))


FAMILIES = [
    *map(Gaussian, ("full", "tied", "diag", "spherical", "EVI", "VVE", "VEV")),
    Gaussian(prior=0, resolution=None),
    *(RobustGaussian(covariance=shape) for shape in ("full", "tied", "diag", "spherical")),
    Poisson(),
    Categorical(),
    HMM(2),
    HMM(2, Gaussian("full"), n_steps=3),
    HMM(3, topology="left-right"),
    HMM(2, Categorical()),
    HMM(2, Poisson()),
    MarkovChain(),
    GaussianProcess(),
    GrowthCurve(),
    LinearRegression(),
    LinearRegression(degree=2),
    PoissonRegression(),
    NegativeBinomialRegression(),
    LogisticRegression(),
    GammaRegression(),
    Exponential(),
    ScipyFamily(stats.logistic),
    ScipyFamily(stats.gamma, fixed={"loc": 0}),
    ScipyFamily(stats.uniform),
    ScipyFamily(stats.nbinom),
    ScipyFamily(stats.binom, fixed={"n": 40}),
    ScipyFamily(stats.beta, fixed={"loc": 0, "scale": 1}),
    SklearnFamily(KernelDensity()),
    SklearnFamily(PlainGaussianMixture(2)),
    SklearnFamily(Mixture(Gaussian("diag"), 2, algorithm="cem")),
    FunctionFamily(weighted_mean, unit_log_prob, unit_sample, n_parameters=2),
]


def draw(kind, *parameters, columns=2, n=200):
    return getattr(np.random.default_rng(0), kind)(*parameters, size=(n, columns))


def draw_directions():
    rows = draw("normal", [2.0, 0.0, -1.0], columns=3)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


SUPPORTED = [
    (Bernoulli(), draw("binomial", 1, [0.3, 0.6])),
    (Beta(), draw("beta", [2.0, 0.8], 3.0)),
    (Dirichlet(), np.random.default_rng(0).dirichlet([2.0, 3.0, 5.0], 200)),
    (families.Exponential(), draw("exponential", [1.0, 20.0])),
    (FactorAnalyser(1), draw("normal", columns=4)),
    (Gamma(), draw("gamma", [2.0, 9.0], 3.0)),
    (Geometric(), draw("geometric", [0.3, 0.7])),
    (Laplace(), draw("laplace", [0.0, 5.0])),
    (LogNormal(), draw("lognormal", [0.0, 2.0])),
    (Multinomial(), np.random.default_rng(0).multinomial(12, [0.2, 0.3, 0.5], 200)),
    (NegativeBinomial(), draw("negative_binomial", [3.0, 8.0], 0.4)),
    (StudentT(), draw("standard_t", 5.0)),
    (Uniform(), draw("uniform", [0.0, 3.0], 5.0)),
    (VonMises(), draw("vonmises", [0.0, 2.0], 3.0)),
    (VonMisesFisher(), draw_directions()),
    (Weibull(), draw("weibull", [0.8, 3.0])),
    (families.ZeroInflatedLogNormal(), draw("lognormal", 1.0) * draw("binomial", 1, [0.3, 0.9])),
]


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_families_keep_the_contract(family):
    check_family(family)


@pytest.mark.parametrize(("family", "data"), SUPPORTED, ids=lambda one: str(one)[:20].strip())
def test_families_with_a_support_keep_the_contract(family, data):
    check_family(family, data)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    "family",
    [Gaussian(), HMM(2), LinearRegression()],
    ids=lambda family: repr(family).split(" object")[0],
)
def test_families_keep_the_contract_on_other_data(family, seed):
    check_family(family, random_state=seed)


def test_bayesian_mixtures_have_no_exact_densities():
    family = SklearnFamily(BayesianGaussianMixture(n_components=2))
    with pytest.raises(ContractError, match=r"its density integrates to 0\.9"):
        check_family(family)


@dataclass(frozen=True, eq=False)
class Unit(AdditiveFamily):
    """Gaussian columns with unit variance: a correct family."""

    mean: np.ndarray | None = None

    def summarise(self, data, weights=None):
        weights = np.ones(len(data)) if weights is None else weights
        return np.append(weights @ data.values, weights.sum())

    def from_statistics(self, statistics, rng=None):
        return replace(self, mean=statistics[:-1] / statistics[-1])

    def log_prob(self, data):
        return unit_log_prob(data.values, self.mean)

    def sample(self, n, rng):
        return unit_sample(n, self.mean, rng)

    @property
    def n_parameters(self):
        return len(self.mean)


class Scalar(Unit):
    def log_prob(self, data):
        return super().log_prob(data).sum()


class NotANumber(Unit):
    def log_prob(self, data):
        return np.where(np.arange(len(data)) == 3, np.nan, super().log_prob(data))


class Relative(Unit):
    def log_prob(self, data):
        values = super().log_prob(data)
        return values - values.max()


class WithoutConstant(Unit):
    def log_prob(self, data):
        return -((data.values - self.mean) ** 2).sum(axis=1) / 2


class PoissonWithoutFactorials(Family):
    def __init__(self, rate=None):
        self.rate = rate

    def fit(self, data, *, weights=None, rng=None):
        return type(self)(np.asarray(data).mean())

    def log_prob(self, data):
        counts = data.values[:, 0]
        if (counts < 0).any() or (counts != np.floor(counts)).any():
            raise ValueError("Counts are whole and not negative.")
        return counts * np.log(self.rate) - self.rate


class HalfAParameter(Unit):
    n_parameters = 0.5


class OtherVector(Unit):
    parameter_vector = np.zeros(1)

    def with_parameter_vector(self, values):
        return self.fit(Table.of([[1.0], [7.0]]))


class LosesParameters(Unit):
    def __getstate__(self):
        return {"mean": self.mean + 1}

    def __setstate__(self, state):
        object.__setattr__(self, "mean", state["mean"])


class CannotBePickled(Unit):
    def __reduce__(self):
        raise TypeError("no")


class SamplesElsewhere(Unit):
    def sample(self, n, rng):
        return super().sample(n, rng) + 5


class SamplesTooFew(Unit):
    def sample(self, n, rng):
        return super().sample(n // 2, rng)


class DescribesNothing(Unit):
    def describe(self):
        return None


class DescribesNaN(Unit):
    def describe(self):
        return Description({"mean": float("nan")})


class ReturnsItself(Unit):
    def from_statistics(self, statistics, rng=None):
        object.__setattr__(self, "mean", statistics[:-1] / statistics[-1])
        return self


class ReturnsNothing(Unit):
    def fit(self, data, *, weights=None, rng=None):
        return None if self.mean is not None else super().fit(data)


class ChangesItself(Unit):
    def from_statistics(self, statistics, rng=None):
        new = super().from_statistics(statistics)
        object.__setattr__(self, "n_fits", getattr(self, "n_fits", 0) + 1)
        return new


class ChangesInPlace(Unit):
    def from_statistics(self, statistics, rng=None):
        new = super().from_statistics(statistics)
        if self.mean is None:
            return new
        self.mean[:] = new.mean
        return new


class Shared:
    """Parameters that all components of `SharesParameters` have in common."""

    mean = None


class SharesParameters(Unit):
    shared = Shared()

    def from_statistics(self, statistics, rng=None):
        self.shared.mean = statistics[:-1] / statistics[-1]
        return replace(self, mean=self.shared.mean)

    def log_prob(self, data):
        return unit_log_prob(data.values, self.shared.mean)


class ForgetsAtTheSecondFit(Unit):
    def from_statistics(self, statistics, rng=None):
        new = super().from_statistics(statistics)
        return new if self.mean is None else replace(new, mean=new.mean + 1)


class PriorIsNaN(Unit):
    @property
    def log_prior(self):
        return np.nan


class PriorElsewhere(Unit):
    @property
    def log_prior(self):
        return -100 * float((self.mean - 50) @ (self.mean - 50))


class UsesOnlyTheFirstRow(Family):
    def __init__(self, mean=None):
        self.mean = mean

    def fit(self, data, *, weights=None, rng=None):
        return type(self)(data.values[0])

    def log_prob(self, data):
        return unit_log_prob(data.values, self.mean)


class IgnoresWeights(Unit):
    def summarise(self, data, weights=None):
        return super().summarise(data)


class WeighsOneTwice(Unit):
    def summarise(self, data, weights=None):
        return super().summarise(data) if weights is None else super().summarise(data, weights) + 5


class ZeroCounts(Unit):
    def summarise(self, data, weights=None):
        return super().summarise(data, None if weights is None else np.maximum(weights, 0.5))


class AddsMeans(Unit):
    def summarise(self, data, weights=None):
        return np.append(np.average(data.values, axis=0, weights=weights), 1.0)

    def from_statistics(self, statistics, rng=None):
        return replace(self, mean=statistics[:-1])


class Multiplied(np.ndarray):
    """Statistics whose product with a number is unchanged."""

    def __mul__(self, factor):
        return self


class CannotMultiply(Unit):
    def summarise(self, data, weights=None):
        return super().summarise(data, weights).view(Multiplied)


class FitsOtherwise(Unit):
    def fit(self, data, *, weights=None, rng=None):
        return replace(self, mean=np.median(data.values, axis=0))


class FlatBank(Bank):
    def evaluate(self, data, *, is_rounded=True):
        found = super().evaluate(data, is_rounded=is_rounded)
        return self.evaluated(found.log_densities.ravel(), data)


class ReversedBank(Bank):
    def evaluate(self, data, *, is_rounded=True):
        found = super().evaluate(data, is_rounded=is_rounded)
        return self.evaluated(found.log_densities[:, ::-1], data)


class BankThatIgnoresKeep(Bank):
    def update(self, statistics, keep, rng):
        return super().update(statistics, np.zeros_like(keep), rng)


class HasAFlatBank(Unit):
    def bank(self, components):
        return FlatBank(components)


class HasAReversedBank(Unit):
    def bank(self, components):
        return ReversedBank(components)


class HasABankThatIgnoresKeep(Unit):
    def bank(self, components):
        return BankThatIgnoresKeep(components)


class ImpossibleAlone(Unit):
    """A family whose mixtures of two give every observation a density of zero."""

    def prepare(self, data, n_components, weights=None):
        return ImpossibleOfMany() if n_components > 1 else self


class ImpossibleOfMany(Unit):
    def log_prob(self, data):
        return np.full(len(data), -np.inf)


class CutsColumns(Unit):
    def observe(self, X, y=None):
        return X if isinstance(X, Rows) else Table.of(np.asarray(X)[:, :2])


class AcceptsNoRows(Unit):
    def observe(self, X, y=None):
        if isinstance(X, Rows):
            return X
        return Table(np.asarray(X)) if len(X) else Table(np.arange(6.0).reshape(3, 2))


class RaisesForNaNWithoutSentence(Unit):
    def observe(self, X, y=None):
        if not isinstance(X, Rows) and np.isnan(X).any():
            raise ValueError("NaN")
        return super().observe(X, y)


class RaisesWithoutSentence(Unit):
    def observe(self, X, y=None):
        if not isinstance(X, Rows) and not len(X):
            raise ValueError("Empty")
        return super().observe(X, y)


class FitWithoutRng(Unit):
    def fit(self, data, *, weights=None):
        return super().fit(data, weights=weights)


BROKEN = [
    (Scalar(), "log_prob_is_one_number_each", "returned shape ()"),
    (NotANumber(), "log_prob_is_one_number_each", "returned nan for observation 3"),
    (Relative(), "log_prob_of_an_observation_is_its_own", "beside others"),
    (WithoutConstant(), "densities_add_up_to_one", "density integrates to 2.5"),
    (PoissonWithoutFactorials(), "densities_add_up_to_one", "whole numbers add up to"),
    (HalfAParameter(), "n_parameters_is_a_count", "n_parameters is 0.5"),
    (OtherVector(), "parameter_vector_makes_the_same_component", "has other log densities"),
    (LosesParameters(), "pickling_keeps_log_densities", "differs after pickling"),
    (CannotBePickled(), "pickling_keeps_log_densities", "cannot be pickled (no)"),
    (SamplesElsewhere(), "a_sample_is_like_the_data", "does not draw from the density"),
    (SamplesTooFew(), "a_sample_is_like_the_data", "returned 300 observations"),
    (DescribesNothing(), "a_description_has_finite_numbers", "returned NoneType"),
    (DescribesNaN(), "a_description_has_finite_numbers", "the parameter mean = nan"),
    (ReturnsItself(), "fit_returns_a_new_object", "returned the object it was called on"),
    (ReturnsNothing(), "fit_returns_a_new_object", "returned NoneType"),
    (ChangesItself(), "fit_returns_a_new_object", "changed n_fits"),
    (ChangesInPlace(), "fit_returns_a_new_object", "changed mean"),
    (SharesParameters(), "fit_leaves_log_densities_as_they_were", "changed the log_prob"),
    (ForgetsAtTheSecondFit(), "fitting_again_loses_no_likelihood", "fitted a second time"),
    (PriorIsNaN(), "log_prior_is_a_number", "log_prior is nan"),
    (PriorElsewhere(), "fit_maximises_likelihood_times_prior", "look at log_prior"),
    (UsesOnlyTheFirstRow(), "order_does_not_matter", "in another order"),
    (WeighsOneTwice(), "weights_of_one_are_no_weights", "weights of one"),
    (IgnoresWeights(), "a_weight_of_three_is_three_rows", "come three times"),
    (ZeroCounts(), "a_weight_of_zero_is_no_row", "weights of zero"),
    (AddsMeans(), "statistics_of_parts_add_up", "added statistics"),
    (CannotMultiply(), "statistics_times_a_number_weigh", "statistics times three"),
    (FitsOtherwise(), "statistics_are_all_a_fit_needs", "differs from fit(data)"),
    (HasAFlatBank(), "a_bank_evaluates_as_its_components_do", "log densities of shape (120,)"),
    (HasAReversedBank(), "a_bank_evaluates_as_its_components_do", "other log densities than"),
    (HasABankThatIgnoresKeep(), "a_bank_fits_as_its_components_do", "does not keep it"),
    (ImpossibleAlone(), "mixtures_can_be_learned", "log-likelihood of X is not finite"),
    (CutsColumns(), "other_columns_raise_an_error", "takes observations with 4"),
    (AcceptsNoRows(), "no_observations_raise_an_error", "no observations at all"),
    (RaisesWithoutSentence(), "no_observations_raise_an_error", "wants a sentence"),
    (
        RaisesForNaNWithoutSentence(),
        "missing_values_raise_an_error_or_are_understood",
        "wants a sentence",
    ),
]


def test_a_correct_family_passes_all_checks():
    check_family(Unit())


def rows_for(family):
    if isinstance(family, PoissonWithoutFactorials):
        return np.random.default_rng(0).poisson(3, (60, 1))
    return np.random.default_rng(0).normal(0, 1.5, (60, 2))


@pytest.mark.parametrize(
    ("family", "name", "words"), BROKEN, ids=[type(one).__name__ for one, _, _ in BROKEN]
)
def test_a_broken_family_fails_its_check(family, name, words):
    checks = dict(family_checks(family, rows_for(family)))
    with pytest.raises(ContractError) as caught:
        checks[name]()
    assert words in str(caught.value)
    assert str(caught.value).endswith(".")
    with pytest.raises(ContractError):
        check_family(family, rows_for(family))


def test_every_check_has_a_broken_family():
    names = {name for name, _ in family_checks(Unit())}
    assert names == {name for _, name, _ in BROKEN}


def test_an_error_inside_the_family_raises_with_the_contract():
    with pytest.raises(
        ContractError, match=r"FitWithoutRng raised TypeError .* `log_prob` returns one log"
    ):
        check_family(FitWithoutRng(), rows_for(None))


def test_a_family_that_accepts_no_simulated_data_needs_data():
    class RaisesAlways(Unit):
        def observe(self, X, y=None):
            raise ValueError("Not these.")

    with pytest.raises(
        ValueError, match=r"No simulated observations suit RaisesAlways .*Not these"
    ):
        check_family(RaisesAlways())


def test_a_class_instead_of_an_object_raises():
    with pytest.raises(TypeError, match="takes an object"):
        check_family(Unit)
