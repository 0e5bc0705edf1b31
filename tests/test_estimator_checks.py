"""The estimator checks of scikit-learn."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from boltzmix import GaussianMixture, Mixture


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@parametrize_with_checks(
    [Mixture(), GaussianMixture()],
    expected_failed_checks=lambda estimator: (
        {"check_methods_sample_order_invariance": "sets n_clusters to 2 and n_components to 1"}
        if isinstance(estimator, Mixture)
        else {}
    ),
)
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)
