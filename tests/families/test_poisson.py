import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import poisson

from boltzmix import Mixture
from boltzmix.data import LazyTable, Table
from boltzmix.families import Poisson, replaced
from boltzmix.metrics import purity_score

RATES = np.array([[1.0, 8.0, 3.0], [6.0, 2.0, 3.0], [12.0, 12.0, 0.5]])


def draw(n=200, seed=0, rates=RATES[0]):
    return Table.of(np.random.default_rng(seed).poisson(rates, size=(n, len(rates))))


def draw_mixture(n, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(3, size=n)
    return rng.poisson(RATES[labels]), labels


def test_rates_are_means():
    table = draw()
    np.testing.assert_allclose(Poisson().fit(table).rate, table.values.mean(axis=0))


@pytest.mark.parametrize(("scale", "digits"), [(1, 1e-12), (1_000_000, 1e-8)])
def test_log_prob_is_scipys(scale, digits):
    table = draw(rates=RATES[0] * scale)
    fitted = Poisson().fit(table)
    expected = poisson(fitted.rate).logpmf(table.values).sum(axis=1)
    np.testing.assert_allclose(fitted.log_prob(table), expected, rtol=digits)
    assert fitted.log_prob(table.take(slice(0, 0))).shape == (0,)


def test_no_rate_falls_to_zero():
    table = Table.of([[0, 4, 0], [0, 0, 2], [0, 4, 2], [0, 0, 0]])
    prepared = Poisson(floor=0.01, prior=0).prepare(table, 2)
    np.testing.assert_allclose(prepared.least_rate, [0.01 / 4, 0.02, 0.01])
    first = prepared.fit(table.take(slice(0, 1)))
    np.testing.assert_allclose(first.rate, [0.01 / 4, 4, 0.01])
    assert np.isfinite(first.log_prob(table)).all()
    everything = Poisson(prior=0).fit(table)
    np.testing.assert_allclose(everything.rate, [1e-4 / 4, 2, 1])


def test_the_prior_is_as_good_as_more_rows_or_events_like_all_the_data():
    table = Table.of([[0, 4, 0], [1, 0, 2], [0, 4, 2], [0, 0, 0]])
    prepared = Poisson(prior=3).prepare(table, 2)
    first = prepared.fit(table.take(slice(0, 1)))
    rows = np.array([3.0, 1.5, 3.0])  # three events in the second column, whose mean is two
    pooled = np.array([0.25, 2, 1])
    np.testing.assert_allclose(first.rate, ([0, 4, 0] + rows * pooled) / (1 + rows))
    best = first.log_prob(table.take(slice(0, 1)))[0] + first.log_prior
    for factor in (0.9, 1.1):
        other = replaced(first, rate=first.rate * factor)
        assert other.log_prob(table.take(slice(0, 1)))[0] + other.log_prior < best


def test_the_least_rate_weighs_rows_and_can_be_given():
    table, weights = Table.of([[0], [3]]), np.array([1.0, 3.0])
    prepared = Poisson(floor=0.1).prepare(table, 2, weights)
    np.testing.assert_allclose(prepared.least_rate, [0.1 * 9 / 4])
    given = Poisson(least_rate=0.5)
    assert given.prepare(table, 2).least_rate == 0.5
    np.testing.assert_allclose(given.fit(table.take(slice(0, 1))).rate, [0.5])


def test_fit_returns_a_new_object_and_leaves_the_template():
    template = Poisson().prepare(draw(), 1)
    fitted = template.fit(draw())
    assert fitted is not template
    assert template.rate is None


def test_doubling_a_weight_is_doubling_a_row():
    table, weights = draw(40), np.ones(40)
    weights[:7] = 2
    doubled = Table.of(np.concatenate([table.values, table.values[:7]]))
    one, two = Poisson().fit(table, weights=weights), Poisson().fit(doubled)
    np.testing.assert_allclose(one.rate, two.rate)
    assert not np.allclose(one.rate, Poisson().fit(table).rate)


@given(st.integers(0, 200))
def test_statistics_of_two_blocks_add_up_to_those_of_the_whole(cut):
    table, family = draw(), Poisson()
    one, other = (family.summarise(table.take(at)) for at in (slice(0, cut), slice(cut, None)))
    whole = family.summarise(table)
    np.testing.assert_array_equal((one + other).weight, np.full(3, 200.0))
    np.testing.assert_allclose((one + other).sums, whole.sums)
    doubled = family.summarise(table, np.full(200, 2.0))
    np.testing.assert_array_equal((whole * 2).weight, doubled.weight)
    np.testing.assert_allclose((whole * 2).sums, doubled.sums)


def test_nothing_has_statistics_of_zero():
    empty = Poisson().summarise(draw().take(slice(0, 0)))
    np.testing.assert_array_equal([empty.weight, empty.sums], np.zeros((2, 3)))
    assert (Poisson().from_statistics(empty).rate > 0).all()


def test_float32_is_summed_in_double_precision():
    values = np.full((1000, 1), 2**24 - 1, dtype=np.float32)
    assert Poisson().fit(Table.of(values)).rate[0] == 2**24 - 1


def test_missing_counts_are_left_out():
    counts = draw().values.copy()
    counts[np.random.default_rng(1).random(counts.shape) < 0.3] = np.nan
    counts[0] = np.nan
    table = Poisson().observe(counts)
    fitted = Poisson().fit(table)
    np.testing.assert_allclose(fitted.rate, np.nanmean(counts, axis=0))
    expected = np.nansum(poisson(fitted.rate).logpmf(counts), axis=1)
    np.testing.assert_allclose(fitted.log_prob(table), expected, rtol=1e-12)
    assert fitted.log_prob(table)[0] == 0
    moved = fitted.moved_to(Table(np.array([[np.nan, 5.0, 2.0]])))
    np.testing.assert_allclose(moved.rate, [fitted.rate[0], 5, 2])


def test_a_column_of_which_nothing_is_known_is_as_in_all_the_data():
    table = Table.of([[4, 1], [2, 3], [3, np.nan]], missing=True)
    fitted = Poisson().prepare(table, 2).fit(table.take(slice(2, 3)))
    np.testing.assert_allclose(fitted.rate, [3, 2])


def test_sampling_then_fitting_recovers_the_parameters():
    fitted = Poisson(rate=RATES[2])
    drawn = fitted.sample(100_000, np.random.default_rng(1))
    assert drawn.shape == (100_000, 3)
    assert drawn.dtype == float
    np.testing.assert_allclose(Poisson().fit(Table.of(drawn)).rate, RATES[2], rtol=0.02)


def test_moving_takes_the_counts_of_an_observation():
    fitted = Poisson().fit(draw())
    moved = fitted.moved_to(Table.of([[0, 5, 2]]))
    np.testing.assert_allclose(moved.rate, [1e-4 * fitted.rate[0], 5, 2])
    given = Poisson(rate=RATES[0]).moved_to(Table.of([[0, 5, 2]]))
    np.testing.assert_allclose(given.rate, [1e-4, 5, 2])


def test_n_parameters():
    assert Poisson().fit(draw()).n_parameters == 3


@pytest.mark.parametrize("init", ["random", "points", "kmeans"])
def test_a_mixture_finds_the_rates(init):
    counts, labels = draw_mixture(1500)
    model = Mixture(Poisson(), 3, init=init, random_state=0).fit(counts)
    assert purity_score(labels, model.labels_) > 0.95
    rates = np.stack([component.rate for component in model.components_])
    order = np.lexsort((rates[:, 1] > 5, rates[:, 0]))
    np.testing.assert_allclose(rates[order], RATES, rtol=0.1)
    drawn, components = model.sample(3000)
    for k, component in enumerate(model.components_):
        np.testing.assert_allclose(drawn[components == k].mean(axis=0), component.rate, rtol=0.15)


def test_the_mixture_density_is_scipys():
    counts, _ = draw_mixture(300)
    model = Mixture(Poisson(), 3, random_state=0).fit(counts)
    density = sum(
        weight * poisson(one.rate).pmf(counts).prod(axis=1)
        for one, weight in zip(model.components_, model.weights_, strict=True)
    )
    np.testing.assert_allclose(model.score_samples(counts), np.log(density), rtol=1e-9)
    parameters = 3 * 3 + 2
    np.testing.assert_allclose(model.aic(counts), -2 * np.log(density).sum() + 2 * parameters)


@pytest.mark.parametrize("seed", range(5))
def test_em_never_lowers_the_likelihood(seed):
    counts, _ = draw_mixture(200, seed)
    counts[:, 2] *= counts[:, 0] > 5
    model = Mixture(Poisson(), 3, algorithm="em", random_state=seed).fit(counts)
    assert (np.diff(model.history_.score) > -1e-10).all()
    assert np.isfinite(model.score(np.full((1, 3), 9)))


def test_the_same_seed_gives_the_same_bits_for_any_number_of_jobs():
    counts, _ = draw_mixture(70_000)
    assert len(Table.of(counts).blocks(3)) > 1
    one, two = (
        Mixture(Poisson(), 3, algorithm="em", random_state=0, n_jobs=jobs).fit(counts)
        for jobs in (1, 2)
    )
    assert one.lower_bound_ == two.lower_bound_
    for a, b in zip(one.components_, two.components_, strict=True):
        np.testing.assert_array_equal(a.rate, b.rate)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[0, 1], [0, 2.5]], "^Column 'b' of X holds 2.5 in row 1, but Poisson takes counts"),
        (
            [[0, 1], [-1, 2]],
            "^Column 'a' of X holds -1 in row 1, but .*: drop the column, or use an",
        ),
    ],
)
def test_values_other_than_counts_raise_an_error(rows, message):
    frame = pd.DataFrame(rows, columns=["a", "b"])
    for refuse in (lambda: Poisson().prepare(Table.of(frame), 1), lambda: Poisson().observe(frame)):
        with pytest.raises(ValueError, match=message):
            refuse()
    fitted = Poisson(rate=np.ones(2))
    with pytest.raises(ValueError, match=r"^Column '[ab]' of X holds [-0-9.]+, but Poisson"):
        fitted.log_prob(Table.of(frame))


def test_rows_are_named_by_their_place_in_all_the_data():
    rows = np.ones((200_000, 1))
    rows[150_000] = 0.5
    message = "Column 0 of X holds 0.5 in row 150000"
    with pytest.raises(ValueError, match=message):
        Poisson().prepare(LazyTable(lambda start, stop: rows[start:stop], rows.shape), 1)
    model = Mixture(Poisson(), 2, random_state=0).fit(draw_mixture(50)[0][:, :1])
    with pytest.raises(ValueError, match=message):
        model.predict(rows)
    weights = np.ones(len(rows))
    weights[0] = 0
    with pytest.raises(ValueError, match=message):
        Mixture(Poisson(), 1).fit(rows, sample_weight=weights)


def test_bad_arguments_raise_an_error():
    for floor in (0, 2, "a"):
        with pytest.raises(ValueError, match="floor must be a number above 0 and at most 1"):
            Poisson(floor=floor)
    with pytest.raises(ValueError, match="rate must be finite and above zero"):
        Poisson(rate=np.array([1.0, 0.0]))
    with pytest.raises(ValueError, match="least_rate must be finite and above zero"):
        Poisson(least_rate=np.nan)


def test_an_unfitted_component_says_so():
    message = "This Poisson has no parameters yet: call fit first"
    with pytest.raises(ValueError, match=message):
        Poisson().log_prob(draw())
    with pytest.raises(ValueError, match=message):
        Poisson().sample(1, np.random.default_rng(0))
    with pytest.raises(ValueError, match=message):
        _ = Poisson().n_parameters


def test_what_is_shown():
    assert repr(Poisson()) == "Poisson()"
    assert repr(Poisson(rate=np.array([1.5, 2.0]))) == "Poisson(rate=[1.5 2. ])"
