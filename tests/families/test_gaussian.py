import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from boltzmix.data import Hard, Soft, Table
from boltzmix.families import Gaussian
from boltzmix.families.covariance.moments import Moments

SHAPES = ["full", "tied", "diag", "spherical"]


def draw(n=200, d=3, seed=0):
    rng = np.random.default_rng(seed)
    return Table.of(rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + rng.normal(size=d))


def fit(shape, table, **options):
    return Gaussian(shape, **options).prepare(table, 1).fit(table)


@pytest.mark.parametrize("shape", SHAPES)
def test_log_prob_is_scipys(shape):
    table = draw()
    fitted = fit(shape, table)
    expected = multivariate_normal(fitted.mean, fitted.covariance_matrix).logpdf(table.values)
    np.testing.assert_allclose(fitted.log_prob(table), expected, rtol=1e-10)


def test_full_fit_is_mean_and_covariance_with_the_added_variance():
    table = draw()
    fitted = Gaussian("full", added_variance=0.5).fit(table)
    np.testing.assert_allclose(fitted.mean, table.values.mean(axis=0))
    np.testing.assert_allclose(fitted.variance, np.cov(table.values.T, bias=True) + 0.5 * np.eye(3))


@pytest.mark.parametrize("shape", SHAPES)
def test_fit_returns_a_new_object_and_leaves_the_template(shape):
    template, table = Gaussian(shape).prepare(draw(), 1), draw()
    fitted = template.fit(table)
    assert fitted is not template
    assert template.mean is None


@pytest.mark.parametrize("shape", SHAPES)
def test_doubling_a_weight_is_doubling_a_row(shape):
    table = draw(40)
    weights = np.ones(40)
    weights[:7] = 2
    doubled = Table.of(np.concatenate([table.values, table.values[:7]]))
    one = Gaussian(shape, added_variance=0).fit(table, weights=weights)
    two = Gaussian(shape, added_variance=0).fit(doubled)
    np.testing.assert_allclose(one.mean, two.mean)
    np.testing.assert_allclose(one.variance, two.variance)


@given(st.sampled_from(SHAPES), st.integers(1, 199), st.floats(-1e8, 1e8))
def test_statistics_of_two_blocks_add_up_to_those_of_the_whole(shape, cut, offset):
    values = draw().values + offset
    family = Gaussian(shape)
    parts = family.summarise(Table(values[:cut])) + family.summarise(Table(values[cut:]))
    whole = family.summarise(Table(values))
    assert parts.counts == whole.counts
    np.testing.assert_allclose(parts.means, whole.means, rtol=1e-12)
    np.testing.assert_allclose(parts.scatters, whole.scatters, rtol=1e-6, atol=1e-5)


def test_variance_far_from_the_origin_loses_no_digits():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(10_000, 2))
    near = fit("full", Table.of(noise), added_variance=0)
    far = fit("full", Table.of(noise + 1e8), added_variance=0)
    np.testing.assert_allclose(far.variance, near.variance, atol=1e-6)


def test_adding_nothing_to_nothing_is_nothing():
    family = Gaussian()
    empty = family.summarise(Table(np.empty((0, 2))))
    assert isinstance(empty, Moments)
    assert (empty + empty).counts == 0


@pytest.mark.parametrize("shape", SHAPES)
def test_sampling_then_fitting_recovers_the_parameters(shape):
    fitted = fit(shape, draw())
    again = fit(shape, Table.of(fitted.sample(200_000, np.random.default_rng(1))))
    spread = np.sqrt(np.diag(fitted.covariance_matrix)).max()
    np.testing.assert_allclose(again.mean, fitted.mean, atol=0.02 * spread)
    np.testing.assert_allclose(
        again.covariance_matrix, fitted.covariance_matrix, atol=0.03 * spread**2
    )


@pytest.mark.parametrize(
    ("shape", "expected"), [("full", 9), ("tied", 9), ("diag", 6), ("spherical", 4)]
)
def test_n_parameters_of_one_component(shape, expected):
    assert fit(shape, draw()).n_parameters == expected


@pytest.mark.parametrize(
    ("shape", "expected"), [("full", 27), ("tied", 15), ("diag", 18), ("spherical", 12)]
)
def test_n_parameters_of_a_bank(shape, expected):
    fitted = fit(shape, draw())
    assert fitted.bank([fitted] * 3).n_parameters == expected


@pytest.mark.parametrize("shape", SHAPES)
def test_the_ridge_scales_with_the_data(shape):
    table = draw()
    scaled = Table.of(table.values * 1000)
    np.testing.assert_allclose(
        fit(shape, scaled).variance, fit(shape, table).variance * 1e6, rtol=1e-10
    )


@pytest.mark.parametrize("shape", ["full", "diag", "spherical"])
def test_no_component_collapses_onto_its_points(shape):
    table = draw()
    template = Gaussian(shape).prepare(table, 2)
    two_points = template.fit(table.take(slice(0, 2)))
    least = np.linalg.eigvalsh(two_points.covariance_matrix).min()
    assert least >= 0.99 * np.min(template.added_variance)


def test_a_bank_evaluates_as_its_components_do():
    table = draw()
    template = Gaussian().prepare(table, 2)
    labels = np.arange(len(table)) % 2
    bank = template.bank([template] * 2)
    bank = bank.update(bank.summarise(table, Hard(labels, 2)), np.zeros(2, dtype=bool))
    expected = np.column_stack([component.log_prob(table) for component in bank])
    np.testing.assert_allclose(bank.log_prob(table), expected)
    soft = bank.update(bank.summarise(table, Soft(np.eye(2)[labels])), np.zeros(2, dtype=bool))
    np.testing.assert_allclose(soft.means, bank.means)


def test_tied_components_share_the_covariance_even_where_one_is_kept():
    table = draw()
    template = Gaussian("tied").prepare(table, 2)
    bank = template.bank([template] * 2)
    bank = bank.update(
        bank.summarise(table, Hard(np.arange(len(table)) % 2, 2)), np.zeros(2, dtype=bool)
    )
    kept = bank.update(
        bank.summarise(table, Hard(np.zeros(len(table), dtype=int), 2)), np.array([False, True])
    )
    np.testing.assert_array_equal(kept.variances[0], kept.variances[1])
    np.testing.assert_array_equal(kept.means[1], bank.means[1])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[1.0, 2.0]], "at least 2"),
        ([[1.0, 2.0], [3.0, 2.0]], "Column 1 of X is constant .every value is 2"),
        ([[1e200], [2e200]], "double precision"),
        ([[1e-200], [2e-200]], "double precision"),
    ],
)
def test_data_without_a_usable_variance_raises_an_error(values, message):
    with pytest.raises(ValueError, match=message):
        Gaussian().prepare(Table.of(values), 1)


def test_bad_arguments_raise_an_error():
    with pytest.raises(ValueError, match="covariance must be one of"):
        Gaussian("round")
    with pytest.raises(ValueError, match="ridge must be"):
        Gaussian(ridge=-1)


def test_an_unfitted_gaussian_says_so():
    with pytest.raises(ValueError, match="call fit first"):
        Gaussian().log_prob(draw())


@pytest.mark.parametrize("covariance", ["full", "tied", "diag", "spherical"])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("ordered", [False, True])
def test_log_densities_under_the_own_component_are_those_of_the_matrix(
    covariance, missing, ordered
):
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(300, 3)), rng.integers(5, size=300).astype(np.int32)
    labels[labels == 3] = 4  # one component has nobody
    if ordered:
        labels.sort()
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
    rows = Table.of(X, missing=True)
    family = Gaussian(covariance).prepare(rows, 5)
    parts = [family.fit(rows.take(np.arange(k, 300, 5))) for k in range(5)]
    bank = family.bank(parts)
    own = bank.log_densities_at(rows, Hard(labels, 5))
    of_all = bank.evaluate(rows).log_densities
    np.testing.assert_allclose(own, of_all[np.arange(300), labels], rtol=1e-12)


@pytest.mark.parametrize("d", [1, 2, 7, 32, 33])
def test_whitening_makes_covariances_the_identity(d):
    shape = Gaussian("full").shape
    roots = np.random.default_rng(d).normal(size=(4, d, 2 * d))
    variances = roots @ roots.transpose(0, 2, 1)
    factors = shape.whitening(variances)
    white = factors.transpose(0, 2, 1) @ variances @ factors
    np.testing.assert_allclose(white, np.broadcast_to(np.eye(d), white.shape), atol=1e-8)
    assert (np.tril(factors, -1) == 0).all()
    variances[2, 0, 0] = -1
    with pytest.raises(np.linalg.LinAlgError):
        shape.whitening(variances)


@pytest.mark.parametrize("unit", [1.0, 1e60, 1e-60])
def test_a_component_is_degenerate_if_a_tenth_of_its_least_variance_is_added(unit):
    rng = np.random.default_rng(0)
    for size in rng.integers(2, 30, size=100):
        directions = np.linalg.qr(rng.normal(size=(size, size)))[0]
        variances = 10.0 ** rng.uniform(0.5, 4, size=size)
        added = np.full(size, unit)
        component = Gaussian(
            added_variance=added,
            mean=np.zeros(size),
            variance=unit * (directions * variances) @ directions.T,
        )
        assert component.is_degenerate == (variances.min() < 10)
