import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multinomial

from boltzmix import Mixture
from boltzmix.data import Hard, LazyTable, Soft, Table
from boltzmix.families.distributions.categorical import Categorical
from boltzmix.metrics import purity_score

SIZES = np.array([4, 2, 3])


def draw(n=200, seed=0):
    rng = np.random.default_rng(seed)
    rows = (rng.random((n, 3)) ** 2 * SIZES).astype(int)
    rows[:4] = np.minimum(np.arange(4)[:, None], SIZES - 1)
    return Table.of(rows)


def draw_classes(n, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(3, size=n)
    codes = np.where(rng.random((n, 8)) < 0.8, labels[:, None], rng.integers(3, size=(n, 8)))
    return codes, labels


def test_probabilities_are_frequencies():
    table = draw()
    fitted = Categorical(prior=0).fit(table)
    assert fitted.n_categories == (4, 2, 3)
    assert fitted.probabilities.shape == (3, 4)
    for column, size in enumerate(SIZES):
        counts = np.bincount(table.values[:, column].astype(int), minlength=size)
        np.testing.assert_allclose(fitted.probabilities[column, :size], counts / counts.sum())
        assert not fitted.probabilities[column, size:].any()


def test_the_prior_is_as_good_as_more_rows_like_all_the_data():
    table = Table.of([[0], [0], [0], [1], [2], [2]])
    family = Categorical((4,), prior=3).prepare(table, 2)
    pooled = np.array([3.25, 1.25, 2.25, 0.25]) / 7
    np.testing.assert_allclose(family.frequencies, [pooled])
    fitted = family.fit(table.take(slice(0, 3)))
    np.testing.assert_allclose(fitted.probabilities, [([3, 0, 0, 0] + 3 * pooled) / 6])
    divergence = (pooled * np.log(pooled / fitted.probabilities[0])).sum()
    np.testing.assert_allclose(fitted.log_prior, -3 * divergence)


def test_log_prob_is_scipys():
    table = draw()
    fitted = Categorical().fit(table)
    expected = sum(
        multinomial(1, fitted.probabilities[column, :size]).logpmf(
            np.eye(size)[table.values[:, column].astype(int)]
        )
        for column, size in enumerate(SIZES)
    )
    np.testing.assert_allclose(fitted.log_prob(table), expected, rtol=1e-12)


def test_probabilities_of_all_rows_there_can_be_add_up_to_one():
    fitted = Categorical().fit(draw())
    rows = np.stack(np.meshgrid(*map(np.arange, SIZES)), axis=-1).reshape(-1, 3)
    np.testing.assert_allclose(np.exp(fitted.log_prob(Table.of(rows))).sum(), 1)


def test_an_unseen_category_stays_possible_and_the_default_shows_in_no_fit():
    table = Table.of([[0], [1]] * 50)
    fitted = Categorical(3).fit(table)
    assert np.isfinite(fitted.log_prob(Table.of([[2]]))).all()
    np.testing.assert_allclose(fitted.probabilities, [[0.5, 0.5, 0]], atol=2e-4)


def test_without_a_prior_the_unseen_is_impossible_and_nothing_seen_is_all_alike():
    family = Categorical((3, 2), prior=0)
    fitted = family.fit(Table.of([[0, 0], [1, 1]]))
    assert fitted.log_prob(Table.of([[2, 0]])) == -np.inf
    nothing = family.from_statistics(np.zeros((2, 3))).probabilities
    np.testing.assert_allclose(nothing, [[1 / 3, 1 / 3, 1 / 3], [1 / 2, 1 / 2, 0]])


def test_fit_returns_a_new_object_and_leaves_the_template():
    template = Categorical().prepare(draw(), 1)
    fitted = template.fit(draw())
    assert fitted is not template
    assert template.probabilities is None


def test_doubling_a_weight_is_doubling_a_row():
    table, weights = draw(40), np.ones(40)
    weights[:7] = 2
    doubled = Table.of(np.concatenate([table.values, table.values[:7]]))
    one = Categorical().fit(table, weights=weights)
    two = Categorical().fit(doubled)
    np.testing.assert_allclose(one.probabilities, two.probabilities)
    assert not np.allclose(one.probabilities, Categorical().fit(table).probabilities)


@given(st.integers(0, 200))
def test_statistics_of_two_blocks_add_up_to_those_of_the_whole(cut):
    table = draw()
    family = Categorical().prepare(table, 1)
    parts = [family.summarise(table.take(at)) for at in (slice(0, cut), slice(cut, None))]
    np.testing.assert_array_equal(parts[0] + parts[1], family.summarise(table))
    doubled = family.summarise(table, np.full(200, 2.0))
    np.testing.assert_array_equal(family.summarise(table) * 2, doubled)


def test_nothing_has_statistics_of_zero():
    table = draw()
    family = Categorical().prepare(table, 1)
    empty = family.summarise(table.take(slice(0, 0)))
    np.testing.assert_array_equal(empty, np.zeros((3, 4)))
    assert family.fit(table).log_prob(table.take(slice(0, 0))).shape == (0,)


def test_a_bank_evaluates_and_summarises_as_its_components_do():
    table = draw()
    family = Categorical().prepare(table, 2)
    labels, weights = np.arange(200) % 2, np.linspace(0.5, 2, 200)
    bank = family.bank([family.fit(table.take(labels == k)) for k in range(2)])
    expected = np.column_stack([component.log_prob(table) for component in bank])
    np.testing.assert_allclose(bank.log_prob(table), expected)
    hard = bank.summarise(table, Hard(labels, 2, weights))
    soft = bank.summarise(table, Soft(np.eye(2)[labels] * weights[:, None]))
    for k in range(2):
        members = labels == k
        alone = family.summarise(table.take(members), weights[members])
        np.testing.assert_allclose(hard[k], alone)
        np.testing.assert_allclose(soft[k], alone)
    np.testing.assert_array_equal(bank.summarise(table, Hard(labels * 0, 2))[1], np.zeros((3, 4)))


def test_sampling_then_fitting_recovers_the_parameters():
    fitted = Categorical().fit(draw())
    drawn = fitted.sample(100_000, np.random.default_rng(1))
    assert drawn.shape == (100_000, 3)
    assert drawn.dtype == float
    again = Categorical().fit(Table.of(drawn))
    np.testing.assert_allclose(again.probabilities, fitted.probabilities, atol=0.01)


def test_n_parameters():
    assert Categorical().fit(draw()).n_parameters == 3 + 1 + 2
    assert Categorical(5).fit(draw()).n_parameters == 3 * 4


def test_categories_can_be_given():
    table = draw()
    assert Categorical(6).prepare(table, 1).n_categories == (6, 6, 6)
    assert Categorical((4, 3, 3)).fit(table).n_categories == (4, 3, 3)


def test_parameters_can_be_given():
    probabilities = np.array([[0.2, 0.8], [0.5, 0.5]])
    given = Categorical(probabilities=probabilities)
    np.testing.assert_allclose(np.exp(given.log_prob(Table.of([[1, 0], [0, 0]]))), [0.4, 0.1])


def test_codes_that_lie_close_are_not_alike():
    assert not Categorical.distances


@pytest.mark.parametrize("algorithm", ["auto", "em", "cem"])
def test_a_mixture_finds_latent_classes(algorithm):
    codes, labels = draw_classes(600)
    model = Mixture(Categorical(), 3, algorithm=algorithm, n_init=3, random_state=0).fit(codes)
    assert purity_score(labels, model.labels_) > 0.97
    order = [component.probabilities[0].argmax() for component in model.components_]
    assert sorted(order) == [0, 1, 2]
    expected = 0.8 * np.eye(3)[order] + 0.2 / 3
    for component, row in zip(model.components_, expected, strict=True):
        np.testing.assert_allclose(component.probabilities, np.tile(row, (8, 1)), atol=0.1)
    assert model.sample(20)[0].shape == (20, 8)
    log_prior = sum(component.log_prior for component in model.components_)
    np.testing.assert_allclose(model.score(codes) + log_prior / len(codes), model.lower_bound_)


def test_em_never_lowers_the_likelihood_without_a_prior():
    codes, _ = draw_classes(300)
    model = Mixture(Categorical(prior=0), 3, algorithm="em", random_state=1).fit(codes)
    assert (np.diff(model.history_.score) > -1e-10).all()


def test_blocks_and_lazy_tables_change_nothing():
    codes, _ = draw_classes(70_000)
    lazy = LazyTable(lambda start, stop: codes[start:stop], codes.shape)
    assert len(lazy.blocks(2)) > 1
    one, two = (
        Mixture(Categorical(), 2, algorithm="em", max_iter=3, random_state=0) for _ in range(2)
    )
    with pytest.warns(match="did not converge"):
        one.fit(codes)
    with pytest.warns(match="did not converge"):
        two.fit(lazy)
    assert one.lower_bound_ == two.lower_bound_


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[0, 1], [0, 2.5]], "^Column 1 of X holds 2.5 in row 1, but Categorical takes codes 0, 1"),
        ([[0, 1], [-1, 2]], "^Column 0 of X holds -1 in row 1, but .* number the categories first"),
        ([[0, 2**20]], "Column 1 of X has codes up to 1048576, too many categories to learn: num"),
    ],
)
def test_values_other_than_codes_raise_an_error(rows, message):
    with pytest.raises(ValueError, match=message):
        Categorical().prepare(Table.of(rows), 1)
    with pytest.raises(ValueError, match=message):
        Categorical().fit(Table.of(rows))


def test_codes_beyond_those_given_raise_an_error():
    message = "Column 'b' of X holds 2 in row 3, but the codes known go from 0 to 1: .*n_categories"
    frame = pd.DataFrame({"a": [0, 1, 2, 0], "b": [0, 1, 0, 2]})
    with pytest.raises(ValueError, match=message):
        Categorical((3, 2)).prepare(Table.of(frame), 1)
    with pytest.raises(
        ValueError, match=r"n_categories has 3 number\(s\), but X has 2 column\(s\)"
    ):
        Categorical((3, 2, 4)).prepare(Table.of(frame), 1)


def test_unknown_codes_raise_an_error_in_a_fitted_component_and_mixture():
    fitted = Categorical().fit(draw())
    unknown = Table.of([[0, 0, 0], [0, 7, 0]])
    with pytest.raises(
        ValueError, match=r"^Column 1 of X holds 7, but the codes known go from 0 to 1"
    ):
        fitted.log_prob(unknown)
    with pytest.raises(ValueError, match=r"^Column 1 of X holds 0.5, but Categorical takes"):
        fitted.log_prob(Table.of([[0, 0.5, 0]]))
    codes, _ = draw_classes(100)
    model = Mixture(Categorical(), 2, random_state=0).fit(codes)
    new = np.zeros((20_000, 8))
    new[19_999, 5] = 3
    with pytest.raises(ValueError, match="Column 5 of X holds 3 in row 19999, but the codes known"):
        model.predict(new)


def test_rows_are_named_by_their_place_in_a_lazy_table():
    rows = np.zeros((200_000, 1))
    rows[150_000] = -1
    lazy = LazyTable(lambda start, stop: rows[start:stop], rows.shape)
    with pytest.raises(ValueError, match="Column 0 of X holds -1 in row 150000"):
        Categorical().prepare(lazy, 1)


@pytest.mark.parametrize("n_categories", [0, 2.5, True, (2, 0), ("a",), "ab"])
def test_bad_numbers_of_categories_raise_an_error(n_categories):
    with pytest.raises(ValueError, match="n_categories must be a whole number of at least 1"):
        Categorical(n_categories)


@pytest.mark.parametrize("prior", [-1, np.inf, np.nan, "a"])
def test_bad_prior_raises_an_error(prior):
    with pytest.raises(ValueError, match="prior must be zero or a positive number"):
        Categorical(prior=prior)


def test_an_unfitted_component_says_so():
    message = "This Categorical has no parameters yet: call fit first"
    with pytest.raises(ValueError, match=message):
        Categorical().log_prob(draw())
    prepared = Categorical().prepare(draw(), 1)
    with pytest.raises(ValueError, match=message):
        prepared.log_prob(draw())
    with pytest.raises(ValueError, match=message):
        prepared.sample(1, np.random.default_rng(0))
    with pytest.raises(ValueError, match=message):
        _ = prepared.n_parameters


def test_what_is_shown():
    assert repr(Categorical()) == "Categorical()"
    assert repr(Categorical(3)) == "Categorical(n_categories=3)"
    fitted = Categorical(prior=0).fit(Table.of([[0], [1]]))
    assert repr(fitted) == "Categorical(probabilities=[[0.5 0.5]])"


def test_missing_codes_are_left_out():
    codes = np.array([[0, 2], [0, np.nan], [1, 0], [np.nan, np.nan], [0, 2]])
    family = Categorical(prior=0)
    table = family.observe(codes)
    fitted = family.fit(table)
    assert fitted.n_categories == (2, 3)
    np.testing.assert_allclose(fitted.probabilities, [[3 / 4, 1 / 4, 0], [1 / 3, 0, 2 / 3]])
    np.testing.assert_allclose(np.exp(fitted.log_prob(table)), [1 / 2, 3 / 4, 1 / 12, 1, 1 / 2])
