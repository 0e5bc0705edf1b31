"""Gaussian processes against scikit-learn's, and what they are for: curves."""

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import (
    RBF,
    ConstantKernel,
    ExpSineSquared,
    Matern,
    RationalQuadratic,
    WhiteKernel,
)

from boltzmix import CEM, Mixture
from boltzmix.data import Regression
from boltzmix.families import GaussianProcess
from boltzmix.families.distributions.gaussian_process.gaussian_process_learning import Marginal
from boltzmix.families.distributions.gaussian_process.gaussian_process_points import Points
from boltzmix.metrics import purity_score

KERNELS = [
    ConstantKernel(1.3) * RBF(0.7),
    Matern(1.2, nu=1.5) + ConstantKernel(0.5),
    ConstantKernel(2.0) * ExpSineSquared(1.1, 5.0),
    RBF(0.5) + WhiteKernel(0.1),
]
GRID = np.linspace(-2, 12, 40)[:, None]


def curve(n=60, seed=0, noise=0.1):
    rng = np.random.default_rng(seed)
    X = np.sort(rng.uniform(0, 10, n))[:, None]
    return X, np.sin(X[:, 0]) + noise * rng.normal(size=n)


def two_curves(seed=0, n=120):
    rng = np.random.default_rng(seed)
    X, labels = np.sort(rng.uniform(0, 10, n))[:, None], rng.integers(2, size=n)
    functions = np.column_stack([np.sin(X[:, 0]), 3 + 0.5 * np.cos(X[:, 0])])
    return X, functions[np.arange(n), labels] + 0.1 * rng.normal(size=n), labels


def fixed(kernel, noise=0.02, **more):
    return GaussianProcess(kernel, noise, learn_noise=False, n_steps=0, offset=np.zeros(1), **more)


def with_slopes(kernel, noise, data, weights=None):
    points = Points.of(data, np.zeros(1), weights)
    return Marginal(points, kernel, None, 500).with_slopes(kernel.theta, noise)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_likelihood_slopes_and_prediction_are_scikit_learns(kernel):
    X, y = curve()
    peer = GaussianProcessRegressor(kernel, alpha=0.02, optimizer=None).fit(X, y)
    value, slopes = with_slopes(kernel, 0.02, Regression.of(X, y))
    expected, gradient = peer.log_marginal_likelihood(kernel.theta, eval_gradient=True)
    np.testing.assert_allclose(value, expected, rtol=1e-8)
    np.testing.assert_allclose(slopes[:-1], gradient, rtol=1e-8, atol=1e-8)
    fitted = fixed(kernel).fit(Regression.of(X, y))
    mean, deviation = fitted.predict(GRID, return_std=True)
    their_mean, their_deviation = peer.predict(GRID, return_std=True)
    np.testing.assert_allclose(mean, their_mean, atol=1e-8)
    if "White" not in str(kernel):
        np.testing.assert_allclose(deviation, their_deviation, atol=1e-8)
    np.testing.assert_allclose(fitted.log_marginal(Regression.of(X, y)), expected, rtol=1e-8)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_slopes_are_those_of_differences(weighted):
    data = Regression.of(*curve())
    weights = np.random.default_rng(0).uniform(0.1, 3, len(data)) if weighted else None
    kernel, step = KERNELS[0], 1e-5

    def value(theta):
        noise = np.exp(theta[-1])
        return with_slopes(kernel.clone_with_theta(theta[:-1]), noise, data, weights)

    start = np.append(kernel.theta, np.log(0.05))
    _, slopes = value(start)
    for place, slope in enumerate(slopes):
        move = step * np.eye(len(start))[place]
        difference = value(start + move)[0] - value(start - move)[0]
        np.testing.assert_allclose(slope, difference / (2 * step), rtol=1e-5)


def test_a_point_with_weight_two_is_two_points():
    data = Regression.of(*curve(40))
    weights = np.ones(40)
    weights[:9] = 2
    doubled = data.take(np.r_[np.arange(40), np.arange(9)])
    one = fixed(KERNELS[0]).fit(data, weights=weights)
    two = fixed(KERNELS[0]).fit(doubled)
    np.testing.assert_allclose(one.predict(GRID, True), two.predict(GRID, True), atol=1e-8)
    np.testing.assert_allclose(one.log_marginal(data, weights), two.log_marginal(doubled))
    learned = GaussianProcess().prepare(data, 1)
    one, two = learned.fit(data, weights=weights), learned.fit(doubled)
    np.testing.assert_allclose(one.kernel.theta, two.kernel.theta, atol=1e-2)
    plain = fixed(KERNELS[0]).fit(data)
    same = fixed(KERNELS[0]).fit(data, weights=np.ones(40))
    np.testing.assert_array_equal(plain.log_prob(data), same.log_prob(data))


def test_own_points_with_weights_are_left_out_entirely():
    data = Regression.of(*curve(30))
    weights = np.random.default_rng(0).uniform(0.01, 1, len(data))
    values = fixed(KERNELS[0]).fit(data, weights=weights).log_prob(data)
    for place in range(len(data)):
        others = np.delete(np.arange(len(data)), place)
        without = fixed(KERNELS[0]).fit(data.take(others), weights=weights[others])
        alone = without.log_prob(data.take(np.array([place])))
        np.testing.assert_allclose(values[place], alone[0], rtol=1e-7)


def test_points_that_weigh_next_to_nothing_are_left_out():
    data = Regression.of(*curve(30))
    weights = np.where(np.arange(30) < 20, 1.0, 1e-9)
    fitted = fixed(KERNELS[0]).fit(data, weights=weights)
    some = fixed(KERNELS[0]).fit(data.take(slice(0, 20)))
    np.testing.assert_array_equal(fitted.predict(GRID), some.predict(GRID))
    with pytest.raises(ValueError, match="no point has a weight above zero"):
        GaussianProcess().fit(data, weights=np.zeros(30))


def test_densities_of_own_points_leave_these_points_out():
    data = Regression.of(*curve(30))
    fitted = fixed(KERNELS[0]).fit(data)
    values = fitted.log_prob(data)
    for place in range(len(data)):
        others = data.take(np.delete(np.arange(len(data)), place))
        alone = fixed(KERNELS[0]).fit(others).log_prob(data.take(np.array([place])))
        np.testing.assert_allclose(values[place], alone[0], rtol=1e-8)
    plain = fixed(KERNELS[0], held_out=False).fit(data)
    assert (plain.log_prob(data) > values).mean() > 0.9
    elsewhere = Regression.of(data.inputs + 0.01, data.targets)
    np.testing.assert_allclose(fitted.log_prob(elsewhere), plain.log_prob(elsewhere))


def test_several_targets_share_the_kernel_and_add_up():
    X, y = curve()
    _, z = curve(seed=1)
    both = Regression.of(X, np.column_stack([y, z]))
    alone = [with_slopes(KERNELS[0], 0.02, Regression.of(X, t)) for t in (y, z)]
    value, slopes = with_slopes(KERNELS[0], 0.02, both)
    np.testing.assert_allclose(value, alone[0][0] + alone[1][0], rtol=1e-10)
    np.testing.assert_allclose(slopes, alone[0][1] + alone[1][1], rtol=1e-8)
    fitted = GaussianProcess().fit(both)
    assert fitted.predict(GRID).shape == (40, 2)
    assert fitted.log_prob(both).shape == (60,)


def test_steps_climb_and_later_fits_go_on_from_there():
    data = Regression.of(*curve())
    marginals, model = [], GaussianProcess(n_steps=1)
    for _ in range(40):
        model = model.fit(data)
        marginals.append(model.log_marginal(data))
    assert (np.diff(marginals) > -1e-8).all()
    assert marginals[-1] > marginals[0] + 1
    np.testing.assert_allclose(
        marginals[-1], GaussianProcess(n_steps=100).fit(data).log_marginal(data), atol=0.3
    )


def test_hyper_parameters_are_learned_from_some_points_and_the_function_from_all():
    data, kernel = Regression.of(*curve(300)), RationalQuadratic()
    some = GaussianProcess(kernel, learns_from=100, n_steps=50).fit(data)
    own = GaussianProcess(kernel, n_steps=50).prepare(data, 1)
    hundred = own.fit(data.take(np.linspace(0, 299, 100).astype(int)))
    assert (some.kernel, some.noise) == (hundred.kernel, hundred.noise)
    assert len(some.posterior.points.inputs) == 300
    with pytest.raises(ValueError, match="learns_from must be a whole number of at least 2"):
        GaussianProcess(learns_from=1)


def test_fixed_noise_and_fixed_kernels_stay():
    data = Regression.of(*curve())
    kept = GaussianProcess(noise=0.3, learn_noise=False).fit(data)
    assert kept.noise == 0.3
    kernel = ConstantKernel(1.0, "fixed") * RBF(1.0, "fixed")
    model = GaussianProcess(kernel, noise=0.3).fit(data)
    assert model.kernel == kernel
    assert model.noise != 0.3
    assert model.n_parameters == 1
    still = GaussianProcess(kernel, noise=0.3, learn_noise=False).fit(data)
    assert (still.kernel, still.noise, still.n_parameters) == (kernel, 0.3, 0)


@pytest.mark.parametrize("algorithm", ["auto", "cem"])
def test_a_mixture_tells_two_curves_apart(algorithm):
    X, y, labels = two_curves()
    model = Mixture(GaussianProcess(), 2, algorithm=algorithm, n_init=2, random_state=0)
    model.fit(X, y)
    assert purity_score(labels, model.labels_) > 0.97
    np.testing.assert_array_equal(model.predict(X, y), model.labels_)
    mean, deviation = model.components_[0].predict(GRID, return_std=True)
    assert mean.shape == deviation.shape == (40,)
    assert np.isfinite(model.score_samples(X, y)).all()


@pytest.mark.parametrize("algorithm", ["beem", "sem"])
def test_other_algorithms_run(algorithm):
    X, y, _ = two_curves()
    model = Mixture(GaussianProcess(), 2, algorithm=algorithm, random_state=0).fit(X, y)
    assert np.isfinite(model.lower_bound_)
    assert np.isfinite(model.predict_proba(X, y)).all()


def test_hyper_parameters_are_the_first_while_frozen():
    data = Regression.of(*curve())
    prepared = GaussianProcess().prepare(data, 1)
    kept = prepared.freeze(True).fit(data)
    assert (kept.kernel, kept.noise) == (prepared.kernel, prepared.noise)
    learned = kept.freeze(False).fit(data)
    assert learned.log_marginal(data) > kept.log_marginal(data) + 1
    back = learned.freeze(True)
    assert (back.kernel, back.noise) == (kept.kernel, kept.noise)
    np.testing.assert_array_equal(back.log_prob(data), kept.log_prob(data))


def test_soft_em_learns_curves():
    X, y, labels = two_curves()
    noisy = np.where(np.random.default_rng(0).random(len(labels)) < 0.2, 1 - labels, labels)
    model = Mixture(GaussianProcess(), 2, algorithm="em", init=noisy, random_state=0).fit(X, y)
    assert purity_score(labels, model.labels_) > 0.97
    assert model.weights_ == pytest.approx(np.bincount(labels) / len(labels), abs=0.05)


def test_runs_are_ranked_by_the_bound_on_the_likelihood_of_all_points():
    X, y, _ = two_curves()
    model = Mixture(GaussianProcess(), 2, algorithm=CEM(), random_state=0).fit(X, y)
    data, shares = Regression.of(X, y), model.predict_proba(X, y)
    bound = sum(
        component.log_marginal(data, own)
        for component, own in zip(model.components_, shares.T, strict=True)
    )
    probable = np.where(shares > 0, shares, 1.0)
    bound += (shares * (np.log(model.weights_) - np.log(probable))).sum()
    np.testing.assert_allclose(model.lower_bound_, bound / len(X), rtol=1e-8)


def test_duplicate_inputs_constant_targets_and_few_points_are_fitted():
    X = np.repeat(np.arange(10.0), 4)[:, None]
    y = np.tile([0.0, 0.0, 5.0, 5.0], 10)
    model = Mixture(GaussianProcess(), 2, n_init=3, random_state=0).fit(X, y)
    assert purity_score((y > 2).astype(int), model.labels_) == 1
    constant = GaussianProcess().fit(Regression.of(X, np.full(40, 7.0)))
    np.testing.assert_allclose(constant.predict(X), 7.0)
    one = GaussianProcess().fit(Regression.of([[1.0]], [2.0]))
    assert np.isfinite(one.log_prob(Regression.of([[1.0], [3.0]], [2.0, 1.0]))).all()


def test_a_covariance_that_cannot_be_factored_gets_one_sentence():
    class Broken(RBF):
        def __call__(self, X, Y=None, eval_gradient=False):
            covariance = super().__call__(X, Y)
            return -covariance if Y is None else covariance

    with pytest.raises(ValueError, match="not positive definite, even with"):
        fixed(Broken()).fit(Regression.of(*curve()))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"kernel": "rbf"}, "kernel must be a scikit-learn kernel"),
        ({"noise": 0.0}, "noise must be a variance above 0"),
        ({"noise": "low"}, "noise must be a variance above 0"),
        ({"n_steps": -1}, "n_steps must be a whole number of zero or more"),
    ],
)
def test_bad_arguments_are_named(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        GaussianProcess(**arguments)


def test_missing_and_mismatched_targets_are_named():
    X, y, _ = two_curves()
    model = Mixture(GaussianProcess(), 2, random_state=0)
    with pytest.raises(ValueError, match="y is missing"):
        model.fit(X)
    with pytest.raises(ValueError, match=r"y must have one target .* 120 rows of X"):
        model.fit(X, y[:-1])
    with pytest.raises(ValueError, match="y contains NaN"):
        model.fit(X, np.where(y > 3, np.nan, y))
    with pytest.raises(ValueError, match="no parameters yet"):
        GaussianProcess().log_prob(Regression.of(X, y))
    with pytest.raises(ValueError, match="X must be a table with two dimensions"):
        GaussianProcess().fit(Regression.of(X, y)).predict([1.0, 2.0])


def test_targets_can_be_drawn_at_inputs():
    X, y = curve()
    fitted = GaussianProcess().fit(Regression.of(X, y))
    drawn = fitted.sample_targets(np.repeat(X[:1], 4000, axis=0), np.random.default_rng(0))
    mean, deviation = fitted.predict(X[:1], return_std=True)
    np.testing.assert_allclose(drawn.mean(), mean[0], atol=0.02)
    np.testing.assert_allclose(drawn.std(), np.sqrt(deviation[0] ** 2 + fitted.noise), rtol=0.05)
    with pytest.raises(NotImplementedError, match="cannot be sampled"):
        fitted.sample(3, np.random.default_rng(0))


def test_a_periodic_kernel_with_a_very_short_length_scale_has_a_likelihood():
    x = np.linspace(0, 5, 30)[:, None]
    for length in (1e-2, 1e-4, 1e-5):
        kernel = ExpSineSquared(length, 1.0)
        fitted = GaussianProcess(kernel, n_steps=0).fit(Regression.of(x, np.sin(x[:, 0])))
        assert np.isfinite(fitted.log_prob(Regression.of(x, np.sin(x[:, 0])))).all()
