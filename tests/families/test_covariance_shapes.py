"""The fourteen shapes of covariances: volume, shape and orientation, equal or not."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import minimize
from scipy.stats import ortho_group
from sklearn.datasets import load_iris

from boltzmix import EM, GaussianMixture, Mixture
from boltzmix.data import Hard, Soft, Table
from boltzmix.datasets import make_mixture
from boltzmix.families import HMM, Gaussian, RobustGaussian, StudentT
from boltzmix.families.covariance.covariance import LETTERS, SHAPES

REFERENCE = json.loads(Path(__file__).with_name("mclust_shapes.json").read_text())["sets"]
IRIS = load_iris().data
ROWS = {  # as in benchmarks/shapes.py
    "iris": IRIS,
    "planar": make_mixture(300, 4, 2, separation=2.5, random_state=1)[0],
    "unbalanced": make_mixture(400, 3, 5, unbalance=4, separation=1, random_state=2)[0],
}
COUNTS = (15, 17, 18, 20, 24, 26, 24, 26, 30, 32, 36, 38, 42, 44)  # of parameters, d = 4, K = 3
each = pytest.mark.parametrize("name", SHAPES)
PARTLY = [name for name in SHAPES if {"E", "V"} <= set(name)]
partly_common = pytest.mark.parametrize("name", PARTLY)


def plain(name):
    return Gaussian(name, prior=0, ridge=0, resolution=None)


def draw(seed=0, n=120, d=3):
    rng = np.random.default_rng(seed)
    mixing = rng.normal(size=(3, d, d)) / 2 + np.eye(d)
    centres, labels = rng.normal(0, 3, (3, d)), np.arange(n) % 3
    return centres[labels] + np.einsum("nij,nj->ni", mixing[labels], rng.normal(size=(n, d)))


def fitted_bank(family, rows, responsibilities=None):
    table = Table.of(rows, missing=True)
    family = family.prepare(table, 3)
    bank = family.bank([family] * 3)
    labels = np.arange(len(table), dtype=np.int32) % 3
    members = Hard(labels, 3) if responsibilities is None else Soft(responsibilities)
    return bank.update(bank.summarise(table, members), np.zeros(3, dtype=bool), None)


def parts_of(matrices):
    """Return volumes, shapes (the sorted eigenvalues over volumes) and whether axes are common."""
    d = matrices.shape[1]
    volumes = np.linalg.det(matrices) ** (1 / d)
    shapes = np.linalg.eigvalsh(matrices) / volumes[:, None]
    products = matrices[:, None] @ matrices
    commute = np.abs(products - products.transpose(1, 0, 2, 3)).max()
    return volumes, shapes, commute / np.abs(products).max()


def assert_is_of_shape(name, matrices):
    """Assert that covariances have the parts in common that the letters name, and no others."""
    volumes, shapes, commute = parts_of(matrices)
    spread = np.ptp(volumes) / volumes.mean(), np.ptp(shapes, axis=0).max() / shapes.max(), commute
    for letter, differs in zip(name, spread, strict=True):
        assert differs > 1e-3 if letter == "V" else differs < 1e-9, (name, spread)
    if name[2] == "I":
        assert (matrices == np.einsum("kii->ki", matrices)[:, None] * np.eye(3)).all()
    if name[1] == "I":
        np.testing.assert_allclose(shapes, 1)


@each
@pytest.mark.parametrize("case", REFERENCE)
def test_em_from_the_labels_of_mclust_reaches_its_likelihood(case, name):
    set_name, k = case.split("-")
    rows, peer = ROWS[set_name], REFERENCE[case]
    start = np.array([int(label) for label in peer["labels"]])
    model = Mixture(plain(name), int(k), algorithm=EM(1e-9), init=start, max_iter=5000).fit(rows)
    ours, theirs = model.score_samples(rows).sum(), peer["log_likelihoods"][name]
    if name != "VVE":
        assert ours == pytest.approx(theirs, rel=1e-5)
    assert ours > theirs - 1e-5 * abs(theirs)  # mclust's M-step of VVE is not always at its maximum
    assert model._state.n_parameters == peer["n_parameters"][name]
    scores = model.history_.score
    assert (np.diff(scores) > -1e-12).all()


@pytest.mark.parametrize(("k", "expected"), [(2, 561.7285), (3, 562.5522)])
def test_bic_of_iris_is_that_of_mclust(k, expected):
    start = np.array([int(label) for label in REFERENCE[f"iris-{k}"]["labels"]])
    model = Mixture(plain("VEV"), k, algorithm=EM(1e-9), init=start).fit(IRIS)
    assert model.bic(IRIS) == pytest.approx(expected, abs=5e-3)


@each
def test_the_number_of_parameters(name):
    model = Mixture(Gaussian(name), 3, algorithm="em", init="kmeans", random_state=0).fit(IRIS)
    assert model._state.n_parameters == COUNTS[list(SHAPES).index(name)]


@pytest.mark.parametrize("name", ["EVE", "VVE"])
def test_common_axes_are_the_best_of_all(name):
    rows, rng = draw(d=4), np.random.default_rng(1)
    found = rng.dirichlet(np.full(3, 0.5), len(rows))
    bank = fitted_bank(plain(name), rows, found)
    counts = found.sum(axis=0)
    own = [np.cov(rows.T, aweights=found[:, k], bias=True) for k in range(3)]

    def cost(angles, axes):
        turn = np.zeros((4, 4))
        turn[np.triu_indices(4, 1)] = angles
        axes = axes @ expm(turn - turn.T)
        logs = [np.log(np.diag(axes.T @ one @ axes)).mean() for one in own]
        return counts @ (np.exp(logs) if name == "EVE" else logs)

    starts = ortho_group.rvs(4, size=10, random_state=0)
    best = min(minimize(cost, np.zeros(6), args=(axes,)).fun for axes in starts)
    ours = cost(np.zeros(6), np.linalg.eigh(bank.variances[1])[1])
    assert ours == pytest.approx(best, rel=1e-7)


@each
@pytest.mark.parametrize("kind", [Gaussian, StudentT, RobustGaussian])
@pytest.mark.parametrize("missing", [False, True])
def test_covariances_are_of_their_shape_with_a_prior_and_missing_values(name, kind, missing):
    rows = draw()
    if missing:
        rows[np.random.default_rng(1).random(rows.shape) < 0.1] = np.nan
    model = Mixture(kind(covariance=name), 3, algorithm=EM(0.0), init=np.arange(len(rows)) % 3)
    with pytest.warns(UserWarning, match="did not converge"):
        model.set_params(max_iter=5).fit(rows)
    assert_is_of_shape(name, np.stack([one.matrix for one in model.components_]))


@partly_common
def test_a_component_that_is_kept_takes_on_what_is_common(name):
    rows = draw()
    bank = fitted_bank(Gaussian(name), rows)
    labels = np.arange(len(rows), dtype=np.int32) % 2
    keep = np.array([False, False, True])
    kept = bank.update(bank.summarise(Table.of(rows), Hard(labels, 3)), keep)
    assert_is_of_shape(name, np.stack([one.matrix for one in kept.components]))
    np.testing.assert_array_equal(kept.means[2], bank.means[2])
    if name == "EVV":
        ratios = kept.variances[2] / bank.variances[2]
        np.testing.assert_allclose(ratios, ratios[0, 0])


@partly_common
def test_what_is_common_stays_as_it_is_while_it_is_frozen(name):
    rows = draw()
    bank = fitted_bank(Gaussian(name), rows).freeze(True)
    labels = np.repeat([0, 1, 2], len(rows) // 3).astype(np.int32)
    statistics = bank.summarise(Table.of(rows), Hard(labels, 3))
    frozen = bank.update(statistics, np.zeros(3, dtype=bool))
    both = np.concatenate([bank.variances, frozen.variances])
    matrices = np.stack([bank.family.shape.dense(one, 3) for one in both])
    assert not np.allclose(bank.variances, frozen.variances)
    assert_is_of_shape(name, matrices)
    kept = bank.update(statistics, np.array([False, False, True]))
    np.testing.assert_array_equal(kept.variances[2], bank.variances[2])


@pytest.mark.parametrize("name", ["EII", "EEI", "EEE"])
def test_a_prior_has_no_effect_on_equal_covariances(name):
    rows = draw()
    one, two = (fitted_bank(Gaussian(name, prior=prior), rows) for prior in (0, 10))
    np.testing.assert_array_equal(one.variances, two.variances)
    assert not two.log_prior.any()


@each
@pytest.mark.parametrize("data", ["iris", "simulated"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_default_search_is_no_worse_than_em_from_k_means(name, data):
    rows, k = (IRIS, 3) if data == "iris" else (make_mixture(200, 4, random_state=3)[0], 4)
    searched = Mixture(Gaussian(name), k, random_state=0).fit(rows)
    climbed = Mixture(Gaussian(name), k, algorithm="em", init="kmeans", random_state=0).fit(rows)
    assert searched.lower_bound_ > climbed.lower_bound_ - 1e-3


@pytest.mark.parametrize("name", LETTERS)
def test_names_of_scikit_learn_are_names_of_the_same_shapes(name):
    one, two = fitted_bank(Gaussian(name), draw()), fitted_bank(Gaussian(LETTERS[name]), draw())
    np.testing.assert_array_equal(one.variances, two.variances)


@each
def test_the_interface_of_scikit_learn_takes_the_names(name):
    rows = draw()
    model = GaussianMixture(3, covariance_type=name, random_state=0).fit(rows)
    again = GaussianMixture(
        3, covariance_type=name, weights_init=model.weights_, means_init=model.means_,
        precisions_init=model.precisions_, max_iter=200,
    ).fit(rows)  # fmt: skip
    assert again.lower_bound_ >= model.lower_bound_ - 1e-9


@pytest.mark.parametrize("name", ["VEI", "EVE", "VEV"])
def test_states_of_an_hmm_have_parts_in_common(name):
    rng = np.random.default_rng(0)
    rows = draw(n=240)
    sequences = [rows[rng.permutation(240)[:20]] for _ in range(12)]
    family = HMM(3, Gaussian(name))
    model = Mixture(family, 2, algorithm=EM(0.0), init="random", random_state=0, max_iter=4)
    with pytest.warns(UserWarning, match="did not converge"):
        model.fit(sequences)
    for component in model.components_:
        assert_is_of_shape(name, np.stack([one.matrix for one in component.emissions]))


def test_an_unknown_shape_raises_an_error_that_lists_all_names():
    for make in (Gaussian, StudentT, RobustGaussian):
        with pytest.raises(ValueError, match=r"'full', 'tied', 'diag', 'spherical'.*EII.*VVV"):
            make(covariance="VVX")
    with pytest.raises(ValueError, match=r"covariance_type must be one of .*VEV"):
        GaussianMixture(covariance_type=None).fit(draw())
