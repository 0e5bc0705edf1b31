import numpy as np
import pytest

from boltzmix.data import Sequences, Table
from boltzmix.families import (
    HMM,
    Bernoulli,
    Categorical,
    Exponential,
    Family,
    Gamma,
    Gaussian,
    GaussianProcess,
    LinearRegression,
    LogNormal,
    MarkovChain,
    Poisson,
    Product,
    StudentT,
    VonMises,
)
from boltzmix.families.contract.description import ColumnDescription, Description
from boltzmix.views import (
    describe,
    describe_columns,
    describe_component,
    describe_family,
    describe_parameters,
    rounded,
)

COLOURS = ["blue", "red"]


class Unknown(Family):
    """A family without any parameters."""

    def fit(self, data, *, weights=None, rng=None):
        return Unknown()

    def log_prob(self, data):
        return np.zeros(len(data))


def without_breaks(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    "family, words",
    [
        (Gaussian(), "1.5 ± 0.9"),
        (Gamma(), "mean 1.5"),
        (Exponential(), "mean 1.5"),
        (Poisson(), "rate 1.5"),
        (Categorical(prior=0), "one (75%)"),
        (VonMises(), "direction 1."),
    ],
)
def test_a_column_is_described_in_a_few_words(family, words):
    X = Table.of([[1], [3], [1], [1]])
    symbols = {"x": ["zero", "one", "two", "three"]}
    (column,) = describe_columns(family.fit(X).describe(), ["x"], symbols)
    assert without_breaks(column).startswith(words)


def test_heavy_tails_are_described_by_centre_and_scale():
    X = Table.of(np.random.default_rng(0).normal(5, 2, size=(500, 2)))
    columns = describe_columns(StudentT().fit(X).describe(), ["x", "y"], {})
    assert all("±" in one for one in columns)


def test_a_boolean_column_is_described_by_its_most_likely_value():
    X = Table.of([[1], [1], [1], [0]])
    fitted = Bernoulli(prior=0).fit(X)
    assert describe_columns(fitted.describe(), ["x"], {"x": [False, True]}) == ["True (75%)"]


def test_columns_are_described_only_if_their_number_is_right():
    one = Description({}, columns=[ColumnDescription(centre=1.0)])
    assert describe_columns(one, ["x"], {}) == ["mean 1"]
    assert describe_columns(one, ["x", "y"], {}) is None
    assert describe_columns(Description({"scale": 0.5}), ["x"], {}) is None


def test_a_component_without_columns_is_described_by_its_parameters():
    assert describe(Description({"scale": 0.5234, "n": 12}), ["x", "y"], {}) == "scale 0.523, n 12"
    assert describe_parameters({"at": np.array([1.0, 0.25]), "law": "odd"}) == (
        "at [1. , 0.25], law odd"
    )


def test_only_a_component_without_parameters_is_described_by_its_repr():
    assert describe_component(Unknown(), ["x"], {}) == "Unknown()"


def test_only_the_first_of_many_columns_are_described():
    columns = [ColumnDescription(parameters={"rate": 0.5}) for _ in range(4)]
    assert describe(Description({}, columns=columns), list("abcd"), {}) == (
        "a rate 0.5, b rate 0.5, c rate 0.5, …"
    )


def test_each_part_of_a_product_is_described_on_a_line():
    rows = np.array([[3, "red"], [1, "blue"], [2, "red"], [2, "red"]], dtype=object)
    family = Product({0: Poisson(), 1: Categorical(prior=0)})
    fitted = family.fit(family.observe(rows))
    assert describe_component(fitted, ["0", "1"], {}) == "0 rate 2\n1 red (75%)"
    assert describe_family(fitted) == "0: Poisson; 1: Categorical"


def test_hidden_states_are_described_by_their_emissions():
    steps = np.repeat([0.0, 5.0], [30, 10])[:, None]
    rng = np.random.default_rng(0)
    members = Sequences.of([steps + rng.normal(0, 0.1, steps.shape) for _ in range(10)])
    fitted = HMM(2).fit(members, rng=rng)
    assert describe_family(fitted) == "HMM, 2 states"
    first, second = without_breaks(describe_component(fitted, ["x"], {}, members)).splitlines()
    assert "(75%): x " in first and "(25%): x 4.99 ± 0.1" in second
    alone = without_breaks(describe_component(fitted, ["x"], {})).splitlines()
    assert [line.split(": ")[0] for line in alone] == ["state 0", "state 1"]
    empty = describe_component(fitted, ["x"], {}, members.take(slice(0, 0)))
    assert empty.startswith("state 0 (0%)")


def test_a_chain_of_symbols_is_described_by_its_transitions():
    members = Sequences.of([np.array([[0], [1], [0], [1], [0]]), np.array([[0], [1], [1]])])
    fitted = MarkovChain(prior=0).fit(members)
    symbols = {"colour": COLOURS}
    assert describe_family(fitted) == "MarkovChain, 2 symbols"
    assert describe_component(fitted, ["colour"], symbols, members) == (
        "starts with blue (100%)\nthen mostly blue → red 100%, red → blue 67%, red → red 33%"
    )
    assert describe_component(fitted, ["colour"], symbols) == (
        "starts with blue (100%)\nblue → red (100%)\nred → blue (67%)"
    )
    assert describe_component(fitted, ["colour"], symbols, members.take(slice(0, 0))) == (
        "starts with blue (100%)"
    )


def test_curves_are_described_by_their_formula():
    x = np.linspace(0, 6, 40)[:, None]
    line = LinearRegression()
    fitted = line.fit(line.observe(x, 2 - 0.5 * x[:, 0]))
    assert describe_component(fitted, ["time"], {}).startswith("target = 2 − 0.5 time ± ")
    process = GaussianProcess()
    fitted = process.fit(process.observe(x, np.sin(x[:, 0])))
    assert "noise ± " in describe_component(fitted, ["time"], {})


def test_a_mean_that_is_a_parameter_has_the_name_of_the_parameter():
    X = Table.of([[1.0], [2.0], [6.0]])
    assert describe_columns(LogNormal().fit(X).describe(), ["x"], {})[0].startswith("mean ")
    assert describe_columns(Poisson().fit(X).describe(), ["x"], {}) == ["rate 3"]


@pytest.mark.parametrize(
    "value, deviation, words",
    [
        (5812345.678, 21.0, "5,812,346"),
        (1.7e9 + 48212, 16298.0, "1,700,048,212"),
        (1.234e-9, 1e-10, "1.23e-09"),
        (1e15, 3.0, "1e+15"),
        (0.5, 0.0, "0.50"),
    ],
)
def test_numbers_have_the_digits_that_their_deviation_leaves_certain(value, deviation, words):
    assert rounded(value, deviation) == words
