"""The hidden Markov model against hmmlearn, and its properties."""

import numpy as np
import pytest
from hmmlearn import hmm
from scipy.special import logsumexp

from boltzmix import BEEM, CEM, DAEM, EM, SEM, Mixture, Sequences
from boltzmix.datasets import make_random_hmms
from boltzmix.families import HMM, Categorical, Family, Gaussian, MarkovChain, Poisson
from boltzmix.metrics import purity_score

SHAPES = ("full", "tied", "diag", "spherical")
RECIPES = [EM(1e-6), DAEM(), SEM(30), CEM(), BEEM(), BEEM(temperature="auto")]


def draw(n=30, d=2, seed=0):
    rng = np.random.default_rng(seed)
    return [np.cumsum(rng.normal(size=(rng.integers(1, 40), d)), axis=0) % 5 for _ in range(n)]


def flat(X):
    return np.concatenate(X), [len(x) for x in X]


def plain(n_states, shape="diag", **more):
    emission = Gaussian(shape, added_variance=0.0, prior=0)
    return HMM(n_states, emission, prior=0, **more)


def as_hmmlearn(model):
    """Return hmmlearn's model with our parameters and no priors."""
    shape = model.emission.covariance
    peer = hmm.GaussianHMM(
        model.n_states, covariance_type=shape, covars_prior=0, covars_weight=1, min_covar=0,
        n_iter=1, tol=-np.inf, init_params="", params="stmc",
    )  # fmt: skip
    peer.n_features = model.states.means.shape[1]
    peer.startprob_, peer.transmat_ = model.initial, model.transitions
    peer.means_ = model.states.means
    variances = model.states.variances
    peer.covars_ = variances[0] if shape == "tied" else variances
    return peer


@pytest.mark.parametrize("shape", SHAPES)
def test_likelihood_states_and_path_are_hmmlearns(shape):
    X = draw()
    model = plain(3, shape, n_steps=5).fit(X)
    peer = as_hmmlearn(model)
    rows, lengths = flat(X)
    np.testing.assert_allclose(model.log_prob(X).sum(), peer.score(rows, lengths), rtol=1e-10)
    for x, score in zip(X, model.log_prob(X), strict=True):
        np.testing.assert_allclose(score, peer.score(x), rtol=1e-9)
    np.testing.assert_allclose(
        np.concatenate(model.state_probabilities(X)),
        peer.predict_proba(rows, lengths),
        atol=1e-10,
    )
    np.testing.assert_array_equal(np.concatenate(model.decode(X)), peer.predict(rows, lengths))


def test_bic_counts_steps_as_hmmlearn_does():
    X = draw()
    model = Mixture(plain(3), 1, algorithm="em", random_state=0).fit(X)
    peer = as_hmmlearn(model.components_[0])
    assert model.bic(X) == pytest.approx(peer.bic(*flat(X)), rel=1e-9)
    compared = Mixture(plain(3), [1, 2], algorithm="em", random_state=0).fit(X).comparison_
    one = next(iter(compared))
    assert one.criterion("bic") == pytest.approx(one.model.bic(X), rel=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_step_of_baum_welch_is_hmmlearns(shape):
    X = draw(seed=1)
    model = plain(3, shape).fit(X)
    peer = as_hmmlearn(model).fit(*flat(X))
    after = model.fit(X)
    np.testing.assert_allclose(after.initial, peer.startprob_, atol=1e-10)
    np.testing.assert_allclose(after.transitions, peer.transmat_, atol=1e-10)
    np.testing.assert_allclose(after.states.means, peer.means_, atol=1e-10)
    ours = [one.covariance_matrix for one in after.emissions]
    theirs = peer.covars_[:: len(peer.covars_) // 3]  # hmmlearn repeats spherical ones
    np.testing.assert_allclose(ours, theirs, atol=1e-10)


def test_a_mixture_is_one_model_with_a_block_diagonal_transition_matrix():
    X = draw(40, seed=2)
    model = Mixture(plain(3, n_steps=2), 2, algorithm=EM(1e-3), random_state=0).fit(X)
    one, other = model.components_
    peer = as_hmmlearn(one)
    peer.n_components = 6
    peer.startprob_ = np.concatenate(
        [w * c.initial for w, c in zip(model.weights_, (one, other), strict=True)]
    )
    peer.transmat_ = np.block(
        [[one.transitions, np.zeros((3, 3))], [np.zeros((3, 3)), other.transitions]]
    )
    peer.means_ = np.vstack([one.states.means, other.states.means])
    peer.covars_ = np.vstack([one.states.variances, other.states.variances])
    np.testing.assert_allclose(model.score_samples(X).sum(), peer.score(*flat(X)), rtol=1e-8)


@pytest.mark.parametrize("n_steps", [1, 3])
def test_the_likelihood_never_falls_in_em(n_steps):
    X, _ = make_random_hmms((5, 20), random_state=0)
    family = HMM(4, prior=0, n_steps=n_steps)
    model = Mixture(family, 3, algorithm=EM(1e-6), random_state=0).fit(X)
    assert len(model.history_) > 3
    assert (np.diff(model.history_.score) > -1e-9).all()


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_every_recipe_finds_clusters_that_differ_in_order_only(recipe):
    X, labels = make_random_hmms((40, 60), random_state=1)
    model = Mixture(HMM(4), 3, algorithm=recipe, n_init=3, random_state=0).fit(X)
    assert purity_score(labels, model.labels_) > 0.9
    np.testing.assert_array_equal(model.predict(X), model.labels_)


@pytest.mark.parametrize("recipe", [EM(1e-4), BEEM()], ids=lambda recipe: recipe.name)
def test_threads_change_no_bit(recipe):
    X, _ = make_random_hmms((20, 50), n_per_cluster=500, random_state=0)
    assert len(Sequences.of(X).blocks(3)) > 2
    fits = [
        Mixture(HMM(4, n_steps=2), 3, algorithm=recipe, random_state=0, n_jobs=n).fit(X)
        for n in (1, 2)
    ]
    assert fits[0].lower_bound_ == fits[1].lower_bound_
    for one, other in zip(*(fit.components_ for fit in fits), strict=True):
        np.testing.assert_array_equal(one.transitions, other.transitions)
        np.testing.assert_array_equal(one.states.means, other.states.means)


def test_more_steps_per_fit_are_more_fits():
    X = draw()
    several = HMM(3, n_steps=4).fit(X)
    one_by_one = HMM(3)
    for _ in range(4):
        one_by_one = one_by_one.fit(X)
    np.testing.assert_array_equal(several.transitions, one_by_one.transitions)


def test_doubling_a_weight_is_doubling_a_sequence():
    X = draw(12)
    start = HMM(3).fit(X)
    weighted = start.fit(X, weights=np.array([2.0, *[1.0] * 11]))
    doubled = start.fit([X[0], *X])
    np.testing.assert_allclose(weighted.transitions, doubled.transitions, atol=1e-12)
    np.testing.assert_allclose(weighted.states.means, doubled.states.means, atol=1e-12)


def test_statistics_of_parts_add_up():
    X = Sequences.of(draw(20))
    model = HMM(3).fit(X)
    parts = model.summarise(X.take(slice(0, 7))) + model.summarise(X.take(slice(7, 20)))
    whole = model.from_statistics(model.summarise(X))
    np.testing.assert_allclose(
        model.from_statistics(parts).transitions, whole.transitions, atol=1e-12
    )
    np.testing.assert_allclose(whole.mean_length, X.lengths.mean())


def test_sampling_then_fitting_recovers_the_parameters():
    transitions = np.array([[0.8, 0.2, 0.0], [0.1, 0.6, 0.3], [0.3, 0.0, 0.7]])
    states = Gaussian(mean=np.zeros(2), variance=np.eye(2)).bank(
        [Gaussian(mean=np.array([3.0 * i, -i]), variance=np.eye(2) * (i + 1)) for i in range(3)]
    )
    true = HMM(
        3, Gaussian(), initial=np.array([0.5, 0.3, 0.2]), transitions=transitions, states=states
    )
    drawn = true.sample(300, np.random.default_rng(0), length=60)
    assert {x.shape for x in drawn} == {(60, 2)}
    found = HMM(3, Gaussian(), n_steps=30).fit(drawn)
    order = np.argsort([one.mean[0] for one in found.emissions])
    np.testing.assert_allclose(found.initial[order], true.initial, atol=0.08)
    np.testing.assert_allclose(found.transitions[np.ix_(order, order)], transitions, atol=0.02)
    np.testing.assert_allclose(
        [found.emissions[i].mean for i in order], [one.mean for one in true.emissions], atol=0.06
    )


def test_a_mixture_can_be_sampled():
    X, _ = make_random_hmms((5, 20), random_state=0)
    model = Mixture(HMM(4), 3, algorithm="em", random_state=0).fit(X)
    drawn, labels = model.sample(10)
    assert len(drawn) == len(labels) == 10
    assert all(x.ndim == 2 and x.shape[1] == 1 for x in drawn)
    assert len(model.predict(drawn)) == 10


def test_parameters_are_counted():
    X = draw()
    assert HMM(3).fit(X).n_parameters == 2 + 6 + 12
    assert HMM(3, Gaussian("full")).fit(X).n_parameters == 2 + 6 + 15
    assert HMM(3, topology="left-right").fit(X).n_parameters == 0 + 2 + 12
    assert Mixture(HMM(3), 2, algorithm="em", random_state=0).fit(X).bic(X) > 0


def test_left_right_never_goes_back():
    X = [np.repeat([0.0, 3.0, 1.0], 5)[:, None] + 0.1 * x[:15] for x in
         np.random.default_rng(0).normal(size=(20, 15, 1))]  # fmt: skip
    model = HMM(3, topology="left-right", n_steps=10).fit(X)
    assert model.initial.tolist() == [1, 0, 0]
    assert (model.transitions[~model.allowed] == 0).all()
    for path in model.decode(X):
        np.testing.assert_array_equal(path, np.repeat([0, 1, 2], 5))


def test_a_mask_is_kept_and_checked():
    mask = np.array([[True, True, False], [False, True, True], [True, False, True]])
    model = HMM(3, topology=mask, n_steps=5).fit(draw())
    assert (model.transitions[~mask] == 0).all()
    assert (model.transitions[mask] > 0).all()
    np.testing.assert_allclose(model.transitions.sum(axis=1), 1)


def test_priors_keep_rare_transitions_and_states_alive():
    X = [np.array([[0.0], [1.0]] * 10)] * 5
    strict = HMM(3, prior=0, n_steps=30).fit(X)
    alive = HMM(3, n_steps=30).fit(X)
    for model in (strict, alive):
        assert np.isfinite(model.transitions).all()
        assert np.isfinite(model.log_prob(X)).all()
    assert (alive.transitions > 0).all()
    assert (alive.initial > 0).all()


def test_the_prior_of_a_single_model_costs_less_than_a_nat():
    rng = np.random.default_rng(0)
    path = np.cumsum(rng.random(300) < 0.3) % 5
    X = [(2 * path + rng.normal(0, 0.3, 300))[:, None]]
    alone, likeliest = (HMM(5, prior=prior, n_steps=50).fit(X) for prior in (1, 0))
    lost = float(likeliest.log_prob(X).sum() - alone.log_prob(X).sum())
    assert 0 < lost < 1
    assert (alone.transitions > 0).all()


def test_a_single_model_of_many_steps_has_next_to_no_prior():
    rng = np.random.default_rng(0)
    path = np.cumsum(rng.random(300) < 0.3) % 5
    X = [(2 * path + rng.normal(0, 0.3, 300))[:, None]]
    free = HMM(5, Gaussian("diag", prior=0), prior=0, n_steps=50)
    found, likeliest = HMM(5, n_steps=50).fit(X), free.fit(X)
    assert (likeliest.log_prob(X) - found.log_prob(X)).sum() < 0.01
    assert (found.transitions > 0).all()
    few = Sequences.of([X[0][:100]])
    assert HMM(5).prepare(few, 1).pseudo_counts.first.sum() == pytest.approx(1 / 5)
    assert HMM(5).prepare(Sequences.of(X), 2).pseudo_counts.first.sum() == pytest.approx(1)


def test_the_prior_counts_transitions_from_each_state_of_a_mixture():
    family, X = HMM(3, prior=2.0), Sequences.of(draw())
    for n_components, expected in ((1, 2 / 3), (4, 2.0)):
        counts = family.prepare(X, n_components).pseudo_counts
        np.testing.assert_allclose(counts.following.sum(axis=1), expected)
        np.testing.assert_allclose(counts.first.sum(), expected)


def test_counts_and_codes_can_be_emitted():
    rng = np.random.default_rng(0)
    rates = np.repeat([[1.0], [20.0]], 10, axis=0)
    counts = [rng.poisson(rates).astype(float) for _ in range(20)]
    found = HMM(2, Poisson(), n_steps=10).fit(counts)
    np.testing.assert_allclose(sorted(one.rate[0] for one in found.emissions), [1, 20], rtol=0.15)
    chances = np.repeat([[0.9, 0.1, 0.0], [0.05, 0.05, 0.9]], 25, axis=0)
    codes = [
        (rng.random((50, 1)) > chances.cumsum(axis=1)[:, :2]).sum(axis=1)[:, None].astype(float)
        for _ in range(40)
    ]
    model = HMM(2, Categorical(), n_steps=50).fit(codes)
    first = np.array([path[:25].mean() for path in model.decode(codes)])
    assert min(first.mean(), 1 - first.mean()) < 0.1


def test_categorical_likelihood_is_hmmlearns():
    rng = np.random.default_rng(0)
    X = [rng.integers(4, size=(20, 1)).astype(float) for _ in range(10)]
    model = HMM(3, Categorical(), n_steps=5).fit(X)
    peer = hmm.CategoricalHMM(3, init_params="")
    peer.n_features = 4
    peer.startprob_, peer.transmat_ = model.initial, model.transitions
    peer.emissionprob_ = np.stack([one.probabilities[0] for one in model.emissions])
    rows, lengths = flat(X)
    np.testing.assert_allclose(
        model.log_prob(X).sum(), peer.score(rows.astype(int), lengths), rtol=1e-10
    )


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_an_emission_that_is_not_additive_works_too():
    class Slow(Family):
        weighted = True
        n_parameters = 1

        def __init__(self, mean=0.0):
            self.mean = mean

        def fit(self, data, *, weights=None, rng=None):
            return Slow(np.average(np.asarray(data)[:, 0], weights=weights))

        def log_prob(self, data):
            return -((np.asarray(data)[:, 0] - self.mean) ** 2) / 2

    X, _ = make_random_hmms((20, 50), random_state=3)
    family = HMM(4, Slow())
    assert not family.additive
    model = Mixture(family, 3, algorithm=EM(1e-2), random_state=0).fit(X)
    assert model.history_.score[-1] > model.history_.score[0]


class Tempered(HMM):
    """Models with a density of their own, which are fitted as others are."""

    def log_prob(self, data):
        return super().log_prob(data) / 2


def test_a_class_with_its_own_density_is_learned_by_it():
    X, _ = make_random_hmms((20, 50), random_state=3)
    data = Tempered(2).observe(X)
    component = Tempered(2).fit(X)
    np.testing.assert_array_equal(component.log_objective(data), component.log_prob(data))
    bank = component.bank([component, component])
    np.testing.assert_array_equal(bank.evaluate(data).log_densities[:, 0], component.log_prob(data))
    model = Mixture(Tempered(2), 2, algorithm="em", max_iter=3, random_state=0).fit(X)
    assert all(isinstance(one, Tempered) for one in model.components_)
    bank = model.components_[0].bank(model.components_)
    halves = np.column_stack([HMM.log_prob(one, data) / 2 for one in model.components_])
    found = logsumexp(np.log(model.weights_) + halves, axis=1).mean()
    expected = found + bank.log_prior.sum() / len(X)
    np.testing.assert_allclose(model.history_.score[-1], expected, rtol=1e-6)


class Unweighted(Family):
    def fit(self, data, *, weights=None, rng=None):
        return self

    def log_prob(self, data):
        return np.zeros(len(data))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"n_states": 0}, "n_states must be a whole number of at least 1, not 0"),
        ({"n_states": 2.5}, "n_states must be a whole number"),
        ({"n_states": 2, "n_steps": 0}, "n_steps must be a whole number of at least 1"),
        ({"n_states": 2, "emission": "gaussian"}, "emission must be a Family such as"),
        ({"n_states": 2, "emission": Unweighted()}, "emission must be a weighted family"),
        ({"n_states": 2, "topology": "ring"}, "topology must be 'ergodic', 'left-right'"),
        ({"n_states": 2, "topology": np.ones((3, 3), bool)}, r"of shape \(2, 2\)"),
        ({"n_states": 2, "topology": np.eye(2, k=1, dtype=bool)}, "a True in every row"),
        ({"n_states": 2, "prior": -1}, "prior must be zero or a positive"),
        ({"n_states": 2, "prior": np.nan}, "prior must be zero or a positive"),
    ],
)
def test_bad_arguments_are_named(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        HMM(**arguments)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_more_states_than_steps_raise_an_error_and_fewer_distinct_steps_are_fitted():
    with pytest.raises(ValueError, match=r"n_states=5 is more than the 3 steps"):
        Mixture(HMM(5), 1).fit([np.array([[1.0], [2.0], [3.0]])])
    few = [np.array([[1.0], [2.0], [1.0]])] * 3 + [np.array([[2.0], [1.0], [1.0]])] * 3
    model = Mixture(HMM(4), 2, algorithm="em", random_state=0).fit(few)
    assert np.isfinite(model.score_samples(few)).all()


def test_one_sequence_is_enough_for_one_component():
    X = draw(1, seed=5)
    for algorithm in ("em", "beem", "cem", "sem", "daem"):
        model = Mixture(HMM(2), 1, algorithm=algorithm, random_state=0).fit(X)
        assert np.isfinite(model.score(X))
    with pytest.raises(ValueError, match="n_components=2 is more than"):
        Mixture(HMM(2), 2).fit(X)


def test_an_unfitted_model_says_so():
    for use in (HMM(2).log_prob, HMM(2).decode, HMM(2).state_probabilities):
        with pytest.raises(ValueError, match="This HMM has no parameters yet: call fit first"):
            use(draw(2))


def test_constant_columns_raise_an_error():
    X = [np.column_stack([x, np.ones(len(x))]) for x in draw(5)]
    with pytest.raises(ValueError, match="Column 2 of X is constant"):
        Mixture(HMM(2), 2).fit(X)


def test_other_features_than_fitted_to_raise_an_error():
    model = Mixture(HMM(2), 2, algorithm="em", random_state=0).fit(draw(10))
    with pytest.raises(ValueError, match="X has 3 features, but this HMM was fitted to 2"):
        model.predict(draw(3, d=3))
    chain = model.components_[0]
    for use in (chain.log_prob, chain.decode, chain.state_probabilities, chain.fit):
        with pytest.raises(ValueError, match="X has 1 feature, but this HMM was fitted to 2"):
            use(draw(3, d=1))
    with pytest.raises(ValueError, match="X has 1 feature, but this HMM was fitted to 2"):
        Mixture(chain, 2).fit(draw(5, d=1))


def test_left_right_chains_longer_than_any_sequence_raise_an_error():
    with pytest.raises(ValueError, match="n_states=5 is more than the 4 step"):
        HMM(5, topology="left-right").fit([np.arange(4.0)[:, None]] * 3)


@pytest.mark.parametrize("emission", [HMM(2), MarkovChain()])
def test_sequences_cannot_be_emitted(emission):
    with pytest.raises(ValueError, match="emission must be a family of rows"):
        HMM(2, emission)


def test_long_sequences_are_not_polished_for_ever():
    rng = np.random.default_rng(0)
    X = [rng.normal(i % 2, 1, (5000, 1)) for i in range(4)]
    model = Mixture(HMM(2), 2, random_state=0).fit(X)
    assert len(model.history_) < 120
    assert len(set(model.labels_[::2])) == len(set(model.labels_[1::2])) == 1


def test_weights_are_checked():
    X = draw(12)
    for bad in ([1.0] * 5, [-1.0] * 12):
        with pytest.raises(ValueError, match="weights must be 12 numbers of zero or more"):
            HMM(3).fit(X, weights=bad)


def test_lengths_to_sample_and_generators_are_handled():
    model = HMM(2).fit(x for x in draw(5))
    assert model.log_prob(x for x in draw(5)).shape == (5,)
    with pytest.raises(ValueError, match="length must be a whole number of at least 1, not 0"):
        model.sample(2, np.random.default_rng(0), length=0)
    with pytest.raises(ValueError, match="n_states must be a whole number"):
        HMM(True)
    assert "mask" in repr(HMM(2, topology=np.array([[True, False], [True, True]])))
