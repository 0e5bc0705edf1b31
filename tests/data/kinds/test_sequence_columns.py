"""Tests of slopes and normalised columns of sequences."""

import numpy as np
import pandas as pd
import pytest

from boltzmix import Sequences

LENGTHS = (1, 2, 3, 9)


def drawn(seed=0):
    """Return sequences of different lengths with two columns."""
    rng = np.random.default_rng(seed)
    return [rng.normal(5, 2, (length, 2)) for length in LENGTHS]


@pytest.mark.parametrize("window", [1, 2, 4])
def test_slopes_are_those_of_lines_through_the_steps_around(window):
    X = drawn()
    found = Sequences.of(X).with_slopes(window)
    assert found.n_features == 4
    for own, sequence in zip(found, X, strict=True):
        np.testing.assert_array_equal(own[:, :2], sequence)
        for t in range(len(sequence)):
            around = np.arange(max(0, t - window), min(len(sequence), t + window + 1))
            line = np.polyfit(around, sequence[around], 1)[0] if len(around) > 1 else np.zeros(2)
            np.testing.assert_allclose(own[t, 2:], line, atol=1e-10)


def test_slopes_of_a_line_are_its_slope_whatever_its_level():
    line = 1e6 + 3.0 * np.arange(20)[:, None]
    np.testing.assert_allclose(Sequences.of([line]).with_slopes()[0][:, 1], 3.0, atol=1e-8)


def test_names_say_which_column_a_slope_is_of():
    frame = pd.DataFrame({"x": [1.0, 2.0], "y": [3.0, 3.0]})
    assert Sequences.of([frame]).with_slopes().feature_names == (
        "x", "y", "slope of x", "slope of y",
    )  # fmt: skip
    assert Sequences.of([frame]).normalised().feature_names == ("x", "y")


def test_missing_steps_are_left_out_of_lines_means_and_deviations():
    values = np.array([[0.0], [np.nan], [4.0], [6.0], [np.nan], [np.nan]])
    sequences = Sequences(values, np.array([0, 4, 6]))
    np.testing.assert_allclose(
        sequences.with_slopes(2).values[:, 1], [2, 2, 2, 2, np.nan, np.nan], equal_nan=True
    )
    found = sequences.normalised().values[:, 0]
    np.testing.assert_array_equal(np.isnan(found), np.isnan(values[:, 0]))
    assert np.nanmean(found[:4]) == pytest.approx(0, abs=1e-12)
    assert np.nanstd(found[:4]) == pytest.approx(1)


@pytest.mark.parametrize("window", [0, 1.5, "wide"])
def test_a_window_that_is_no_whole_number_raises(window):
    with pytest.raises(ValueError, match="window must be a whole number of at least 1"):
        Sequences.of(drawn()).with_slopes(window)


def test_normalised_sequences_have_mean_zero_and_deviation_one():
    sequences = Sequences.of([*drawn(), np.full((4, 2), 0.1)])
    found = sequences.normalised()
    for own in list(found)[1:-1]:
        np.testing.assert_allclose(own.mean(axis=0), 0, atol=1e-12)
        np.testing.assert_allclose(own.std(axis=0), 1)
    assert not found[0].any()
    assert not found[-1].any()
    np.testing.assert_array_equal(found.ends, sequences.ends)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_precision_is_kept(kind):
    sequences = Sequences.of([one.astype(kind) for one in drawn()])
    assert sequences.with_slopes().values.dtype == kind
    assert sequences.normalised().values.dtype == kind
