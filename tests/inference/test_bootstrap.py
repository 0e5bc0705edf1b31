"""Standard errors and intervals by a bootstrap."""

import warnings

import numpy as np
import pytest
import scipy.stats

from boltzmix import DegenerateMixtureWarning, Mixture, Sequences
from boltzmix.datasets import make_square
from boltzmix.families import (
    HMM,
    Bernoulli,
    Categorical,
    Family,
    Gaussian,
    GaussianProcess,
    LinearRegression,
    MarkovChain,
    Poisson,
    Product,
    ScipyFamily,
)
from boltzmix.learning import EM
from tests.unweighted import Unweighted

KINDS = ["weighted", "resample", "parametric"]


def two_groups(n=300, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    return np.array([[0.0, 0.0], [9.0, 6.0]])[labels] + rng.normal(size=(n, 2)), labels


@pytest.fixture(scope="module")
def fitted():
    X, _ = two_groups()
    return X, Mixture(Gaussian(prior=0), 2, random_state=0, n_jobs=1).fit(X)


@pytest.mark.parametrize("kind", KINDS)
def test_standard_errors_are_those_of_theory_where_groups_are_clear(fitted, kind):
    X, model = fitted
    found = model.bootstrap(X, n=400, kind=kind, random_state=0)
    rows = {(row["component"], row["parameter"]): row for row in found.rows()}
    for k in range(2):
        members = X[model.labels_ == k]
        error = members[:, 0].std() / np.sqrt(len(members))
        assert rows[str(k), "mean[0]"]["standard_error"] == pytest.approx(error, rel=0.15)
        weight = np.sqrt(0.25 / len(X))
        assert rows[str(k), "weight"]["standard_error"] == pytest.approx(weight, rel=0.15)
        variance = members[:, 0].var() * np.sqrt(2 / len(members))
        own = rows[str(k), "covariance[0, 0]"]["standard_error"]
        assert own == pytest.approx(variance, rel=0.3)


def test_estimates_are_those_of_the_model(fitted):
    X, model = fitted
    found = model.bootstrap(X, n=5, random_state=0)
    assert found[1, "weight"].value == model.weights_[1]
    assert found[0, "mean[1]"].value == model.components_[0].mean[1]
    assert found[0, "covariance[0, 1]"].value == model.components_[0].variance[0, 1]
    with pytest.raises(KeyError, match="no 'median' of component 0"):
        found[0, "median"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_bits_do_not_depend_on_the_number_of_threads(fitted, kind):
    X, _ = fitted
    found = [
        Mixture(Gaussian(), 2, random_state=0, n_jobs=jobs)
        .fit(X)
        .bootstrap(X, n=30, kind=kind, random_state=1)
        .replicates
        for jobs in (1, 3)
    ]
    assert (found[0] == found[1]).all()


def overlapping(seed=3):
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal(0, 1, (200, 2)), rng.normal(2.2, 1.3, (200, 2))])


@pytest.mark.parametrize("family", [Gaussian(), Gaussian("diag"), None], ids=repr)
def test_replicates_are_where_em_converges(family):
    X = overlapping()
    model = Mixture(family, 2, random_state=0, n_jobs=1).fit(X)
    found = model.bootstrap(X, n=12, random_state=5)
    place = found.names.index("mean[0]")
    spread = found.standard_errors[place]
    for number in range(12):
        weights = np.random.default_rng((5, number)).exponential(size=len(X))
        again = Mixture(family, 2, algorithm=EM(1e-10), init=model.predict_proba(X), n_jobs=1)
        again.fit(X, sample_weight=weights)
        if family is None:  # its prior and background are those of other weights
            assert found.replicates[number, place] == pytest.approx(
                again.components_[0].mean[0], abs=spread / 2
            )
        else:
            assert found.replicates[number, place] == pytest.approx(
                again.components_[0].mean[0], abs=spread / 10
            )


def test_components_keep_their_numbers():
    """Each replicate is matched, so no interval spans two components."""
    X, _ = make_square(random_state=0)
    model = Mixture(Gaussian(), 4, random_state=0, n_jobs=1).fit(X)
    found = model.bootstrap(X, n=50, kind="resample", random_state=0)
    assert found.n_moved == 0
    means = np.array([one.mean for one in model.components_])
    apart = np.abs(means[:, None] - means[None]).max(axis=2)[~np.eye(4, dtype=bool)].min()
    for k in range(4):
        for j in range(2):
            assert found[k, f"mean[{j}]"].upper - found[k, f"mean[{j}]"].lower < apart / 2


def test_differences_know_that_both_come_from_the_same_data(fitted):
    X, model = fitted
    found = model.bootstrap(X, n=200, random_state=0)
    difference = found.difference(0, 1)
    weight = difference["0 - 1", "weight"]
    assert weight.value == pytest.approx(model.weights_[0] - model.weights_[1])
    assert weight.standard_error == pytest.approx(2 * found[0, "weight"].standard_error)
    assert len(found.differences()) == len(difference)
    with pytest.raises(ValueError, match="no component 2"):
        found.difference(0, 2)


@pytest.mark.filterwarnings("ignore:A parameter of the fit")
def test_a_component_too_many_is_reported():
    X = np.random.default_rng(0).normal(size=(60, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = Mixture(Gaussian(prior=0), 3, random_state=0, n_jobs=1).fit(X)
    with pytest.warns(DegenerateMixtureWarning, match=r"of 60 replicates are left out"):
        found = model.bootstrap(X, n=60, random_state=0)
    assert found.n_moved > 3
    assert len(found.replicates) == 60 - found.n_moved
    assert np.isfinite(found.replicates).all()
    assert f"{found.n_moved} of 60 replicates are left out" in repr(found)
    assert "use fewer components" in found._repr_html_()


def test_a_fit_that_is_not_at_an_optimum_is_reported():
    X = overlapping()
    labels = (np.arange(len(X)) >= 200).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = Mixture(Gaussian(), 2, algorithm="em", init=labels, max_iter=1, n_jobs=1).fit(X)
    with pytest.warns(DegenerateMixtureWarning, match="from where EM converges"):
        model.bootstrap(X, n=20, random_state=0)


def test_sample_weights_and_known_labels_are_used():
    X, labels = two_groups(100)
    weights = np.where(labels == 0, 3.0, 1.0)
    model = Mixture(Gaussian(), 2, random_state=0, n_jobs=1)
    model.fit(X, sample_weight=weights, labels=labels)
    found = model.bootstrap(X, n=50, sample_weight=weights, labels=labels, random_state=0)
    assert found.replicates[:, found.names.index("weight")].mean() == pytest.approx(0.75, abs=0.03)


RNG = np.random.default_rng(1)
SIDE = np.arange(80) % 2
TABLE = np.column_stack([RNG.normal(6 * SIDE), RNG.poisson(2 + 9 * SIDE), SIDE])
WALKS = [RNG.normal(3 * side, 1, (8 + side, 1)) for side in SIDE[:20]]
BITS = (RNG.random((80, 4)) < 0.1 + 0.8 * SIDE[:, None]).astype(float)
CODES = [RNG.choice(2, (9, 1), p=[0.15 + 0.7 * s, 0.85 - 0.7 * s]).astype(float) for s in SIDE]
INPUTS = RNG.uniform(0, 4, (80, 1))
LINES = np.where(SIDE, 4.0, -4.0) + INPUTS[:, 0] + RNG.normal(0, 0.3, 80)
PRODUCT = Product({0: Gaussian(), 1: Poisson(), 2: Categorical()})
CASES = {
    "counts": (Poisson(), TABLE[:, 1:2], None, ["weight", "rate[0]"]),
    "yes or no": (Bernoulli(), BITS, None, ["probability[3]"]),
    "codes": (Categorical(), BITS, None, ["probabilities[2=1]"]),
    "mixed": (PRODUCT, TABLE, None, ["mean[0]", "rate[1]", "probabilities[2=0]"]),
    "hidden chains": (HMM(2), WALKS, None, ["transitions[0, 1]", "state 1 mean[0]"]),
    "chains": (MarkovChain(), CODES, None, ["initial[1]", "transitions[1, 1]"]),
    "lines": (
        LinearRegression(),
        INPUTS,
        LINES,
        ["intercept", "coefficients[input 0]", "variance"],
    ),
    "curves": (GaussianProcess(), INPUTS, LINES, ["noise"]),
    "scipy": (ScipyFamily(scipy.stats.norm), TABLE[:, :1], None, ["loc"]),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_every_kind_of_data_has_a_bootstrap(case):
    family, X, y, names = CASES[case]
    model = Mixture(family, 2, algorithm="em", init=SIDE[: len(X)], n_jobs=1).fit(X, y)
    for kind in KINDS:
        found = model.bootstrap(X, y, 4, kind=kind, random_state=0)
        assert set(names) <= set(found.names)
        assert found.kind == kind
        assert np.isfinite(found.replicates).all()
        assert found.n_moved + len(found.replicates) == 4


def test_noise_has_a_weight_with_an_error():
    X, _ = two_groups(200)
    X = np.vstack([X, np.random.default_rng(0).uniform(-30, 30, (10, 2))])
    model = Mixture(Gaussian(), 2, noise=True, random_state=0, n_jobs=1).fit(X)
    found = model.bootstrap(X, n=40, random_state=0)
    noise = found[-1, "weight"]
    assert noise.value == model.noise_weight_
    assert 0 < noise.lower < noise.value < noise.upper < 0.2


def test_families_without_weights_are_drawn_again():
    X, _ = two_groups(100)
    model = Mixture(Unweighted(), 2, algorithm="cem", random_state=0, n_jobs=1).fit(X)
    assert model.bootstrap(X, n=5, random_state=0).kind == "resample"
    with pytest.raises(ValueError, match=r"takes no weights: use kind='resample'"):
        model.bootstrap(X, n=5, kind="weighted")


class Silent(Unweighted):
    """A family that cannot be sampled."""

    def sample(self, n, rng):
        return Family.sample(self, n, rng)


def test_a_family_that_cannot_be_sampled_says_so():
    X, _ = two_groups(100)
    model = Mixture(Silent(), 2, algorithm="cem", random_state=0, n_jobs=1).fit(X)
    with pytest.raises(NotImplementedError, match="Silent cannot be sampled"):
        model.bootstrap(X, n=5, kind="parametric")


def test_many_components_are_matched_quickly():
    rng = np.random.default_rng(0)
    centres = 40.0 * np.argwhere(np.ones((10, 5)))
    labels = np.repeat(np.arange(50), 20)
    X = centres[labels] + rng.normal(size=(1000, 2))
    model = Mixture(Gaussian("spherical"), 50, init=labels, algorithm="em", n_jobs=1).fit(X)
    found = model.bootstrap(X, n=5, random_state=0)
    assert found.n_components == 50
    assert found.n_moved == 0


def test_missing_values_stay_missing():
    X, _ = two_groups(120)
    X[::7, 0] = np.nan
    model = Mixture(Gaussian("diag"), 2, random_state=0, n_jobs=1).fit(X)
    for kind in KINDS:
        found = model.bootstrap(X, n=5, kind=kind, random_state=0)
        assert found.n_moved == 0


def test_drawn_sequences_are_as_long_as_those_given():
    data = Sequences.of(WALKS)
    component = HMM(2).fit(data, rng=np.random.default_rng(0))
    drawn = component.sample_like(data, np.random.default_rng(0))
    assert (drawn.lengths == data.lengths).all()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n": 0}, "n must be a whole number"),
        ({"n": 1}, "at least 2"),
        ({"n": 2.5}, "n must be a whole number"),
        ({"kind": "jackknife"}, "kind must be one of 'weighted', 'resample', 'parametric'"),
        ({"kind": "parametric", "sample_weight": np.ones(300)}, "sample_weight cannot be used"),
        ({"kind": "parametric", "labels": np.zeros(300, int)}, "labels cannot be known"),
    ],
)
def test_wrong_arguments_are_named(fitted, given, words):
    X, model = fitted
    with pytest.raises(ValueError, match=words):
        model.bootstrap(X, **given)


def test_other_data_are_named(fitted):
    X, model = fitted
    with pytest.raises(ValueError, match="fewer than the 2 components"):
        model.bootstrap(X[:1])
    with pytest.raises(ValueError, match="expecting 2 features"):
        model.bootstrap(X[:, :1])
    with pytest.raises(ValueError, match="not fitted"):
        Mixture().bootstrap(X)
    with pytest.raises(ValueError, match="level must be"):
        model.bootstrap(X, n=5).intervals(90)


def test_dask_collections_are_named(fitted):
    X, model = fitted
    arrays = pytest.importorskip("dask.array")
    with pytest.raises(ValueError, match="not in memory"):
        model.bootstrap(arrays.from_array(X))


def test_columns_and_categories_have_their_names():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"height": TABLE[:, 0], "colour": np.where(SIDE, "red", "blue")})
    family = Product({"height": Gaussian(), "colour": Categorical()})
    model = Mixture(family, 2, random_state=0, n_jobs=1).fit(frame)
    found = model.bootstrap(frame, n=5, random_state=0)
    assert {"mean[height]", "covariance[height, height]"} <= set(found.names)
    assert {"probabilities[colour=red]", "probabilities[colour=blue]"} <= set(found.names)
    assert list(found.to_frame().columns)[:4] == [
        "component", "parameter", "estimate", "standard_error",
    ]  # fmt: skip


def test_the_plot_has_a_dot_and_a_line_for_each(fitted):
    pytest.importorskip("matplotlib")
    X, model = fitted
    found = model.bootstrap(X, n=20, random_state=0)
    axes = found.plot(parameter="covariance")
    assert [one.get_text() for one in axes.get_yticklabels()] == [
        "covariance[0, 0]", "covariance[0, 1]", "covariance[1, 1]",
    ]  # fmt: skip
    assert len(axes.lines) == 2
    with pytest.raises(ValueError, match="parameter must be one of weight, mean, covariance"):
        found.plot(parameter="median")


def test_intervals_cover_the_truth_about_as_often_as_they_say():
    """Over 15 sets and 8 parameters, the mean coverage of 90 % has an error of about 0.03."""
    held = []
    for seed in range(15):
        rng = np.random.default_rng(seed)
        labels = rng.choice(2, 200, p=[0.4, 0.6])
        rates = np.array([[2.0, 9.0, 4.0], [9.0, 2.0, 4.0]])
        X = rng.poisson(rates[labels]).astype(float)
        model = Mixture(Poisson(prior=0), 2, algorithm="em", init=labels, n_jobs=1).fit(X)
        found = model.bootstrap(X, n=50, random_state=seed)
        ends = {
            (row["component"], row["parameter"]): (row["lower"], row["upper"])
            for row in found.rows(0.9)
        }
        for k in range(2):
            truth = {"weight": [0.4, 0.6][k]} | {f"rate[{j}]": rates[k, j] for j in range(3)}
            for name, value in truth.items():
                lower, upper = ends[str(k), name]
                held.append(lower <= value <= upper)
    assert 0.8 < np.mean(held) < 0.97
