"""How far apart the values of a column are, and what that does to components."""

import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.data import Table
from boltzmix.families import Gaussian, RobustGaussian, StudentT
from boltzmix.families.columns.resolution import rounding_variances

RNG = np.random.default_rng(0)
NUMBERS = RNG.normal(size=400)


def variance_of(column, resolution="auto"):
    found = rounding_variances(Table.of(np.asarray(column, dtype=float)[:, None]), resolution)
    return None if found is None else found[0]


def test_whole_numbers_are_known_up_to_a_half():
    assert variance_of(RNG.integers(0, 20, 400)) == pytest.approx(1 / 12)


def test_values_of_zero_and_one_are_known_up_to_a_half():
    assert variance_of(RNG.integers(0, 2, 400)) == pytest.approx(1 / 12)


@pytest.mark.parametrize("decimals", [0, 1])
def test_rounded_numbers_are_known_up_to_half_a_digit(decimals):
    delta = 10.0**-decimals
    assert variance_of(NUMBERS.round(decimals)) == pytest.approx(delta**2 / 12)
    assert variance_of(NUMBERS.round(decimals) * 40 + 7) == pytest.approx((40 * delta) ** 2 / 12)


@pytest.mark.parametrize("column", [NUMBERS, NUMBERS * 1e150, np.full(400, 3.0), NUMBERS[:1]])
def test_continuous_and_constant_columns_are_exact(column):
    assert variance_of(column) is None


def test_each_column_has_its_own_resolution():
    rows = np.column_stack([NUMBERS, NUMBERS.round(1), RNG.integers(0, 5, 400)])
    found = rounding_variances(Table.of(rows), "auto")
    np.testing.assert_allclose(found, [0, 0.01 / 12, 1 / 12])


def test_missing_values_and_repeated_rows_change_nothing():
    column = NUMBERS.round(1)
    missing = Table.of(np.append(column, np.full(100, np.nan))[:, None], missing=True)
    assert rounding_variances(missing, "auto") == variance_of(column)
    assert variance_of(np.repeat(column, 3)) == variance_of(column)


def test_a_resolution_that_is_given_is_taken():
    assert variance_of(NUMBERS, 0.5) == pytest.approx(0.25 / 12)
    assert variance_of(NUMBERS.round(0), None) is None
    assert variance_of(NUMBERS.round(0), 0) is None
    rows = Table.of(np.column_stack([NUMBERS, NUMBERS]))
    np.testing.assert_allclose(rounding_variances(rows, [0.0, 3.0]), [0, 0.75])


@pytest.mark.parametrize("family", [Gaussian(ridge=0), StudentT(degrees=5), RobustGaussian()])
def test_a_component_on_one_value_has_the_variance_of_rounding(family):
    column = Table.of(np.repeat(np.arange(10.0), 40)[:, None])
    prepared = family.prepare(column, 2)
    alone = Table.of(np.full((40, 1), 3.0))
    statistics = prepared.summarise(alone)
    fitted = prepared.from_statistics(statistics)
    variance = fitted.fitted_parameters[1][0, 0]
    assert variance == pytest.approx(1 / 12 + np.sum(prepared.added_variance))
    assert fitted.fitted_parameters[0] == pytest.approx(3)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("family", [Gaussian(), RobustGaussian()])
def test_no_component_of_a_mixture_is_narrower_than_rounding(family):
    rng = np.random.default_rng(1)
    rows = np.column_stack([rng.normal(size=300), rng.integers(0, 3, 300)])
    model = Mixture(family, 3, random_state=0).fit(rows)
    for one in model.components_:
        assert one.fitted_parameters[1][1, 1] >= 1 / 12
    exact = Mixture(Gaussian(prior=0, resolution=None), 3, random_state=0).fit(rows)
    assert min(one.variance[1, 1] for one in exact.components_) < 1 / 100


@pytest.mark.parametrize(
    "resolution", ["high", -1.0, [[1.0]], [1.0, -1.0], np.nan, np.inf, True, {}]
)
def test_a_bad_resolution_raises_an_error(resolution):
    for family in (Gaussian, StudentT, RobustGaussian):
        with pytest.raises(ValueError, match="resolution must be 'auto', None, or the distance"):
            family(resolution=resolution)


def test_a_resolution_for_other_columns_raises_an_error():
    with pytest.raises(ValueError, match="resolution has 3 numbers, but X has 2 columns"):
        Mixture(RobustGaussian(resolution=np.ones(3)), 2).fit(RNG.normal(size=(50, 2)))
