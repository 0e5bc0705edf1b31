"""The estimator checks of scikit-learn."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from boltzmix import GaussianMixture, Mixture


@parametrize_with_checks([Mixture(), GaussianMixture()])
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)
