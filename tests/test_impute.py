"""Imputation of missing values by a fitted mixture."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from boltzmix import Mixture
from boltzmix.families import (
    HMM,
    Beta,
    Categorical,
    Exponential,
    Gamma,
    Gaussian,
    Geometric,
    Laplace,
    LogNormal,
    Multinomial,
    NegativeBinomial,
    Poisson,
    Product,
    Uniform,
    VonMises,
    Weibull,
)

FAMILY = Product({("x", "y"): Gaussian(), "visits": Poisson(), "kind": Categorical()})


def make_frame(n=300):
    rng = np.random.default_rng(0)
    z = rng.integers(0, 2, n)
    x = rng.normal(6 * z, 1)
    complete = pd.DataFrame(
        {
            "x": x,
            "y": 2 * x + rng.normal(0, 0.1, n),
            "visits": rng.poisson(2 + 8 * z).astype(float),
            "kind": np.array(["a", "b"], dtype=object)[z],
        }
    )
    return complete, complete.mask(rng.random(complete.shape) < 0.1)


def test_frames_are_imputed_with_their_types_and_known_values():
    complete, incomplete = make_frame()
    before = incomplete.copy()
    model = Mixture(FAMILY, 2, random_state=0).fit(incomplete)
    filled = model.impute(incomplete)
    pd.testing.assert_frame_equal(incomplete, before)
    assert not filled.isna().any().any() and (filled.dtypes == incomplete.dtypes).all()
    pd.testing.assert_frame_equal(filled.where(incomplete.notna()), incomplete)
    assert (filled["kind"] == complete["kind"]).mean() > 0.99
    known = incomplete["x"].notna() & incomplete["y"].isna()
    assert np.abs(filled["y"] - complete["y"])[known].max() < 0.5
    other = pl.DataFrame(
        {name: [None if pd.isna(one) else one for one in incomplete[name]] for name in incomplete}
    )
    again = model.impute(other)
    assert isinstance(again, pl.DataFrame)
    assert again["kind"].to_list() == filled["kind"].tolist()
    np.testing.assert_array_equal(again["y"].to_numpy(), filled["y"])


def test_a_whole_number_column_with_missing_values_becomes_decimal():
    _, incomplete = make_frame()
    incomplete["visits"] = incomplete["visits"].astype("Int64")
    incomplete["kind"] = incomplete["kind"].astype("category")
    filled = Mixture(FAMILY, 2, random_state=0).fit(incomplete).impute(incomplete)
    assert filled["visits"].dtype == "Float64" and filled["kind"].dtype == incomplete["kind"].dtype
    assert not filled.isna().any().any()


def test_imputed_numbers_are_mixtures_of_conditional_means():
    complete, incomplete = make_frame()
    rows = incomplete[["x", "y"]].to_numpy()
    model = Mixture(n_components=2, random_state=0).fit(rows)
    filled = model.impute(rows)
    place = int(np.flatnonzero(np.isnan(rows[:, 1]) & ~np.isnan(rows[:, 0]))[0])
    means = []
    for one in model.components_:
        slope = one.scatter[0, 1] / one.scatter[0, 0]
        means.append(one.mean[1] + slope * (rows[place, 0] - one.mean[0]))
    expected = model.predict_proba(rows)[place] @ means
    assert filled[place, 1] == pytest.approx(expected)
    np.testing.assert_array_equal(filled[~np.isnan(rows)], rows[~np.isnan(rows)])
    np.testing.assert_array_equal(
        model.impute(complete[["x", "y"]].to_numpy()), complete[["x", "y"]]
    )


@pytest.mark.parametrize(
    "family",
    [
        Beta(), Exponential(), Gamma(), Geometric(), Laplace(), LogNormal(), NegativeBinomial(),
        Poisson(), Uniform(), Weibull(),
    ],
    ids=repr,
)  # fmt: skip
def test_one_component_imputes_its_mean(family):
    rng = np.random.default_rng(0)
    is_count = family.name in ("Geometric", "NegativeBinomial", "Poisson")
    values = rng.geometric(0.2, (2000, 1)) if is_count else rng.beta(3, 2, (2000, 1))
    rows = np.vstack([values, [[np.nan]]]).astype(float)
    model = Mixture(family, 1, random_state=0).fit(rows)
    drawn, _ = model.sample(50_000)
    assert model.impute(rows)[-1, 0] == pytest.approx(drawn.mean(), rel=0.03)


def test_families_that_cannot_impute_raise():
    rows = np.random.default_rng(0).normal(size=(30, 1))
    rows[0] = np.nan
    with pytest.raises(NotImplementedError, match="VonMises cannot fill missing values"):
        Mixture(VonMises(), 1).fit(rows).impute(rows)
    counts = np.random.default_rng(0).multinomial(9, [0.2, 0.3, 0.5], 30)
    with pytest.raises(NotImplementedError, match="Multinomial cannot fill missing values"):
        Mixture(Multinomial(), 1).fit(counts).impute(counts)
    sequences = [np.ones((4, 1)) * k for k in range(1, 6)]
    model = Mixture(HMM(1), 1, random_state=0).fit(sequences)
    with pytest.raises(ValueError, match="impute fills rows of a frame or array"):
        model.impute(sequences)


def test_noise_does_not_affect_imputed_values():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(0, 0.1, (60, 2)), rng.normal(5, 0.1, (60, 2)), [[50.0, 50.0]]])
    X[3, 1] = X[70, 0] = np.nan
    filled = Mixture(n_components=2, noise=True, random_state=0).fit(X).impute(X)
    np.testing.assert_allclose([filled[3, 1], filled[70, 0]], [0, 5], atol=0.5)
    assert np.isfinite(filled).all()
