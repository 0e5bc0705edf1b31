import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.stats import dirichlet

from boltzmix import Mixture
from boltzmix.data import Table
from boltzmix.families import Dirichlet

CASES = [[2.0, 3.0, 5.0], [0.2, 0.1, 0.4], [900.0, 50.0, 50.0, 1.0], [1.0, 1.0]]


def draw(concentrations=CASES[0], n=200, seed=0):
    return Table.of(Dirichlet(concentrations=concentrations).sample(n, np.random.default_rng(seed)))


@pytest.mark.parametrize("case", CASES)
def test_log_prob_is_scipys(case):
    table = draw(case)
    expected = [dirichlet(case).logpdf(row) for row in table.values]
    np.testing.assert_allclose(Dirichlet(concentrations=case).log_prob(table), expected, rtol=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_fit_maximises_the_weighted_likelihood(case):
    table, weights = draw(case), np.random.default_rng(1).random(200)

    def loss(logs):
        return -weights @ Dirichlet(concentrations=np.exp(logs)).log_prob(table) / weights.sum()

    best = minimize(loss, np.log(case), method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 0})
    fitted = Dirichlet().fit(table, weights=weights)
    np.testing.assert_allclose(fitted.concentrations, np.exp(best.x), rtol=1e-4)


def test_a_warm_start_finds_the_same():
    cold = Dirichlet().fit(draw())
    warm = Dirichlet(concentrations=np.array([1e6, 1e-3, 1.0])).fit(draw())
    np.testing.assert_allclose(warm.concentrations, cold.concentrations, rtol=1e-8)


def test_precision_is_bounded_by_the_data():
    table = draw()
    two = Dirichlet().prepare(table, 2).fit(Table.of(np.repeat(table.values[:1], 9, axis=0)))
    whole = Dirichlet().fit(table).concentrations.sum()
    assert two.concentrations.sum() == pytest.approx((1 + whole) * 2 / 1e-4, rel=1e-6)
    np.testing.assert_allclose(two.mean, table.values[0], rtol=1e-3)
    given = Dirichlet(highest_precision=50.0).fit(table.take(slice(0, 1)))
    assert given.concentrations.sum() == pytest.approx(50)


def test_many_columns_are_fitted():
    truth = np.random.default_rng(0).gamma(1.0, size=300) + 0.1
    fitted = Dirichlet().fit(draw(truth, n=5000))
    np.testing.assert_allclose(fitted.concentrations, truth, rtol=0.15)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [[0.5, 0.5], [0.5, 0.7]],
            "^Row 1 of X sums to 1.2, but Dirichlet takes proportions that sum",
        ),
        (
            [[0.5, 0.5], [1.0, 0.0]],
            "^Column 'b' of X holds 0 in row 1, but Dirichlet takes proportions",
        ),
    ],
)
def test_values_other_than_fractions_raise_an_error(rows, message):
    frame = pd.DataFrame(rows, columns=["a", "b"])
    model = Mixture(Dirichlet(), 2, random_state=0).fit(draw(CASES[3]).values)
    for refuse in (Dirichlet().observe, Dirichlet().fit, model.predict):
        with pytest.raises(ValueError, match=message):
            refuse(Table.of(frame))
    with pytest.raises(ValueError, match=r"^(A row|Column 'b') of X [a-z0-9. ]*, but Dirichlet"):
        Dirichlet(concentrations=np.ones(2)).log_prob(Table.of(frame))


def test_bad_arguments_raise_an_error():
    with pytest.raises(
        ValueError, match="X has 1 column, but Dirichlet takes proportions in at least"
    ):
        Dirichlet().observe([[1.0]])
    with pytest.raises(ValueError, match="floor must be a number above 0"):
        Dirichlet(floor=0)
    with pytest.raises(ValueError, match="concentrations must be finite and above zero"):
        Dirichlet(concentrations=np.array([1.0, 0.0]))
    with pytest.raises(ValueError, match="highest_precision must be finite and above zero"):
        Dirichlet(highest_precision=-1)


def test_n_parameters_and_what_is_shown():
    assert Dirichlet().fit(draw()).n_parameters == 3
    assert repr(Dirichlet()) == "Dirichlet()"
    shown = repr(Dirichlet(concentrations=np.array([1.5, 2.0])))
    assert shown == "Dirichlet(concentrations=[1.5 2. ])"
