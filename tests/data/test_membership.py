import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boltzmix.data import Hard, Soft

labels = st.lists(st.integers(0, 4), min_size=1, max_size=60).map(np.array)


@given(labels)
def test_hard_members_are_those_with_the_label_in_order(given_labels):
    membership = Hard(given_labels, 5)
    for k in range(5):
        indices, weights = membership.members(k)
        np.testing.assert_array_equal(indices, np.flatnonzero(given_labels == k))
        assert weights is None


@given(labels)
def test_hard_counts_add_weights_and_sizes_add_ones(given_labels):
    weights = np.linspace(1, 2, len(given_labels))
    membership = Hard(given_labels, 5, weights)
    assert membership.sizes.sum() == len(given_labels)
    np.testing.assert_allclose(membership.counts.sum(), weights.sum())


@given(labels)
def test_a_one_hot_soft_membership_counts_as_the_hard_one(given_labels):
    np.testing.assert_allclose(Soft(np.eye(5)[given_labels]).counts, Hard(given_labels, 5).counts)
