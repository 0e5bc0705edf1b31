import pickle

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.mixture import BayesianGaussianMixture
from sklearn.mixture import GaussianMixture as PlainGaussianMixture
from sklearn.neighbors import KernelDensity

from boltzmix import SEM, Mixture
from boltzmix.data import Table
from boltzmix.families import HMM, FunctionFamily, Gaussian, ScipyFamily, SklearnFamily
from boltzmix.metrics import purity_score

LABELS = np.repeat([0, 1], 100)


@pytest.fixture(scope="module")
def positive():
    rng = np.random.default_rng(0)
    return np.concatenate([rng.gamma(2, 1, 100), rng.gamma(20, 1, 100)])[:, None]


@pytest.fixture(scope="module")
def counts():
    rng = np.random.default_rng(0)
    return np.concatenate([rng.poisson(2, 100), rng.poisson(25, 100)])[:, None]


@pytest.fixture(scope="module")
def plane():
    rng = np.random.default_rng(0)
    return np.concatenate([rng.normal(0, 1, (100, 2)), rng.normal(4, 1, (100, 2))])


ARGUMENTS = {
    "beta": (2, 3), "cauchy": (), "chi2": (4,), "dgamma": (2,), "expon": (), "exponnorm": (1.5,),
    "gamma": (3,), "genextreme": (-0.1,), "gengamma": (2, 1.5), "gumbel_r": (), "invgamma": (4,),
    "laplace": (), "loggamma": (1,), "logistic": (), "lognorm": (0.8,), "norm": (), "rayleigh": (),
    "skewnorm": (3,), "t": (3,), "triang": (0.3,), "truncnorm": (-1, 2), "uniform": (),
    "weibull_min": (1.8,),
}  # fmt: skip


@pytest.mark.parametrize("name", ARGUMENTS)
def test_fits_are_as_likely_as_the_truth(name):
    distribution, arguments = getattr(stats, name), ARGUMENTS[name]
    truth = distribution(*arguments, loc=3, scale=2)
    rows = Table.of(truth.rvs((200, 1), random_state=1))
    fitted = ScipyFamily(distribution).fit(rows)
    expected = truth.logpdf(rows.values[:, 0]).mean()
    assert fitted.log_prob(rows).mean() > expected - 0.005


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_fits_do_not_depend_on_the_unit(positive, scale):
    plain, scaled = (
        ScipyFamily(stats.gamma, fixed={"loc": 0}).fit(Table.of(positive * unit)).parameters
        for unit in (1.0, scale)
    )
    assert scaled["a"] == pytest.approx(plain["a"], rel=1e-3)
    assert scaled["scale"] == pytest.approx(scale * plain["scale"], rel=1e-3)


def test_closed_forms_are_found(counts):
    weights = np.random.default_rng(0).uniform(0, 1, len(counts))
    fitted = ScipyFamily(stats.poisson).fit(Table.of(counts), weights=weights)
    mean = np.average(counts[:, 0], weights=weights)
    assert fitted.parameters["mu"] == pytest.approx(mean, rel=1e-5)
    normal = ScipyFamily(stats.norm).fit(Table.of(counts), weights=weights).parameters
    deviation = np.sqrt(np.average((counts[:, 0] - mean) ** 2, weights=weights))
    assert normal == pytest.approx({"loc": mean, "scale": deviation}, rel=1e-4)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("algorithm", ["auto", "beem", "cem", SEM(20)], ids=str)
@pytest.mark.parametrize(
    ("family", "kind"),
    [
        (ScipyFamily(stats.lognorm, fixed={"loc": 0}), "positive"),
        (ScipyFamily(stats.poisson), "counts"),
        (ScipyFamily(stats.binom, fixed={"n": 80}), "counts"),
        (ScipyFamily(stats.Normal, start={"mu": 0, "sigma": 1}), "positive"),
        (SklearnFamily(KernelDensity(bandwidth=2.0)), "plane"),
    ],
    ids=repr,
)
def test_mixtures_of_them_are_learned(family, kind, algorithm, request):
    X = request.getfixturevalue(kind)
    model = clone(Mixture(family, 2, algorithm=algorithm, random_state=0)).fit(X)
    assert np.isfinite(model.lower_bound_)
    if algorithm in ("auto", "cem"):
        assert purity_score(LABELS, model.labels_) > 0.8


@pytest.mark.parametrize("algorithm", ["beem", "cem"])
def test_mixtures_of_mixtures_are_the_same_every_time(plane, algorithm):
    family = SklearnFamily(PlainGaussianMixture(2))
    model = Mixture(family, 2, algorithm=algorithm, max_iter=100, random_state=0)
    one, other = (clone(model).fit(plane) for _ in range(2))
    np.testing.assert_array_equal(one.predict_proba(plane), other.predict_proba(plane))


def test_a_mixture_is_no_worse_than_by_a_family_of_its_own(plane):
    X = plane[:, :1]
    ours = Mixture(ScipyFamily(stats.norm), 2, random_state=0).fit(X)
    gaussian = Mixture(Gaussian(ridge=0), 2, random_state=0).fit(X)
    assert ours.lower_bound_ == pytest.approx(gaussian.lower_bound_, abs=1e-3)
    assert ours.bic(X) == pytest.approx(gaussian.bic(X), abs=0.5)
    assert ours.sample(5)[0].shape == (5, 1)


def test_what_make_distribution_returns_can_be_stretched(positive):
    kind = stats.make_distribution(stats.gamma)
    new = ScipyFamily(kind, start={"a": 1, "scale": 1}).fit(Table.of(positive)).parameters
    old = ScipyFamily(stats.gamma, fixed={"loc": 0}).fit(Table.of(positive)).parameters
    assert new["a"] == pytest.approx(old["a"], rel=1e-3)
    assert new["scale"] == pytest.approx(old["scale"], rel=1e-3)


def test_no_component_collapses_onto_a_point():
    X = np.concatenate([np.zeros(20), np.linspace(-5, 5, 80)])[:, None]
    model = Mixture(ScipyFamily(stats.laplace), 2, algorithm="em", random_state=0).fit(X)
    assert np.isfinite(model.lower_bound_)
    assert model.score_samples(X).max() < 6


def test_densities_are_never_infinite():
    family = ScipyFamily(stats.gamma, fixed={"loc": 0}).fit(
        Table.of(np.random.default_rng(0).gamma(0.3, 1, (100, 1)))
    )
    assert family.parameters["a"] < 1
    assert np.isfinite(family.log_prob(Table.of([[0.0]]))).all()
    assert family.log_prob(Table.of([[-1.0]]))[0] == -np.inf


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ScipyFamily(stats.norm()), "itself, without parameters"),
        (lambda: ScipyFamily("norm"), "distribution of scipy.stats"),
        (lambda: ScipyFamily(stats.multivariate_normal), "distribution of scipy.stats"),
        (lambda: ScipyFamily(stats.norm, fixed={"a": 1}), "norm has no parameter 'a'"),
        (lambda: ScipyFamily(stats.norm, fixed=[1]), "fixed must be a dict"),
        (lambda: ScipyFamily(stats.norm, fixed={"loc": "x"}), "must be a finite number"),
        (lambda: ScipyFamily(stats.norm, floor=0), "floor must be a number"),
        (lambda: ScipyFamily(stats.binom), "The parameter n of binom is a whole number"),
        (lambda: ScipyFamily(stats.Normal), "give values to start from"),
        (
            lambda: ScipyFamily(stats.Normal, start={"m": 0}),
            "could not be made of the parameters m",
        ),
        (lambda: SklearnFamily(KMeans()), "has no score_samples"),
        (lambda: SklearnFamily(KernelDensity), "not the class KernelDensity"),
        (lambda: FunctionFamily(1, 2), "fit must be a function"),
        (lambda: FunctionFamily(len, len, n_parameters=-1), "n_parameters must be a whole"),
        (lambda: FunctionFamily(len, len, sample=3), "sample must be a function"),
    ],
)
def test_unsuitable_objects_raise_an_error(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize(
    ("family", "X", "words"),
    [
        (ScipyFamily(stats.norm), [[1, 2], [3, 4]], "X has 2 columns, but norm is .* of one"),
        (ScipyFamily(stats.norm), [[1], [1]], "Column 0 of X is constant"),
        (ScipyFamily(stats.poisson), [[1], [1.5]], "distribution of whole numbers"),
        (ScipyFamily(stats.poisson), [[1], [-1]], "No parameters of poisson with loc=0 fixed"),
        (ScipyFamily(stats.gamma, fixed={"loc": 0}), [[1], [-1]], "from -1 to 1, are possible"),
        (SklearnFamily(PlainGaussianMixture(5)), [[1], [-1]], "could not be fitted to 2 obs"),
        (FunctionFamily(lambda rows: 1, lambda rows, _: 0.0), [[1], [2]], r"returned shape \(\)"),
        (FunctionFamily(lambda rows: 1, lambda rows, _: "no"), [[1], [2]], "but returned str"),
        (
            FunctionFamily(lambda rows: 1, lambda rows, _: rows[:, 0] * np.nan),
            [[1], [2]],
            "returned NaN or infinity for row 0",
        ),
        (FunctionFamily(lambda rows: None, lambda rows, _: 0), [[1], [2]], "fit of .* None"),
    ],
)
def test_errors_have_a_sentence(family, X, words):
    with pytest.raises(ValueError, match=words):
        Mixture(family, 1, algorithm="cem").fit(X)


@pytest.mark.parametrize(
    "family",
    [
        ScipyFamily(stats.norm),
        SklearnFamily(KernelDensity()),
        FunctionFamily(lambda rows: 1, lambda rows, _: 0),
    ],
    ids=lambda family: family.name,
)
def test_nothing_is_said_before_a_fit(family):
    with pytest.raises(ValueError, match="has no parameters yet: call fit first"):
        family.log_prob(Table.of([[1.0]]))


def test_estimators_tell_their_parameters_if_they_can(plane):
    rows = Table.of(plane)
    assert SklearnFamily(PlainGaussianMixture(2)).fit(rows).n_parameters == 11
    assert SklearnFamily(Mixture(Gaussian(), 2)).fit(rows).n_parameters == 11
    assert SklearnFamily(Mixture(n_components=2)).fit(rows).n_parameters == 12  # and degrees
    with pytest.raises(NotImplementedError, match=r"SklearnFamily\(KernelDensity\) does not say"):
        SklearnFamily(KernelDensity()).fit(rows).n_parameters  # noqa: B018


def test_estimators_are_weighted_if_their_fit_is():
    assert SklearnFamily(KernelDensity()).weighted
    assert SklearnFamily(Mixture()).weighted
    assert not SklearnFamily(PlainGaussianMixture()).weighted
    inner = SklearnFamily(PlainGaussianMixture())
    assert not SklearnFamily(Mixture(inner, 2)).weighted


def test_the_estimator_itself_is_never_fitted(plane):
    estimator = BayesianGaussianMixture(n_components=2)
    fitted = SklearnFamily(estimator).fit(Table.of(plane))
    assert not hasattr(estimator, "means_")
    assert hasattr(fitted.fitted, "means_")
    assert fitted.sample(7, np.random.default_rng(0)).shape == (7, 2)


def test_samples_follow_the_generator(plane):
    for estimator in (PlainGaussianMixture(2, random_state=0), KernelDensity()):
        fitted = SklearnFamily(estimator).fit(Table.of(plane))
        rng = np.random.default_rng(0)
        one, other = fitted.sample(5, rng), fitted.sample(5, rng)
        assert (one != other).all()
        np.testing.assert_array_equal(one, fitted.sample(5, np.random.default_rng(0)))


def test_a_component_can_be_a_mixture_of_sequences():
    rng = np.random.default_rng(0)
    X = [rng.normal(5 * (i % 4), 1, (8, 1)) for i in range(40)]
    family = SklearnFamily(Mixture(HMM(1), 2, algorithm="cem"))
    model = Mixture(family, 2, algorithm="cem", random_state=0).fit(X)
    assert np.isfinite(model.lower_bound_)


def test_functions_are_given_weights_and_a_generator_if_they_ask():
    def fit(rows, weights, rng):
        assert weights.shape == (len(rows),)
        return rng.uniform()

    family = FunctionFamily(fit, lambda rows, parameters: np.zeros(len(rows)))
    assert family.weighted
    assert 0 < family.fit(Table.of([[1.0]])).parameters < 1
    plain = FunctionFamily(lambda rows: 1, lambda rows, parameters: np.zeros(len(rows)))
    assert not plain.weighted
    with pytest.raises(ValueError, match="no argument called weights"):
        plain.fit(Table.of([[1.0]]), weights=np.ones(1))
    with pytest.raises(NotImplementedError, match="give it a function sample"):
        plain.fit(Table.of([[1.0]])).sample(3, np.random.default_rng(0))


def test_a_fitted_mixture_can_be_pickled(positive):
    model = Mixture(ScipyFamily(stats.gamma, fixed={"loc": 0}), 2, random_state=0)
    model.set_params(algorithm="cem").fit(positive)
    copied = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copied.score_samples(positive), model.score_samples(positive))


def test_components_of_scipy_with_few_numbers_keep_their_shape():
    X = np.random.default_rng(0).gamma(2.0, 3.0, (40, 1))
    whole = ScipyFamily(stats.gamma, {"loc": 0}).fit(Table.of(X))
    one = whole.fit(Table.of(X[:1]))
    assert one.parameters["a"] == whole.parameters["a"]
    assert one.log_prob(Table.of(X[:1])) >= whole.log_prob(Table.of(X[:1]))
    assert whole.fit(Table.of(X[:4])).parameters["a"] != whole.parameters["a"]


@pytest.mark.parametrize("count", [1e15, 1e17, 1e20, 1e300])
def test_counts_too_large_for_scipy_are_named(count):
    with pytest.raises(ValueError, match=r"No parameters of nbinom|double precision"):
        Mixture(ScipyFamily(stats.nbinom), 1).fit(np.full((4, 1), count))


def test_a_density_that_takes_no_arrays_of_parameters_is_fitted():
    class Scalar(stats.rv_continuous):
        def _logpdf(self, x, a):
            if np.ptp(a) > 0:
                raise TypeError("a must be one number")
            return stats.gamma.logpdf(x, a[0])

        def _ppf(self, q, a):
            return stats.gamma.ppf(q, a)

    rows = Table.of(stats.gamma(3).rvs((50, 1), random_state=0))
    given = {"fixed": {"loc": 0.0}, "start": {"a": 2.0, "scale": 1.0}}
    one = ScipyFamily(Scalar(a=0.0, name="scalar", shapes="a"), **given).fit(rows)
    many = ScipyFamily(stats.gamma, fixed={"loc": 0.0}).fit(rows)
    assert one.parameters["a"] == pytest.approx(many.parameters["a"], rel=1e-3)


def test_draws_and_densities_far_away_of_scikit_learn_do_not_warn():
    rows = np.random.default_rng(0).normal(size=(20, 4)) * [1.0, 1e15, 1.0, 1.0]
    rows[:, 2] = rows[:, 0]
    family = SklearnFamily(PlainGaussianMixture(2, random_state=0)).fit(Table.of(rows))
    assert np.isfinite(family.sample(5, np.random.default_rng(0))).all()
    assert family.log_prob(Table.of(rows)).shape == (20,)
