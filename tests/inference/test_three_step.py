"""Three-step estimates are those of StepMix, and their standard errors those of the sandwich."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.stats import norm

from boltzmix import Mixture
from boltzmix.families import MarkovChain
from tests.inference.three_step_people import (
    ANSWERS,
    COVARIATES,
    INCOME,
    INCOMES,
    KINDS,
    TOWN,
    VISIT,
    VISITS,
    fitted,
)

# By StepMix 3.0: coefficients, mean incomes and probabilities of towns. For soft assignments and
# ML it maximises another function, which is not the likelihood of Vermunt (2010).
STEPMIX = {
    ("bch", "modal"): (
        [-0.5851, -1.8752, 0.7869, -0.2848, -1.0904, 0.4275],
        [0.7845, 3.0369, 0.0484],
        [0.2098, 0.5956, 0.1946, 0.1083, 0.0346, 0.8571, 0.7039, 0.2392, 0.0569],
    ),
    ("bch", "soft"): (
        [-0.578, -1.8186, 0.7764, -0.294, -1.0659, 0.4127],
        [0.791, 3.0278, 0.047],
        [0.2078, 0.593, 0.1992, 0.1115, 0.0383, 0.8502, 0.7038, 0.2396, 0.0565],
    ),
    ("ml", "modal"): (
        [-0.5835, -1.8162, 0.7685, -0.3046, -1.0722, 0.4273],
        [0.7807, 3.0299, 0.0593],
        [0.2098, 0.5956, 0.1946, 0.1083, 0.0346, 0.8571, 0.7039, 0.2392, 0.0569],
    ),
    (None, "modal"): (
        [-0.5327, -1.6299, 0.6838, -0.2691, -0.9217, 0.3608],
        [0.8276, 2.9479, 0.0917],
        [0.2127, 0.5792, 0.2081, 0.1127, 0.0563, 0.831, 0.6788, 0.2555, 0.0657],
    ),
    (None, "soft"): (
        [-0.5441, -1.4313, 0.6122, -0.3643, -0.8142, 0.3138],
        [0.8567, 2.8765, 0.097],
        [0.2198, 0.5596, 0.2206, 0.1194, 0.0741, 0.8064, 0.675, 0.2581, 0.0668],
    ),
}


@pytest.fixture(scope="module")
def model():
    return fitted()


@pytest.fixture(scope="module")
def kinds(model):
    """The kind that each component stands for."""
    counts = model.predict_proba(ANSWERS).T @ np.eye(3)[KINDS]
    return counts.argmax(axis=1)


@pytest.mark.parametrize(("correction", "assignment"), STEPMIX)
def test_estimates_are_those_of_stepmix(model, correction, assignment):
    chosen = {"correction": correction, "assignment": assignment}
    coefficients, means, probabilities = STEPMIX[correction, assignment]
    found = model.three_step(ANSWERS, covariates=COVARIATES, **chosen)
    np.testing.assert_allclose(found.estimates.values, coefficients, atol=1e-4)
    found = model.three_step(ANSWERS, outcome=INCOME, **chosen)
    np.testing.assert_allclose(found.estimates.values, means, atol=1e-4)
    found = model.three_step(ANSWERS, outcome=TOWN, kind="category", **chosen)
    np.testing.assert_allclose(found.estimates.values, probabilities, atol=1e-4)


def records(model, assignment):
    """Return weights (n, S) of assigned classes, and their probabilities in true ones (n, S, K)."""
    posteriors = model.predict_proba(ANSWERS)
    modal = np.eye(3)[posteriors.argmax(axis=1)]
    assigned = modal if assignment == "modal" else posteriors
    errors = posteriors.T @ assigned / posteriors.sum(axis=0)[:, None]
    return assigned, errors.T


def log_likelihoods(densities, model, assignment):
    """Return Vermunt's log-likelihood of each observation, from densities in classes (n, K)."""
    assigned, errors = records(model, assignment)
    return (assigned * np.log(densities @ errors.T)).sum(axis=1)


def sandwich(log_likelihoods, estimates):
    """Return estimates' standard errors by numeric derivatives of log-likelihoods (n,)."""

    def scores(values):
        return approx_fprime(values, log_likelihoods, 1e-6)

    steps = 1e-4 * np.eye(len(estimates))
    hessian = [
        (scores(estimates + step) - scores(estimates - step)).sum(axis=0) / 2e-4 for step in steps
    ]
    bread = np.linalg.inv(np.array(hessian))
    each = scores(estimates)
    np.testing.assert_allclose(each.sum(axis=0), 0, atol=0.01)  # so it is the optimum
    return np.sqrt(np.diagonal(bread @ (each.T @ each) @ bread))


@pytest.mark.parametrize("assignment", ["modal", "soft"])
def test_coefficients_have_the_sandwich_errors_of_the_likelihood(model, assignment):
    found = model.three_step(ANSWERS, covariates=COVARIATES, assignment=assignment).estimates
    matrix = np.column_stack([np.ones(len(COVARIATES)), COVARIATES])

    def by_row(values):
        odds = np.exp(matrix @ np.vstack([np.zeros(3), values.reshape(2, 3)]).T)
        return log_likelihoods(odds / odds.sum(axis=1, keepdims=True), model, assignment)

    np.testing.assert_allclose(found.standard_errors, sandwich(by_row, found.values), rtol=1e-3)


@pytest.mark.parametrize("assignment", ["modal", "soft"])
def test_means_have_the_sandwich_errors_of_the_likelihood(model, assignment):
    found = model.three_step(ANSWERS, outcome=INCOME, correction="ml", assignment=assignment)
    best = np.append(found.estimates.values, np.sqrt(found.variances))

    def by_row(values):
        densities = norm.pdf(INCOME[:, None], values[:3], values[3:])
        return log_likelihoods(model.weights_ * densities, model, assignment)

    errors = sandwich(by_row, best)[:3]
    np.testing.assert_allclose(found.estimates.standard_errors, errors, rtol=1e-3)


def test_weighted_means_have_the_errors_of_ratios(model):
    found = model.three_step(ANSWERS, outcome=INCOME)
    assigned, errors = records(model, "modal")
    weights = assigned @ np.linalg.inv(errors.T)
    residuals = INCOME[:, None] - found.estimates.values
    expected = np.sqrt(((weights * residuals) ** 2).sum(axis=0)) / weights.sum(axis=0)
    np.testing.assert_allclose(found.estimates.standard_errors, expected)


@pytest.mark.parametrize("correction", ["ml", "bch"])
def test_corrected_means_are_near_the_truth(model, kinds, correction):
    for outcome, kind, truth in ((INCOME, "number", INCOMES), (VISIT, "count", VISITS)):
        found = model.three_step(ANSWERS, outcome=outcome, kind=kind, correction=correction)
        low, high = found.estimates.intervals(0.999).T
        assert (low < truth[kinds]).all() and (truth[kinds] < high).all()
        assert found.test.p_value < 1e-6 and found.test.degrees_of_freedom == 2


def test_the_usual_correction_is_ml_for_covariates_and_bch_for_outcomes(model):
    assert model.three_step(ANSWERS, covariates=COVARIATES).correction == "ml"
    assert model.three_step(ANSWERS, outcome=INCOME).correction == "bch"


def test_whole_sample_weights_count_rows_several_times(model):
    times = np.arange(len(ANSWERS)) % 3
    again = np.repeat(np.arange(len(ANSWERS)), times)
    for correction in ("ml", "bch"):
        weighted = model.three_step(
            ANSWERS, covariates=COVARIATES, sample_weight=times, correction=correction
        )
        repeated = model.three_step(
            ANSWERS[again], covariates=COVARIATES[again], correction=correction
        )
        np.testing.assert_allclose(weighted.estimates.values, repeated.estimates.values, atol=1e-6)


def test_another_reference_changes_signs(model):
    found = model.three_step(ANSWERS, covariates=COVARIATES)
    moved = found.relative_to(1)
    assert moved.components == ("0",) * 3 + ("2",) * 3
    np.testing.assert_allclose(moved.values[:3], -found.estimates.values[:3])
    np.testing.assert_allclose(moved.standard_errors[:3], found.estimates.standard_errors[:3])
    back = found.estimates.values[3:] - found.estimates.values[:3]
    np.testing.assert_allclose(moved.values[3:], back)
    assert "component 1" in moved.caption
    with pytest.raises(ValueError, match="component must be one of 0, 1, 2"):
        found.relative_to(3)


def test_differences_of_means_use_their_covariance(model):
    found = model.three_step(ANSWERS, outcome=INCOME)
    assert found.differences.components == ("1 − 0", "2 − 0", "2 − 1")
    means, covariance = found.estimates.values, found.estimates.covariance
    assert found.differences.values[0] == pytest.approx(means[1] - means[0])
    expected = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert found.differences.standard_errors[0] == pytest.approx(np.sqrt(expected))


def test_bootstrap_errors_are_reproducible_and_near_the_robust_ones(model):
    robust = model.three_step(ANSWERS, outcome=INCOME)
    drawn = [model.three_step(ANSWERS, outcome=INCOME, n_bootstrap=30) for _ in range(2)]
    np.testing.assert_array_equal(*(one.estimates.covariance for one in drawn))
    ratio = drawn[0].estimates.standard_errors / robust.estimates.standard_errors
    assert ((ratio > 0.6) & (ratio < 1.7)).all()
    np.testing.assert_array_equal(drawn[0].estimates.values, robust.estimates.values)
    assert "30 bootstrap replicates" in repr(drawn[0])


def test_noise_is_one_more_class():
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.normal(0, 1, (150, 2)), rng.uniform(-20, 20, (50, 2))])
    noisy = Mixture(n_components=1, noise=True, random_state=0).fit(points)
    found = noisy.three_step(points, outcome=np.repeat([0.0, 1.0], [150, 50]))
    assert found.estimates.components == ("0", "noise")
    np.testing.assert_allclose(found.estimates.values, [0, 1], atol=0.1)


def test_components_of_sequences_are_related_too():
    rng = np.random.default_rng(0)
    kinds = np.repeat([0, 1], 60)
    sequences = [(rng.random((15, 1)) < (0.2, 0.8)[kind]).astype(int) for kind in kinds]
    chains = Mixture(MarkovChain(), 2, random_state=0).fit(sequences)
    for n_bootstrap in (0, 10):
        found = chains.three_step(sequences, outcome=kinds.astype(float), n_bootstrap=n_bootstrap)
        np.testing.assert_allclose(np.sort(found.estimates.values), [0, 1], atol=0.05)
