"""With `noise=True`, outliers are labelled -1 and do not shift the clusters."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import logsumexp
from sklearn.base import clone

from boltzmix import BEEM, CEM, DAEM, EM, SEM, Mixture, plots
from boltzmix.data import BlockSizes, Table
from boltzmix.datasets import make_data_association, make_random_hmms
from boltzmix.families import (
    HMM,
    Bernoulli,
    Categorical,
    Family,
    Gamma,
    Gaussian,
    GaussianProcess,
    MarkovChain,
    Poisson,
    RobustGaussian,
    StudentT,
)
from boltzmix.families.columns.backgrounds import Box
from boltzmix.families.contract.background import Background
from boltzmix.learning import MixtureState
from boltzmix.learning.parts import uniform
from tests.command import run

CENTRES = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0]])
RECIPES = ["auto", BEEM(), EM(), DAEM(), SEM(20), CEM()]


def scattered(seed, n=300):
    """Return three clusters and outliers, a tenth of their number, and labels (-1: outlier)."""
    rng = np.random.default_rng(seed)
    truth = np.append(np.repeat([0, 1, 2], n // 3), np.full(n // 10, -1))
    rows = CENTRES[truth] + rng.standard_normal((len(truth), 2))
    rows[truth < 0] = rng.uniform(-20, 20, (n // 10, 2))
    return rows, truth


def errors(model):
    means = np.stack([component.mean for component in model.components_])
    return [np.linalg.norm(means - centre, axis=1).min() for centre in CENTRES]


class Exponential(Family):
    def __init__(self, rate=None):
        self.rate = rate

    def fit(self, data, *, weights=None, rng=None):
        return Exponential(1 / np.asarray(data).mean())

    def log_prob(self, data):
        return np.log(self.rate) - self.rate * np.asarray(data)[:, 0]


def test_outliers_do_not_shift_the_clusters():
    for seed in range(10):
        rows, truth = scattered(seed)
        model = Mixture(Gaussian(), 3, noise=True, random_state=seed).fit(rows)
        without_noise = Mixture(Gaussian(), 3, random_state=seed).fit(rows)
        assert max(errors(model)) < 0.5 < max(errors(without_noise))
        far = np.linalg.norm(rows[:, None] - CENTRES, axis=2).min(axis=1) > 5
        assert (model.labels_[far] == -1).mean() > 0.95
        assert (model.labels_[truth >= 0] == -1).mean() < 0.02
        assert 0.05 < model.noise_weight_ < 0.15


@pytest.mark.parametrize("noise", [False, True])
def test_outliers_do_not_shift_the_clusters_of_the_default(noise):
    for seed in range(10):
        rows, truth = scattered(seed)
        model = Mixture(n_components=3, noise=noise, random_state=seed).fit(rows)
        assert max(errors(model)) < 0.5
        assert (model.labels_[truth >= 0] == -1).mean() < 0.02


def test_without_outliers_the_noise_weight_is_nearly_zero():
    rows, truth = scattered(0)
    model = Mixture(n_components=3, noise=True, random_state=0).fit(rows[truth >= 0])
    assert model.noise_weight_ < 0.02
    assert (model.labels_ == -1).mean() < 0.01


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("recipe", RECIPES, ids=str)
def test_noise_has_a_weight_and_the_last_probability(recipe):
    rows, _ = scattered(1)
    model = Mixture(n_components=3, noise=True, algorithm=recipe, random_state=0).fit(rows)
    assert len(model.components_) == len(model.weights_) == 3
    assert model.weights_.sum() + model.noise_weight_ == pytest.approx(1)
    probabilities = model.predict_proba(rows)
    assert probabilities.shape == (len(rows), 4)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    best = probabilities.argmax(axis=1)
    np.testing.assert_array_equal(model.predict(rows), np.where(best == 3, -1, best))
    np.testing.assert_array_equal(model.labels_, model.predict(rows))
    assert model.history_.counts.shape[1] == 4
    np.testing.assert_allclose(model.history_.counts.sum(axis=1), len(rows))


def test_the_density_includes_noise_and_bic_its_weight():
    rows, _ = scattered(2)
    model = Mixture(n_components=3, noise=True, random_state=0).fit(rows)
    volume = np.prod(np.ptp(rows, axis=0))
    data = Table.of(rows)
    log_densities = [one.log_prob(data) for one in model.components_] + [
        np.full(len(rows), -np.log(volume))
    ]
    weights = np.append(model.weights_, model.noise_weight_)
    log_densities = np.stack(log_densities, axis=1) + np.log(weights)
    np.testing.assert_allclose(model.score_samples(rows), logsumexp(log_densities, axis=1))
    n_parameters = 3 * (2 + 3) + 3 + 1  # means, scatters, weights, degrees of freedom
    assert model.bic(rows) == pytest.approx(
        -2 * model.score_samples(rows).sum() + n_parameters * np.log(len(rows))
    )
    bank = model.components_[0].bank(model.components_)
    log_objectives = np.column_stack(
        [bank.evaluate(data).log_densities, np.full(len(rows), -np.log(volume))]
    )
    total = logsumexp(log_objectives + np.log(weights), axis=1).sum() + bank.log_prior.sum()
    assert model.lower_bound_ == pytest.approx(total / len(rows))


def test_without_a_prior_the_lower_bound_is_the_mean_log_likelihood():
    rows, _ = scattered(2)
    exact = RobustGaussian(prior=0, resolution=None, outliers=0)
    model = Mixture(exact, 3, noise=True, random_state=0).fit(rows)
    assert model.lower_bound_ == pytest.approx(model.score(rows))


def test_the_likelihood_of_em_never_falls():
    rows, _ = scattered(3)
    model = Mixture(n_components=3, noise=True, algorithm=EM(1e-7), random_state=0).fit(rows)
    assert (np.diff(model.history_.score) > -1e-6).all()


def test_with_uniform_weights_the_noise_weight_is_still_learned():
    rows, _ = scattered(4)
    model = Mixture(n_components=3, noise=True, algorithm="beem", random_state=0).fit(rows)
    np.testing.assert_allclose(model.weights_, (1 - model.noise_weight_) / 3)
    assert 0.04 < model.noise_weight_ < 0.2


def test_sample_returns_noise_last():
    rows, _ = scattered(5)
    model = Mixture(n_components=3, noise=True, random_state=0).fit(rows)
    drawn, labels = model.sample(2000)
    assert drawn.shape == (2000, 2)
    assert (labels[labels < 0] == labels[-1]).all()
    assert (labels < 0).mean() == pytest.approx(model.noise_weight_, abs=0.03)
    assert np.ptp(drawn[labels < 0], axis=0).min() > 30


def test_observations_outside_the_training_range_are_noise():
    rows, _ = scattered(6)
    model = Mixture(n_components=3, noise=True, random_state=0).fit(rows)
    np.testing.assert_array_equal(model.predict([[1000.0, 0.0], [6.0, 0.0]]) < 0, [True, False])


@pytest.mark.parametrize("recipe", [EM(), BEEM(), CEM()], ids=str)
def test_results_are_bitwise_equal_for_any_number_of_threads(recipe):
    rows, _ = scattered(0, 3000)
    rows = np.vstack(
        [rows, np.random.default_rng(0).uniform(-90, 90, (700, 2))]
    )  # blocks of noise only
    data = Table.of(rows).in_blocks(BlockSizes(numbers=2**9))
    one, two = (
        Mixture(n_components=3, noise=True, algorithm=recipe, random_state=0, n_jobs=n).fit(data)
        for n in (1, 2)
    )
    assert one.lower_bound_ == two.lower_bound_
    np.testing.assert_array_equal(one.labels_, two.labels_)
    assert one.noise_weight_ == two.noise_weight_


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_the_scale_of_sample_weights_does_not_change_the_noise_weight():
    rows, _ = scattered(7)
    twice = Mixture(n_components=3, noise=True, init="kmeans", algorithm=EM(), random_state=0).fit(
        rows, sample_weight=np.full(len(rows), 2.0)
    )
    once = clone(twice).fit(rows)
    assert twice.noise_weight_ == pytest.approx(once.noise_weight_)


def test_known_labels_are_never_noise():
    rows, truth = scattered(8)
    known = np.where(np.arange(len(rows)) % 10 == 0, np.abs(truth), -1)
    model = Mixture(n_components=3, noise=True, random_state=0).fit(rows, labels=known)
    np.testing.assert_array_equal(model.labels_[::10], known[::10])
    assert (model.labels_ == -1).any()


def test_streams_learn_the_noise_weight():
    model = Mixture(n_components=3, noise=True, random_state=0)
    for seed in range(5):
        model.partial_fit(scattered(seed)[0])
    assert model.weights_.sum() + model.noise_weight_ == pytest.approx(1)
    assert 0.04 < model.noise_weight_ < 0.15
    assert max(errors(model)) < 0.5


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_outliers_among_counts_and_positive_numbers_are_noise():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, -1], [150, 150, 20])
    counts = rng.poisson(np.array([2.0, 12.0, 0.0])[truth])[:, None]
    counts[truth < 0] = rng.integers(40, 100, (20, 1))
    sizes = rng.gamma(20, np.array([0.1, 2.0, 0.0])[truth] + 1e-9)[:, None]
    sizes[truth < 0] = rng.uniform(150, 1000, (20, 1))
    for family, rows in ((Poisson(), counts), (Gamma(), sizes), (StudentT(4), sizes)):
        model = Mixture(family, 2, noise=True, random_state=0).fit(rows)
        assert (model.labels_[truth < 0] == -1).mean() > 0.9
        assert (model.labels_[truth >= 0] == -1).mean() < 0.1
        np.testing.assert_allclose(model.predict_proba(rows).sum(axis=1), 1)
        drawn, _ = model.sample(50)
        model.score_samples(drawn)


def test_several_runs_separate_clusters_from_noise():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, -1], [150, 150, 20])
    counts = rng.poisson(np.array([2.0, 30.0, 0.0])[truth])[:, None]
    counts[truth < 0] = rng.integers(150, 400, (20, 1))
    model = Mixture(Poisson(), 2, noise=True, init="points", n_init=5, random_state=1).fit(counts)
    assert ((model.labels_ < 0) == (truth < 0)).mean() > 0.98


def test_every_kind_of_data_has_a_background():
    rng = np.random.default_rng(0)
    sequences, _ = make_random_hmms(random_state=0)
    symbols = [rng.integers(0, 3, (10, 1)) for _ in range(30)]
    codes, inputs = rng.integers(0, 3, (60, 4)), rng.integers(0, 2, (60, 6))
    waits = rng.exponential([[0.1, 10]] * 100).reshape(-1, 1)
    for family, data in (
        (HMM(2), sequences),
        (MarkovChain(), symbols),
        (Categorical(), codes),
        (Bernoulli(), inputs),
        (Exponential(), waits),
    ):
        model = Mixture(family, 2, noise=True, random_state=0).fit(data)
        assert len(model.components_) == 2
        assert model.weights_.sum() + model.noise_weight_ == pytest.approx(1)
        np.testing.assert_allclose(model.predict_proba(data).sum(axis=1), 1)
        assert set(model.labels_) <= {-1, 0, 1}


def test_sequences_that_differ_from_all_others_are_noise():
    rng = np.random.default_rng(0)
    sequences = [rng.normal(k * 5, 1, (20, 1)) for k in (0, 1) for _ in range(30)]
    outliers = [rng.uniform(-40, 40, (20, 1)) for _ in range(4)]
    model = Mixture(HMM(1), 2, noise=True, random_state=0).fit(sequences + outliers)
    np.testing.assert_array_equal(model.labels_[-4:], -1)
    assert (model.labels_[:60] >= 0).all()


@pytest.mark.slow
def test_points_off_all_curves_are_noise():
    inputs, targets, _ = make_data_association("crossing", random_state=0)
    targets = targets.copy()
    spread = np.ptp(targets)
    targets[::25] += 4 * spread * np.where(np.arange(len(targets[::25])) % 2, 1, -1)
    model = Mixture(GaussianProcess(), 2, noise=True, random_state=0, max_iter=30)
    labels = model.fit(inputs, targets).labels_
    assert (labels[::25] == -1).mean() > 0.8
    assert (labels == -1).mean() < 0.2
    plots.curves(model, inputs, targets).plot()


def test_the_box_ignores_missing_values_and_constant_columns():
    box = Box.around(Table.of([[0.0, 3.0], [4.0, 3.0]]))
    np.testing.assert_allclose(
        box.log_prob(Table(np.array([[1.0, 3.0], [np.nan, 3.0], [np.nan, np.nan]]))),
        [-np.log(4), 0, 0],
    )
    whole = Box.around(Table.of([[0.0], [3.0]]), spacing=1.0)
    np.testing.assert_allclose(np.exp(whole.log_prob(Table.of([[2.0]]))), 0.25)
    assert set(whole.sample(100, np.random.default_rng(0)).ravel()) == {0, 1, 2, 3}
    assert Box(np.zeros(1), np.ones(1)).fit(Table.of([[2.0], [5.0]])).high == 5


def test_a_background_stays_while_components_learn():
    data = Table.of(scattered(0)[0])
    gaussian = Gaussian().prepare(data, 2)
    one = gaussian.fit(data)
    start = MixtureState(gaussian.bank([one, one]), np.array([0.5, 0.5]))
    noisy = start.with_background(Background(one), 0.25)
    assert len(noisy.bank) == len(noisy.components) == 2 and len(noisy.sources) == 3
    assert_allclose(noisy.joint_weights, [0.375, 0.375, 0.25])
    learned = noisy.freeze(True).weighed(lambda counts: counts / counts.sum(), np.array([1, 2, 1]))
    assert_allclose(learned.joint_weights, [0.25, 0.5, 0.25])
    assert learned.background is noisy.background
    assert_allclose(learned.without_background().weights, [1 / 3, 2 / 3])
    given = replace(noisy, background=Background(one, 0.125)).weighed(uniform, np.array([1, 2, 9]))
    assert_allclose(given.joint_weights, [0.4375, 0.4375, 0.125])


@pytest.mark.parametrize("noise", [0.05, 1, None, "yes"])
def test_noise_must_be_true_or_false(noise):
    with pytest.raises(ValueError, match="noise must be True or False"):
        Mixture(noise=noise).fit(scattered(0)[0])


def test_a_refit_without_noise_has_no_noise_weight():
    rows, _ = scattered(0)
    model = Mixture(n_components=3, noise=True, random_state=0).fit(rows)
    assert "<td>noise</td>" in model._repr_html_()
    model.set_params(noise=False).fit(rows)
    assert model.noise_weight_ == 0
    assert model.predict_proba(rows).shape == (len(rows), 3)
    assert "<td>noise</td>" not in model._repr_html_()


def test_pictures_draw_noise_in_grey():
    rows, _ = scattered(0)
    model = Mixture(n_components=3, noise=True, random_state=0).fit(rows)
    axes = plots.clusters(model, rows).plot()
    greys = (axes.collections[0].get_facecolors()[:, :3] == 200 / 255).all(axis=1)
    drawn = np.asarray(axes.collections[0].get_offsets())[greys]
    np.testing.assert_array_equal(
        np.sort(drawn, axis=0), np.sort(rows[model.labels_ == -1], axis=0)
    )
    assert axes.get_legend().get_texts()[-1].get_text() == "noise"
    assert plots.allocations(model).plot().lines[3].get_color() == "#C8C8C8"
    plots.overview(model, rows)
    column = Mixture(n_components=3, noise=True, random_state=0).fit(rows[:, :1])
    plots.clusters(column, rows[:, :1]).plot()
    rng = np.random.default_rng(0)
    sequences = [rng.normal(k * 5, 1, (20, 1)) for k in (0, 1) for _ in range(30)]
    sequences += [rng.uniform(-40, 40, (20, 1)) for _ in range(4)]
    chains = Mixture(HMM(1), 2, noise=True, random_state=0).fit(sequences)
    members = plots.sequences(chains, sequences)
    assert members.groups[-1].caption == ["noise", "4 sequences"]
    plots.overview(chains, sequences)


def test_the_command_writes_minus_one_for_noise(tmp_path):
    rows, _ = scattered(0)
    file, labels, picture = (tmp_path / name for name in ("rows.csv", "labels.csv", "rows.png"))
    np.savetxt(file, rows, delimiter=",", header="a,b", comments="")
    written = ("--out", str(labels), "--plot", str(picture))
    result = run("fit", str(file), "-k", "3", "--noise", "--seed", "0", *written)
    assert "noise" in result.stdout
    found = np.loadtxt(labels, delimiter=",", skiprows=1)
    np.testing.assert_array_equal(
        found[:, 0], Mixture(n_components=3, noise=True, random_state=0).fit_predict(rows)
    )
    assert picture.stat().st_size
