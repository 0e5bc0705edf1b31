import json
import pickle
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
import statsmodels.api as sm
from scipy import stats

from boltzmix import EM, Mixture, load
from boltzmix.checks import family_checks
from boltzmix.data import Regression
from boltzmix.families import (
    GammaRegression,
    LinearRegression,
    LogisticRegression,
    NegativeBinomialRegression,
    PoissonRegression,
    replaced,
)

NPREG = json.loads((Path(__file__).parent / "npreg.json").read_text())
FAMILIES = (
    PoissonRegression,
    NegativeBinomialRegression,
    LogisticRegression,
    GammaRegression,
    LinearRegression,
)
LINKS = sm.families.links
RESPONSES = {
    PoissonRegression: sm.families.Poisson(),
    LogisticRegression: sm.families.Binomial(),
    GammaRegression: sm.families.Gamma(LINKS.Log()),
    LinearRegression: sm.families.Gaussian(),
}
each = pytest.mark.parametrize("kind", FAMILIES, ids=lambda kind: kind.__name__)


def targets(kind, predictor, rng):
    mean = np.exp(predictor)
    if kind is PoissonRegression:
        return rng.poisson(mean).astype(float)
    if kind is NegativeBinomialRegression:
        return rng.poisson(mean * rng.gamma(2.0, 0.5, mean.shape)).astype(float)
    if kind is LogisticRegression:
        return (rng.random(mean.shape) < mean / (1 + mean)).astype(float)
    if kind is GammaRegression:
        return mean * rng.gamma(3.0, 1 / 3, mean.shape)
    return predictor + rng.normal(0, 0.5, mean.shape)


def draw(kind, n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) * [1.0, 10.0, 0.1] + [0.0, 5.0, 2.0]
    return X, targets(kind, 0.5 + 0.6 * X[:, 0] - 0.05 * X[:, 1] + X[:, 2], rng)


def draw_groups(kind, n=300, seed=0):
    """Return observations of two regressions with opposite slopes."""
    rng = np.random.default_rng(seed)
    x, labels = rng.uniform(-1.5, 1.5, (n, 1)), rng.integers(2, size=n)
    predictor = np.where(labels == 0, 2 + 1.2 * x[:, 0], 1 - 1.5 * x[:, 0])
    return x, targets(kind, predictor, rng), labels


def people(n=400, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "age": rng.uniform(20, 60, n),
        "sex": rng.choice(["f", "m"], n),
        "region": rng.choice(["east", "north", "west"], n),
        "years": rng.uniform(0.5, 3, n),
    })  # fmt: skip
    steps = 0.03 * frame.age + 0.5 * (frame.sex == "m") - 0.4 * (frame.region == "west")
    frame["visits"] = rng.poisson(frame.years * np.exp(steps - 1))
    return frame


def parameters(component):
    return np.append(component.coefficients, component.intercept)


@each
def test_the_contract_is_kept(kind):
    X, y = draw(kind, 60)
    for _, check in family_checks(kind(), X, y):
        check()


@pytest.mark.parametrize("kind", RESPONSES, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("weighted", [False, True])
def test_one_component_is_that_of_statsmodels(kind, weighted):
    X, y = draw(kind)
    rng = np.random.default_rng(1)
    weights = rng.exponential(size=len(y)) if weighted else np.ones(len(y))
    offset = rng.normal(size=len(y))
    expected = sm.GLM(
        y, sm.add_constant(X), family=RESPONSES[kind], offset=offset, freq_weights=weights
    ).fit(tol=1e-12)
    frame = pd.DataFrame(X, columns=list("abc")).assign(known=offset)
    family = kind(offset="known")
    fitted = family.fit(family.observe(frame, y), weights=weights)
    found = np.append(fitted.intercept, fitted.coefficients)
    np.testing.assert_allclose(found, expected.params, rtol=1e-5)
    np.testing.assert_allclose(np.ravel(fitted.predict(frame)), expected.fittedvalues, rtol=1e-5)


def test_negative_binomials_are_those_of_statsmodels():
    X, y = draw(NegativeBinomialRegression)
    exposure = np.random.default_rng(1).uniform(0.5, 2, len(y))
    model = sm.NegativeBinomial(y, sm.add_constant(X), exposure=exposure)
    expected = model.fit(disp=0, maxiter=500)
    frame = pd.DataFrame(X, columns=list("abc")).assign(time=exposure)
    mixture = Mixture(NegativeBinomialRegression(exposure="time"), 1).fit(frame, y)
    found = mixture.components_[0]
    np.testing.assert_allclose(
        [found.intercept, *found.coefficients, 1 / found.size], expected.params, rtol=1e-4
    )
    np.testing.assert_allclose(mixture.score_samples(frame, y).sum(), expected.llf, rtol=1e-8)


def test_successes_in_several_trials_are_those_of_statsmodels():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"dose": rng.uniform(0, 3, 80), "n": rng.integers(1, 30, 80)})
    cured = rng.binomial(frame.n, 1 / (1 + np.exp(1 - frame.dose)))
    both = np.column_stack([cured, frame.n - cured])
    expected = sm.GLM(both, sm.add_constant(frame.dose), family=sm.families.Binomial()).fit()
    mixture = Mixture(LogisticRegression(trials="n"), 1).fit(frame, cured)
    found = mixture.components_[0]
    np.testing.assert_allclose([found.intercept, *found.coefficients], expected.params, rtol=1e-5)
    np.testing.assert_allclose(mixture.score_samples(frame, cured).sum(), expected.llf, rtol=1e-8)
    np.testing.assert_allclose(found.predict(frame), frame.n * expected.fittedvalues, rtol=1e-5)
    drawn = found.sample_targets(frame, rng)
    assert ((drawn >= 0) & (drawn <= frame.n)).all()


def as_scipy(fitted, X):
    mean = fitted.predict(X)
    if isinstance(fitted, PoissonRegression):
        return stats.poisson(mean)
    if isinstance(fitted, LogisticRegression):
        return stats.bernoulli(mean)
    if isinstance(fitted, NegativeBinomialRegression):
        return stats.nbinom(fitted.size, fitted.size / (fitted.size + mean))
    if isinstance(fitted, GammaRegression):
        return stats.gamma(fitted.shape, scale=mean / fitted.shape)
    return stats.norm(mean, np.sqrt(fitted.variance))


@each
def test_log_densities_are_scipys(kind):
    X, y = draw(kind)
    fitted = kind().fit(Regression.of(X, y))
    law = as_scipy(fitted, X)
    expected = law.logpdf(y) if kind in (GammaRegression, LinearRegression) else law.logpmf(y)
    found = fitted.log_prob(Regression.of(X, y))
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-10)
    deviations = fitted.describe().picture.predict(X)[1][:, 0]
    np.testing.assert_allclose(deviations, law.std(), rtol=1e-10)


def test_a_mixture_of_poisson_regressions_is_flexmixs():
    """flexmix 2.3-18: flexmix(yp ~ x, NPreg, k = 2, FLXMRglm(family = "poisson"))."""
    X, y = np.transpose([NPREG["x"]]), NPREG["yp"]
    model = Mixture(PoissonRegression(), 2, algorithm=EM(1e-12), random_state=0).fit(X, y)
    found = sorted([*one.coefficients, one.intercept] for one in model.components_)
    expected = [[-0.161920635, 1.864316222], [0.064707275, 1.247332439]]
    np.testing.assert_allclose(found, expected, rtol=1e-4)
    np.testing.assert_allclose(sorted(model.weights_), [0.461871244, 0.538128756], rtol=1e-4)
    np.testing.assert_allclose(model.score_samples(X, y).sum(), -440.64029432, rtol=1e-8)
    np.testing.assert_allclose(model.bic(X, y), 907.772175472, rtol=1e-8)


def test_a_mixture_of_parabolas_is_at_least_flexmixs():
    """flexmix divides squared errors by n - p, so its sigma is not the likeliest.

    The exact numbers are those of EM in R with lm.wfit and the likeliest sigma.
    """
    frame, y = pd.DataFrame({"x": NPREG["x"]}), NPREG["yn"]
    family = LinearRegression(formula="x + I(x**2)", prior=0)
    model = Mixture(family, 2, algorithm=EM(1e-12), random_state=0).fit(frame, y)
    found = sorted([*one.intercept, *one.coefficients[:, 0]] for one in model.components_)
    expected = [
        [-0.2085656076572, 4.8144863679608, 0.0365380898592],
        [14.712915973280, 9.848437756506, -0.968527984147],
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-4)
    flexmix = [[-0.208510105, 4.816505077, 0.036281134], [14.7179138, 9.845807459, -0.968269868]]
    np.testing.assert_allclose(found, flexmix, rtol=1e-2)
    total = model.score_samples(frame, y).sum()
    np.testing.assert_allclose(total, -642.532013736, rtol=1e-8)
    assert total > -642.545166481  # flexmix's
    np.testing.assert_allclose(model.bic(frame, y), 1332.74888377, rtol=1e-8)


@each
@pytest.mark.parametrize("ridge", [0.0, 1e-6, 30.0])
def test_em_never_lowers_the_objective(kind, ridge):
    X, y, _ = draw_groups(kind, 120)
    model = Mixture(kind(ridge=ridge), 3, algorithm=EM(0.0), max_iter=40, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of EM that has not converged yet
        scores = model.fit(X, y).history_.score
    assert len(scores) > 3
    assert (np.diff(scores) >= -1e-9 * np.abs(scores[1:])).all(), np.diff(scores).min()


@each
def test_a_strong_ridge_pulls_coefficients_to_zero(kind):
    data = Regression.of(*draw(kind))
    sizes = [np.abs(kind(ridge=ridge).fit(data).coefficients).sum() for ridge in (0, 1e2, 1e6)]
    assert sizes[0] > sizes[1] > sizes[2]
    assert sizes[2] < 0.05 * sizes[0]


@each
def test_doubling_a_weight_is_doubling_an_observation(kind):
    data = Regression.of(*draw(kind, 80))
    weights = np.ones(80)
    weights[:20] = 2
    family = kind().prepare(data, 2)
    one, two = family.fit(data, weights=weights), family.fit(data.take(np.r_[:80, :20]))
    np.testing.assert_allclose(one.log_prob(data), two.log_prob(data), rtol=1e-5)
    assert not np.allclose(one.coefficients, family.fit(data).coefficients)


@each
def test_the_same_seed_gives_the_same_bits_for_any_number_of_jobs(kind):
    X, y, _ = draw_groups(kind, 30_000)
    one, two = (
        Mixture(kind(), 2, algorithm=EM(1e-3), random_state=0, n_jobs=jobs).fit(X, y)
        for jobs in (1, 2)
    )
    assert one.lower_bound_ == two.lower_bound_
    np.testing.assert_array_equal(parameters(one.components_[0]), parameters(two.components_[0]))


@pytest.mark.parametrize("kind", FAMILIES[:2] + FAMILIES[3:], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("algorithm", ["auto", "beem"])
def test_two_regressions_are_found(kind, algorithm):
    X, y, _ = draw_groups(kind, 500)
    model = Mixture(kind(), 2, algorithm=algorithm, random_state=0).fit(X, y)
    slopes = sorted(float(one.coefficients.ravel()[0]) for one in model.components_)
    np.testing.assert_allclose(slopes, [-1.5, 1.2], atol=0.3)


@each
@pytest.mark.parametrize("init", ["random", "points", "kmeans"])
def test_every_start_serves(kind, init):
    X, y, _ = draw_groups(kind, 200)
    model = Mixture(kind(), 2, algorithm="em", init=init, random_state=0, max_iter=2000).fit(X, y)
    assert np.isfinite(model.score(X, y))


@each
def test_vectors_of_parameters_are_those_of_the_component(kind):
    data = Regression.of(*draw(kind))
    fitted = kind(ridge=0).fit(data)
    vector = fitted.parameter_vector
    assert len(vector) == fitted.n_parameters
    again = fitted.with_parameter_vector(vector)
    np.testing.assert_allclose(again.log_prob(data), fitted.log_prob(data), rtol=1e-12)
    for place in range(len(vector)):
        step = np.zeros(len(vector))
        step[place] = 1e-5 * max(abs(vector[place]), 0.1)
        low, high = (
            fitted.with_parameter_vector(vector + sign * step).log_prob(data).sum()
            for sign in (-1, 1)
        )
        slope, bend = (high - low) / 2, high + low - 2 * fitted.log_prob(data).sum()
        assert abs(slope) < 0.02 * abs(bend) + 1e-6, place  # the maximum is within 2 % of a step


def test_parameters_of_several_targets_have_names():
    X, y = draw(LinearRegression)
    data = Regression.of(X, np.column_stack([y, -y]))
    fitted = LinearRegression().fit(data)
    again = fitted.with_parameter_vector(fitted.parameter_vector)
    np.testing.assert_allclose(again.coefficients, fitted.coefficients)
    labels = fitted.describe().labels["coefficients"]
    assert labels[:2] == ("input 0 on target 0", "input 0 on target 1")
    assert len(labels) == fitted.describe().parameters["coefficients"].size


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_columns_of_categories_become_indicators(make):
    frame = people()
    family = PoissonRegression(exposure="years")
    X = make(frame[["age", "sex", "region", "years"]].to_dict("list"))
    model = Mixture(family, 1).fit(X, frame.visits)
    found = model.components_[0]
    description = found.describe()
    assert description.labels["coefficients"] == ("age", "sex[m]", "region[north]", "region[west]")
    assert model.feature_names_in_.tolist() == ["age", "sex", "region", "years"]
    expected = sm.GLM.from_formula(
        "visits ~ age + sex + region", frame, family=sm.families.Poisson(), exposure=frame.years
    ).fit()
    for name, value in zip(description.labels["coefficients"], found.coefficients, strict=True):
        np.testing.assert_allclose(value, expected.params[name.replace("[", "[T.")], rtol=1e-5)
    np.testing.assert_allclose(model.bic(X, frame.visits), expected.bic_llf, rtol=1e-8)
    shown = description.picture.formula(["ignored"])
    assert shown.startswith("log(mean) = ")
    assert shown.endswith("region[west] + log(years)")


def test_a_formula_may_name_the_target():
    frame = people()
    with_y, alone = (
        Mixture(PoissonRegression(formula=one, exposure="years"), 2, algorithm=EM(), random_state=0)
        for one in ("age * sex", "visits ~ age * sex")
    )
    with_y.fit(frame, frame.visits)
    alone.fit(frame)
    assert alone.components_[0].input_names == ("age", "sex[m]", "age:sex[m]")
    np.testing.assert_array_equal(alone.labels_, with_y.labels_)
    np.testing.assert_array_equal(alone.predict(frame), alone.labels_)
    np.testing.assert_array_equal(alone.predict(frame, frame.visits), alone.labels_)
    rest = PoissonRegression(formula="visits ~ .", exposure="years").observe(frame)
    assert rest.input_names == ("age", "sex[m]", "region[north]", "region[west]")


def test_new_frames_are_read_with_the_categories_of_the_fit():
    frame = people()
    X = frame[["age", "sex", "region", "years"]]
    model = Mixture(PoissonRegression(exposure="years"), 2, algorithm=EM(), random_state=0)
    model.fit(X, frame.visits)
    some = X[X.region == "west"][["years", "region", "sex", "age"]]
    expected = model.predict_proba(X, frame.visits)[X.region == "west"]
    np.testing.assert_allclose(model.predict_proba(some, frame.visits[some.index]), expected)
    component = model.components_[0]
    np.testing.assert_allclose(component.predict(some), component.predict(X)[X.region == "west"])
    with pytest.raises(ValueError, match="Column 'region' of X holds 'south' in row 0"):
        model.predict(some.assign(region="south"), frame.visits[some.index])
    with pytest.raises(ValueError, match="X has no column 'years'"):
        component.predict(some.drop(columns="years"))


@each
def test_models_are_saved_and_loaded(kind, tmp_path):
    X, y, labels = draw_groups(kind)
    frame = pd.DataFrame({"x": X[:, 0], "group": np.where(labels, "one", "two"), "known": 0.1})
    family = kind(formula="x + group", offset="known")
    model = Mixture(family, 2, algorithm="em", random_state=0).fit(frame, y)
    model.save(tmp_path / "model.bmix")
    again = load(tmp_path / "model.bmix")
    np.testing.assert_array_equal(again.predict_proba(frame, y), model.predict_proba(frame, y))
    pickled = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(pickled.labels_, model.labels_)


def test_a_checkpoint_keeps_the_design(tmp_path):
    frame = people(200)
    family = PoissonRegression(formula="visits ~ age + region", exposure="years")
    fits = [
        Mixture(family, 2, random_state=0, checkpoint=tmp_path / "run.bmix").fit(frame)
        for _ in range(2)
    ]
    assert fits[0].lower_bound_ == fits[1].lower_bound_
    other = frame.assign(years=1.0)
    with pytest.raises(Exception, match="another fit"):
        Mixture(family, 2, random_state=0, checkpoint=tmp_path / "run.bmix").fit(other)


@each
def test_hard_data_have_finite_solutions(kind):
    X, y = draw(kind, 60)
    hard = {
        "constant input": np.column_stack([X, np.ones(60)]),
        "collinear inputs": np.column_stack([X, X[:, 0], X[:, 0] + X[:, 1]]),
        "more coefficients than rows": np.random.default_rng(0).normal(size=(60, 80)),
    }
    for name, inputs in hard.items():
        for ridge in (0.0, 1e-6):
            fitted = kind(ridge=ridge).fit(Regression.of(inputs, y))
            assert np.isfinite(fitted.log_prob(Regression.of(inputs, y))).all(), name
            assert np.isfinite(fitted.predict(inputs)).all(), name
    constant = kind().fit(Regression.of(hard["constant input"], y))
    np.testing.assert_allclose(constant.coefficients.ravel()[-1], 0, atol=1e-6)


def test_separation_in_a_logit_has_a_finite_solution():
    x = np.linspace(-1, 1, 40)[:, None]
    y = (x[:, 0] > 0).astype(float)
    model = Mixture(LogisticRegression(), 1).fit(x, y)
    found = model.components_[0]
    assert 5 < found.coefficients[0] < 1e4
    assert ((found.predict(x) > 0.5) == (y == 1)).all()
    alike = LogisticRegression().fit(Regression.of(x, np.ones(40)))
    assert 0.99 < alike.predict(x).min() <= 1


def test_counts_that_are_all_zero_have_a_finite_solution():
    x = np.linspace(-1, 1, 40)[:, None]
    for kind in (PoissonRegression, NegativeBinomialRegression):
        found = kind().fit(Regression.of(x, np.zeros(40)))
        assert np.isfinite(found.intercept)
        assert found.predict(x).max() < 1e-3


def test_components_of_no_observations_are_flat():
    for kind in FAMILIES[:4]:
        data = Regression.of(*draw(kind))
        fitted = kind().prepare(data, 1).fit(data.take(slice(0, 0)))
        np.testing.assert_array_equal(fitted.coefficients, 0)
        assert np.isfinite(fitted.log_prob(data)).all()


def test_drawn_targets_are_those_of_the_component():
    for kind in FAMILIES:
        X, y = draw(kind, 20_000)
        fitted = kind().fit(Regression.of(X, y))
        drawn = fitted.sample_targets(X, np.random.default_rng(1))
        again = kind().fit(Regression.of(X, drawn))
        error = (again.parameter_vector - fitted.parameter_vector)[1:]
        assert np.abs(error * np.append(X.std(axis=0), [1.0])[: len(error)]).max() < 0.06


@pytest.mark.parametrize("kind", ["weighted", "resample", "parametric"])
def test_regressions_with_exposure_have_a_bootstrap(kind):
    frame = people(200)
    family = PoissonRegression(formula="visits ~ age + sex", exposure="years")
    model = Mixture(family, 1).fit(frame)
    found = model.bootstrap(frame, n=40, kind=kind, random_state=0)
    expected = model.standard_errors(frame)
    assert "coefficients[sex[m]]" in found.names
    errors = dict(zip(found.names, found.replicates.std(axis=0), strict=True))
    for name, error in zip(expected.names, expected.standard_errors, strict=True):
        if name != "weight":
            assert 0.5 < errors[name] / error < 2, name


def test_a_gamma_regression_has_a_floor():
    x = np.linspace(0, 1, 50)[:, None]
    fitted = GammaRegression().fit(Regression.of(x, np.exp(x[:, 0])))
    assert fitted.is_degenerate
    assert np.isfinite(fitted.shape)


def test_bad_data_raise_one_sentence():
    x = np.arange(6.0)[:, None]
    for kind, y, message in (
        (
            PoissonRegression,
            [1, 2, -1, 0, 1, 2],
            "Row 2 of y holds -1, but Poisson",
        ),
        (NegativeBinomialRegression, [0.5, 1, 2, 3, 4, 5], "Row 0 of y holds 0.5"),
        (
            LogisticRegression,
            [0, 1, 2, 0, 1, 1],
            "takes whole numbers from 0 to the number",
        ),
        (GammaRegression, [1, 2, 0, 1, 2, 3], "Row 2 of y holds 0, but GammaRegression takes num"),
        (GammaRegression, [2, 2, 2, 2, 2, 2], "y is constant"),
        (PoissonRegression, np.ones((6, 2)), "y has 2 columns, but PoissonRegression has one"),
        (PoissonRegression, None, "y is missing"),
    ):
        with pytest.raises(ValueError, match=message):
            Mixture(kind(), 1).fit(x, y)
    frame = people(50)
    for arguments, message in (
        ({"exposure": "age2"}, "X has no column 'age2'"),
        ({"formula": "height"}, "X has no column 'height'"),
        ({"exposure": "sex"}, "exposure must name a column of X that holds numbers above zero"),
    ):
        with pytest.raises(ValueError, match=message):
            Mixture(PoissonRegression(**arguments), 1).fit(frame, frame.visits)
    frame = pd.DataFrame({"x": [1, 2], "n": [0, 1]})
    with pytest.raises(ValueError, match="trials must name a column of X that holds numbers of"):
        Mixture(LogisticRegression(trials="n"), 1).fit(frame, [0, 1])


def test_bad_arguments_raise_one_sentence():
    for kind, wrong, message in (
        (PoissonRegression, {"ridge": -1}, "ridge must be zero or a positive number"),
        (PoissonRegression, {"formula": 3.5}, "formula must be a formula such as"),
        (PoissonRegression, {"exposure": 2.5}, "exposure must be the name or number of a column"),
        (GammaRegression, {"floor": 0}, "floor must be a number above 0"),
    ):
        with pytest.raises(ValueError, match=message):
            kind(**wrong)
    with pytest.raises(ValueError, match="size must be finite and above zero"):
        replaced(NegativeBinomialRegression(), size=-1.0)
    for ask in ("n_parameters", "parameter_vector"):
        with pytest.raises(ValueError, match="This PoissonRegression has no parameters yet"):
            getattr(PoissonRegression(), ask)


def test_what_is_shown():
    assert repr(PoissonRegression(2)) == "PoissonRegression(degree=2)"
    fitted = GammaRegression(formula="x").fit(Regression.of([[0.0], [1.0], [2.0]], [1.0, 2.0, 5.0]))
    shown = r"GammaRegression\(formula='x', intercept=.*, coefficients=\[0\.\d+\], shape=\d+"
    assert re.match(shown, repr(fitted))


def test_reports_show_the_equations():
    frame = people()
    model = Mixture(PoissonRegression(formula="age + sex", exposure="years"), 2, random_state=0)
    model.fit(frame, frame.visits)
    text = model.report(frame, frame.visits).html
    assert "sex[m]" in text
    assert "sex[m]" in str(model.profiles(frame, frame.visits))
    errors = model.standard_errors(frame, frame.visits)
    assert "coefficients[sex[m]]" in errors.names


@pytest.mark.parametrize("kind", [PoissonRegression, NegativeBinomialRegression, GammaRegression])
def test_offsets_whose_exponential_overflows_are_part_of_a_fit(kind):
    rng = np.random.default_rng(0)
    X = np.column_stack([np.repeat([-2000.0, 2000.0], 30), rng.normal(size=60)])
    model = Mixture(kind(offset=0), 2, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", UserWarning)
        model.fit(X, rng.poisson(3, 60) + 1.0)
    assert np.isfinite(model.lower_bound_)


def test_columns_of_remote_data_are_not_chosen():
    dask = pytest.importorskip("dask.array")
    X, y = map(dask.from_array, draw(LinearRegression))
    for family, message in (
        (LinearRegression(formula=[0]), "takes all columns, as numbers: leave formula, offset and"),
        (PoissonRegression(), "its fit needs all observations of a component at once"),
    ):
        with pytest.raises(ValueError, match=message):
            Mixture(family, 2).fit(X, y)
