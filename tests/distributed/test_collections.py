"""Any partitions are fitted, or one sentence says why not."""

from itertools import pairwise

import dask.array as da
import dask.bag as db
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask import delayed

from boltzmix import GaussianMixture, Mixture, compare
from boltzmix.data import Table
from boltzmix.distributed import sequences
from boltzmix.families import HMM, FactorAnalyser, Gaussian, GaussianProcess, LinearRegression


def fit(X, **settings):
    return Mixture(Gaussian(), 4, random_state=0, algorithm="em", **settings).fit(X)


@pytest.fixture(scope="module")
def local(rows):
    return fit(rows[:5000])


def frame_of(*parts):
    return dd.from_map(lambda part: part, [pd.DataFrame(part) for part in parts])


def test_predictions_are_lazy_and_equal(rows, local):
    lazy = da.from_array(rows[:5000], chunks=(1700, 3))
    model = fit(lazy)
    for name in ("predict", "predict_proba", "score_samples"):
        found, expected = getattr(model, name)(lazy), getattr(local, name)(rows[:5000])
        assert isinstance(found, da.Array)
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
        np.testing.assert_array_equal(found.compute(), expected)
    assert isinstance(model.labels_, da.Array)
    assert model.score(lazy) == pytest.approx(local.score(rows[:5000]))
    for criterion in ("bic", "aic", "icl"):
        expected = getattr(local, criterion)(rows[:5000])
        assert getattr(model, criterion)(lazy) == pytest.approx(expected)
    np.testing.assert_array_equal(model.predict(rows[:10]), local.predict(rows[:10]))


def test_partitions_that_are_empty_or_of_one_row_are_fitted(rows, local):
    cuts = [0, 0, 1, 1, 2, 2500, 2500, 4999, 5000, 5000]
    parts = [rows[one:two] for one, two in pairwise(cuts)]
    assert fit(frame_of(*parts)).lower_bound_ == local.lower_bound_


def test_unknown_chunk_sizes_are_fitted(rows, local):
    unknown = frame_of(rows[:3000], rows[3000:5000]).to_dask_array()
    assert np.isnan(unknown.shape[0])
    assert fit(unknown).lower_bound_ == local.lower_bound_


def test_partitions_of_different_types_are_fitted_as_one(rows):
    whole = np.round(rows[:4000])
    parts = [pd.DataFrame(whole[:2000].astype(int)), pd.DataFrame(whole[2000:].astype("float32"))]
    meta = pd.DataFrame(whole[:0])
    mixed = dd.from_map(lambda part: part, parts, meta=meta, enforce_metadata=False)
    assert fit(mixed).lower_bound_ == fit(whole).lower_bound_


def test_a_missing_value_in_one_partition_is_fitted_or_named(rows):
    holed = rows[:5000].copy()
    holed[3210, 1] = np.nan
    lazy = da.from_array(holed, chunks=(1000, 3))
    assert fit(lazy).lower_bound_ == fit(holed).lower_bound_
    with pytest.raises(ValueError, match="NaN in column 1, row 3210"):
        Mixture(FactorAnalyser(1), 2).fit(lazy)
    walks = db.from_sequence([holed[:100], holed[3200:3300]], npartitions=2)
    with pytest.raises(ValueError, match="NaN at step 10, column 1"):
        Mixture(HMM(2), 2).fit(walks)


def test_a_closed_client_is_named(rows):
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as cluster:
        with Client(cluster):
            kept = da.from_array(rows, chunks=(5000, 3)).persist()
        with pytest.raises(RuntimeError, match="Dask client that was closed"):
            fit(kept)


@pytest.mark.parametrize(
    ("family", "message"),
    [
        (GaussianProcess(), "GaussianProcess cannot be fitted to it"),
        (HMM(2), "pass boltzmix.distributed.sequences"),
    ],
    ids=["processes", "sequences"],
)
def test_families_that_cannot_be_fitted_say_why(family, message, rows):
    with pytest.raises(ValueError, match=message):
        Mixture(family, 2).fit(da.from_array(rows, chunks=-1))


@pytest.mark.slow
def test_a_folder_of_very_many_files_is_not_looked_through(tmp_path):
    for number in range(50_001):
        (tmp_path / str(number)).touch()
    with pytest.raises(ValueError, match="more than 50,000 files and folders in it"):
        fit(tmp_path)


def test_bad_collections_get_one_sentence(rows, tmp_path):
    lazy = da.from_array(rows, chunks=(5000, 3))
    with pytest.raises(ValueError, match="X must be a Dask array of shape"):
        fit(lazy[:, :, None])
    with pytest.raises(ValueError, match="X is empty"):
        fit(lazy[:0])
    with pytest.raises(ValueError, match="no folder or file"):
        fit(tmp_path / "nothing")
    with pytest.raises(ValueError, match="no Parquet files can be read"):
        fit(tmp_path)
    for name in ("a", "b"):
        pd.DataFrame({name: np.arange(8.0)}).to_parquet(tmp_path / f"{name}.parquet")
    with pytest.raises(ValueError, match=r"^X is the path .* with the same columns"):
        fit(tmp_path)
    (tmp_path / "b.parquet").write_bytes((tmp_path / "a.parquet").read_bytes()[:-20])
    with pytest.raises(ValueError, match=r"^X is the path .* pass that of a Parquet file"):
        fit(tmp_path)
    with pytest.raises(ValueError, match=r"distributed\.sequences"):
        Mixture(HMM(2), 2).fit(tmp_path)
    with pytest.raises(ValueError, match="sample_weight was given"):
        Mixture(Gaussian(), 2).fit(lazy, sample_weight=np.ones(len(rows)))
    with pytest.raises(ValueError, match="labels was given"):
        Mixture(Gaussian(), 2).fit(lazy, labels=np.zeros(len(rows), dtype=int))
    with pytest.raises(ValueError, match="init must be a name"):
        fit(lazy, init=np.zeros(len(rows), dtype=int))
    with pytest.raises(ValueError, match="GaussianMixture"):
        GaussianMixture(2).fit(lazy)
    with pytest.raises(ValueError, match="family='auto'"):
        Mixture("auto", 2).fit(lazy)


def test_chunks_of_other_lengths_than_declared_are_named(rows):
    lazy = da.from_array(rows[:5000], chunks=(2500, 3))
    chunks = [rows[:2500], rows[2500:4900]]
    shorter = da.concatenate([da.from_delayed(delayed(one), (2500, 3), float) for one in chunks])
    with pytest.raises(ValueError, match="a chunk of 2400 rows that is declared to have 2500"):
        fit(shorter)
    targets = da.from_array(rows[:5000, 0], chunks=2500)
    with pytest.raises(ValueError, match="a chunk of 2400 rows that is declared to have 2500"):
        Mixture(LinearRegression(), 2, random_state=0).fit(shorter, targets)
    with pytest.raises(ValueError, match="a chunk of 2400 rows that is declared to have 2500"):
        fit(lazy).predict(shorter).compute()


def test_a_sequence_in_two_partitions_is_named():
    steps = pd.DataFrame({"id": [1, 1, 2, 2, 2, 3], "x": np.arange(6.0)})
    with pytest.raises(ValueError, match="Sequence 2 is in two partitions"):
        sequences(dd.from_map(lambda part: part, [steps[:3], steps[3:]]), "id")
    with pytest.raises(ValueError, match="no column 'who'"):
        sequences(dd.from_pandas(steps, npartitions=1), "who")


def test_what_needs_memory_is_named_or_takes_a_sample(rows):
    lazy = da.from_array(rows, chunks=(2000, 3))
    model = fit(lazy)
    for use in (model.impute, model.report):
        with pytest.raises(TypeError, match="pass a sample in memory"):
            use(lazy)
    with pytest.raises(TypeError, match="pass a sample in memory"):
        Table.of(lazy)
    options = {"n_components": range(1, 4), "random_state": 0}
    whole = compare(rows, **options)
    assert compare(lazy, **options).best_candidate().criterion("bic") == (
        whole.best_candidate().criterion("bic")
    )


def test_conclusions_need_rows_in_memory(rows):
    lazy = da.from_array(rows, chunks=(2000, 3))
    model = fit(lazy)
    for use in (model.standard_errors, model.profiles, model.classification):
        with pytest.raises(TypeError, match="pass a sample in memory"):
            use(lazy)
    with pytest.raises(ValueError, match="pass a sample"):
        model.bootstrap(lazy)
    with pytest.raises(ValueError, match="cannot be used with a Dask collection"):
        Mixture(n_components=2, membership=[0]).fit(lazy, covariates=rows)
