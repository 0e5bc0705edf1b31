"""A fit has the same bits, wherever its observations are."""

import dask
import dask.array as da
import dask.bag as db
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from boltzmix import Mixture
from boltzmix.data import LazyTable, Sequences
from boltzmix.datasets import make_mixture
from boltzmix.distributed import sequences
from boltzmix.families import (
    HMM,
    Bernoulli,
    Categorical,
    Gaussian,
    LinearRegression,
    Poisson,
    Product,
    StudentT,
)

NAMES = ["a", "b", "c"]


def fit(X, family=None, y=None, **settings):
    settings = {"n_components": 4, "random_state": 0} | settings
    return Mixture(family, **settings).fit(X, y)


def check_equal(one, other):
    assert one.lower_bound_ == other.lower_bound_
    np.testing.assert_array_equal(one.weights_, other.weights_)
    np.testing.assert_array_equal(one.history_.score, other.history_.score)
    np.testing.assert_array_equal(one.history_.counts, other.history_.counts)
    np.testing.assert_array_equal(np.asarray(one.labels_), np.asarray(other.labels_))


@pytest.fixture(scope="module")
def local(rows):
    return fit(rows)


def in_parquet(X, tmp_path):
    for number, part in enumerate(np.array_split(X, 3)):
        pd.DataFrame(part, columns=NAMES).to_parquet(tmp_path / f"part-{number}.parquet")
    return tmp_path


def in_memory_map(X, tmp_path):
    np.save(tmp_path / "rows.npy", X)
    return np.load(tmp_path / "rows.npy", mmap_mode="r")


KINDS = {
    "memory map": in_memory_map,
    "lazy table": lambda X, _: LazyTable(lambda start, stop: X[start:stop], X.shape, piece=999),
    "array": lambda X, _: da.from_array(X, chunks=(1333, 3)),
    "chunks of columns": lambda X, _: da.from_array(X, chunks=(777, 2)),
    "one chunk": lambda X, _: da.from_array(X, chunks=-1),
    "frame": lambda X, _: dd.from_pandas(pd.DataFrame(X, columns=NAMES), npartitions=7),
    "Parquet": in_parquet,
}


@pytest.mark.parametrize("kind", KINDS)
def test_fits_are_equal_for_any_kind_of_rows(kind, rows, local, tmp_path):
    check_equal(fit(KINDS[kind](rows, tmp_path)), local)


def test_fits_are_equal_by_the_schedulers_without_a_client(rows, local):
    for scheduler in ("threads", "synchronous"):
        with dask.config.set(scheduler=scheduler):
            check_equal(fit(da.from_array(rows, chunks=(2000, 3))), local)


@pytest.mark.filterwarnings("ignore:.*did not converge")
@pytest.mark.parametrize("algorithm", ["em", "beem", "cem", "sem"])
@pytest.mark.parametrize("family", [Gaussian("diag"), StudentT()], ids=lambda one: one.name)
def test_fits_are_equal_by_every_algorithm(algorithm, family, rows):
    settings = {"algorithm": algorithm, "max_iter": 12}
    lazy = da.from_array(rows, chunks=(1700, 3))
    check_equal(fit(lazy, family, **settings), fit(rows, family, **settings))


@pytest.mark.parametrize("noise", [False, True])
def test_fits_of_counts_and_codes_are_equal(noise):
    rng = np.random.default_rng(0)
    rates = np.array([[1, 9], [8, 2], [20, 20]])
    counts = rng.poisson(rates[rng.integers(3, size=6000)])
    for family in (Poisson(), Categorical()):
        settings = {"n_components": 3, "noise": noise, "algorithm": "em"}
        lazy = da.from_array(counts, chunks=(1000, 2))
        check_equal(fit(lazy, family, **settings), fit(counts, family, **settings))


def test_fits_of_mixed_tables_with_missing_values_are_equal():
    rng = np.random.default_rng(1)
    group = rng.integers(2, size=3000)
    frame = pd.DataFrame(
        {
            "size": np.where(rng.random(3000) < 0.1, np.nan, rng.normal(4.0 * group)),
            "colour": np.array(["red", "green", "blue"])[(group + (rng.random(3000) < 0.2)) % 3],
            "alive": rng.random(3000) < 0.2 + 0.6 * group,
        }
    )
    frame.loc[:4, "colour"] = "violet"  # a category of one partition only
    family = Product({"size": Gaussian(), "colour": Categorical(), "alive": Bernoulli()})
    lazy = dd.from_pandas(frame, npartitions=4)
    one, other = fit(lazy, family, n_components=2), fit(frame, family, n_components=2)
    check_equal(one, other)
    assert one.components_[0].categories == other.components_[0].categories


def test_fits_of_sequences_are_equal(walks):
    family = HMM(2, Gaussian("diag"))
    settings = {"n_components": 2, "algorithm": "em", "max_iter": 5}
    with pytest.warns(match="did not converge"):
        local = fit(Sequences.of(walks), family, **settings)
        check_equal(fit(db.from_sequence(walks, npartitions=5), family, **settings), local)
    rows = pd.DataFrame(np.concatenate(walks), columns=["x", "y"])
    lengths = [len(one) for one in walks]
    rows["walk"], rows["t"] = np.repeat(np.arange(300), lengths), -np.arange(len(rows))
    parts = [rows[(rows.walk >= k) & (rows.walk < k + 75)] for k in range(0, 300, 75)]
    lazy = sequences(dd.from_map(lambda part: part.iloc[::-1], parts), "walk", order="t")
    with pytest.warns(match="did not converge"):
        backwards = [walks[i][::-1] for k in range(0, 300, 75) for i in reversed(range(k, k + 75))]
        check_equal(fit(lazy, family, **settings), fit(Sequences.of(backwards), family, **settings))


def test_fits_of_regressions_are_equal():
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, size=(3000, 1))
    y = np.where(rng.random(3000) < 0.5, 3 * x[:, 0], -2 * x[:, 0]) + rng.normal(0, 0.1, 3000)
    lazy = da.from_array(x, chunks=(900, 1)), da.from_array(y, chunks=900)
    settings = {"n_components": 2, "algorithm": "em"}
    one = fit(lazy[0], LinearRegression(), lazy[1], **settings)
    check_equal(one, fit(x, LinearRegression(), y, **settings))


def test_the_number_of_components_is_chosen_alike(rows):
    chosen = {"n_components": range(1, 5)}
    lazy = da.from_array(rows[:3000], chunks=(1700, 3))
    check_equal(fit(lazy, **chosen), fit(rows[:3000], **chosen))


def test_a_search_in_a_sample_of_many_rows_is_the_same():
    many = make_mixture(25_000, 3, 2, separation=8.0, random_state=1)[0]
    check_equal(
        fit(da.from_array(many, chunks=(9000, 2)), n_components=3), fit(many, n_components=3)
    )
