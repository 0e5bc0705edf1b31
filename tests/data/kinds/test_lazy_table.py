from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boltzmix import Mixture, plots
from boltzmix.data import LazyTable
from boltzmix.datasets import make_square
from boltzmix.files import scan_parquet

VALUES = np.random.default_rng(0).normal(size=(1000, 3))


def opened():
    """Return a table in pieces of 64 rows, and the list of pieces read so far."""
    reads = []

    def read(start, stop):
        reads.append((start, stop))
        return VALUES[start:stop]

    return LazyTable(read, VALUES.shape, piece=64), reads


@given(st.integers(0, 999), st.integers(1, 1000))
def test_any_slice_can_be_read(start, length):
    table, _ = opened()
    place = slice(start, min(start + length, 1000))
    np.testing.assert_array_equal(table.take(place).values, VALUES[place])


@given(st.lists(st.integers(0, 999), min_size=1, max_size=50))
def test_any_rows_can_be_read_in_order(rows):
    table, _ = opened()
    np.testing.assert_array_equal(table.take(np.array(rows)).values, VALUES[rows])


def test_every_piece_is_read_once_and_the_last_four_are_kept():
    table, reads = opened()
    for start in range(0, 1000, 16):
        table.take(slice(start, min(start + 16, 1000)))
    assert len(reads) == len(set(reads)) == 16
    for piece in range(12, 16):
        table.take(slice(64 * piece, 64 * piece + 1))
    assert len(reads) == 16
    table.take(slice(64 * 11, 64 * 11 + 1))
    assert len(reads) == 17


def test_messages_name_the_row_of_an_infinite_value():
    broken = VALUES.copy()
    broken[700, 1] = np.inf
    table = LazyTable(lambda start, stop: broken[start:stop], broken.shape, piece=64)
    with pytest.raises(ValueError, match=r"inf .infinity. in column 1, row 700"):
        Mixture(n_components=2).fit(table)


def test_fits_to_a_parquet_file_and_to_its_table_are_equal(tmp_path):
    X, _ = make_square(random_state=0)
    frame = pl.DataFrame({"x": X[:, 0], "name": ["a"] * len(X), "y": X[:, 1]})
    frame.write_parquet(tmp_path / "square.parquet")
    table = replace(scan_parquet(tmp_path / "square.parquet"), piece=64)
    assert table.feature_names == ("x", "y")
    from_file = Mixture(n_components=4, random_state=0).fit(table)
    from_memory = Mixture(n_components=4, random_state=0).fit(frame.select("x", "y"))
    assert from_file.lower_bound_ == from_memory.lower_bound_
    np.testing.assert_array_equal(from_file.labels_, from_memory.labels_)
    assert scan_parquet(tmp_path / "square.parquet", ["y"]).n_features == 1


def test_a_memory_map_is_fitted_without_a_copy(tmp_path):
    X, _ = make_square(random_state=0)
    mapped = np.memmap(tmp_path / "square", dtype=float, mode="w+", shape=X.shape)
    mapped[:] = X
    one = Mixture(n_components=4, random_state=0).fit(mapped)
    two = Mixture(n_components=4, random_state=0).fit(X)
    assert one.lower_bound_ == two.lower_bound_
    assert np.shares_memory(one.components_[0].observe(mapped).values, mapped)


def test_lazy_tables_can_be_initialised_at_points_and_plotted(tmp_path):
    X, _ = make_square(random_state=0)
    pl.DataFrame({"x": X[:, 0], "y": X[:, 1]}).write_parquet(tmp_path / "square.parquet")
    table = replace(scan_parquet(tmp_path / "square.parquet"), piece=64)
    model = Mixture(n_components=4, init="points", random_state=0).fit(table)
    assert len(plots.clusters(model, table).points) == len(X)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["z"], "no column 'z'"),
        (["name"], "not numeric"),
        ("xy", "list of different names"),
        ([], "list of different names"),
        (["x", "x"], "list of different names"),
    ],
)
def test_scanning_raises_on_columns_it_cannot_use(tmp_path, columns, message):
    pl.DataFrame({"x": [1.0], "name": ["a"]}).write_parquet(tmp_path / "one.parquet")
    with pytest.raises(ValueError, match=message):
        scan_parquet(tmp_path / "one.parquet", columns)


def test_scanning_raises_on_files_without_rows_or_numbers(tmp_path):
    path = tmp_path / "odd.parquet"
    with pytest.raises(ValueError, match="There is no file"):
        scan_parquet(path)
    path.write_bytes(b"nothing")
    with pytest.raises(ValueError, match="could not be read"):
        scan_parquet(path)
    pl.DataFrame({"name": ["a"]}).write_parquet(path)
    with pytest.raises(ValueError, match="no numeric column"):
        scan_parquet(path)
    pl.DataFrame({"x": pl.Series([], dtype=pl.Float64)}).write_parquet(path)
    with pytest.raises(ValueError, match="has no rows"):
        scan_parquet(path)


def test_missing_values_raise_unless_they_are_allowed():
    incomplete = VALUES.copy()
    incomplete[700, 1] = np.nan
    table = LazyTable(lambda start, stop: incomplete[start:stop], incomplete.shape, piece=64)
    assert table.validated(False) is table
    with pytest.raises(ValueError, match=r"NaN in column 1, row 700 .* takes missing values"):
        table.as_vectors()
    allowed = table.validated(True)
    np.testing.assert_array_equal(allowed.take(slice(0, 1000)).values, incomplete)
    expected = np.delete(VALUES[:, 1], 700).mean()
    np.testing.assert_allclose(allowed.as_vectors()[700, 1], expected)
