import numpy as np
import pytest

from boltzmix import EM, Mixture
from boltzmix.datasets import make_square
from boltzmix.families import LinearRegression, Poisson

RNG = np.random.default_rng(0)
COUNTS = np.concatenate([RNG.poisson(2, (60, 2)), RNG.poisson(5, (90, 2))])


@pytest.fixture(scope="module")
def model():
    return Mixture(Poisson(), 2, algorithm=EM(), random_state=0).fit(COUNTS)


@pytest.fixture(scope="module")
def found(model):
    return model.classification(COUNTS)


def test_the_table_sums_probabilities_by_most_probable_component(model, found):
    probabilities, labels = model.predict_proba(COUNTS), model.predict(COUNTS)
    by_hand = [probabilities[labels == k].sum(axis=0) for k in range(2)]
    np.testing.assert_allclose(found.table, by_hand)
    np.testing.assert_allclose(
        np.diagonal(found.mean_probabilities),
        [probabilities[labels == k, k].mean() for k in range(2)],
    )
    np.testing.assert_allclose(found.sizes, probabilities.mean(axis=0))
    np.testing.assert_allclose(found.assigned, np.bincount(labels) / len(labels))
    np.testing.assert_allclose(found.assignment_probabilities.sum(axis=1), 1)


def test_errors_are_what_the_largest_probabilities_leave(model, found):
    probabilities = model.predict_proba(COUNTS)
    assert found.errors == pytest.approx(1 - probabilities.max(axis=1).mean())
    without = 1 - probabilities.mean(axis=0).max()
    assert found.error_reduction == pytest.approx(1 - found.errors / without)


def test_entropies_are_those_of_mplus_and_of_latent_gold(model, found):
    p = model.predict_proba(COUNTS)
    mean_entropy = -(p * np.log(p)).sum() / len(p)
    sizes = p.mean(axis=0)
    assert found.relative_entropy == pytest.approx(1 - mean_entropy / np.log(2))
    assert found.entropy_r2 == pytest.approx(1 + mean_entropy / (sizes * np.log(sizes)).sum())


def test_distant_components_are_certain():
    X, _ = make_square(random_state=0)
    found = Mixture(n_components=4, random_state=0).fit(1000 * X + 0.0).classification(1000 * X)
    assert found.errors < 0.1
    one = Mixture(n_components=1, random_state=0).fit(X).classification(X)
    assert (one.entropy_r2, one.relative_entropy, one.errors, one.error_reduction) == (1, 1, 0, 1)


def test_it_works_for_curves_and_with_noise():
    x = np.linspace(0, 1, 60)[:, None]
    y = np.where(np.arange(60) % 2, 2 * x[:, 0], -x[:, 0]) + RNG.normal(0, 0.05, 60)
    curves = Mixture(LinearRegression(), 2, random_state=0).fit(x, y)
    assert curves.classification(x, y).n_observations == pytest.approx(60)
    noisy = Mixture(Poisson(), 2, noise=True, algorithm=EM(), random_state=0).fit(COUNTS)
    assert noisy.classification(COUNTS).names == ("0", "1", "noise")
    assert list(noisy.classification(COUNTS).to_frame().index) == ["0", "1", "noise"]


def test_it_is_shown_as_text_and_html(found):
    assert "entropy R²" in repr(found)
    assert repr(found).splitlines()[0].split()[0] == "assigned"
    assert "<table>" in found._repr_html_()
