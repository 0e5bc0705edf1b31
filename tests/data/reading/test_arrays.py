import numpy as np
import pytest

from boltzmix.data import evenly_spaced


@pytest.mark.parametrize("n", [2, 3, 10, 101, 5000])
@pytest.mark.parametrize("most", [2, 3, 7, 100])
def test_indices_are_distinct_evenly_spaced_and_include_both_ends(n, most):
    indices = evenly_spaced(n, most)
    assert len(indices) == min(n, most)
    assert indices[0] == 0
    assert indices[-1] == n - 1
    gaps = np.diff(indices)
    assert gaps.min() >= 1
    assert gaps.max() - gaps.min() <= 1


def test_all_indices_are_returned_if_there_are_at_most_the_limit():
    np.testing.assert_array_equal(evenly_spaced(6, 6), np.arange(6))
    np.testing.assert_array_equal(evenly_spaced(6, 1000), np.arange(6))


def test_a_limit_of_one_returns_the_first_index_and_no_data_returns_none():
    np.testing.assert_array_equal(evenly_spaced(6, 1), [0])
    assert len(evenly_spaced(0, 5)) == 0
