import numpy as np
import pytest
from own_family import Exponential

from boltzmix import EM, GaussianMixture, Mixture
from boltzmix.datasets import make_square
from boltzmix.families import Categorical

X, TRUE = make_square((5000, 5000, 5000, 5000), random_state=0)
ORDER = np.random.default_rng(0).permutation(len(X))


def batches(size):
    return [X[ORDER[start : start + size]] for start in range(0, len(X), size)]


@pytest.mark.parametrize("make", [Mixture, GaussianMixture])
def test_a_stream_scores_as_well_as_a_fit_of_all_data(make):
    model = make(n_components=4, n_init=10, random_state=1)
    for batch in batches(500):
        model.partial_fit(batch)
    whole = make(n_components=4, n_init=10, random_state=1).fit(X)
    assert model.score(X) > whole.score(X) - 5e-3
    np.testing.assert_allclose(model.weights_, 0.25, atol=0.02)
    np.testing.assert_array_equal(model.labels_, model.predict(batches(500)[-1]))


def test_a_stream_follows_drifting_data():
    rng = np.random.default_rng(0)
    model = Mixture(n_components=2, random_state=0)
    for shift in np.minimum(np.arange(150), 50) / 10:
        centres = np.array([[-5.0], [5.0]]) + shift
        model.partial_fit((centres + rng.normal(size=(2, 200))).reshape(-1, 1))
    means = sorted(component.mean[0] for component in model.components_)
    np.testing.assert_allclose(means, [0, 10], atol=0.5)


def test_the_first_batch_is_fitted_and_fit_discards_the_stream():
    model = Mixture(n_components=4, random_state=0)
    model.partial_fit(batches(500)[0])
    assert model.history_.phases == ["Moves", "EM"]
    first = Mixture(n_components=4, random_state=0).fit(X).lower_bound_
    assert model.partial_fit(batches(500)[1]).fit(X).lower_bound_ == first


def test_the_scale_of_sample_weights_in_a_batch_does_not_matter():
    batch = batches(1000)[0]
    one = Mixture(n_components=4, algorithm=EM(), random_state=0)
    two = Mixture(n_components=4, algorithm=EM(), random_state=0)
    for model, weights in ((one, None), (two, np.full(len(batch), 3.0))):
        model.partial_fit(batch, sample_weight=np.ones(len(batch)))
        model.partial_fit(batch, sample_weight=weights)
    np.testing.assert_allclose(one.weights_, two.weights_)


def test_a_family_without_statistics_raises():
    with pytest.raises(ValueError, match="Exponential has none that can be added"):
        Mixture(Exponential(), 2).partial_fit(np.ones((10, 1)))


def test_a_batch_with_other_columns_raises():
    model = Mixture(n_components=2, random_state=0).partial_fit(X[:100])
    with pytest.raises(ValueError, match="expecting 2 features"):
        model.partial_fit(X[:100, :1])


def test_smoothing_does_not_grow_with_the_number_of_batches():
    rng = np.random.default_rng(0)
    codes = (rng.random((6000, 8)) < np.where(rng.random((6000, 1)) < 0.5, 0.1, 0.9)).astype(float)
    options = {"n_components": 2, "algorithm": EM(1e-6), "random_state": 0}
    model = Mixture(Categorical(2), **options)
    for batch in np.split(codes, 12):
        model.partial_fit(batch)
    whole = Mixture(Categorical(2), **options).fit(codes)
    assert model.score(codes) > whole.score(codes) - 5e-3
