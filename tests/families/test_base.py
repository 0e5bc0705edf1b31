import numpy as np
import pytest
from own_family import Exponential

from boltzmix import CEM, EM, Mixture
from boltzmix.families import HMM, Bank, Categorical, Family, Gaussian, MarkovChain


@pytest.fixture
def durations():
    rng = np.random.default_rng(0)
    return np.concatenate([rng.exponential(0.1, 300), rng.exponential(10, 300)])[:, None]


@pytest.mark.parametrize("algorithm", ["auto", "beem", "sem", "cem"])
def test_a_family_of_two_methods_can_be_learned(durations, algorithm):
    model = Mixture(Exponential(), 2, algorithm=algorithm, random_state=0).fit(durations)
    slow, fast = sorted(component.rate for component in model.components_)
    assert slow < 0.3
    assert fast > 3
    np.testing.assert_allclose(model.predict_proba(durations).sum(axis=1), 1)


@pytest.mark.parametrize("algorithm", ["em", "daem", EM(), [CEM(), EM()]])
def test_soft_algorithms_raise_for_a_family_without_weights(durations, algorithm):
    with pytest.raises(
        ValueError, match=r"EM has soft responsibilities, .* fit of Exponential takes no weights"
    ):
        Mixture(Exponential(), 2, algorithm=algorithm).fit(durations)


def test_sample_weights_raise_for_a_family_without_weights(durations):
    with pytest.raises(ValueError, match="sample_weight was given"):
        Mixture(Exponential(), 2).fit(durations, sample_weight=np.ones(len(durations)))


def test_init_points_raises_for_a_family_that_cannot_be_moved(durations):
    with pytest.raises(ValueError, match="Exponential cannot be moved"):
        Mixture(Exponential(), 2, init="points").fit(durations)


def test_what_a_family_does_not_offer_is_named(durations):
    model = Mixture(Exponential(), 2, random_state=0).fit(durations)
    with pytest.raises(NotImplementedError, match="Exponential cannot be sampled"):
        model.sample(3)
    with pytest.raises(NotImplementedError, match="n_parameters"):
        model.bic(durations)


def test_nan_from_a_familys_log_prob_raises_an_error(durations):
    class Broken(Exponential):
        def log_prob(self, data):
            return np.full(len(data), np.nan)

        def fit(self, data, *, weights=None, rng=None):
            return self

    with pytest.raises(ValueError, match=r"Broken.log_prob returned NaN"):
        Mixture(Broken(), 2).fit(durations)


def test_observations_impossible_everywhere_get_equal_probabilities(durations):
    class Positive(Exponential):
        def log_prob(self, data):
            values = np.asarray(data)[:, 0]
            return np.where(values < 0, -np.inf, super().log_prob(data))

    model = Mixture(Positive(), 2, random_state=0).fit(durations)
    np.testing.assert_array_equal(model.predict_proba([[-1.0]]), [[0.5, 0.5]])
    assert model.score_samples([[-1.0]])[0] == -np.inf


def test_objects_other_than_families_raise_an_error(durations):
    with pytest.raises(ValueError, match="family must be a Family"):
        Mixture(object(), 2).fit(durations)


def test_the_contract_needs_fit_and_log_prob_only():
    assert Family.__abstractmethods__ == {"fit", "log_prob"}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: Gaussian(mean=np.zeros(2), variance=np.eye(3)),
            r"variance of a 'full' covariance",
        ),
        (lambda: Gaussian("diag", mean=np.zeros(2), variance=np.eye(2)), r"shape \(2,\), but they"),
        (lambda: Gaussian(mean=np.zeros((1, 2)), variance=np.eye(2)), "one number per column"),
        (lambda: HMM(2, transitions=np.eye(3)), r"transitions must have the shape \(2, 2\)"),
        (lambda: HMM(2, initial=np.ones(1)), r"initial must have the shape \(2,\)"),
        (lambda: HMM(2, states=Bank([Gaussian()])), r"states must have the shape \(2,\)"),
        (lambda: MarkovChain(3, initial=np.ones(3) / 3, transitions=np.eye(2)), "n_symbols=3, not"),
        (
            lambda: Categorical(4, probabilities=np.ones((1, 3)) / 3),
            "n_categories=4 does not match",
        ),
        (
            lambda: Categorical((2, 1), probabilities=np.array([[0.5, 0.5], [0.5, 0.5]])),
            "does not have must be zero",
        ),
        (lambda: Categorical((3, 3), probabilities=np.ones((1, 3)) / 3), "1 row.* of 3"),
    ],
)
def test_parameters_that_do_not_belong_together_raise_an_error(make, words):
    with pytest.raises(ValueError, match=words):
        make()
