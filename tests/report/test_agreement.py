"""Tests of the agreement with known classes."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from boltzmix import Mixture
from boltzmix.datasets import make_square
from boltzmix.metrics import purity_score
from boltzmix.report import Agreement

X, CORNERS = make_square(random_state=0)


def test_scores_and_counts_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    known, labels = rng.integers(12, size=300), rng.integers(4, size=300)
    found = Agreement.of(known, labels, 4)
    assert list(found.classes) == [str(one) for one in range(12)]  # as numbers, not as text
    expected = pd.crosstab(known, labels).to_numpy()
    np.testing.assert_array_equal(found.counts, expected)
    assert list(found.scores.values()) == [
        adjusted_rand_score(known, labels),
        normalized_mutual_info_score(known, labels),
        purity_score(known, labels),
    ]


@pytest.mark.parametrize(
    "known",
    [
        ["a", None, "b", "a", "b", "a"],
        pd.Series(["a", np.nan, "b", "a", "b", "a"], name="kind"),
        pl.Series("kind", ["a", None, "b", "a", "b", "a"]),
        ["a", "", "b", "a", "b", "a"],
    ],
)
def test_unknown_classes_are_left_out(known):
    found = Agreement.of(known, np.array([0, 0, 1, 0, 1, -1]), 2)
    np.testing.assert_array_equal(found.counts, [[2, 0, 1], [0, 2, 0]])
    assert found.n_unknown == 1
    assert "1 observation without a known class is left out" in " ".join(found.sentences)
    assert "Noise counts as a group of its own." in found.sentences
    assert found.table()[0][0] == getattr(known, "name", "known class")


def test_codes_with_missing_values_are_whole_numbers():
    found = Agreement.of(np.array([2.0, np.nan, 10.0, 2.0]), np.array([0, 0, 1, 0]), 2)
    assert list(found.classes) == ["2", "10"]


@pytest.mark.parametrize(
    ("known", "message"),
    [
        (np.linspace(0, 1, 210), "has 210 different values in 210 observations"),
        ([f"name {i}" for i in range(210)], "so is no column of classes"),
        ([None] * 210, "has no known class"),
        ([1, 2, 3], "must have one class for each of the 210 observations"),
        ("corner", "compare_with names the column 'corner', which X does not have"),
    ],
)
def test_a_column_without_classes_raises(known, message):
    model = Mixture(n_components=4, random_state=0).fit(X)
    with pytest.raises(ValueError, match=message):
        model.report(X, compare_with=known)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_the_column_of_a_frame_is_compared_and_not_read(frame):
    table = frame({"a": X[:, 0], "b": X[:, 1], "corner": CORNERS})
    model = Mixture(n_components=4, random_state=0).fit(table[["a", "b"]])
    shown = model.report(table, compare_with="corner").findings["agreement"]
    assert shown["headings"][0] == "corner"
    counts = [[int(cell) for cell in cells] for _, *cells in shown["lines"]]
    np.testing.assert_array_equal(counts, pd.crosstab(CORNERS, model.labels_))


def test_many_classes_have_the_rest_in_one_row():
    known = np.arange(400) % 40
    known[:5] = 39
    _, lines = Agreement.of(known, np.zeros(400, dtype=int), 1).table()
    assert len(lines) == 31
    assert lines[-1][0] == "10 others"
    assert sum(int(line[1]) for line in lines) == 400
