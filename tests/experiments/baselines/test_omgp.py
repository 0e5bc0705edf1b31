from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import (
    RBF,
    ConstantKernel,
    DotProduct,
    ExpSineSquared,
    PairwiseKernel,
)

from boltzmix.data import Regression
from boltzmix.datasets import draw_data_association, make_data_association
from boltzmix.families import GaussianProcess
from boltzmix.families.distributions.gaussian_process.gaussian_process_dense import factorise
from boltzmix.metrics import purity_score
from experiments.baselines import OMGP
from experiments.baselines.shared_curves import Curves, learn

KERNELS = [
    ConstantKernel(0.5) * RBF(0.7),
    ConstantKernel(0.3) * ExpSineSquared(1.2, 4.0),
    RBF(0.9) + DotProduct(0.4),
    RBF(0.5, length_scale_bounds="fixed"),
]


def draw_curves(seed=0, kernel=KERNELS[0], n=30, n_targets=1, k=3):
    rng = np.random.default_rng(seed)
    inputs = np.sort(rng.uniform(0, 5, size=(n, 1)), axis=0)
    targets = rng.normal(size=(n, n_targets))
    responsibilities = rng.dirichlet(np.ones(k), size=n)
    kernels = tuple(kernel.clone_with_theta(kernel.theta + 0.1 * i) for i in range(k))
    return Curves(inputs, targets, responsibilities, kernels, 0.05)


def draw_far_apart(n=80, seed=0):
    rng = np.random.default_rng(seed)
    x, labels = np.sort(rng.uniform(0, 6, n)), rng.integers(2, size=n)
    values = np.where(labels == 1, 3 + np.sin(x), -3 + np.cos(x))
    return x[:, None], values + rng.normal(scale=0.1, size=n), labels


@pytest.mark.parametrize("n_targets", [1, 2])
def test_the_bound_equals_that_of_weighted_processes(n_targets):
    curves = draw_curves(n_targets=n_targets)
    data = Regression.of(curves.inputs, curves.targets)
    processes = [
        GaussianProcess(kernel, curves.noise, offset=np.zeros(n_targets))
        for kernel in curves.kernels
    ]
    expected = sum(
        process.log_marginal(data, own)
        for process, own in zip(processes, curves.responsibilities.T, strict=True)
    )
    expected -= (curves.responsibilities * np.log(3 * curves.responsibilities)).sum()
    np.testing.assert_allclose(curves.bound, expected, rtol=1e-8)


@pytest.mark.parametrize("n_targets", [1, 2])
def test_with_hard_responsibilities_bound_and_posterior_equal_those_of_scikit_learn(n_targets):
    curves = draw_curves(n_targets=n_targets)
    labels = np.arange(30) % 3
    curves = replace(curves, responsibilities=np.eye(3)[labels])
    grid = np.linspace(0, 5, 7)[:, None]
    means, variances = curves.predict(grid)
    expected = -30 * np.log(3)
    for k, kernel in enumerate(curves.kernels):
        own = labels == k
        process = GaussianProcessRegressor(kernel, alpha=curves.noise, optimizer=None)
        process.fit(curves.inputs[own], curves.targets[own])
        expected += process.log_marginal_likelihood_value_
        mean, deviation = process.predict(grid, return_std=True)
        np.testing.assert_allclose(means[:, k], mean.reshape(7, -1), rtol=1e-8)
        np.testing.assert_allclose(variances[:, k], deviation.reshape(7, -1)[:, 0] ** 2, rtol=1e-6)
    np.testing.assert_allclose(curves.bound, expected, rtol=1e-10)


def test_responsibilities_are_those_of_the_paper():
    curves = draw_curves(n_targets=1, k=2)
    logs = []
    for k, kernel in enumerate(curves.kernels):
        precision = np.diag(curves.responsibilities[:, k] / curves.noise)
        prior = kernel(curves.inputs)
        covariance = np.linalg.inv(np.linalg.inv(prior + 1e-9 * np.eye(30)) + precision)
        mean = covariance @ precision @ curves.targets[:, 0]
        squared = (curves.targets[:, 0] - mean) ** 2 + np.diag(covariance)
        logs.append(-squared / (2 * curves.noise))
    expected = 1 / (1 + np.exp(logs[1] - logs[0]))
    np.testing.assert_allclose(curves.next_responsibilities[:, 0], expected, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("n_targets", [1, 2])
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_gradient_equals_finite_differences(kernel, n_targets):
    curves = draw_curves(kernel=kernel, n_targets=n_targets)
    parameters, step = curves.parameters, 1e-5
    slopes = [
        (
            curves.with_parameters(parameters + step * unit).bound
            - curves.with_parameters(parameters - step * unit).bound
        )
        / (2 * step)
        for unit in np.eye(len(parameters))
    ]
    np.testing.assert_allclose(curves.gradient(), slopes, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("seed", range(10))
def test_an_update_never_lowers_the_bound(seed):
    curves = draw_curves(seed, n_targets=1 + seed % 2)
    for _ in range(30):
        updated = replace(curves, responsibilities=curves.next_responsibilities)
        assert updated.bound >= curves.bound - 1e-8 * abs(curves.bound)
        curves = updated


@pytest.mark.parametrize("learn_noise", [True, False])
def test_learning_raises_the_bound(learn_noise):
    curves = draw_curves()
    learned = learn(curves, 10, learn_noise)
    assert learned.bound > curves.bound + 1
    assert (learned.noise == pytest.approx(curves.noise)) != learn_noise
    assert learned.kernels[0] != learned.kernels[1]


def test_fixed_hyper_parameters_do_not_change():
    fixed = ConstantKernel(0.5, "fixed") * RBF(0.7, "fixed")
    curves = draw_curves(kernel=fixed)
    assert learn(curves, 10, learn_noise=False).parameters == pytest.approx(curves.parameters)
    assert learn(curves, 10, learn_noise=True).noise > curves.noise


@pytest.mark.parametrize("seed", range(3))
def test_a_run_never_lowers_the_bound_and_records_its_labels(seed):
    X, y, _ = make_data_association("sinusoids", random_state=seed)
    model = OMGP(2, noise=0.1, max_iter=40, random_state=seed).fit(X, y)
    assert (np.diff(model.bound_) >= -1e-8 * np.abs(model.bound_[1:])).all()
    assert len(model.bound_) == len(model.label_history_) == model.n_iter_ + 1
    np.testing.assert_array_equal(model.label_history_[-1], model.labels_)
    np.testing.assert_array_equal(model.responsibilities_.argmax(axis=1), model.labels_)


def test_curves_far_apart_are_found():
    X, y, labels = draw_far_apart()
    kernel = ConstantKernel(10.0) * RBF(3.0)
    model = OMGP(2, kernel=kernel, noise=4.0, random_state=0).fit(X, y)
    assert purity_score(labels, model.labels_) == 1
    assert model.converged_
    assert model.noise_ == pytest.approx(0.01, rel=0.5)
    np.testing.assert_array_equal(model.predict(X, y), model.labels_)
    np.testing.assert_allclose(model.predict_proba(X, y), model.responsibilities_, atol=1e-8)
    upper = model.labels_[labels == 1][0]
    means, deviations = model.predict_curves([[2.0], [3.0], [40.0]], return_std=True)
    np.testing.assert_allclose(means[:2, upper], 3 + np.sin([2.0, 3.0]), atol=0.15)
    assert deviations[:2].max() < 0.1 < deviations[2].min()
    assert model.predict([[2.0]], [3.9])[0] == upper != model.predict([[2.0]], [-3.4])[0]


def test_three_curves_with_several_targets_are_found():
    drawn = draw_data_association("tracking", random_state=0)
    apart = drawn.targets + 4 * np.eye(3)[drawn.labels][:, :2]
    X, y, labels = drawn.inputs[::4], apart[::4], drawn.labels[::4]
    model = OMGP(3, kernel=ConstantKernel(4.0) * RBF(2.0), noise=0.1, random_state=0).fit(X, y)
    assert model.responsibilities_.shape == (75, 3)
    assert model.predict_curves(X).shape == (75, 3, 2)
    assert purity_score(labels, model.labels_) > 0.6
    with pytest.raises(ValueError, match="y has 1 column"):
        model.predict(X, y[:, 0])


def test_one_curve_is_a_gaussian_process():
    X, y, _ = make_data_association("sinusoids", random_state=0)
    kernel = ConstantKernel() * RBF()
    model = OMGP(1, kernel=kernel, noise=0.5, n_steps=100, learn_noise=False).fit(X, y)
    process = GaussianProcessRegressor(kernel, alpha=0.5).fit(X, y)
    assert model.bound_[-1] == pytest.approx(process.log_marginal_likelihood_value_, abs=1e-3)
    np.testing.assert_allclose(model.predict_curves(X)[:, 0], process.predict(X), atol=1e-2)


def test_equal_seeds_give_equal_bits_and_different_seeds_different_fits():
    X, y, _ = make_data_association("sinusoids", random_state=0)
    one, same, other = (OMGP(max_iter=5, random_state=s).fit(X, y) for s in (0, 0, 1))
    np.testing.assert_array_equal(one.responsibilities_, same.responsibilities_)
    assert (one.responsibilities_ != other.responsibilities_).any()
    np.testing.assert_array_equal(clone(one).fit_predict(X, y), one.labels_)


def test_hyper_parameters_do_not_change_without_steps():
    X, y, _ = make_data_association("sinusoids", random_state=0)
    kernel = ConstantKernel(0.5) * RBF(2.0)
    model = OMGP(kernel=kernel, noise=0.2, n_steps=0, random_state=0).fit(X, y)
    assert model.kernels_ == (kernel, kernel)
    assert model.noise_ == 0.2


def test_a_matrix_gets_the_least_jitter_that_makes_it_positive_definite():
    matrix = np.array([[2.0, 1.0], [1.0, 2.0]])
    np.testing.assert_array_equal(factorise(matrix), np.linalg.cholesky(matrix))
    singular = np.ones((3, 3)) - 1e-9 * np.eye(3)
    factor = factorise(singular)
    np.testing.assert_allclose(factor @ factor.T, singular, atol=1e-6)
    with pytest.raises(
        ValueError,
        match="not positive definite, even with a ten-thousandth of its variance added: "
        "raise the noise",
    ):
        factorise(-matrix)


def test_a_kernel_that_is_not_positive_definite_raises():
    X, y, _ = draw_far_apart()
    kernel = PairwiseKernel(1.0, gamma_bounds="fixed", metric="sigmoid")
    with pytest.raises(
        ValueError, match="The covariance of a Gaussian process is not positive definite"
    ):
        OMGP(kernel=kernel, noise=1e-6, random_state=0).fit(X - 3, y)


def test_bad_arguments_raise():
    X, y, _ = draw_far_apart(20)
    for wrong, message in (
        ({"n_components": 0}, "n_components must be a whole number of at least 1"),
        ({"n_components": 21}, "n_components=21 is more than the 20 points"),
        ({"noise": 0}, "noise must be a number above 0, not 0"),
        ({"n_steps": -1}, "n_steps must be"),
        ({"interval": 0}, "interval must be"),
        ({"kernel": "rbf"}, "kernel must be a kernel of sklearn"),
    ):
        with pytest.raises(ValueError, match=message):
            OMGP(**wrong).fit(X, y)
    with pytest.raises(ValueError, match="y is missing"):
        OMGP().fit(X)
    model = OMGP(max_iter=1, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="X has 2 features"):
        model.predict_curves(np.ones((3, 2)))
