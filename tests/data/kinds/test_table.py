import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from boltzmix.data import BlockSizes, Table, block_slices

finite = st.floats(-1e6, 1e6)
tables = arrays(float, st.tuples(st.integers(1, 40), st.integers(1, 4)), elements=finite)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_keep_their_names_and_values(frame):
    table = Table.of(frame({"a": [1.0, 2.0], "b": [3.0, 4.0]}))
    assert table.feature_names == ("a", "b")
    np.testing.assert_array_equal(table.values, [[1, 3], [2, 4]])


def test_float32_stays_float32_and_other_numbers_become_float64():
    assert Table.of(np.ones((2, 2), dtype=np.float32)).values.dtype == np.float32
    assert Table.of(np.ones((2, 2), dtype=np.int16)).values.dtype == np.float64


def test_a_float64_array_is_not_copied():
    values = np.ones((3, 2))
    assert np.shares_memory(Table.of(values).values, values)


@given(tables, st.integers(1, 50))
def test_concatenated_blocks_are_the_table(values, size):
    table = Table.of(values)
    blocks = [table.take(place).values for place in block_slices(len(values), size)]
    np.testing.assert_array_equal(np.concatenate(blocks), values)


@given(st.integers(1, 10_000), st.integers(1, 10_000))
def test_a_block_is_a_power_of_two_of_rows(d, k):
    size = BlockSizes().block(d, k)
    assert size.bit_count() == 1
    assert 2**10 <= size <= 2**16


@given(tables, st.integers(1, 50))
def test_count_distinct_stops_at_its_limit(values, enough):
    distinct = len({tuple(row) for row in values.tolist()})
    assert Table.of(values).count_distinct(enough) == min(distinct, enough)


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        ([1.0, 2.0], ValueError, "Reshape your data"),
        (np.empty((0, 2)), ValueError, "0 sample"),
        (np.empty((2, 0)), ValueError, "0 feature"),
        ([[1.0, np.nan]], ValueError, "NaN in column 1, row 0"),
        ([[1.0, 2.0], [np.inf, 2.0]], ValueError, "infinity.* in column 0, row 1"),
        ([[1.0, "a"]], ValueError, "numbers only"),
        ([[1j]], ValueError, "Complex data not supported"),
        (pd.DataFrame({"a": [1.0, None]}), ValueError, "NaN in column 'a', row 1"),
        (pd.DataFrame([[1.0, 2.0]], columns=["a", 1]), TypeError, "only some are strings"),
    ],
)
def test_input_that_is_not_a_table_raises(X, error, message):
    with pytest.raises(error, match=message):
        Table.of(X)


def test_finite_numbers_whose_sum_overflows_are_accepted():
    assert len(Table.of([[1e308], [1e308], [1e308]])) == 3


@pytest.mark.parametrize(
    "X",
    [
        [[1.0, np.nan], [2.0, 3.0]],
        [[1.0, None], [2.0, 3.0]],
        pd.DataFrame({"a": [1.0, 2.0], "b": [None, 3.0]}),
        pd.DataFrame({"a": [1, 2], "b": pd.array([pd.NA, 3], dtype="Int64")}),
        pl.DataFrame({"a": [1.0, 2.0], "b": [None, 3.0]}),
    ],
)
def test_missing_values_raise_unless_they_are_allowed(X):
    table = Table.of(X, missing=True)
    np.testing.assert_array_equal(table.values, [[1, np.nan], [2, 3]])
    np.testing.assert_array_equal(table.as_vectors(), [[1, 3], [2, 3]])
    message = r"NaN in column .*, row 0 .*: drop or fill .*, or use a family that takes missing"
    for validate in (lambda: Table.of(X), lambda: table.validated(False)):
        with pytest.raises(ValueError, match=message):
            validate()


def test_infinity_is_not_a_missing_value():
    with pytest.raises(ValueError, match=r"infinity.* in column 1, row 1 .*fill these rows\.$"):
        Table.of([[np.nan, 1.0], [2.0, np.inf]], missing=True)


def test_missing_values_are_equal_when_distinct_rows_are_counted():
    rows = np.array([[1.0, np.nan], [1.0, np.nan], [np.nan, 1.0], [1.0, 1.0]])
    assert Table.of(rows, missing=True).count_distinct(9) == 3
