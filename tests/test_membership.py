"""Covariates of membership: mixing weights as a function of the row."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import boltzmix
from boltzmix import EM, Mixture, compare
from boltzmix.families import (
    HMM,
    Categorical,
    FunctionFamily,
    Gaussian,
    GaussianProcess,
    LinearRegression,
    Poisson,
)
from boltzmix.kernels.multinomial_logit import fit_logit

MEANS = np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0]])
TRUTH = np.array([[0.0, -4.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 1.0]])


def people(n=600, seed=0, spread=1.0):
    """Return a frame of two features, age and sex, and the true components."""
    rng = np.random.default_rng(seed)
    age, is_m = rng.normal(40, 10, n), rng.random(n) < 0.5
    odds = np.exp(np.column_stack([np.ones(n), age, is_m]) @ TRUTH)
    labels = (rng.random((n, 1)) > (odds / odds.sum(axis=1, keepdims=True)).cumsum(axis=1)).sum(1)
    X = MEANS[labels] + spread * rng.normal(size=(n, 2))
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "age": age, "sex": np.where(is_m, "m", "f")})
    return frame, labels


def in_true_order(model):
    """Return coefficients (q, K) in the order of the true components."""
    means = np.array([one.mean for one in model.components_])
    order = [int(np.argmin(((means - mean) ** 2).sum(axis=1))) for mean in MEANS]
    coefficients = model.membership_.coefficients[:, order]
    return coefficients - coefficients[:, :1]


def test_separated_components_have_the_coefficients_of_a_logit_of_their_labels():
    frame, labels = people(spread=0.2)
    model = Mixture(Gaussian(prior=0), 3, membership="age + sex", random_state=0).fit(frame)
    design = np.column_stack([np.ones(len(frame)), frame["age"], frame["sex"] == "m"])
    assert_allclose(in_true_order(model), fit_logit(design, np.eye(3)[labels]), atol=1e-4)
    assert model.membership_.names == ("intercept", "age", "sex[m]")
    assert_allclose(model.weights_.sum(), 1)
    assert_allclose(np.sort(model.weights_), np.sort(np.bincount(labels) / len(labels)), atol=1e-6)


def test_coefficients_are_close_to_the_truth_over_seeds():
    found = []
    for seed in range(10):
        frame, _ = people(800, seed, spread=1.3)
        model = Mixture(Gaussian(), 3, membership="age + sex", random_state=seed).fit(frame)
        found.append(in_true_order(model))
    errors = np.std(found, axis=0) / np.sqrt(len(found))
    assert (np.abs(np.mean(found, axis=0) - TRUTH) <= 4 * errors + 1e-12).all()


def test_covariates_improve_labels_and_likelihood():
    frame, labels = people(spread=2.0)
    features = frame[["a", "b"]]
    with_ages = Mixture(Gaussian(), 3, membership="age + sex", random_state=0).fit(frame)
    without = Mixture(Gaussian(), 3, random_state=0).fit(features)
    score = boltzmix.metrics.adjusted_rand_score
    assert score(labels, with_ages.labels_) > score(labels, without.labels_)
    assert with_ages.bic(frame) < without.bic(features)
    extra = with_ages.bic(frame) - with_ages.aic(frame)
    less = without.bic(features) - without.aic(features)
    assert_allclose(extra - less, 4 * (np.log(len(frame)) - 2))  # two slopes for two components


def test_score_is_the_mixture_density_with_the_weights_of_the_row():
    frame, _ = people(100)
    model = Mixture(Gaussian(), 3, membership="age + sex", random_state=0).fit(frame)
    weights = model.membership_.predict_proba(frame)
    data = model.components_[0].observe(frame[["a", "b"]])
    densities = np.exp(np.transpose([one.log_prob(data) for one in model.components_]))
    total = (weights * densities).sum(axis=1)
    assert_allclose(model.score_samples(frame), np.log(total))
    assert_allclose(model.predict_proba(frame), weights * densities / total[:, None], atol=1e-12)
    assert_array_equal(model.predict(frame), model.labels_)


@pytest.mark.parametrize("convert", [lambda frame: frame, pl.from_pandas])
def test_columns_of_x_and_covariates_apart_are_the_same(convert):
    frame, _ = people(200)
    inside = Mixture(None, 3, membership="age + sex", random_state=0).fit(convert(frame))
    apart = Mixture(None, 3, membership=["age", "sex"], random_state=0)
    apart.fit(convert(frame[["a", "b"]]), covariates=convert(frame[["sex", "age"]]))
    assert_array_equal(inside.membership_.coefficients, apart.membership_.coefficients)
    assert list(inside.feature_names_in_) == ["a", "b"]
    together = apart.read(frame[["a", "b"]], covariates=frame)
    assert_array_equal(apart.predict_proba(together), inside.predict_proba(frame))


def test_columns_of_arrays_are_numbers():
    frame, _ = people(200)
    X = frame[["a", "b", "age"]].to_numpy()
    model = Mixture(Gaussian(), 3, membership=[2], random_state=0).fit(X)
    assert model.n_features_in_ == 2
    assert model.predict(X).shape == (200,)


@pytest.mark.parametrize("family", [Gaussian(), Poisson(), Categorical(), None, "auto"])
def test_objective_never_falls(family):
    frame, labels = people(300, spread=2.0)
    counts = np.random.default_rng(0).poisson(1 + 3 * labels)
    frame = frame.assign(a=counts, b=counts % 3) if family not in (None, "auto") else frame
    model = Mixture(family, 3, membership="age + sex", algorithm=["beem", EM(1e-7)], random_state=0)
    history = model.fit(frame).history_
    scores = history.score[history.phase == "EM"]
    first = np.flatnonzero(np.diff(history.iteration[history.phase == "EM"]) < 0)[-1] + 1
    assert (np.diff(scores[first:]) > -1e-9).all()
    assert len(scores) - first > 2


@pytest.mark.slow
def test_sequences_and_curves():
    frame, labels = people(60)
    rng = np.random.default_rng(0)
    sequences = [rng.normal(3 * (label > 0), 1, (15, 1)) for label in labels]
    model = Mixture(HMM(2), 2, membership="age", random_state=0).fit(sequences, covariates=frame)
    without = Mixture(HMM(2), 2, random_state=0).fit(sequences)
    assert model.score(sequences, covariates=frame) > without.score(sequences)
    assert_array_equal(model.predict(sequences, covariates=frame), model.labels_)
    assert model.report(sequences, covariates=frame).save

    x = np.linspace(0, 6, 40)
    upper = rng.random(40) < 1 / (1 + np.exp(-2 * (x - 3)))
    y = np.where(upper, 4 + np.sin(x), np.sin(x)) + 0.1 * rng.normal(size=40)
    inputs = pd.DataFrame({"x": x})
    for family in (GaussianProcess(), LinearRegression(degree=2)):
        model = Mixture(family, 2, membership="x", random_state=0).fit(inputs, y)
        assert model.n_features_in_ == 1
        assert np.isfinite(model.membership_.coefficients).all()
        assert np.isfinite(model.score(inputs, y))


def test_family_without_weights_takes_covariates():
    def fit(rows):
        return rows.mean(axis=0)

    def log_prob(rows, mean):
        return -0.5 * ((rows - mean) ** 2).sum(axis=1)

    frame, labels = people(300, spread=0.5)
    family = FunctionFamily(fit, log_prob)
    model = Mixture(family, 3, membership="age + sex", random_state=0).fit(frame)
    assert boltzmix.metrics.adjusted_rand_score(labels, model.labels_) > 0.9


def test_known_labels_sample_weights_and_noise():
    frame, labels = people(300, spread=0.5)
    known = np.where(np.arange(300) < 30, labels, -1)
    model = Mixture(Gaussian(), 3, membership="age + sex", random_state=0)
    model.fit(frame, labels=known, sample_weight=np.linspace(0.5, 1.5, 300))
    assert_array_equal(model.labels_[:30], labels[:30])
    assert_allclose(np.array([one.mean for one in model.components_]), MEANS, atol=0.3)
    frame = frame.drop(columns="sex")
    far = frame[:1].assign(a=60.0, b=-70.0)
    noisy = Mixture(Gaussian(), 3, membership="age", noise=True, random_state=0)
    noisy.fit(pd.concat([frame, far]))
    assert noisy.labels_[-1] == -1
    assert_allclose(noisy.weights_.sum() + noisy.noise_weight_, 1)
    assert noisy.predict_proba(frame).shape == (300, 4)


def test_stepmix_finds_the_same_in_one_step():
    """StepMix 3.0: n_steps=1, measurement="bernoulli", structural="covariate"."""
    rng = np.random.default_rng(3)
    covariates = rng.normal(size=(500, 2))
    odds = np.exp(0.5 + covariates @ [1.0, -0.7])
    labels = rng.random(500) < odds / (1 + odds)
    X = (rng.random((500, 6)) < np.where(labels[:, None], 0.85, 0.2)).astype(int)
    model = Mixture(
        Categorical(prior=0), 2, membership=[0, 1], algorithm=["auto", EM(1e-13)], max_iter=5000,
        random_state=0,
    ).fit(X, covariates=covariates)  # fmt: skip
    coefficients = model.membership_.coefficients[:, 1]
    sign = np.sign(coefficients[1])
    assert_allclose(sign * coefficients, [0.35145, 0.79819, -0.51807], atol=1e-4)
    assert_allclose(500 * model.score(X, covariates=covariates), -1610.4532, atol=1e-4)
    assert_allclose(model.bic(X, covariates=covariates), 3314.1255, atol=1e-4)


def test_threads_and_saved_files_change_no_bit(tmp_path):
    frame, _ = people(3000, spread=1.5)
    models = [
        Mixture(None, 3, membership="age + sex", random_state=0, n_jobs=n).fit(frame)
        for n in (1, 2)
    ]
    models[0].save(tmp_path / "m.bmix")
    models.append(boltzmix.load(tmp_path / "m.bmix"))
    models.append(
        Mixture(
            None, 3, membership="age + sex", random_state=0, checkpoint=tmp_path / "run.bmix"
        ).fit(frame)
    )
    for other in models[1:]:
        assert_array_equal(models[0].membership_.coefficients, other.membership_.coefficients)
        assert_array_equal(models[0].predict_proba(frame), other.predict_proba(frame))


def test_number_of_components_is_chosen_and_compared():
    frame, _ = people(400, spread=0.7)
    model = Mixture(None, range(1, 5), membership="age + sex", random_state=0).fit(frame)
    assert model.n_components_ == 3
    found = compare(
        frame[["a", "b"]], families=[Gaussian("diag"), Gaussian()], n_components=[2, 3],
        membership="age", covariates=frame, folds=2, random_state=0,
    )  # fmt: skip
    assert found.best_candidate().n_components == 3
    with pytest.raises(ValueError, match="draws observations without covariates"):
        found.bootstrap_test(2)


def test_observations_are_drawn_given_covariates():
    frame, _ = people(4000, spread=0.2)
    model = Mixture(Gaussian(), 3, membership="age + sex", random_state=0).fit(frame)
    X, labels = model.sample(covariates=frame)
    assert X.shape == (4000, 2)
    expected = model.membership_.predict_proba(frame)
    assert_allclose(np.bincount(labels) / 4000, expected.mean(axis=0), atol=0.03)
    old = frame["age"] > 50
    assert_allclose(np.bincount(labels[old]) / old.sum(), expected[old].mean(axis=0), atol=0.06)
    means = np.array([one.mean for one in model.components_])
    assert np.abs(X - means[labels]).max() < 1.5
    sequences = [np.full((3, 1), 4.0 * (k % 2)) + 0.1 * k for k in range(12)]
    ages = frame[["age"]][:12]
    walks = Mixture(HMM(1), 2, membership="age", random_state=0).fit(sequences, covariates=ages)
    assert len(walks.sample(covariates=ages)[0]) == 12


def test_a_separating_covariate_is_finite():
    frame, labels = people(200, spread=0.3)
    frame = frame[["a", "b"]].assign(which=(labels == 1).astype(float))
    model = Mixture(Gaussian(), 3, membership="which", random_state=0).fit(frame)
    assert np.isfinite(model.membership_.coefficients).all()
    assert np.isfinite(model.score(frame))


def test_bad_input_gets_one_sentence():
    frame, _ = people(50)
    features, sequences = frame[["a", "b"]], [np.ones((3, 1)), np.zeros((2, 1))]

    def fit(membership, X=frame, family=None, **options):
        return Mixture(family, 2, membership=membership, random_state=0).fit(X, **options)

    for make, message in (
        (lambda: fit("height"), "X has no column 'height'"),
        (lambda: fit("age", sequences, HMM(2)), "pass them apart"),
        (lambda: fit("age", sequences, HMM(2), covariates=frame), "covariates has 50 row"),
        (lambda: fit(None, features, covariates=frame), "membership is None"),
        (lambda: fit("a + b + age + sex"), "nothing is left to cluster"),
        (lambda: fit("c", features.assign(c=1.0)), "same value in every row"),
        (lambda: fit("age", frame.assign(age=np.nan), Gaussian()), "missing or not finite in row"),
        (lambda: fit("age + sex", frame[:3].drop(columns="b"), Gaussian()), "coefficients for 2"),
        (lambda: fit("age + sex").predict(features), "X has no column 'age'"),
        (lambda: fit("age", features, covariates=frame).sample(3), "pass a row of covariates"),
        (lambda: Mixture(None, 2).fit(features).predict(features, covariates=frame), "leave"),
        (lambda: Mixture(None, 2, membership="age").partial_fit(frame), "partial_fit learns no"),
    ):
        with pytest.raises(ValueError, match=message):
            make()


@pytest.mark.parametrize("kind", ["weighted", "resample", "parametric"])
@pytest.mark.parametrize("family", [Gaussian(), None])
def test_coefficients_are_bootstrapped(kind, family):
    frame, _ = people(300, spread=0.5)
    model = Mixture(family, 3, membership="age + sex", random_state=0).fit(frame)
    found = model.bootstrap(frame, n=60, kind=kind, random_state=0)
    known = model.membership_effects(frame)
    for component, name, error in zip(
        known.components, known.names, known.standard_errors, strict=True
    ):
        _, bootstrapped, *_ = found[int(component), f"membership[{name}]"]
        assert 0.6 * error < bootstrapped < 1.6 * error


def test_sequences_have_effects_by_a_bootstrap():
    frame, labels = people(60)
    rng = np.random.default_rng(0)
    sequences = [rng.normal(6 * (label > 0), 1, (6, 1)) for label in labels]
    model = Mixture(HMM(1), 2, membership="age", random_state=0).fit(sequences, covariates=frame)
    effects = model.membership_effects(sequences, covariates=frame, n_replicates=40)
    assert (effects.standard_errors > 0).all()
    assert "40 replicates" in effects.notes[0]
    quick = model.membership_effects(sequences, covariates=frame, n_replicates=0)
    assert np.isnan(quick.standard_errors).all()
    assert_array_equal(quick.values, effects.values)


@pytest.mark.slow
@pytest.mark.parametrize("distance", [1.5, 3.0])
def test_a_search_without_covariates_leads_to_the_optimum_with_them(distance):
    """The objective is that of EM from the true labels in at least 18 of 20 sets."""
    n_reached = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        covariates = rng.normal(size=(600, 2))
        odds = np.exp(covariates @ [[0.0, 2.0, -1.0], [0.0, -1.0, 2.0]])
        chances = (odds / odds.sum(axis=1, keepdims=True)).cumsum(axis=1)
        labels = (rng.random((600, 1)) > chances).sum(axis=1)
        X = distance / 5 * MEANS[labels] + rng.normal(size=(600, 2))
        options = {"membership": [0, 1], "random_state": seed, "max_iter": 3000}
        family = Gaussian("diag")
        found, known = (
            Mixture(family, 3, algorithm=algorithm, init=init, **options).fit(
                X, covariates=covariates
            )
            for algorithm, init in ((["auto", EM(1e-8)], "auto"), (EM(1e-8), labels))
        )
        n_reached += found.lower_bound_ > known.lower_bound_ - 1e-3
    assert n_reached >= 18
