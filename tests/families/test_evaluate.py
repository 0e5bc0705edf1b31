"""An E-step that reuses what it has evaluated gives the same numbers, bit for bit."""

from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.data import Hard, Soft
from boltzmix.families import Categorical, Gaussian, Product, RobustGaussian, StudentT

N, K = 300, 3


def rows():
    rng = np.random.default_rng(0)
    numbers = np.concatenate([rng.standard_t(4, (100, 2)) + 5 * k for k in range(K)])
    return np.column_stack([numbers, rng.integers(0, 3, N)])


def with_missing():
    X, rng = rows(), np.random.default_rng(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    return X


FAMILIES = {
    "gaussian": Gaussian(),
    "student-t": StudentT(),
    "exact student-t": StudentT(prior=0, resolution=None),
    "robust": RobustGaussian(),
    "tied": RobustGaussian(covariance="tied"),
    "diag": RobustGaussian(covariance="diag"),
    "spherical": RobustGaussian(covariance="spherical"),
    "product": Product({(0, 1): RobustGaussian(), 2: Categorical(3)}),
    "product of two": Product({(0, 2): StudentT(covariance="diag"), 1: Gaussian()}),
}


def memberships(n_components):
    rng = np.random.default_rng(2)
    found = rng.dirichlet(np.ones(n_components), N)
    labels = rng.integers(0, n_components, N).astype(np.int32)
    yield Soft(found)
    yield Soft(found * rng.random((N, 1)))
    yield Hard(labels, n_components)
    yield Hard(labels, n_components, rng.random(N))


def arrays_of(statistics):
    """Return all arrays in statistics, in their order."""
    if isinstance(statistics, list | tuple):
        return [one for part in statistics for one in arrays_of(part)]
    if is_dataclass(statistics):
        return arrays_of([getattr(statistics, field.name) for field in fields(statistics)])
    return [np.asarray(statistics)] if isinstance(statistics, np.ndarray | float) else []


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("X", [rows(), with_missing()], ids=["complete", "missing"])
@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_reused_is_what_is_computed_anew(name, X):
    family = FAMILIES[name]
    model = Mixture(family, K, algorithm="em", random_state=0, max_iter=1000).fit(X)
    data = family.observe(X)
    bank = model.components_[0].bank(model.components_)
    evaluation = bank.evaluate(data)
    assert evaluation.log_densities.shape == (N, len(bank))
    for membership in memberships(len(bank)):
        reused = arrays_of(evaluation.summarise(membership))
        anew = arrays_of(bank.summarise(data, membership))
        assert len(reused) == len(anew) > 0
        assert all(map(np.array_equal, reused, anew))


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("X", [rows(), with_missing()], ids=["complete", "missing"])
@pytest.mark.parametrize("name", FAMILIES)
def test_statistics_of_labels_follow_from_the_log_densities_of_rows(name, X):
    family = FAMILIES[name]
    model = Mixture(family, K, algorithm="em", random_state=0, max_iter=1000).fit(X)
    data, bank = family.observe(X), model.components_[0].bank(model.components_)
    for membership in list(memberships(K))[2:]:
        own = bank.log_densities_at(data, membership)
        reused = arrays_of(bank.summarise_at(data, membership, own))
        anew = arrays_of(bank.summarise(data, membership))
        assert len(reused) == len(anew) > 0
        for one, other in zip(reused, anew, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
