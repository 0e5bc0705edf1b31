import pickle
import subprocess
import sys
from html import escape

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp
from scipy.stats import multivariate_normal, multivariate_t
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from boltzmix import BEEM, CEM, EM, Mixture, Moves
from boltzmix.datasets import make_mixture, make_square
from boltzmix.families import Gaussian, RobustGaussian, StudentT
from boltzmix.metrics import purity_score
from boltzmix.views import describe_component

ALGORITHMS = ["auto", "beem", "em", "daem", "sem", "cem"]
SHAPES = ["full", "tied", "diag", "spherical"]
X, TRUE = make_square(random_state=0)


@pytest.fixture(scope="module")
def model():
    return Mixture(n_components=4, random_state=0).fit(X)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_algorithm_fits_every_covariance(algorithm, shape):
    for family in (Gaussian(shape), RobustGaussian(covariance=shape, outliers=0)):
        model = Mixture(family, 4, algorithm=algorithm, random_state=1).fit(X)
        np.testing.assert_array_equal(model.labels_, model.predict(X))
        np.testing.assert_array_equal(model.labels_, model.predict_proba(X).argmax(axis=1))
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
        np.testing.assert_allclose(model.weights_.sum(), 1)
        np.testing.assert_allclose(model.lower_bound_, objective_of(model, X))


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("shape", SHAPES)
def test_without_a_prior_the_lower_bound_is_the_mean_log_likelihood(algorithm, shape):
    for kind in (Gaussian, StudentT):
        exact = kind(covariance=shape, prior=0, resolution=None)
        model = Mixture(exact, 4, algorithm=algorithm, random_state=1).fit(X)
        np.testing.assert_allclose(model.lower_bound_, model.score(X))
        np.testing.assert_allclose(model.lower_bound_, objective_of(model, X))


def objective_of(model, X):
    """Return the log-likelihood plus the log prior, per observation, from the components."""
    bank = model.components_[0].bank(model.components_)
    log_objectives = bank.evaluate(bank.family.observe(X)).log_densities + np.log(model.weights_)
    return (logsumexp(log_objectives, axis=1).sum() + bank.log_prior.sum()) / len(X)


def test_score_samples_is_the_mixture_density(model):
    density = sum(
        weight * multivariate_t(one.location, one.scatter, df=one.degrees).pdf(X)
        for one, weight in zip(model.components_, model.weights_, strict=True)
    )
    np.testing.assert_allclose(model.score_samples(X), np.log(density), rtol=1e-9)


def test_score_samples_of_gaussians_is_the_mixture_density():
    model = Mixture(Gaussian(), n_components=4, random_state=0).fit(X)
    density = sum(
        weight * multivariate_normal(one.mean, one.covariance_matrix).pdf(X)
        for one, weight in zip(model.components_, model.weights_, strict=True)
    )
    np.testing.assert_allclose(model.score_samples(X), np.log(density), rtol=1e-9)


def test_information_criteria_equal_their_definitions(model):
    total, n = model.score_samples(X).sum(), len(X)
    parameters = 4 * (2 + 3) + 3 + 1  # means, scatters, weights, degrees of freedom
    np.testing.assert_allclose(model.bic(X), -2 * total + parameters * np.log(n))
    np.testing.assert_allclose(model.aic(X), -2 * total + 2 * parameters)
    unsure = np.log(model.predict_proba(X).max(axis=1)).sum()
    np.testing.assert_allclose(model.icl(X), model.bic(X) - 2 * unsure)


def test_sample_draws_from_the_mixture(model):
    drawn, labels = model.sample(20_000)
    assert drawn.shape == (20_000, 2)
    np.testing.assert_allclose(np.bincount(labels) / 20_000, model.weights_, atol=0.02)
    for k, component in enumerate(model.components_):
        np.testing.assert_allclose(drawn[labels == k].mean(axis=0), component.mean, atol=0.1)


def test_the_history_has_every_iteration(model):
    history = model.history_
    assert history.phases == ["Moves", "EM"]
    assert history.temperature[-1] == 1
    in_total = history.counts.sum(axis=1)
    assert (in_total <= len(X) * (1 + 1e-12)).all()
    assert (in_total > 0.999 * len(X)).all()  # the others may come from the background of outliers
    assert history.n_iter == model.n_iter_
    assert len(history.to_frame()) == len(history)


def test_only_a_start_that_is_not_by_distance_is_explored():
    for init, explored in (("random", True), (TRUE, True), ("distance", False)):
        model = Mixture(n_components=4, init=init, random_state=0).fit(X)
        assert model.history_.phases == ["BEEM"] * explored + ["Moves", "EM"]


def test_a_list_of_recipes_runs_in_order():
    model = Mixture(n_components=4, algorithm=[BEEM(), CEM(), "em"], random_state=0).fit(X)
    assert model.history_.phases == ["BEEM", "CEM", "EM"]


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_more_runs_are_never_worse_and_the_best_is_kept():
    scores = [
        Mixture(n_components=4, algorithm="cem", n_init=n, random_state=3).fit(X).lower_bound_
        for n in (1, 4, 16)
    ]
    assert scores == sorted(scores)


@pytest.mark.parametrize("algorithm", ["auto", "sem"])
def test_the_same_seed_gives_the_same_bits_for_any_number_of_jobs(algorithm):
    one, two = (
        Mixture(n_components=4, algorithm=algorithm, n_init=4, random_state=5, n_jobs=jobs).fit(X)
        for jobs in (1, 2)
    )
    assert one.lower_bound_ == two.lower_bound_
    np.testing.assert_array_equal(one.labels_, two.labels_)
    np.testing.assert_array_equal(one.history_.score, two.history_.score)
    for a, b in zip(one.components_, two.components_, strict=True):
        np.testing.assert_array_equal(a.location, b.location)
        np.testing.assert_array_equal(a.scatter, b.scatter)
        assert a.degrees == b.degrees


def test_the_same_seed_gives_the_same_bits_in_a_new_process(model):
    code = (
        "from boltzmix import Mixture; from boltzmix.datasets import make_square;"
        "X, _ = make_square(random_state=0);"
        "m = Mixture(n_components=4, random_state=0).fit(X);"
        "print(m.lower_bound_.hex(), [v.hex() for c in m.components_ for v in c.mean.tolist()])"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    means = [v.hex() for c in model.components_ for v in c.mean.tolist()]
    assert printed.split(maxsplit=1) == [model.lower_bound_.hex(), f"{means}\n"]


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")  # by chance
def test_without_a_seed_runs_differ():
    scores = {
        Mixture(n_components=4, algorithm=BEEM(patience=2)).fit(X).history_.score[2]
        for _ in range(3)
    }
    assert len(scores) == 3


@pytest.mark.parametrize("random_state", [np.random.default_rng(3), np.random.RandomState(3)])
def test_generators_are_accepted_as_random_state(random_state):
    assert Mixture(n_components=2, random_state=random_state).fit(X).n_iter_ > 0


@settings(max_examples=15)
@given(st.sampled_from([2.0**-300, 2.0**-3, 2.0**5, 2.0**300]), st.sampled_from(SHAPES))
def test_scaling_the_data_scales_the_parameters_and_changes_no_label(scale, shape):
    one = Mixture(Gaussian(shape), 4, random_state=2).fit(X)
    two = Mixture(Gaussian(shape), 4, random_state=2).fit(X * scale)
    np.testing.assert_array_equal(one.labels_, two.labels_)
    for a, b in zip(one.components_, two.components_, strict=True):
        np.testing.assert_allclose(a.mean * scale, b.mean, rtol=1e-7)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("scale", [1e-150, 1e150])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("init", ["random", "points", "kmeans", "kmeans++"])
def test_tiny_and_huge_numbers_are_fitted_without_nan(scale, algorithm, init):
    model = Mixture(n_components=4, algorithm=algorithm, init=init, random_state=0).fit(X * scale)
    assert np.isfinite(model.score(X * scale))
    assert np.isfinite(model.predict_proba(X * scale)).all()


def test_permuting_rows_permutes_labels_in_em():
    order = np.random.default_rng(0).permutation(len(X))
    one = Mixture(n_components=4, algorithm="em", init=TRUE).fit(X)
    two = Mixture(n_components=4, algorithm="em", init=TRUE[order]).fit(X[order])
    np.testing.assert_array_equal(one.labels_[order], two.labels_)


@pytest.mark.parametrize("prior", [0.0, 12.0])
@pytest.mark.parametrize("kind", [Gaussian, RobustGaussian])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_weight_of_two_equals_a_repeated_row_in_em(shape, kind, prior):
    """Weights are relative, so the strength of the prior is so, too."""
    weights = np.where(np.arange(len(X)) % 3 == 0, 2, 1)
    rows = np.repeat(np.arange(len(X)), weights)
    family = kind(covariance=shape, added_variance=1e-6, prior=prior)
    same = kind(covariance=shape, added_variance=1e-6, prior=prior * len(rows) / len(X))
    one = Mixture(family, 4, algorithm="em", init=TRUE).fit(X, sample_weight=weights)
    two = Mixture(same, 4, algorithm="em", init=TRUE[rows]).fit(X[rows])
    np.testing.assert_allclose(one.lower_bound_, two.lower_bound_)
    for a, b in zip(one.components_, two.components_, strict=True):
        np.testing.assert_allclose(a.mean, b.mean)
        np.testing.assert_allclose(a.covariance_matrix, b.covariance_matrix)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_rows_of_zero_weight_are_ignored(algorithm):
    far = np.concatenate([X, [[1e3, 1e3]]])
    weights = np.append(np.ones(len(X)), 0)
    model = Mixture(n_components=4, algorithm=algorithm, random_state=0)
    one = clone(model).fit(far, sample_weight=weights)
    two = clone(model).fit(X, sample_weight=np.ones(len(X)))
    np.testing.assert_array_equal(one.labels_[:-1], two.labels_)
    assert one.lower_bound_ == two.lower_bound_


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_give_names_and_the_same_fit(frame, model):
    columns = frame({"x": X[:, 0], "y": X[:, 1]})
    named = Mixture(n_components=4, random_state=0).fit(columns)
    assert named.feature_names_in_.tolist() == ["x", "y"]
    np.testing.assert_array_equal(named.predict(columns), model.labels_)
    assert not hasattr(named.fit(X), "feature_names_in_")


def test_float32_gives_the_same_fit_as_float64(model):
    single = Mixture(n_components=4, random_state=0).fit(X.astype(np.float32))
    assert purity_score(model.labels_, single.labels_) == 1


def test_models_can_be_pickled_and_cloned(model):
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert clone(Mixture(Gaussian("diag"), 3, algorithm=BEEM())).family.covariance == "diag"


def test_a_notebook_shows_the_components(model):
    html = model._repr_mimebundle_()["text/html"]
    assert all(
        escape(describe_component(component, ("column 0", "column 1"), {})) in html
        for component in model.components_
    )
    assert "<p>4 components of 210 observations, 2 columns" in html
    assert "observations" not in Mixture()._repr_html_()


def test_a_notebook_shows_how_the_number_of_components_was_chosen():
    model = Mixture(n_components=[3, 4], random_state=0).fit(X)
    assert "<p>4 clusters; fits to halves of the rows agree by 1.00; 3 are" in model._repr_html_()
    model = Mixture(n_components=[3, 4], criterion="bic", random_state=0).fit(X)
    assert "<p>4 components of RobustGaussian() chosen among 2 cand" in model._repr_html_()


def test_a_notebook_shows_a_mixture_of_a_frame_with_its_names():
    frame = pd.DataFrame({"width": [1.0, 2, 3, 9, 10, 11], "depth": [2.0, 1, 3, 8, 9, 7]})
    assert "width" in Mixture(n_components=2, random_state=0).fit(frame)._repr_html_()


def test_verbose_prints_or_calls(capsys):
    Mixture(n_components=4, init="random", random_state=0, verbose=1).fit(X)
    some = capsys.readouterr().out.splitlines()
    assert "BEEM" in some[0]
    Mixture(n_components=4, init="random", random_state=0, verbose=2).fit(X)
    assert len(capsys.readouterr().out.splitlines()) > len(some)
    states = []
    model = Mixture(n_components=4, random_state=0, verbose=states.append).fit(X)
    assert sum(not state.step.trial for state in states) == len(model.history_)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_a_fit_that_does_not_converge_warns():
    with pytest.warns(ConvergenceWarning, match="EM did not converge within max_iter=2"):
        model = Mixture(n_components=4, algorithm="em", max_iter=2, random_state=0).fit(X)
    assert not model.converged_
    assert model.n_iter_ == 2


def test_points_far_outside_are_impossible_but_get_probabilities(model):
    assert model.predict_proba([[1e200, 1e200]]).sum() == 1
    assert model.score_samples([[1e200, 1e200]])[0] == -np.inf


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_components": 0}, "n_components must be a whole number of at least 1, several.* not 0"),
        ({"n_components": 2.5}, "n_components must be a whole number"),
        ({"n_components": True}, "n_components must be a whole number"),
        ({"n_components": 1000}, "n_components=1000 is more than the n_samples = 210"),
        ({"n_init": 0}, "n_init must be"),
        ({"max_iter": 0}, "max_iter must be"),
        ({"n_jobs": 0}, "n_jobs must be"),
        ({"n_jobs": "a"}, "n_jobs must be"),
        ({"verbose": None}, "verbose must be"),
        ({"algorithm": "magic"}, "algorithm must be one of 'auto'"),
        ({"algorithm": []}, "algorithm must be one of"),
        ({"random_state": -1}, "random_state must be None"),
        ({"random_state": "a"}, "random_state must be None"),
    ],
)
def test_bad_arguments_raise_one_sentence(options, message):
    with pytest.raises(ValueError, match=message):
        Mixture(**options).fit(X)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(3), "one weight per observation"),
        (np.ones((len(X), 2)), "one weight per observation"),
        (-np.ones(len(X)), "finite and not negative"),
        (np.full(len(X), np.nan), "finite and not negative"),
        (np.zeros(len(X)), "zero for every observation"),
    ],
)
def test_bad_sample_weights_raise(weights, message):
    with pytest.raises(ValueError, match=message):
        Mixture().fit(X, sample_weight=weights)


def test_fewer_distinct_rows_than_components_raise():
    with pytest.raises(ValueError, match="only 3 of the 30 observations are distinct"):
        Mixture(n_components=5).fit(np.repeat([[1.0, 2], [3, 4], [5, 1]], 10, axis=0))


def test_an_unfitted_mixture_raises():
    with pytest.raises(NotFittedError):
        Mixture().predict(X)


@pytest.mark.slow
def test_auto_reaches_the_optimum_of_the_true_labels_on_separated_clusters():
    reached = 0
    for seed in range(20):
        points, labels = make_mixture(400, 4, 2, separation=6, random_state=seed)
        best = Mixture(n_components=4, algorithm=EM(1e-6), init=labels).fit(points).lower_bound_
        found = Mixture(n_components=4, n_init=3, random_state=seed).fit(points).lower_bound_
        reached += found > best - 2e-3
    assert reached >= 18


def test_a_fit_that_raises_does_not_change_the_model():
    model = Mixture(Gaussian(), n_components=2, random_state=0).fit(X)
    before = model.predict_proba(X)
    with pytest.raises(ValueError, match="constant"):
        model.fit(np.column_stack([X, X, np.ones(len(X))]))
    np.testing.assert_array_equal(model.predict_proba(X), before)


@pytest.mark.parametrize("value", [0.0, 1.0, -1e6])
def test_a_constant_column_does_not_change_the_clusters_of_the_default(value, model):
    more = Mixture(n_components=4, random_state=0).fit(np.column_stack([X, np.full(len(X), value)]))
    assert purity_score(model.labels_, more.labels_) == 1


@pytest.mark.parametrize("scale", [1e-300, 1e-18, 7.0, 1e18])
def test_the_scale_of_sample_weights_does_not_matter(scale):
    weights = np.random.default_rng(0).uniform(0.5, 2, len(X))
    one, two = (
        Mixture(n_components=4, random_state=0).fit(X, sample_weight=weights * factor)
        for factor in (1.0, scale)
    )
    np.testing.assert_allclose(one.weights_, two.weights_)
    np.testing.assert_allclose(one.lower_bound_, two.lower_bound_)


def test_outliers_do_not_set_the_scale_of_the_ridge():
    far = np.concatenate([X, [[1e5, 1e5]]])
    unweighted = Mixture(n_components=5, n_init=5, init="points", random_state=0).fit(far)
    assert purity_score(TRUE, unweighted.labels_[:-1]) > 0.94
    weights = np.append(np.ones(len(X)), 1e-12)
    one = Mixture(Gaussian()).fit(far, sample_weight=weights).components_[0]
    np.testing.assert_allclose(one.covariance_matrix, np.cov(X.T, bias=True), rtol=0.01, atol=0.1)


def test_init_may_label_rows_of_zero_weight():
    weights = np.where(np.arange(len(X)) < 5, 0.0, 1.0)
    for init in (TRUE, np.eye(4)[TRUE]):
        model = Mixture(n_components=4, algorithm="em", init=init).fit(X, sample_weight=weights)
        assert purity_score(TRUE, model.labels_) > 0.99


def test_a_batch_that_overflows_raises_and_does_not_change_the_model():
    model = Mixture(n_components=2, random_state=0).partial_fit(X)
    before = model.predict_proba(X)
    with pytest.raises(ValueError, match="impossible under every component"):
        model.partial_fit(X[:5] + 1e200)
    np.testing.assert_array_equal(model.predict_proba(X), before)


def unequal_groups(sizes=(20, 120, 60), seed=0):
    """Return rows of groups of unequal sizes, far apart, and the group of each."""
    truth = np.repeat(np.arange(len(sizes)), sizes)
    return np.random.default_rng(seed).normal(10.0 * truth[:, None], 1.0, (len(truth), 2)), truth


@pytest.mark.parametrize(
    "options", [{}, {"noise": True}, {"init": "random"}, {"algorithm": "em", "init": "kmeans"}]
)
def test_components_are_ordered_by_weight(options):
    X, truth = unequal_groups()
    model = Mixture(n_components=3, random_state=0, **options).fit(X)
    assert (np.diff(model.weights_) <= 0).all()
    np.testing.assert_array_equal(model.labels_, model.predict(X))
    np.testing.assert_array_equal(model.labels_, np.array([2, 0, 1])[truth])
    np.testing.assert_allclose(model.history_.counts[-1][:3], [120, 60, 20], atol=1.0)


def test_a_chosen_number_of_components_is_ordered_by_weight_with_its_history():
    X, _ = unequal_groups()
    model = Mixture(n_components="auto", random_state=0).fit(X)
    for one in [model, *(candidate.model for candidate in model.comparison_)]:
        assert (np.diff(one.weights_) <= 0).all()
        last = one.history_.counts[-1]
        np.testing.assert_allclose(last / last.sum(), one.weights_, atol=0.02)


def test_labels_that_are_given_keep_their_numbers():
    X, truth = unequal_groups()
    started = Mixture(n_components=3, init=truth, random_state=0).fit(X)
    np.testing.assert_array_equal(started.labels_, truth)
    known = np.where(np.arange(len(X)) % 10 == 0, truth, -1)
    taught = Mixture(n_components=3, random_state=0).fit(X, labels=known)
    np.testing.assert_array_equal(taught.labels_, truth)


def test_moves_in_the_history_name_the_components_of_the_fitted_mixture():
    X, _ = unequal_groups((30, 40, 50, 200))
    states = []
    model = Mixture(
        n_components=4, init="random", random_state=1, algorithm=Moves(), verbose=states.append
    ).fit(X)
    order = model.history_.order.tolist()
    made = [state.step.moves for state in states if not state.step.trial]
    for moves, shown in zip(made, model.history_.moves, strict=True):
        for before, after in zip(moves, shown, strict=True):
            assert tuple(order[k] for k in after.components) == before.components
