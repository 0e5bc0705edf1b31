"""What families say of themselves: every description is finite, and agrees with the parameters."""

import numpy as np
import pytest
from scipy import stats
from sklearn.neighbors import KernelDensity

from boltzmix import families
from boltzmix.data import Sequences, Table
from boltzmix.families import Chain, Curve, Ellipse, Family
from tests.own_family_file import Rayleigh

RNG = np.random.default_rng(0)
NUMBERS = RNG.normal(5, 2, (80, 3))
POSITIVE = RNG.gamma(2.0, 1.5, (80, 2))
COUNTS = RNG.poisson(4.0, (80, 3)).astype(float)
SHARES = RNG.beta(2.0, 3.0, (80, 2))
PARTS = RNG.dirichlet([1.0, 2.0, 3.0], 80)
UNIT = NUMBERS / np.linalg.norm(NUMBERS, axis=1)[:, None]
ANGLES = RNG.vonmises(0.5, 2.0, (80, 1))
CODES = RNG.integers(3, size=(80, 2)).astype(float)
BITS = RNG.integers(2, size=(80, 4)).astype(float)
SERIES = [RNG.normal(size=(12, 2)) for _ in range(10)]
SYMBOLS = [RNG.integers(3, size=(12, 1)).astype(float) for _ in range(10)]
LINE = np.column_stack([POSITIVE[:, 0] * 2 + 1, NUMBERS[:, 0]])

OF_COLUMNS = {
    "gaussian": (families.Gaussian(), NUMBERS),
    "tied": (families.Gaussian("tied"), NUMBERS),
    "diag": (families.Gaussian("diag"), NUMBERS),
    "spherical": (families.Gaussian("spherical"), NUMBERS),
    "student-t": (families.StudentT(), NUMBERS),
    "robust-gaussian": (families.RobustGaussian(), NUMBERS),
    "factor-analyser": (families.FactorAnalyser(1), NUMBERS),
    "laplace": (families.Laplace(), NUMBERS),
    "uniform": (families.Uniform(), NUMBERS),
    "gamma": (families.Gamma(), POSITIVE),
    "log-normal": (families.LogNormal(), POSITIVE),
    "weibull": (families.Weibull(), POSITIVE),
    "zero-inflated-log-normal": (families.ZeroInflatedLogNormal(), POSITIVE),
    "exponential": (families.Exponential(), POSITIVE),
    "beta": (families.Beta(), SHARES),
    "dirichlet": (families.Dirichlet(), PARTS),
    "von-mises": (families.VonMises(), ANGLES),
    "von-mises-fisher": (families.VonMisesFisher(), UNIT),
    "poisson": (families.Poisson(), COUNTS),
    "negative-binomial": (families.NegativeBinomial(), COUNTS),
    "geometric": (families.Geometric(), COUNTS + 1),
    "multinomial": (families.Multinomial(), COUNTS),
    "bernoulli": (families.Bernoulli(), BITS),
    "categorical": (families.Categorical(), CODES),
    "auto": (families.Automatic(), np.column_stack([NUMBERS, CODES[:, 0], COUNTS[:, 0]])),
    "scipy": (families.ScipyFamily(stats.norm), NUMBERS[:, :1]),
    "own": (Rayleigh(), POSITIVE[:, :1]),
}
OTHERS = {
    "gp": (families.GaussianProcess(n_steps=1), (POSITIVE[:, :1], LINE)),
    "linear-regression": (families.LinearRegression(), (POSITIVE[:, :1], LINE)),
    "poisson-regression": (families.PoissonRegression(), (POSITIVE, COUNTS[:, 0])),
    "negative-binomial-regression": (
        families.NegativeBinomialRegression(degree=2),
        (POSITIVE, COUNTS[:, 0]),
    ),
    "logistic-regression": (families.LogisticRegression(), (POSITIVE, BITS[:, 0])),
    "gamma-regression": (families.GammaRegression(), (COUNTS, POSITIVE[:, 0])),
    "parabola": (families.LinearRegression(degree=2), (POSITIVE, LINE)),
    "hmm": (families.HMM(2), (SERIES,)),
    "hmm of categories": (families.HMM(2, families.Categorical()), (SYMBOLS,)),
    "markov-chain": (families.MarkovChain(), (SYMBOLS,)),
    "growth-curve": (
        families.GrowthCurve(),
        ([(range(4), row) for row in NUMBERS.reshape(-1, 4)],),
    ),
    "sklearn": (families.SklearnFamily(KernelDensity()), (NUMBERS,)),
}
ALL = {**{name: (family, (X,)) for name, (family, X) in OF_COLUMNS.items()}, **OTHERS}


def fitted(name):
    family, data = ALL[name]
    observed = family.observe(*data)
    return family.prepare(observed, 1).fit(observed, rng=np.random.default_rng(0)), observed


def numbers_of(description):
    """Return all numbers of a description, those of its parts and states included."""
    found = [np.ravel(np.asarray(one, dtype=float)) for one in description.parameters.values()]
    for column in description.columns:
        given = [column.centre, column.spread, *column.parameters.values()]
        found.append(np.array([one for one in given if one is not None], dtype=float))
        if column.probabilities is not None:
            found.append(column.probabilities)
    inner = [part.description for part in description.parts]
    if isinstance(description.picture, Chain):
        inner += description.picture.states
    return np.concatenate([*found, *map(numbers_of, inner), np.empty(0)])


def test_every_family_of_the_command_is_described_here():
    assert set(families.FAMILIES) <= set(ALL)


@pytest.mark.parametrize("name", ALL)
def test_all_numbers_are_finite(name):
    component, _ = fitted(name)
    assert np.isfinite(numbers_of(component.describe())).all()


@pytest.mark.parametrize("name", [name for name in ALL if name != "auto"])
def test_parameters_have_names_and_are_those_of_the_component(name):
    component, _ = fitted(name)
    parameters = component.describe().parameters
    assert parameters or name == "sklearn"
    for key, value in parameters.items():
        own = getattr(component, key, None)
        if isinstance(own, np.ndarray | float):
            assert np.array_equal(value, own)


@pytest.mark.parametrize("name", OF_COLUMNS)
def test_there_is_one_description_for_each_column(name):
    component, data = fitted(name)
    assert len(component.describe().columns) == data.n_features


@pytest.mark.parametrize("name", OF_COLUMNS)
def test_a_description_of_a_column_says_something(name):
    component, _ = fitted(name)
    for column in component.describe().columns:
        told = (column.centre, column.spread, column.probabilities, column.parameters or None)
        assert any(one is not None for one in told)
        if column.probabilities is not None:
            assert column.probabilities.sum() == pytest.approx(1)


@pytest.mark.parametrize("name", ["gaussian", "tied", "diag", "spherical"])
def test_centres_and_spreads_of_gaussians_are_those_of_the_data(name):
    component, _ = fitted(name)
    description = component.describe()
    assert isinstance(description.picture, Ellipse)
    assert np.allclose([column.centre for column in description.columns], NUMBERS.mean(axis=0))
    spreads = [column.spread for column in description.columns]
    assert np.allclose(spreads, np.sqrt(np.diag(description.picture.covariance)))


@pytest.mark.parametrize("name", ["student-t", "robust-gaussian", "factor-analyser"])
def test_heavy_tails_and_factors_have_an_ellipse_too(name):
    component, _ = fitted(name)
    picture = component.describe().picture
    assert picture.centre.shape == (3,)
    assert picture.covariance.shape == (3, 3)
    assert (np.linalg.eigvalsh(picture.covariance) > 0).all()


@pytest.mark.parametrize("name", ["poisson", "gamma", "exponential", "geometric", "weibull"])
def test_centres_of_columns_are_means(name):
    component, _ = fitted(name)
    drawn = component.sample(20_000, np.random.default_rng(0))
    centres = [column.centre for column in component.describe().columns]
    assert np.allclose(centres, drawn.mean(axis=0), rtol=0.05)


@pytest.mark.parametrize("name", OF_COLUMNS)
def test_whole_numbers_are_what_is_drawn(name):
    component, _ = fitted(name)
    try:
        drawn = np.asarray(component.sample(200, np.random.default_rng(0)), dtype=float)
    except NotImplementedError:
        return
    for column, description in zip(drawn.T, component.describe().columns, strict=True):
        assert description.whole_numbers == bool((column == np.floor(column)).all())


@pytest.mark.parametrize("name", ["hmm", "hmm of categories", "markov-chain"])
def test_chains_have_states_and_the_time_spent_in_them(name):
    component, data = fitted(name)
    chain = component.describe().picture
    n_states = len(chain.initial)
    assert chain.initial.sum() == pytest.approx(1)
    assert np.allclose(chain.transitions.sum(axis=1), 1)
    assert chain.symbolic == (name != "hmm")
    assert len(chain.states) == (0 if name == "markov-chain" else n_states)
    occupancy = chain.occupancy(data)
    assert occupancy.shape == (n_states,)
    assert occupancy.sum() == pytest.approx(1)
    nothing = Sequences(np.empty((0, data.n_features)), np.zeros(1, dtype=np.int64))
    assert np.array_equal(chain.occupancy(nothing), np.zeros(n_states))


@pytest.mark.parametrize("name", ["gp", "linear-regression", "parabola"])
def test_curves_are_predictions(name):
    component, data = fitted(name)
    curve = component.describe().picture
    assert isinstance(curve, Curve)
    means, deviations = curve.predict(data.inputs[:7])
    assert means.shape == deviations.shape == (7, 2)
    assert np.array_equal(means, component.predict(data.inputs[:7]))
    assert (deviations > 0).all()


def test_formulas_name_the_inputs():
    component, _ = fitted("linear-regression")
    lines = component.describe().picture.formula(["wealth"]).splitlines()
    assert len(lines) == 2
    assert all(line.startswith("target = ") and " wealth ± " in line for line in lines)
    component, _ = fitted("gp")
    assert "noise ± " in component.describe().picture.formula(["x"])


def test_a_product_describes_its_parts_and_their_categories():
    X = np.array([[3, "red", 0.5], [5, "blue", 1.5], [4, "red", 2.5]], dtype=object)
    family = families.Product(
        {1: families.Categorical(), (2, 0): families.Gaussian("diag", added_variance=1e-3)}
    )
    description = family.fit(family.observe(X)).describe()
    assert [part.columns for part in description.parts] == [("1",), ("2", "0")]
    assert [part.family for part in description.parts] == ["Categorical", "Gaussian"]
    assert description.categories == {"1": ("blue", "red")}
    assert [column.centre for column in description.columns] == [4.0, None, 1.5]


def test_columns_left_out_of_a_product_leave_all_undescribed():
    family = families.Product({1: families.Poisson()})
    assert family.fit(family.observe(COUNTS)).describe().columns == []


class Own(Family):
    """A family that does not describe itself."""

    def __init__(self, **attributes):
        vars(self).update(attributes)

    def fit(self, data, *, weights=None, rng=None):
        return self

    def log_prob(self, data):
        return np.zeros(len(data))


@pytest.mark.parametrize(
    ("attributes", "columns"),
    [
        ({"rate": 0.5}, [{"rate": 0.5}]),
        ({"rate": np.array([0.5, 2.0])}, [{"rate": 0.5}, {"rate": 2.0}]),
        ({"mean": np.zeros(2), "shape": 3}, [{"mean": 0, "shape": 3}, {"mean": 0, "shape": 3}]),
        ({"mean": np.zeros(2), "covariance": np.eye(2)}, []),
        ({"rate": None, "_cache": 3.0, "flag": True, "label": "x"}, []),
    ],
)
def test_unless_it_says_a_family_is_described_by_its_attributes(attributes, columns):
    description = Own(**attributes).describe()
    assert [dict(column.parameters) for column in description.columns] == columns
    assert not {"_cache", "flag", "label"} & set(description.parameters)


def test_parameters_of_functions_are_named_or_numbered():
    def family(parameters):
        return families.FunctionFamily(
            lambda rows: parameters, lambda rows, found: np.zeros(len(rows))
        ).fit(Table.of([[1.0], [2.0]]))

    assert family((1.0, 2.0)).describe().parameters == {"parameter 0": 1.0, "parameter 1": 2.0}
    assert family({"a": 1.0}).describe().parameters == {"a": 1.0}
    assert family(3.0).describe().parameters == {"parameter": 3.0}


@pytest.mark.parametrize("name", [name for name in ALL if name not in ("auto", "own")])
def test_a_family_without_parameters_says_so(name):
    family, _ = ALL[name]
    with pytest.raises(ValueError, match="no parameters yet: call fit first"):
        family.describe()
