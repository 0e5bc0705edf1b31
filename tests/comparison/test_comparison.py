"""Tests of comparisons: criteria, tables, pictures, cross-validation and the bootstrap test."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture

from boltzmix import Mixture, compare
from boltzmix.datasets import make_mixture, make_square
from boltzmix.families import Categorical, Gaussian, LinearRegression, Poisson, StudentT

pytestmark = pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")


@pytest.fixture(scope="module")
def X():  # noqa: N802
    return make_square(random_state=0)[0]


@pytest.fixture(scope="module")
def comparison(X):
    families = [Gaussian(), StudentT(), Gaussian("diag")]
    return compare(X, families=families, n_components=range(1, 6), folds=4, random_state=0)


def test_there_is_one_row_for_each_family_and_number(comparison):
    frame = comparison.to_frame()
    assert len(frame) == len(comparison) == 15
    assert set(frame.family) == {"Gaussian('full')", "StudentT()", "Gaussian('diag')"}
    assert frame.notna().all(axis=None)


def test_criteria_follow_from_the_columns(comparison, X):
    frame, n = comparison.to_frame(), len(X)
    p, deviance = frame.n_parameters, -2 * frame.log_likelihood
    np.testing.assert_allclose(frame.aic, deviance + 2 * p)
    np.testing.assert_allclose(frame.bic, deviance + np.log(n) * p)
    np.testing.assert_allclose(frame.caic, deviance + (np.log(n) + 1) * p)
    np.testing.assert_allclose(frame.sabic, deviance + np.log((n + 2) / 24) * p)


def test_rows_are_what_the_fitted_mixtures_say(comparison, X):
    for one in comparison:
        model = one.model
        assert one.log_likelihood == pytest.approx(model.score_samples(X).sum(), rel=1e-10)
        assert one.criterion("bic") == pytest.approx(model.bic(X), rel=1e-10)
        assert one.criterion("aic") == pytest.approx(model.aic(X), rel=1e-10)
        assert one.criterion("icl") == pytest.approx(model.icl(X), rel=1e-10)
        assert one.smallest == np.bincount(model.labels_, minlength=one.n_components).min()
        responsibilities = model.predict_proba(X)
        logs = np.log(np.where(responsibilities > 0, responsibilities, 1))
        assert one.entropy == pytest.approx(-(responsibilities * logs).sum(axis=1).mean())


def test_bic_and_aic_are_those_of_scikit_learn():
    X = load_iris().data
    family = Gaussian(prior=0, resolution=None, added_variance=1e-6)
    ours = compare(X, families=family, n_components=[3], algorithm="em", init="kmeans",
                   random_state=0).best_candidate()  # fmt: skip
    theirs = GaussianMixture(3, random_state=0, tol=1e-3).fit(X)
    assert ours.n_parameters == theirs._n_parameters()
    assert ours.criterion("bic") == pytest.approx(theirs.bic(X), rel=5e-3)


def test_effective_parameters_lie_between_a_common_covariance_and_one_for_each(X):
    alone, strong, weak = (
        compare(X, families=Gaussian(prior=prior), n_components=[4], random_state=0)
        .best_candidate()
        for prior in (0, 1e6, 1e-3)
    )  # fmt: skip
    assert alone.effective_parameters == alone.n_parameters == 23
    assert weak.effective_parameters == pytest.approx(23, abs=0.01)
    assert strong.effective_parameters == pytest.approx(23 - 9, abs=0.1)


def test_the_best_is_that_of_the_lowest_criterion(comparison):
    for name in comparison.criteria:
        values = [one.criterion(name) for one in comparison]
        assert comparison.best_candidate(name).criterion(name) == min(values)
    assert comparison.best.n_components_ == 4
    assert comparison.best_by("bic").n_components_ == 4
    assert "cv" in comparison.criteria


def test_cross_validated_likelihood_is_lower_than_that_of_the_fit(comparison, X):
    for one in comparison:
        assert one.cross_validated < one.log_likelihood / len(X)
    assert comparison.best_candidate("cv").n_components == 4


def test_text_and_html_show_the_choice(comparison):
    text, page = repr(comparison), comparison._repr_html_()
    assert text.count("chosen") == 2  # of all candidates, and of all numbers
    assert text.splitlines()[-1].startswith("4 clusters; fits to halves of the rows agree by ")
    assert "Of 3 families, " in text
    assert "<table>" in page
    assert page.count("<b>") > 3


def test_pictures_have_a_line_for_each_family_or_criterion(comparison, X):
    ax = comparison.plot()
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert sum(name.endswith(" chosen") for name in names) == 3
    assert ax.get_xlabel() == "components"
    by_bic = comparison.plot(criterion="bic")
    names = [text.get_text() for text in by_bic.get_legend().get_texts()]
    assert len(names) == sum(", lowest at" in name for name in names) == 3
    densities = comparison.plot(criterion="held_out")
    assert "likelihood of the other half" in densities.get_ylabel()
    _, own = plt.subplots()
    model = Mixture(n_components=range(1, 6), random_state=0).fit(X)
    assert model.comparison_.plot(own) is own
    plt.close("all")


def test_a_comparison_without_folds_cannot_choose_by_them(X):
    found = compare(X, n_components=[3, 4], random_state=0)
    assert "cross_validated" not in found.to_frame().columns
    with pytest.raises(ValueError, match="folds=5"):
        found.best_by("cv")


def test_degrees_of_a_regression_are_compared():
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, (300, 1))
    y = 3 * x[:, 0] ** 2 - 2 + rng.normal(0, 0.3, 300)
    families = [LinearRegression(degree=degree) for degree in (1, 2, 3)]
    found = compare(x, y, families=families, n_components=[1, 2], random_state=0)
    assert found.best_candidate().n_components == 1
    assert found.best.components_[0].degree == 2


@pytest.mark.slow
def test_the_bootstrap_accepts_the_true_number_and_rejects_fewer():
    accepted, rejected = [], []
    for seed in range(2):
        X = make_mixture(80, 2, 1, separation=8, random_state=seed)[0]
        found = compare(X, families=Gaussian("diag"), n_components=[1, 2, 3], random_state=seed)
        rejected.append(found.bootstrap_test(1, B=19, random_state=0).p_value)
        accepted.append(found.bootstrap_test(2, B=19, random_state=0).p_value)
    assert rejected == [0.05] * 2
    assert np.mean(accepted) > 0.2


@pytest.mark.parametrize("family", [Poisson(), Categorical()])
def test_the_bootstrap_works_for_families_that_can_be_sampled(family):
    X = np.random.default_rng(0).poisson(np.repeat([[1.0], [9.0]], 60, axis=0), (120, 2))
    X = np.minimum(X, 3) if isinstance(family, Categorical) else X
    found = compare(X, families=family, n_components=[1, 2], random_state=0)
    test = found.bootstrap_test(1, B=9, random_state=0)
    assert test.p_value == 0.1
    assert len(test.replicates) == 9
    assert "p = 0.1" in repr(test)
    again = found.bootstrap_test(1, B=9, random_state=0, n_jobs=1)
    np.testing.assert_array_equal(again.replicates, test.replicates)


def test_bad_arguments_raise_one_sentence(X, comparison):
    for arguments, message in (
        ({"families": []}, "families must be a family"),
        ({"families": 3}, "families must be a family"),
        ({"criterion": "good"}, "criterion must be one of"),
        ({"folds": 1}, "folds must be at least 2"),
        ({"folds": 10**6}, "folds=1000000 is more than"),
        ({"n_components": [0]}, "n_components must be"),
    ):
        with pytest.raises(ValueError, match=message):
            compare(X, **arguments)
    with pytest.raises(ValueError, match="no candidate with n_components=9"):
        comparison.bootstrap_test(9)
    with pytest.raises(ValueError, match="6 components to test 5 against"):
        comparison.bootstrap_test(5)
    with pytest.raises(ValueError, match="B must be a whole number"):
        comparison.bootstrap_test(2, B=0)
    line = compare(X[:, :1], X[:, 1], families=LinearRegression(), n_components=[1, 2])
    with pytest.raises(NotImplementedError, match="LinearRegression knows no distribution"):
        line.bootstrap_test(1, B=3)
