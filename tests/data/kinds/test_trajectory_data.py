"""Trajectories are read from the formats people have, or one sentence says what is wrong."""

from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest

from boltzmix import Trajectories

PAIRS = [([3.0, 0.0, 1.0], [5.0, 2.0, np.nan]), ([2.0], [7.0])]
LONG = pd.DataFrame(
    {"who": ["a", "a", "b", "a"], "when": [3.0, 0.0, 2.0, 1.0], "y": [5.0, 2.0, 7.0, np.nan]}
)


def as_lists(data):
    return [(times.tolist(), values.tolist()) for times, values in data]


def test_all_formats_are_read_as_the_same_trajectories():
    wide = np.array([[2.0, np.nan, np.nan, 5.0], [np.nan, np.nan, 7.0, np.nan]])
    found = [
        Trajectories.of(PAIRS),
        Trajectories.from_long(LONG, "who", "when"),
        Trajectories.from_long(pl.from_pandas(LONG), "who", "when", "y"),
        Trajectories.from_wide(wide),
        Trajectories.from_wide(pd.DataFrame(wide, columns=[0, 1, 2, 3])),
        Trajectories.from_wide(pl.DataFrame(wide, schema=["0", "1", "2", "3"])),
    ]
    assert [as_lists(one) for one in found] == [
        [([0.0, 3.0], [[2.0], [5.0]]), ([2.0], [[7.0]])]
    ] * len(found)
    assert found[1].ids.tolist() == ["a", "b"]


def test_the_same_time_may_occur_twice():
    assert Trajectories.of([([1.0, 1.0], [2.0, 3.0])]).lengths.tolist() == [2]


@pytest.mark.parametrize(
    "times",
    [
        pd.to_datetime(["1970-01-03", "1970-01-02"]),
        pd.Series(pd.to_datetime(["1970-01-03", "1970-01-02"]).tz_localize("UTC")),
        pl.Series([date(1970, 1, 3), date(1970, 1, 2)]),
        np.array(["1970-01-03", "1970-01-02"], dtype="datetime64[D]"),
        [date(1970, 1, 3), date(1970, 1, 2)],
    ],
)
def test_dates_become_days(times):
    data = Trajectories.of([(times, [5.0, 4.0])])
    assert data.times.tolist() == [1.0, 2.0] and data.has_dates
    assert "days since 1970-01-01" in repr(data)


def test_selections_keep_names_and_missing_values():
    data = Trajectories.from_long(LONG.assign(z=[1.0, np.nan, 3.0, 4.0]), "who", "when")
    one = data.take(np.array([1, 0]))
    assert one.ids.tolist() == ["b", "a"] and one.lengths.tolist() == [1, 3]
    assert np.isnan(one.values).sum() == 2
    assert as_lists(data.take(slice(1, 2))) == as_lists(one.take([0]))


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda: Trajectories.of([([0.0], [np.nan])]), "no value at any time"),
        (lambda: Trajectories.of([([0.0, 1.0], [2.0])]), "2 times, but 1 values"),
        (lambda: Trajectories.of([([0.0], [1.0]), ([0.0], [[1.0, 2.0]])]), "2 outputs"),
        (lambda: Trajectories.of([(["a"], [1.0])]), "numbers, dates or durations"),
        (lambda: Trajectories.of([([np.nan], [1.0])]), "no time in row 0"),
        (lambda: Trajectories.of([([0.0], [np.inf])]), "infinity"),
        (lambda: Trajectories.of([1.0]), "pair"),
        (lambda: Trajectories.of([]), "empty"),
        (lambda: Trajectories.of(LONG), "from_long"),
        (lambda: Trajectories.of(np.zeros((3, 4))), "from_wide"),
        (lambda: Trajectories.from_long(LONG, "name", "when"), "no column 'name'"),
        (lambda: Trajectories.from_long(LONG, "who", "who"), "different columns"),
        (lambda: Trajectories.from_wide(np.zeros((2, 3)), times=[0, 1]), "3 columns"),
        (lambda: Trajectories.from_wide(LONG[["y"]]), "no times"),
        (lambda: Trajectories.from_wide(np.array([[["a"]]])), "numbers only"),
        (lambda: Trajectories.from_wide(np.full((2, 3, 1), 1j)), "Complex data"),
        (lambda: Trajectories.from_wide(np.zeros((2, 0, 3))), "X is empty"),
        (lambda: Trajectories.from_wide(np.zeros((2, 3, 0))), "X is empty"),
        (lambda: Trajectories.from_wide(np.full((2, 3, 1), 10**400)), "too large"),
        (lambda: Trajectories.of([([date(2020, 1, 1)], [1.0]), ([0.0], [1.0])]), "dates"),
    ],
)
def test_what_cannot_be_read_raises_one_sentence(read, message):
    with pytest.raises((TypeError, ValueError), match=message):
        read()
