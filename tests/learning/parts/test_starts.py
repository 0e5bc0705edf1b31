import numpy as np
import pytest

from boltzmix import EM, Mixture
from boltzmix.data import Hard, Soft, Table
from boltzmix.datasets import make_random_hmms, make_square
from boltzmix.families import HMM, Categorical, Gaussian, MarkovChain, RobustGaussian
from boltzmix.learning import TrainingData, Workers, fit_start
from boltzmix.learning.parts import learned
from boltzmix.learning.parts.starts import ASSIGNMENTS, MODELS, by_likelihood
from boltzmix.metrics import purity_score

X, TRUE = make_square(random_state=0)


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_every_named_assignment_leaves_no_component_empty(name):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        membership = ASSIGNMENTS[name](Table.of(X), 4, rng, None)
        assert membership.labels.shape == (len(X),)
        assert (membership.sizes > 0).all()


def test_a_random_partition_has_parts_of_equal_size():
    membership = ASSIGNMENTS["random"](Table.of(X), 4, np.random.default_rng(0), None)
    assert np.ptp(membership.sizes) <= 1


@pytest.mark.parametrize("name", ["kmeans", "kmeans++"])
def test_kmeans_labels_do_not_depend_on_scale_or_location(name):
    def labels(values):
        return ASSIGNMENTS[name](Table.of(values), 4, np.random.default_rng(1), None).labels

    expected = labels(X)
    for scale, shift in [(2.0**-400, 0), (2.0**400, 0), (1.0, 2.0**20)]:
        np.testing.assert_array_equal(labels(X * scale + shift), expected)


def first_state(init, **options):
    states = []
    family = RobustGaussian(outliers=0)
    Mixture(
        family, 4, init=init, algorithm="em", random_state=0, verbose=states.append, **options
    ).fit(X)
    return states[0]


def test_init_points_are_observations_with_the_covariance_of_the_data():
    state = first_state("points")
    spread = np.cov(X.T, bias=True)
    for component in state.bank:
        assert (component.mean == X).all(axis=1).any()
        np.testing.assert_allclose(component.scatter, spread, rtol=1e-3)
    np.testing.assert_allclose(state.weights, 0.25)


@pytest.mark.parametrize("init", [TRUE, np.eye(4)[TRUE], lambda data, k, rng: TRUE])
def test_given_labels_and_responsibilities_are_used_unchanged(init):
    state = first_state(init)
    for k, component in enumerate(state.bank):
        np.testing.assert_allclose(component.mean, X[k == TRUE].mean(axis=0))
    np.testing.assert_allclose(state.weights, np.bincount(TRUE) / len(X))


def test_an_init_function_gets_data_n_components_and_a_generator():
    seen = []

    def init(data, n_components, rng):
        seen.append((len(data), n_components, type(rng)))
        return TRUE

    first_state(init)
    assert seen == [(len(X), 4, np.random.Generator)]


@pytest.mark.parametrize(
    ("init", "message"),
    [
        ("best", "init must be one of"),
        (TRUE[:-1], r"one whole-number label per observation \(shape \(210,\)\)"),
        (TRUE + 0.5, "one whole-number label"),
        (TRUE + 1, "between 0 and 3, but goes from 1 to 4"),
        (np.minimum(TRUE, 2), "gives component 3 only 0 observation"),
        (np.full((210, 4), np.nan), "finite and not negative"),
        (-np.ones((210, 4)), "finite and not negative"),
        (np.zeros((210, 4)), "no row of zeros"),
    ],
)
def test_bad_inits_raise(init, message):
    with pytest.raises(ValueError, match=message):
        Mixture(n_components=4, init=init).fit(X)


def start_from(membership):
    data = TrainingData(Table.of(X))
    family = Gaussian().prepare(data.observations, 4)
    return fit_start(data, family, membership, learned, np.random.default_rng(0), Workers())


def test_a_component_with_too_few_members_starts_from_random_observations():
    start = start_from(Hard(np.where(TRUE == 3, 0, TRUE), 4))
    assert np.isfinite(start.bank.log_prob(Table.of(X))).all()


def test_one_hot_responsibilities_give_the_same_start_as_labels():
    soft, hard = start_from(Soft(np.eye(4)[TRUE])), start_from(Hard(TRUE, 4))
    np.testing.assert_allclose(soft.bank.means, hard.bank.means)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("init", ["random", "points", "kmeans", "kmeans++"])
@pytest.mark.parametrize("n", [3, 4, 5])
def test_there_can_be_as_many_components_as_observations(init, n):
    rng = np.random.default_rng(0)
    tiny = rng.normal(size=(n, 2))
    model = Mixture(n_components=3, init=init, algorithm=EM(), random_state=0).fit(tiny)
    assert np.isfinite(model.lower_bound_)


def test_smyths_start_clusters_rows_and_sequences_by_likelihood():
    data = TrainingData(Table.of(X))
    family = Gaussian().prepare(data.observations, 4)
    points = by_likelihood(data, family, 4, np.random.default_rng(0), Workers())
    assert purity_score(TRUE, points.labels) > 0.95
    sequences, labels = make_random_hmms((60, 80), random_state=2)
    data = TrainingData(HMM(4).observe(sequences))
    family = HMM(4).prepare(data.observations, 3)
    found = by_likelihood(data, family, 3, np.random.default_rng(0), Workers())
    assert purity_score(labels, found.labels) > 0.8


def test_smyths_start_fits_models_to_a_subset_of_many_observations():
    rows, labels = make_square((300, 300, 300, 300), random_state=0)
    assert len(rows) > MODELS
    model = Mixture(Gaussian(), 4, init="smyth", algorithm="em", random_state=0).fit(rows)
    assert purity_score(labels, model.labels_) > 0.95


def test_smyths_start_supports_other_families_and_sample_weights():
    codes = [[0, 1, 0, 1, 0, 1], [1, 1, 0, 0, 1, 1], [0, 1, 0, 1, 0], [1, 1, 0, 0, 1]]
    chains = [np.array(code, float)[:, None] for code in codes]
    model = Mixture(MarkovChain(), 2, init="smyth", algorithm="em", random_state=0)
    labels = model.fit(chains, sample_weight=[1, 2, 1, 2]).labels_
    assert labels[0] == labels[2] != labels[1] == labels[3]


@pytest.mark.parametrize("init", ["kmeans", "kmeans++"])
def test_kmeans_starts_raise_for_categories(init):
    with pytest.raises(
        ValueError, match="uses the distances between observations, which mean nothing"
    ):
        Mixture(Categorical(), 2, init=init).fit([[0.0], [1.0], [2.0], [1.0]])
