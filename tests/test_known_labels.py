"""Fits with some known labels keep these, and use them for other observations."""

import numpy as np
import pytest

from boltzmix import BEEM, CEM, DAEM, EM, SEM, GaussianMixture, Mixture, Swaps
from boltzmix.data import BlockSizes, Table
from boltzmix.datasets import make_data_association, make_mixture, make_rainbow, make_random_hmms
from boltzmix.families import (
    HMM,
    Family,
    Gaussian,
    GaussianProcess,
    Poisson,
    RobustGaussian,
    Uniform,
)
from boltzmix.metrics import purity_score

RECIPES = ["auto", BEEM(), BEEM(temperature="auto"), EM(), DAEM(), SEM(20), CEM()]
INITS = ["random", "points", "kmeans", "kmeans++", "smyth"]
X, TRUTH = make_rainbow(400, random_state=0)


def known_fraction(truth, fraction, seed=0):
    """Return true labels for a random fraction of observations, and -1 for others."""
    return np.where(np.random.default_rng(seed).random(len(truth)) < fraction, truth, -1)


def assert_kept(labels, known):
    np.testing.assert_array_equal(labels[known >= 0], known[known >= 0])


class Exponential(Family):
    def __init__(self, rate=None):
        self.rate = rate

    def fit(self, data, *, weights=None, rng=None):
        return Exponential(1 / np.asarray(data).mean())

    def log_prob(self, data):
        return np.log(self.rate) - self.rate * np.asarray(data)[:, 0]


@pytest.mark.parametrize("recipe", RECIPES, ids=str)
def test_known_labels_are_kept_throughout(recipe):
    known = np.where(np.arange(len(X)) % 10 == 0, np.random.default_rng(1).integers(0, 8, 400), -1)
    model = Mixture(n_components=8, algorithm=recipe, random_state=0)  # labels contradict the data
    assert_kept(model.fit_predict(X, labels=known), known)
    least = np.bincount(known[known >= 0], minlength=8)
    assert (model.history_.counts >= least - 1e-9).all()


@pytest.mark.parametrize("init", [*INITS, TRUTH, np.eye(8)[TRUTH]], ids=lambda init: str(init)[:8])
def test_known_labels_are_kept_from_every_start(init):
    known = known_fraction(TRUTH, 0.2)
    family = Gaussian() if isinstance(init, str) and init == "smyth" else None  # it fits many
    model = Mixture(family, 8, init=init, random_state=0).fit(X, labels=known)
    assert_kept(model.labels_, known)
    assert (model.labels_ == TRUTH).mean() > 0.9


@pytest.mark.parametrize("recipe", [EM(), CEM(), SEM(5)], ids=str)
def test_with_all_labels_known_each_class_is_fitted(recipe):
    exact = Gaussian(prior=0, resolution=None)
    model = Mixture(exact, 8, algorithm=recipe, random_state=0).fit(X, labels=TRUTH)
    prepared = exact.prepare(exact.observe(X), 8)
    for k, component in enumerate(model.components_):
        own = prepared.fit(exact.observe(X[np.equal(TRUTH, k)]))
        np.testing.assert_allclose(component.mean, own.mean)
        np.testing.assert_allclose(component.covariance_matrix, own.covariance_matrix)
    np.testing.assert_allclose(model.weights_, np.bincount(TRUTH) / len(TRUTH))
    np.testing.assert_array_equal(model.labels_, TRUTH)


def test_the_score_is_the_likelihood_of_observations_and_labels():
    exact = RobustGaussian(prior=0, resolution=None, outliers=0)
    model = Mixture(exact, 8, algorithm=EM(), random_state=0).fit(X, labels=TRUTH)
    data = exact.observe(X)
    log_densities = np.column_stack([one.log_prob(data) for one in model.components_])
    joint_log_densities = log_densities + np.log(model.weights_)
    joint = joint_log_densities[np.arange(len(X)), TRUTH].mean()
    assert model.lower_bound_ == pytest.approx(joint)
    assert model.history_.score[-1] == pytest.approx(joint)


def test_the_score_is_the_objective_of_observations_and_labels():
    family = RobustGaussian(outliers=0)
    model = Mixture(family, 8, algorithm=EM(), random_state=0).fit(X, labels=TRUTH)
    bank = model.components_[0].bank(model.components_)
    log_objectives = bank.evaluate(bank.family.observe(X)).log_densities + np.log(model.weights_)
    total = log_objectives[np.arange(len(X)), TRUTH].sum() + bank.log_prior.sum()
    assert model.lower_bound_ == pytest.approx(total / len(X))
    assert model.history_.score[-1] == pytest.approx(total / len(X))


def test_the_likelihood_of_em_never_falls():
    model = Mixture(n_components=8, algorithm=EM(1e-6), random_state=0).fit(
        X, labels=known_fraction(TRUTH, 0.1)
    )
    assert (np.diff(model.history_.score) > -1e-6).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "rise"), [(Gaussian(prior=0, resolution=None), 0.02), (RobustGaussian(), 0.01)]
)
def test_known_labels_raise_the_purity_of_other_observations(family, rise):
    def purity(seed, fraction):
        rows, truth = make_mixture(400, 8, 2, separation=3, random_state=seed)
        known = known_fraction(truth, fraction, seed)
        model = Mixture(family, 8, algorithm=[BEEM(), EM(1e-5)], random_state=seed)
        labels = model.fit_predict(rows, labels=known)
        assert_kept(labels, known)
        return purity_score(truth[known < 0], labels[known < 0])

    without, few, more = (
        np.mean([purity(seed, fraction) for seed in range(24)]) for fraction in (0.0, 0.05, 0.2)
    )
    # the standard error of a mean of 24 seeds is about 0.01
    assert max(without + rise, few) < more


def test_components_have_the_numbers_of_the_known_labels():
    for seed in range(3):
        rows, truth = make_rainbow(random_state=seed)
        labels = Mixture(n_components=8, random_state=seed).fit_predict(
            rows, labels=known_fraction(truth, 0.05, seed)
        )
        assert (labels == truth).mean() > 0.9


def test_labels_of_minus_one_change_nothing():
    plain = Mixture(n_components=8, random_state=0).fit(X)
    unlabelled = Mixture(n_components=8, random_state=0).fit(X, labels=np.full(len(X), -1))
    assert unlabelled.lower_bound_ == plain.lower_bound_
    np.testing.assert_array_equal(unlabelled.labels_, plain.labels_)


@pytest.mark.parametrize("recipe", [EM(), BEEM(), CEM()], ids=str)
def test_results_are_bitwise_equal_for_any_number_of_threads(recipe):
    rows, truth = make_rainbow(3000, random_state=0)
    data = Table.of(rows).in_blocks(BlockSizes(numbers=2**10))
    one, two = (
        Mixture(n_components=8, algorithm=recipe, random_state=0, n_jobs=n, n_init=2).fit(
            data, labels=known_fraction(truth, 0.1)
        )
        for n in (1, 2)
    )
    assert one.lower_bound_ == two.lower_bound_
    np.testing.assert_array_equal(one.labels_, two.labels_)
    for component, same in zip(one.components_, two.components_, strict=True):
        np.testing.assert_array_equal(component.scatter, same.scatter)
        assert component.degrees == same.degrees


def test_observations_without_weight_are_left_out_with_their_labels():
    known, weights = known_fraction(TRUTH, 0.2), np.ones(len(X))
    known[::7] = (TRUTH[::7] + 1) % 8  # wrong labels of zero weight
    weights[::7] = 0
    weighted = Mixture(n_components=8, random_state=0).fit(X, None, weights, known)
    there = weights > 0
    left_out = Mixture(n_components=8, random_state=0).fit(X[there], labels=known[there])
    assert weighted.lower_bound_ == pytest.approx(left_out.lower_bound_)
    assert_kept(weighted.labels_, known)


def test_known_labels_are_kept_for_sequences_counts_and_own_families():
    rng = np.random.default_rng(0)
    sequences, of_chains = make_random_hmms(random_state=0)
    known = known_fraction(of_chains, 0.3)
    assert_kept(Mixture(HMM(3), 3, random_state=0).fit_predict(sequences, labels=known), known)
    truth = np.repeat([0, 1], 100)
    counts = rng.poisson(np.where(truth, 9, 2))[:, None]
    known = known_fraction(truth, 0.1)
    assert_kept(Mixture(Poisson(), 2, random_state=0).fit_predict(counts, labels=known), known)
    waits = rng.exponential(np.where(truth, 9, 0.2))[:, None]
    for algorithm in ("auto", "beem", "sem", "cem"):
        model = Mixture(Exponential(), 2, algorithm=algorithm, random_state=0)
        assert_kept(model.fit_predict(waits, labels=known), known)
        assert model.components_[0].rate > model.components_[1].rate


@pytest.mark.parametrize("algorithm", ["auto", Swaps(), Swaps(soft=True)], ids=str)
def test_curves_exchange_no_known_points(algorithm):
    inputs, targets, truth = (
        every[::4] for every in make_data_association("crossing", random_state=0)
    )
    known = known_fraction(truth, 0.2)
    known[::11] = 1 - truth[::11]  # wrong labels
    model = Mixture(GaussianProcess(), 2, algorithm=algorithm, max_iter=100, random_state=0)
    assert_kept(model.fit(inputs, targets, labels=known).labels_, known)
    assert (model.history_.counts >= np.bincount(known[known >= 0], minlength=2) - 1e-9).all()


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_known_labels_are_kept_if_their_density_is_zero():
    rows = np.linspace(0, 1, 100)[:, None]
    truth = (rows[:, 0] > 0.5).astype(int)
    known = np.full(100, -1)
    known[[0, 99]] = [1, 0]
    model = Mixture(Uniform(), 2, init=truth, algorithm=CEM(), random_state=0)
    assert_kept(model.fit(rows, labels=known).labels_, known)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("small", ["reseed", "keep"])
def test_an_empty_component_gets_no_known_observation(small):
    rows = np.random.default_rng(0).normal(size=(60, 2))
    known = np.where(np.arange(60) < 50, 0, -1)
    model = Mixture(n_components=3, algorithm=CEM(small), random_state=0).fit(rows, labels=known)
    assert_kept(model.labels_, known)
    assert (model.history_.counts[:, 1:].sum(axis=1) <= 10).all()


def test_gaussian_mixture_keeps_known_labels():
    known = known_fraction(TRUTH, 0.2)
    assert_kept(GaussianMixture(8, random_state=0).fit_predict(X, labels=known), known)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 1], "one label per observation"),
        (np.full(400, 0.5), "must be whole numbers"),
        (np.full(400, np.nan), "must be whole numbers"),
        (np.full(400, "a"), "must be whole numbers"),
        (np.arange(400), r"between 0 and 7, or be -1 .* from 0 to 399 \(n_components=8\)"),
        (np.full(400, -2), "between 0 and 7, or be -1"),
        (np.zeros(400, dtype=int), "labels leave component 1 at most 0 observation"),
    ],
)
def test_invalid_known_labels_raise(labels, message):
    with pytest.raises(ValueError, match=message):
        Mixture(n_components=8).fit(X, labels=labels)
