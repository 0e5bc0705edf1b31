import numpy as np
import pytest

from boltzmix.data import Table
from boltzmix.pictures import principal_components, rows_in_range, shown_range

RNG = np.random.default_rng(0)
MEMBERS = np.concatenate([RNG.normal(0, 1, 100), RNG.normal(20, 2, 50)])
LABELS = np.repeat([0, 1], [100, 50])


@pytest.mark.parametrize("far", [1e3, 1e6, 1e15])
@pytest.mark.parametrize("label", [-1, 0])
def test_far_noise_and_far_members_do_not_change_the_range(far, label):
    values, labels = np.append(MEMBERS, [far, -far]), np.append(LABELS, [label, label])
    assert shown_range(values, labels) == (MEMBERS.min(), MEMBERS.max())


def test_noise_near_the_components_is_in_the_range():
    values, labels = np.append(MEMBERS, [-15.0, 40.0]), np.append(LABELS, [-1, -1])
    assert shown_range(values, labels) == (-15, 40)


def test_a_small_component_far_away_is_in_the_range():
    values, labels = np.append(MEMBERS, [1e6, 1e6 + 1]), np.append(LABELS, [2, 2])
    assert shown_range(values, labels) == (MEMBERS.min(), 1e6 + 1)


@pytest.mark.parametrize(
    "values", [[], [np.nan], [3.0], [0.0, 0.0, 0.0, 0.0, 0.0, 7.0], [2.0, 2.0, 2.0]]
)
def test_few_or_equal_values_have_a_range_too(values):
    values = np.array(values)
    for label in (-1, 0):
        low, high = shown_range(values, np.full(len(values), label))
        assert low <= high
        assert rows_in_range(values[np.isfinite(values), None], np.full(len(values), label)).all()


def test_far_rows_do_not_turn_principal_components():
    rows = RNG.normal(size=(200, 3)) * [1, 5, 2]
    rows[:, 0] += rows[:, 1]
    labels = np.zeros(200, dtype=int)
    far = np.array([[0, 0, 1e9], [1e8, 0, 0]])
    directions, offsets = principal_components(Table(rows), labels, 2)
    with_far = principal_components(Table(np.vstack([rows, far])), np.append(labels, [-1, -1]), 2)
    np.testing.assert_array_equal(with_far[0], directions)
    np.testing.assert_array_equal(with_far[1], offsets)
