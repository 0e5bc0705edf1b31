"""Posteriors equal the densities of scipy; tests of history, discount and extreme data."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats
from sklearn.utils.estimator_checks import parametrize_with_checks

from boltzmix import Mixture
from boltzmix.data import Table
from boltzmix.datasets import make_rainbow, make_square
from boltzmix.families import Gaussian
from experiments.baselines import ThompsonMixture
from experiments.baselines.drawn_gaussian import DrawnGaussian, NormalInverseWishart

PRIOR = NormalInverseWishart(
    np.array([0.5, -1.0]), 0.7, 5.5, np.array([[2.0, 0.3], [0.3, 1.0]])
)  # fmt: skip


NO_STREAM = "its family cannot be learned from a stream, so partial_fit raises"


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@parametrize_with_checks(
    [ThompsonMixture()],
    expected_failed_checks=lambda estimator: {
        "check_fit_score_takes_y": NO_STREAM,
        "check_n_features_in_after_fitting": NO_STREAM,
        "check_methods_sample_order_invariance": "sets n_clusters to 2 and n_components to 1",
    },
)
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)


def log_density(prior, mean, covariance):
    return stats.invwishart.logpdf(covariance, prior.freedom, prior.scatter) + (
        stats.multivariate_normal.logpdf(mean, prior.mean, covariance / prior.strength)
    )


def batches():
    rng = np.random.default_rng(0)
    return [rng.normal(size=(n, 2)) @ [[1.0, 0.4], [0.0, 2.0]] + n for n in (7, 12, 5)]


def component(discount):
    rows = Table.of(np.concatenate(batches()))
    return DrawnGaussian(discount).prepare(rows, 3)


def assert_same(one, other):
    for name in ("mean", "strength", "freedom", "scatter"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-10)


def test_the_posterior_is_prior_times_likelihood_up_to_a_constant():
    rows = batches()[0]
    posterior = PRIOR.updated(Gaussian().summarise(Table.of(rows)))
    constants = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        mean = rng.normal(size=2) * 5
        covariance = stats.wishart.rvs(4, np.eye(2), random_state=rng)
        likelihood = stats.multivariate_normal.logpdf(rows, mean, covariance).sum()
        joint = log_density(PRIOR, mean, covariance) + likelihood
        constants.append(log_density(posterior, mean, covariance) - joint)
    np.testing.assert_allclose(constants, constants[0], rtol=1e-9)


def test_draws_have_the_distributions_of_scipy():
    rng = np.random.default_rng(0)
    means, covariances = map(np.array, zip(*(PRIOR.draw(rng) for _ in range(4000)), strict=True))
    theirs = stats.invwishart.rvs(PRIOR.freedom, PRIOR.scatter, size=4000, random_state=1)
    for i, j in ((0, 0), (0, 1), (1, 1)):
        assert stats.ks_2samp(covariances[:, i, j], theirs[:, i, j]).pvalue > 0.01
    freedom = PRIOR.freedom - 1
    for i in range(2):
        scale = np.sqrt(PRIOR.scatter[i, i] / (PRIOR.strength * freedom))
        marginal = stats.t(freedom, PRIOR.mean[i], scale)
        assert stats.kstest(means[:, i], marginal.cdf).pvalue > 0.01


def test_draws_average_to_the_predictive_density():
    rng = np.random.default_rng(0)
    places = np.array([[0.5, -1.0], [2.0, 0.0], [-1.0, -3.0]])
    drawn = [PRIOR.draw(rng) for _ in range(4000)]
    ours = np.mean([stats.multivariate_normal.pdf(places, *one) for one in drawn], axis=0)
    freedom = PRIOR.freedom - 1
    shape = PRIOR.scatter * (PRIOR.strength + 1) / (PRIOR.strength * freedom)
    theirs = stats.multivariate_t.pdf(places, PRIOR.mean, shape, freedom)
    np.testing.assert_allclose(ours, theirs, rtol=0.1)


@pytest.mark.parametrize("discount", [0.0, 0.3, 1.0])
def test_observations_are_weighted_by_the_discount_to_the_power_of_their_age(discount):
    fitted, rng = component(discount), np.random.default_rng(0)
    for rows in batches():
        fitted = fitted.fit(Table.of(rows), rng=rng)
    sizes = [len(rows) for rows in batches()]
    weights = np.repeat([discount**2, discount, 1.0], sizes)
    everything = component(1.0).fit(
        Table.of(np.concatenate(batches())), weights=weights, rng=rng
    )  # fmt: skip
    assert_same(fitted.posterior, everything.posterior)


def test_order_does_not_matter_at_discount_one_and_only_the_last_fit_at_zero():
    rng = np.random.default_rng(0)
    first, second, _ = map(Table.of, batches())
    one = component(1.0).fit(first, rng=rng).fit(second, rng=rng)
    assert_same(one.posterior, component(1.0).fit(second, rng=rng).fit(first, rng=rng).posterior)
    last = component(0.0).fit(first, rng=rng).fit(second, rng=rng)
    assert_same(last.posterior, component(0.0).fit(second, rng=rng).posterior)


def test_the_posterior_of_a_component_without_members_returns_to_its_prior():
    rng, nothing = np.random.default_rng(0), Table.of(batches()[0]).take(slice(0, 0))
    template = component(0.5)
    fitted = template.fit(Table.of(batches()[0]), rng=rng)
    for _ in range(2000):
        fitted = fitted.fit(nothing, rng=rng)
    assert_same(fitted.posterior, template.posterior)
    assert np.isfinite(fitted.log_prob(Table.of(batches()[0]))).all()


@pytest.mark.parametrize(("discount", "kept"), [(1.0, 21), (0.5, 2), (0.0, 1)])
def test_the_discount_sets_the_total_weight_of_a_run(discount, kept):
    X, _ = make_square(random_state=0)
    states = []
    ThompsonMixture(
        4, discount=discount, max_iter=20, random_state=0, verbose=states.append
    ).fit(X)  # fmt: skip
    assert len(states) == 21
    seen = sum(one.seen.counts[0] for one in states[-1].bank)
    assert seen == pytest.approx(kept * len(X), rel=1e-5)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_components_without_members_are_drawn_in_every_iteration():
    X, states = awkward()["few values"], []
    ThompsonMixture(10, max_iter=20, random_state=0, verbose=states.append).fit(X)
    empty = 0
    for before, after in pairwise(states):
        for k in np.flatnonzero(before.step.counts == 0):
            one, other = (list(state.bank)[k] for state in (before, after))
            assert_same(one.posterior, other.posterior)
            assert not np.array_equal(one.drawn.mean, other.drawn.mean)
            empty += 1
    assert empty > 5


def test_the_best_draw_is_returned_with_uniform_weights():
    X, _ = make_square(random_state=0)
    model = ThompsonMixture(4, discount=0.5, random_state=0).fit(X)
    np.testing.assert_array_equal(model.weights_, 0.25)
    log_densities = np.column_stack([one.log_prob(Table.of(X)) for one in model.components_])
    np.testing.assert_array_equal(model.labels_, log_densities.argmax(axis=1))
    best = log_densities.max(axis=1).mean() - np.log(4)
    assert best == pytest.approx(model.history_.score.max())
    assert model.n_iter_ == 100
    assert model.converged_


def test_the_same_seed_gives_the_same_bits():
    X, _ = make_rainbow(300, random_state=0)
    one, two, other = (
        ThompsonMixture(8, discount=0.9, max_iter=20, random_state=seed, n_jobs=jobs).fit(X)
        for seed, jobs in ((0, 1), (0, 2), (1, 1))
    )
    np.testing.assert_array_equal(one.history_.score, two.history_.score)
    np.testing.assert_array_equal(one.labels_, two.labels_)
    assert not np.array_equal(one.history_.score, other.history_.score)


def awkward():
    rng = np.random.default_rng(0)
    line = rng.normal(size=60)
    return {
        "one column": line[:, None],
        "collinear": np.column_stack([line, 2 * line, 3 - line]),
        "few values": np.repeat(np.arange(12.0), 5)[:, None],
        "far from zero": line[:, None] + 1e8,
        "wide": rng.normal(size=(15, 20)),
        "large": 1e100 * rng.normal(size=(60, 2)),
        "small": 1e-100 * rng.normal(size=(60, 2)),
    }


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("discount", [0.0, 1.0])
@pytest.mark.parametrize("name", list(awkward()))
def test_results_are_finite(name, discount):
    X = awkward()[name]
    model = ThompsonMixture(5, discount=discount, random_state=0).fit(X)
    assert np.isfinite(model.score_samples(X)).all()
    assert np.isfinite(model.history_.score).all()
    assert np.isfinite(model.predict_proba(X)).all()
    assert np.isfinite(model.sample(20)[0]).all()


def test_known_labels_and_sample_weights_are_used():
    X, truth = make_square(random_state=0)
    known = np.where(np.arange(len(X)) % 10 == 0, truth, -1)
    model = ThompsonMixture(4, discount=0.5, random_state=0).fit(X, labels=known)
    assert (model.labels_ == truth).mean() > 0.95
    heavy = (truth < 2).astype(float)
    weighted = ThompsonMixture(2, discount=0.5, random_state=0).fit(X, sample_weight=heavy)
    assert weighted.components_[0].seen.counts[0] < 4 * heavy.sum()


@pytest.mark.parametrize("discount", [-0.1, 1.1, np.nan, "much", None])
def test_a_bad_discount_raises(discount):
    X, _ = make_square(random_state=0)
    with pytest.raises(ValueError, match="discount must be a number from 0 to 1, not"):
        ThompsonMixture(4, discount=discount).fit(X)


def test_bad_input_raises():
    X, _ = make_square(random_state=0)
    with pytest.raises(ValueError, match="max_iter must be a whole number of at least 1"):
        ThompsonMixture(4, max_iter=0).fit(X)
    with pytest.raises(ValueError, match="constant"):
        ThompsonMixture(4).fit(np.column_stack([X, np.ones(len(X))]))
    with pytest.raises(ValueError, match="NaN"):
        ThompsonMixture(4).fit(np.where(X > 5, np.nan, X))
    with pytest.raises(ValueError, match="partial_fit averages statistics"):
        ThompsonMixture(4).partial_fit(X)
    with pytest.raises(ValueError, match="has no prior yet: call prepare first"):
        DrawnGaussian().fit(Table.of(X))
    with pytest.raises(ValueError, match="has no parameters yet: call fit first"):
        DrawnGaussian().log_prob(Table.of(X))


def test_the_family_can_be_learned_by_other_algorithms():
    X, _ = make_square((50, 50, 50, 50), random_state=0)
    model = Mixture(DrawnGaussian(0.5), 4, algorithm="beem", random_state=0).fit(X)
    assert np.isfinite(model.lower_bound_)
    assert "DrawnGaussian(0.5, Gaussian('full', mean=" in repr(model.components_[0])
