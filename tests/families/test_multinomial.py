import numpy as np
import pandas as pd
import pytest
from scipy.stats import multinomial

from boltzmix import Mixture
from boltzmix.data import LazyTable, Table
from boltzmix.families import Multinomial


def draw(n=200, seed=0):
    rng = np.random.default_rng(seed)
    return Table.of(rng.multinomial(rng.integers(0, 40, n), [0.5, 0.3, 0.2]))


def test_log_prob_is_scipys():
    table, fitted = draw(), Multinomial().fit(draw())
    expected = multinomial(table.values.sum(axis=1), fitted.probabilities).logpmf(table.values)
    np.testing.assert_allclose(fitted.log_prob(table), expected, rtol=1e-10, atol=1e-12)


def test_probabilities_are_proportions_of_all_counts():
    table = draw()
    sums = table.values.sum(axis=0)
    np.testing.assert_allclose(Multinomial(0).fit(table).probabilities, sums / sums.sum())


def test_the_prior_is_as_good_as_more_rows_like_all_the_data():
    table = draw()
    family, few = Multinomial(2).prepare(table, 2), table.take(slice(0, 2))
    sums, total = table.values.sum(axis=0), table.values.sum(axis=1).mean()
    pooled = (sums + 1 / 3) / (sums.sum() + 1)
    counts = few.values.sum(axis=0) + 2 * total * pooled
    np.testing.assert_allclose(family.fit(few).probabilities, counts / counts.sum())


def test_categories_not_seen_stay_possible():
    fitted = Multinomial().fit(Table.of([[3, 0], [4, 0]]))
    assert np.isfinite(fitted.log_prob(Table.of([[0, 5]]))).all()
    unsmoothed = Multinomial(0).fit(Table.of([[3, 0], [4, 0]]))
    np.testing.assert_allclose(unsmoothed.log_prob(Table.of([[3, 0], [0, 1]])), [0, -708], atol=1)


def test_rows_of_zeros_tell_nothing():
    nothing = Table.of([[0, 0, 0], [0, 0, 0]])
    np.testing.assert_array_equal(Multinomial().fit(draw()).log_prob(nothing), [0, 0])
    for prior in (0, 1):
        fitted = Multinomial(prior).fit(nothing)
        np.testing.assert_allclose(fitted.probabilities, 1 / 3)
        assert fitted.moved_to(nothing.take(slice(0, 1))) is fitted


def test_samples_have_the_mean_total_or_the_one_asked_for():
    fitted, rng = Multinomial().fit(draw()), np.random.default_rng(0)
    assert (fitted.sample(5, rng).sum(axis=1) == round(draw().values.sum(axis=1).mean())).all()
    assert (fitted.sample(5, rng, total=7).sum(axis=1) == 7).all()
    with pytest.raises(ValueError, match="total must be a whole number"):
        fitted.sample(5, rng, total=1.5)


def test_values_other_than_counts_raise_an_error():
    frame = pd.DataFrame([[0, 1], [0, 2.5]], columns=["a", "b"])
    message = "^Column 'b' of X holds 2.5 in row 1, but Multinomial takes counts"
    for refuse in (Multinomial().observe, lambda X: Multinomial().prepare(Table.of(X), 1)):
        with pytest.raises(ValueError, match=message):
            refuse(frame)
    with pytest.raises(ValueError, match="X has 1 column, but Multinomial takes counts of"):
        Multinomial().observe([[1], [2]])


def test_rows_are_named_by_their_place_in_all_the_data():
    rows = np.ones((200_000, 2))
    rows[150_000, 1] = 0.5
    message = "Column 1 of X holds 0.5 in row 150000"
    with pytest.raises(ValueError, match=message):
        Multinomial().prepare(LazyTable(lambda start, stop: rows[start:stop], rows.shape), 1)
    model = Mixture(Multinomial(), 2, random_state=0).fit(draw().values[:, :2])
    with pytest.raises(ValueError, match=message):
        model.predict(rows)


def test_bad_arguments_raise_an_error():
    with pytest.raises(ValueError, match="prior must be zero or a positive number"):
        Multinomial(-1)
    with pytest.raises(ValueError, match="probabilities must be numbers"):
        Multinomial(probabilities=np.array([0.5, 0.6]))


def test_n_parameters_and_what_is_shown():
    assert Multinomial().fit(draw()).n_parameters == 2
    assert repr(Multinomial()) == "Multinomial()"
    shown = repr(Multinomial(probabilities=np.array([0.25, 0.75])))
    assert shown == "Multinomial(probabilities=[0.25 0.75])"
