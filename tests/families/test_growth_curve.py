"""Growth curves: densities, fits, clusters and predictions of whole trajectories."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.metrics import adjusted_rand_score

from boltzmix import Mixture, Trajectories, load, plots
from boltzmix.datasets import load_chick_weights
from boltzmix.families import GrowthCurve
from boltzmix.learning import EM

SLOPES, LEVELS = (-1.0, 0.5, 2.0), (3.0, 0.0, -1.0)


def growth(n=60, seed=0, outputs=1):
    """Return trajectories around three lines, and their clusters."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(3, size=n)
    X = []
    for k in labels:
        times = rng.uniform(0, 2, rng.integers(1, 12))
        lines = [LEVELS[k] + j + SLOPES[k] * times + rng.normal(0, 0.4) for j in range(outputs)]
        X.append((times, np.column_stack(lines) + rng.normal(0, 0.2, (len(times), outputs))))
    return X, labels


def by_em(**options):
    """Return a mixture that is learned quickly."""
    return Mixture(GrowthCurve(), 3, algorithm="em", init="distance", random_state=0, **options)


@pytest.fixture(scope="module")
def model():
    return Mixture(GrowthCurve(), 3, random_state=0).fit(growth()[0])


def test_the_density_is_that_of_a_mean_curve_with_random_effects_and_noise():
    X, _ = growth(20, outputs=2)
    X[0] = (X[0][0], np.where(np.arange(X[0][1].size).reshape(-1, 2) == 1, np.nan, X[0][1]))
    data = Trajectories.of(X)
    curve = GrowthCurve().fit(data)
    found = curve.log_prob(data)
    effects, covariance = curve.scales.effects, curve.covariance
    for place, (times, values) in enumerate(data):
        functions = curve.scales.basis(times)
        loadings = np.vstack([functions @ effects[j] for j in range(2)])
        noise = np.repeat(curve.noise, len(times))
        means, there = curve.predict(times).T.ravel(), ~np.isnan(values.T.ravel())
        full = loadings @ covariance @ loadings.T + np.diag(noise)
        wanted = multivariate_normal.logpdf(
            values.T.ravel()[there], means[there], full[np.ix_(there, there)]
        )
        assert np.isclose(found[place], wanted, atol=1e-4)


def test_em_never_lowers_the_objective():
    X, _ = growth()
    found = Mixture(GrowthCurve(), 3, algorithm=EM(1e-4), init=np.arange(60) % 3).fit(X)
    scores = found.history_.score
    assert (np.diff(scores) > -1e-6).all()


def test_clusters_are_found(model):
    _, labels = growth()
    assert adjusted_rand_score(labels, model.labels_) > 0.85


def test_units_of_time_and_values_change_no_label():
    X, _ = growth()
    changed = [(1e4 + 365.0 * times, 5e3 - 70.0 * values) for times, values in X]
    one, other = (by_em().fit(data) for data in (X, changed))
    assert np.array_equal(one.labels_, other.labels_)


def test_order_of_points_and_threads_change_nothing():
    X, _ = growth()
    turned = [(times[::-1], values[::-1]) for times, values in X]
    one, other = by_em().fit(X), by_em(n_jobs=2).fit(turned)
    assert np.array_equal(one.labels_, other.labels_)
    assert np.isclose(one.lower_bound_, other.lower_bound_)


def test_a_single_point_and_later_times_are_predicted(model):
    probabilities = model.predict_proba([([1.0], [2.0]), ([0.0, 50.0], [0.0, 20.0])])
    assert np.allclose(probabilities.sum(axis=1), 1)
    mean, deviation = model.components_[0].predict([0.0, 1.0, 5.0], return_std=True)
    assert mean.shape == deviation.shape == (3,) and (deviation > 0).all()


def test_curves_of_trajectories_follow_their_points():
    X, _ = growth(30)
    data = Trajectories.of(X)
    curve = GrowthCurve().fit(data)
    own = np.concatenate([curve.curves([pair], pair[0])[0, :, 0] for pair in X])
    together = np.concatenate([curve.predict(pair[0]) for pair in X])
    values = np.concatenate([pair[1][:, 0] for pair in X])
    assert np.mean((values - own) ** 2) < 0.2 * np.mean((values - together) ** 2)


def test_a_model_of_dates_is_saved_and_takes_dates(tmp_path):
    X, _ = growth(30)
    start = np.datetime64("2020-01-01", "h")
    dated = [(start + (1000 * t).astype("timedelta64[h]"), v) for t, v in X]
    model = Mixture(GrowthCurve(), 2, algorithm="em", random_state=0).fit(dated)
    model.save(tmp_path / "model.bmix")
    again = load(tmp_path / "model.bmix")
    assert np.allclose(again.score_samples(dated), model.score_samples(dated))
    assert model.sample(2)[0][0][0].dtype.kind == "M"
    numbers = Mixture(GrowthCurve(), 1).fit(X)
    with pytest.raises(ValueError, match="fitted to numbers"):
        numbers.predict(dated)


def test_a_constant_output_raises_one_sentence():
    with pytest.raises(ValueError, match="constant"):
        Mixture(GrowthCurve(), 1).fit([([0.0, 1.0], [2.0, 2.0]), ([0.5], [2.0])])


def test_all_times_may_be_the_same():
    rng = np.random.default_rng(0)
    X = [([1.0], [5.0 * (i % 2) + rng.normal()]) for i in range(40)]
    found = Mixture(GrowthCurve(), 2, random_state=0).fit(X).labels_
    assert adjusted_rand_score(found, np.arange(40) % 2) > 0.8


def test_plots_and_report_show_the_members():
    X, _ = load_chick_weights()
    model = Mixture(GrowthCurve(), 2, algorithm="em", random_state=0).fit(X)
    drawn = plots.trajectories(model, X)
    assert sum(group.size for group in drawn.groups) == 50 and drawn.step_name == "day"
    assert len(drawn.plot().ravel()) == 2
    picture = model.report(X).findings["picture"]
    assert [len(one["paths"]) for one in picture["members"]] == np.bincount(model.labels_).tolist()
    with pytest.raises(ValueError, match="trajectories"):
        plots.clusters(model, X)
