"""GaussianMixture gives the same results as the estimator of scikit-learn."""

import inspect
import warnings

import numpy as np
import pytest
from sklearn import mixture as peer
from sklearn.exceptions import ConvergenceWarning

from boltzmix import BEEM, GaussianMixture, load
from boltzmix.datasets import make_mixture

SHAPES = ["full", "tied", "diag", "spherical"]
PARAMETERS = ["weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"]
X, _ = make_mixture(1500, 5, 3, random_state=1)


def assert_same(ours, theirs):
    assert ours.n_iter_ == theirs.n_iter_
    assert ours.converged_ == theirs.converged_
    for name in PARAMETERS:
        mine, other = getattr(ours, name), getattr(theirs, name)
        np.testing.assert_allclose(mine, other, rtol=1e-6, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), rtol=1e-6)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose([ours.bic(X), ours.aic(X)], [theirs.bic(X), theirs.aic(X)])


STARTS = [(shape, init) for shape in SHAPES for init in ("kmeans", "random")]
# from one row per component, scikit-learn's tied covariance counts all rows: ours only those
STARTS += [
    (shape, init)
    for shape in SHAPES
    if shape != "tied"
    for init in ("k-means++", "random_from_data")
]


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize(("shape", "init"), STARTS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_same_random_state_gives_scikit_learns_answer(shape, init, seed):
    options = {"covariance_type": shape, "init_params": init, "random_state": seed, "max_iter": 500}
    assert_same(GaussianMixture(5, **options).fit(X), peer.GaussianMixture(5, **options).fit(X))


@pytest.mark.parametrize("shape", SHAPES)
def test_em_starts_from_given_parameters(shape):
    rough = peer.GaussianMixture(5, covariance_type=shape, random_state=0, tol=0.1).fit(X)
    options = {
        "covariance_type": shape,
        "weights_init": rough.weights_,
        "means_init": rough.means_ + 0.1,
        "precisions_init": rough.precisions_,
        "tol": 1e-5,
        "max_iter": 500,
    }
    assert_same(GaussianMixture(5, **options).fit(X), peer.GaussianMixture(5, **options).fit(X))


def test_em_starts_from_given_means():
    means = X[:5]
    options = {"means_init": means, "random_state": 0, "max_iter": 500}
    assert_same(GaussianMixture(5, **options).fit(X), peer.GaussianMixture(5, **options).fit(X))


def test_the_signature_begins_with_scikit_learns():
    ours = inspect.signature(GaussianMixture).parameters
    theirs = inspect.signature(peer.GaussianMixture).parameters
    assert list(ours)[: len(theirs)] == list(theirs)
    for name, parameter in theirs.items():
        assert ours[name].default == parameter.default, name


def test_it_has_scikit_learns_public_methods_and_attributes():
    ours, theirs = GaussianMixture(2).fit(X), peer.GaussianMixture(2).fit(X)
    wanted = {name for name in dir(theirs) if not name.startswith("_")}
    assert wanted <= set(dir(ours))


def test_a_warm_start_continues_the_last_fit():
    with pytest.warns(UserWarning, match="did not converge"):
        model = GaussianMixture(5, warm_start=True, max_iter=1, tol=1e-8, random_state=0).fit(X)
    first = model.lower_bound_
    with pytest.warns(UserWarning, match="did not converge"):
        assert model.fit(X).lower_bound_ > first


def test_a_constant_column_is_fitted_as_scikit_learn_does():
    flat = np.column_stack([X, np.ones(len(X))])
    ours = GaussianMixture(3, random_state=0).fit(flat)
    theirs = peer.GaussianMixture(3, random_state=0).fit(flat)
    np.testing.assert_allclose(ours.covariances_, theirs.covariances_, rtol=1e-6, atol=1e-9)


def test_other_algorithms_can_be_chosen():
    model = GaussianMixture(5, algorithm=[BEEM(), "em"], random_state=0).fit(X)
    assert model.history_.phases == ["BEEM", "EM"]


def test_verbose_interval_counts_lines(capsys):
    options = {"random_state": 0, "init_params": "random_from_data", "verbose": 1}
    GaussianMixture(5, verbose_interval=2, **options).fit(X)
    many = len(capsys.readouterr().out.splitlines())
    GaussianMixture(5, verbose_interval=5, **options).fit(X)
    assert many > len(capsys.readouterr().out.splitlines())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"covariance_type": "round"}, "covariance_type must be one of"),
        ({"covariance_type": ["full"]}, "covariance_type must be one of"),
        ({"tol": "a"}, "tol must be"),
        ({"reg_covar": -1}, "reg_covar must be"),
        ({"init_params": "best"}, "init_params must be one of"),
        ({"tol": -1}, "tol must be"),
        ({"weights_init": [0.5, 0.6]}, "normalized.*divide weights_init by its sum"),
        ({"weights_init": [np.nan, 0.6]}, "weights_init must hold finite numbers"),
        ({"weights_init": [1.0, 0.0]}, "above zero"),
        ({"weights_init": "a"}, "weights_init must hold numbers"),
        ({"precisions_init": np.triu(np.ones((2, 3, 3)))}, "symmetric"),
        (
            {"means_init": np.zeros((3, 3))},
            r"should have the shape of \(2, 3\), but got \(3, 3\): give means_init",
        ),
        ({"precisions_init": -np.ones((2, 3, 3))}, "positive-definite: change precisions_init"),
        ({"precisions_init": -np.ones((2, 3)), "covariance_type": "diag"}, "should be positive"),
    ],
)
def test_bad_arguments_raise(options, message):
    with pytest.raises(ValueError, match=message):
        GaussianMixture(2, **options).fit(X)


def test_a_random_state_object_gives_scikit_learns_fit():
    for init in ("kmeans", "random", "k-means++"):
        ours, theirs = (
            make(4, init_params=init, random_state=np.random.RandomState(3), max_iter=500).fit(X)
            for make in (GaussianMixture, peer.GaussianMixture)
        )
        assert_same(ours, theirs)


@pytest.mark.parametrize("random_state", [np.random.default_rng(0), 2**40, None])
def test_generators_large_seeds_and_none_are_accepted_as_random_state(random_state):
    assert GaussianMixture(2, random_state=random_state).fit(X).converged_


def test_lower_bounds_have_one_entry_per_iteration():
    ours = GaussianMixture(5, random_state=0).fit(X)
    theirs = peer.GaussianMixture(5, random_state=0).fit(X)
    np.testing.assert_allclose(ours.lower_bounds_, theirs.lower_bounds_)


def test_a_warm_start_with_other_columns_or_covariance_raises():
    model = GaussianMixture(2, warm_start=True, random_state=0).fit(X)
    with pytest.raises(ValueError, match="warm_start goes on from 2 components"):
        model.fit(X[:, :2])
    with pytest.raises(ValueError, match="warm_start goes on from"):
        model.set_params(covariance_type="diag").fit(X)


@pytest.mark.parametrize("scale", [1e160, 1e200])
def test_numbers_whose_variance_overflows_raise(scale):
    with pytest.raises(ValueError, match="double precision"):
        GaussianMixture(2, random_state=0).fit(X * scale)


def test_float32_rows_of_any_scale_get_the_same_labels():
    small = GaussianMixture(5, random_state=0).fit(X.astype(np.float32))
    large = GaussianMixture(5, random_state=0).fit((X * 2.0**70).astype(np.float32))
    np.testing.assert_array_equal(small.labels_, large.labels_)


@pytest.mark.parametrize("shape", SHAPES)
def test_float32_rows_give_results_in_single_precision_as_in_scikit_learn(shape, tmp_path):
    rows = X.astype(np.float32)
    options = {"covariance_type": shape, "random_state": 0}
    ours, theirs = (
        make(5, **options).fit(rows) for make in (GaussianMixture, peer.GaussianMixture)
    )
    ours.save(tmp_path / "single.bmix")
    for model in (ours, load(tmp_path / "single.bmix")):
        for name in PARAMETERS:
            assert getattr(model, name).dtype == getattr(theirs, name).dtype == np.float32
        for method in ("predict_proba", "score_samples"):
            for asked in (rows, X):
                found, wanted = getattr(model, method)(asked), getattr(theirs, method)(asked)
                assert found.dtype == wanted.dtype
                np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-4)


def test_parameters_that_single_precision_cannot_hold_are_in_double_precision():
    large = GaussianMixture(5, random_state=0).fit((X * 2.0**70).astype(np.float32))
    assert large.covariances_.dtype == np.float64
    assert np.isfinite(large.covariances_).all()
    assert np.isfinite(large.score_samples((X * 2.0**70).astype(np.float32))).all()


def test_without_iterations_the_start_is_returned():
    model = GaussianMixture(5, max_iter=0, random_state=0).fit(X)
    assert (model.n_iter_, model.converged_, model.lower_bounds_) == (0, False, [])
    assert model.lower_bound_ == pytest.approx(model.score(X))


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("init", ["kmeans", "k-means++", "random", "random_from_data"])
def test_fewer_distinct_rows_than_components_are_fitted(init):
    rows = np.repeat([[0.0, 0.0], [1.0, 1.0]], 5, axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = GaussianMixture(4, init_params=init, random_state=0).fit(rows)
    assert np.isfinite(model.score_samples(rows)).all()
    assert len({*model.predict(rows)[:5]}) == len({*model.predict(rows)[5:]}) == 1


def test_a_warm_start_that_has_converged_ends_after_one_iteration():
    ours, theirs = (
        make(5, warm_start=True, max_iter=500, random_state=0).fit(X).fit(X)
        for make in (GaussianMixture, peer.GaussianMixture)
    )
    assert ours.n_iter_ == theirs.n_iter_ == 1
    assert ours.converged_
