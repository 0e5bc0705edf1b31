import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boltzmix.metrics import purity_score

labels = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=50)


@given(labels)
def test_purity_counts_the_most_frequent_class_of_every_cluster(pairs):
    true, found = np.array(pairs).T
    expected = sum(np.bincount(true[found == k]).max() for k in np.unique(found)) / len(true)
    np.testing.assert_allclose(purity_score(true, found), expected)


@given(labels)
def test_purity_does_not_depend_on_the_names_of_clusters(pairs):
    true, found = np.array(pairs).T
    assert purity_score(true, found) == purity_score(true, (found + 2) % 5 + 10)
    assert purity_score(true, true) == 1
