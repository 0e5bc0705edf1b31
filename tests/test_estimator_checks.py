"""The estimator checks of scikit-learn."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from boltzmix import GaussianMixture, Mixture


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@parametrize_with_checks([Mixture(), GaussianMixture()])
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)
