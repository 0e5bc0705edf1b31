"""Columns of one family in a product are evaluated and fitted by one bank, as each by itself."""

import numpy as np
import pandas as pd
import pytest

from boltzmix.data import Hard, Soft
from boltzmix.families import (
    Bernoulli,
    Categorical,
    LogNormal,
    NegativeBinomial,
    Poisson,
    Product,
    RobustGaussian,
    ZeroInflatedLogNormal,
)

N, K = 240, 3
FAMILY = Product(
    {
        "colour": Categorical(),
        "yes": Bernoulli(),
        "visits": NegativeBinomial(),
        ("size", "shape"): Categorical(),
        "price": LogNormal(),
        "no": Bernoulli(),
        "firm": Categorical(prior=3.0),
        "debt": ZeroInflatedLogNormal(),
        ("x", "y"): RobustGaussian(),
        "weight": LogNormal(),
        "calls": NegativeBinomial(),
        "events": Poisson(),
        "assets": ZeroInflatedLogNormal(),
    }
)


def table(missing=0.1):
    rng = np.random.default_rng(0)
    z = rng.integers(0, K, N)
    columns = {
        "colour": rng.integers(0, 3, N),
        "yes": rng.random(N) < 0.2 + 0.3 * z,
        "visits": rng.negative_binomial(1 + z, 0.3),
        "size": rng.integers(0, 2 + z),
        "shape": rng.integers(0, 5, N),
        "price": rng.lognormal(z, 0.5),
        "no": rng.random(N) < 0.5,
        "firm": rng.integers(0, 4, N),
        "debt": rng.lognormal(3, 1, N) * (rng.random(N) < 0.6),
        "x": rng.normal(2 * z),
        "y": rng.normal(size=N),
        "weight": rng.lognormal(1, 0.3, N),
        "calls": rng.negative_binomial(2, 0.2, N),
        "events": rng.poisson(2, N),
        "assets": rng.lognormal(1, 1, N) * (rng.random(N) < 0.5),
    }
    frame = pd.DataFrame(columns).astype(float)
    return frame.mask(rng.random(frame.shape) < missing)


@pytest.fixture(scope="module")
def prepared():
    data = FAMILY.observe(table())
    return FAMILY.prepare(data, K), data


def hard(seed=1):
    rng = np.random.default_rng(seed)
    return Hard(rng.integers(0, K, N).astype(np.int32), K, rng.uniform(0.5, 2, N))


def soft(seed=1):
    return Soft(np.random.default_rng(seed).dirichlet(np.ones(K), N))


def fitted_bank(prepared, membership):
    family, data = prepared
    bank = family.bank([family] * K)
    rng = np.random.default_rng(0)
    return bank.update(bank.summarise(data, membership), np.zeros(K, dtype=bool), rng)


def numbers_of(component):
    """Return the parameters of all parts of a component but those of the block of numbers."""
    parts = [part for part in component.parts.values() if not isinstance(part, RobustGaussian)]
    return np.concatenate([part.parameter_vector for part in parts])


@pytest.mark.parametrize("membership", [hard(), soft()], ids=["hard", "soft"])
def test_components_are_those_that_are_fitted_one_by_one(prepared, membership):
    family, data = prepared
    bank = fitted_bank(prepared, membership)
    for k, component in enumerate(bank.components):
        weights = membership.as_responsibilities()[:, k]
        alone = family.fit(data, weights=weights)
        np.testing.assert_allclose(numbers_of(component), numbers_of(alone), rtol=1e-8)


def test_log_densities_are_those_of_the_components(prepared):
    _, data = prepared
    bank = fitted_bank(prepared, soft())
    expected = np.column_stack([one.log_prob(data) for one in bank.components])
    np.testing.assert_allclose(bank.log_prob(data), expected, rtol=1e-10)
    labels = hard().labels
    own = expected[np.arange(N), labels]
    exact = bank.evaluate(data, is_rounded=False).log_densities
    np.testing.assert_allclose(exact, expected, rtol=1e-10)
    objective = bank.evaluate(data).log_densities[np.arange(N), labels]
    np.testing.assert_allclose(bank.log_densities_at(data, hard()), objective, rtol=1e-10)
    np.testing.assert_allclose(objective, own, rtol=1e-3)
    assert list(bank.components[0].parts) == list(FAMILY.parts)


def test_labels_count_as_responsibilities_of_zero_and_one(prepared):
    certain = Soft(hard().as_responsibilities())
    one, other = (fitted_bank(prepared, membership) for membership in (hard(), certain))
    again, other_again = (
        bank.update(bank.summarise(prepared[1], membership), np.zeros(K, dtype=bool), None)
        for bank, membership in ((one, hard()), (other, certain))
    )
    _, data = prepared
    np.testing.assert_allclose(again.log_prob(data), other_again.log_prob(data), rtol=1e-8)


def test_components_that_are_kept_stay_as_they_are(prepared):
    _, data = prepared
    before = fitted_bank(prepared, soft())
    keep = np.array([False, True, False])
    after = before.update(before.summarise(data, soft(2)), keep, np.random.default_rng(0))
    np.testing.assert_array_equal(numbers_of(after.components[1]), numbers_of(before.components[1]))
    assert (numbers_of(after.components[0]) != numbers_of(before.components[0])).any()


def test_chosen_and_replaced_components_keep_their_columns(prepared):
    _, data = prepared
    bank = fitted_bank(prepared, soft())
    expected = bank.log_prob(data)
    np.testing.assert_array_equal(bank.chosen([2, 0]).log_prob(data), expected[:, [2, 0]])
    swapped = bank.replaced({0: bank.components[2]})
    np.testing.assert_array_equal(swapped.log_prob(data)[:, 0], expected[:, 2])


def test_missing_cells_are_filled_in_the_order_of_the_columns():
    discrete = Product({"a": Bernoulli(), "b": Poisson(), "c": Bernoulli()})
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"a": rng.integers(0, 2, 50), "b": rng.poisson(9, 50), "c": np.ones(50)}, dtype=float
    )
    frame.loc[0] = np.nan
    rows = discrete.observe(frame)
    family = discrete.prepare(rows, 1)
    bank = family.bank([family.fit(rows)])
    filled = bank.fill(rows, np.ones((50, 1)))
    np.testing.assert_array_equal(filled[1:], frame.to_numpy()[1:])
    assert filled[0, 1] > 5 and filled[0, 2] == 1


def test_a_component_without_a_value_in_a_column_has_the_parameters_of_all_the_data(prepared):
    family, _ = prepared
    frame = table()
    frame.loc[:80, ["calls", "price"]] = np.nan
    rows = family.observe(frame)
    labels = np.where(np.arange(N) <= 80, 0, 1).astype(np.int32)
    whole = family.prepare(rows, 2)
    bank = whole.bank([whole] * 2)
    found = bank.update(
        bank.summarise(rows, Hard(labels, 2)), np.zeros(2, dtype=bool), np.random.default_rng(0)
    )
    for name in ("calls", "price"):
        own, everyone = found.components[0].parts[name], whole.parts[name].whole
        np.testing.assert_allclose(own.parameter_vector, everyone.parameter_vector, rtol=1e-8)
