"""Results do not depend on the number of threads, with many blocks of rows."""

from typing import ClassVar

import numpy as np
import pytest

from boltzmix import BEEM, CEM, DAEM, EM, SEM, SMEM, GaussianMixture, Mixture
from boltzmix.data import BlockSizes, Table
from boltzmix.datasets import make_mixture
from boltzmix.families import Gaussian
from boltzmix.families.contract.threads import allowed_threads

X, _ = make_mixture(30_000, 6, 3, random_state=0)
SMALL = BlockSizes(numbers=2**10, numbers_of_task=2**12)
RECIPES = [EM(0.0), DAEM(), SEM(), CEM(), BEEM()]


def fit(n_jobs, recipe, shape="full", dtype=float, d=3, sizes=SMALL):
    model = Mixture(Gaussian(shape), 6, algorithm=recipe, random_state=0, max_iter=8, n_jobs=n_jobs)
    return model.fit(Table.of(X[:, :d].astype(dtype)).in_blocks(sizes))


def variances(model):
    return np.array([component.variance for component in model.components_])


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.filterwarnings("ignore:.*did not converge")
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
@pytest.mark.parametrize("shape", ["full", "tied", "diag", "spherical"])
def test_results_are_bitwise_equal_for_any_number_of_threads(recipe, shape):
    one, many = fit(1, recipe, shape), fit(4, recipe, shape)
    assert one.lower_bound_ == many.lower_bound_
    np.testing.assert_array_equal(one.labels_, many.labels_)
    np.testing.assert_array_equal(one.history_.counts, many.history_.counts)
    np.testing.assert_array_equal(variances(one), variances(many))
    np.testing.assert_array_equal(one.predict_proba(X), many.predict_proba(X))


@pytest.mark.filterwarnings("ignore:.*did not converge")
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_block_size_does_not_change_labels(recipe):
    small = fit(2, recipe)
    large = fit(2, recipe, sizes=BlockSizes(smallest=4999, largest=4999))
    np.testing.assert_array_equal(small.labels_, large.labels_)
    np.testing.assert_allclose(variances(small), variances(large), rtol=1e-7)


@pytest.mark.filterwarnings("ignore:.*did not converge")
def test_float32_rows_are_computed_in_double_precision():
    single = fit(2, EM(0.0), dtype=np.float32)
    double = Mixture(Gaussian(), 6, algorithm=EM(0.0), random_state=0, max_iter=8).fit(
        X.astype(np.float32).astype(float)
    )
    assert single.lower_bound_ == double.lower_bound_


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_a_fit_in_many_dimensions_is_reproducible_and_finds_all_clusters():
    points, labels = make_mixture(3000, 3, 300, separation=8, random_state=0)
    one, two = (
        GaussianMixture(3, algorithm=BEEM(patience=3), random_state=0, reg_covar=1e-2)
        .set_params(max_iter=20)
        .fit(points)
        for _ in range(2)
    )
    assert one.lower_bound_ == two.lower_bound_
    assert len(np.unique(one.labels_)) == len(np.unique(labels))


class Watched(Gaussian):
    """A Gaussian that records how many threads it may use when it is fitted."""

    allowed: ClassVar[list[int]] = []

    def fit(self, data, *, weights=None, rng=None):
        self.allowed.append(allowed_threads())
        return super().fit(data, weights=weights, rng=rng)


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("options", [{"init": "smyth", "algorithm": "em"}, {"algorithm": SMEM()}])
def test_n_jobs_limits_the_threads_of_fits_of_single_components(options, n_jobs):
    X, _ = make_mixture(60, 3, 2, separation=1, random_state=0)
    Watched.allowed.clear()
    Mixture(Watched(), 3, n_jobs=n_jobs, random_state=0, **options).fit(X)
    assert set(Watched.allowed) == {n_jobs}
