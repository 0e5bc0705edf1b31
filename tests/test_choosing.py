"""Tests of mixtures that choose their number of components."""

import warnings

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine

from boltzmix import Mixture, Sequences
from boltzmix.datasets import make_mixture, make_square
from boltzmix.families import (
    HMM,
    Categorical,
    Family,
    Gaussian,
    GaussianProcess,
    LinearRegression,
    Poisson,
    Product,
)

pytestmark = pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")


@pytest.fixture(scope="module")
def far():
    return make_mixture(600, 4, 3, separation=6, rotated=True, random_state=1)[0]


@pytest.mark.parametrize("k", [1, 2, 5])
def test_auto_finds_the_number_of_separated_clusters(k):
    found = [
        Mixture(n_components="auto", random_state=seed)
        .fit(make_mixture(100 * k + 200, k, 2, separation=7, random_state=seed)[0])
        .n_components_
        for seed in range(3)
    ]
    assert found == [k] * 3


@pytest.mark.parametrize(("load", "k"), [(load_iris, 3), (load_wine, 3)])
def test_auto_finds_the_classes_of_tables_people_know(load, k):
    model = Mixture(n_components="auto", random_state=0).fit(load().data)
    assert model.n_components_ == k


def test_the_parameter_stays_and_the_attributes_are_those_of_the_chosen_mixture(far):
    model = Mixture(n_components=range(2, 7), random_state=0).fit(far)
    assert model.n_components == range(2, 7)
    assert model.n_components_ == 4 == len(model.components_) == len(model.weights_)
    assert model.predict_proba(far).shape == (600, 4)
    best = model.comparison_.best
    np.testing.assert_array_equal(best.labels_, model.labels_)
    assert best.n_components == 4
    assert [one.n_components for one in model.comparison_] == [2, 3, 4, 5, 6]
    assert clone(model).get_params()["n_components"] == range(2, 7)


def test_only_candidates_are_compared_where_numbers_are_missing(far):
    model = Mixture(n_components=[2, 4, 7], random_state=0).fit(far)
    assert [one.n_components for one in model.comparison_] == [2, 4, 7]
    assert model.n_components_ == 4


def test_a_number_after_auto_removes_the_comparison(far):
    model = Mixture(n_components="auto", random_state=0).fit(far)
    model.set_params(n_components=3).fit(far)
    assert model.n_components_ == 3
    assert not hasattr(model, "comparison_")


@pytest.mark.parametrize("family", [Gaussian(prior=0), Gaussian("EVI", prior=0), Poisson(prior=0)])
def test_the_likelihood_never_falls_along_the_path_without_a_prior(family, far):
    X = np.round(np.abs(far) * 3) if isinstance(family, Poisson) else far
    for seed in range(2):
        model = Mixture(family, range(1, 9), criterion="bic", random_state=seed).fit(X)
        likelihoods = np.array([one.log_likelihood for one in model.comparison_])
        assert (np.diff(likelihoods) > -1e-3 * len(X)).all()


def test_the_same_bits_for_any_number_of_threads(far):
    fits = [Mixture(n_components="auto", random_state=0, n_jobs=n).fit(far) for n in (1, 2)]
    frames = [fit.comparison_.to_frame().drop(columns="seconds") for fit in fits]
    assert frames[0].equals(frames[1])
    assert fits[0].lower_bound_ == fits[1].lower_bound_


def test_what_is_chosen_is_as_likely_as_a_fit_of_that_number(far):
    chosen = Mixture(n_components="auto", random_state=0).fit(far)
    alone = Mixture(n_components=chosen.n_components_, random_state=0).fit(far)
    assert chosen.lower_bound_ > alone.lower_bound_ - 1e-3


def test_several_runs_are_never_below_one(far):
    one, three = (
        Mixture(n_components=range(1, 6), n_init=n, random_state=0).fit(far) for n in (1, 3)
    )
    for few, many in zip(one.comparison_, three.comparison_, strict=True):
        assert many.model.lower_bound_ >= few.model.lower_bound_


def test_progress_shows_every_number_of_components(far):
    seen = set()
    Mixture(
        n_components=range(1, 5),
        random_state=0,
        verbose=lambda state: seen.add(len(state.bank)) if not state.step.trial else None,
    ).fit(far)
    assert seen == {1, 2, 3, 4}


def test_fits_to_halves_are_shown_as_trials(far):
    kinds, sizes = set(), set()

    def watch(state):
        if state.step.trial:
            kinds.add(state.step.trial[0].kind)
        if state.step.trial and state.step.trial[0].kind == "half":
            sizes.add(len(state.without_background().bank.components))

    Mixture(n_components="auto", random_state=0, verbose=watch).fit(far)
    assert "half" in kinds
    assert sizes >= {1, 2, 3, 4, 5}


@pytest.mark.parametrize("criterion", ["aic", "bic", "sabic", "caic", "icl", "effective_bic", "cv"])
def test_every_criterion_chooses_among_separated_clusters(criterion, far):
    model = Mixture(n_components=range(3, 6), criterion=criterion, random_state=0).fit(far)
    assert model.n_components_ in ((4,) if criterion not in ("aic", "cv") else (4, 5))
    assert model.comparison_.chosen_by == criterion


def test_sample_weights_count_as_observations():
    X, _ = make_square(random_state=0)
    weights = np.repeat([1.0, 3.0], [len(X) - 100, 100])
    model = Mixture(n_components=range(1, 6), random_state=0).fit(X, sample_weight=weights)
    assert model.comparison_.best_candidate().n_observations == pytest.approx(len(X))


def test_observations_without_weight_count_for_nothing():
    X, _ = make_square(random_state=0)
    weights = np.ones(len(X))
    weights[::5] = 0
    model = Mixture(n_components=range(1, 6), random_state=0).fit(X, sample_weight=weights)
    same = Mixture(n_components=range(1, 6), random_state=0).fit(X[weights > 0])
    assert model.n_components_ == same.n_components_
    assert len(model.labels_) == len(X)


def test_known_labels_and_noise_are_possible():
    X, y = make_square(random_state=0)
    known = np.where(np.arange(len(X)) % 20 == 0, y, -1)
    model = Mixture(n_components=[4, 5], random_state=0).fit(X, labels=known)
    assert (model.labels_[known >= 0] == known[known >= 0]).all()
    X, _ = make_square((50, 50, 50, 50), random_state=0)
    X = np.vstack([X, np.random.default_rng(0).uniform(-40, 40, (8, 2))])
    model = Mixture(n_components=[3, 4, 5], noise=True, random_state=0).fit(X)
    assert model.n_components_ == 4


def test_numbers_of_mixtures_of_hidden_markov_models_and_their_states():
    rng = np.random.default_rng(0)
    slow, fast = (np.repeat([0.0, 5.0], n) for n in (10, 2))
    sequences = [np.tile(slow, 2) + rng.normal(size=40) for _ in range(20)]
    sequences += [np.tile(fast, 10) + rng.normal(size=40) for _ in range(20)]
    data = Sequences.of([one[:, None] for one in sequences])
    model = Mixture(HMM(2), range(1, 4), random_state=0).fit(data)
    assert model.n_components_ == 2


def test_a_mixed_table_with_missing_cells():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 50)
    frame = pl.DataFrame(
        {
            "size": np.where(rng.random(150) < 0.1, np.nan, labels * 6 + rng.normal(size=150)),
            "count": rng.poisson(2 + 10 * labels),
            "kind": np.array(["a", "b", "c"])[(labels + (rng.random(150) < 0.1)) % 3],
        }
    )
    for family in (
        "auto",
        Product({"size": Gaussian(), "count": Poisson(), "kind": Categorical()}),
    ):
        assert Mixture(family, range(1, 6), random_state=0).fit(frame).n_components_ == 3


def test_curves_are_compared_by_the_joint_likelihood():
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 10, 120))
    y = np.where(rng.random(120) < 0.5, np.sin(x), np.sin(x) + 6) + rng.normal(0, 0.1, 120)
    model = Mixture(GaussianProcess(), [1, 2], random_state=0).fit(x[:, None], y)
    assert model.n_components_ == 2
    best = model.comparison_.best_candidate()
    assert best.log_likelihood / 120 == pytest.approx(model.lower_bound_, abs=1e-6)


def test_lines_of_several_numbers():
    rng = np.random.default_rng(0)
    x = rng.uniform(-3, 3, (300, 1))
    y = np.where(np.arange(300) % 2, 4 * x[:, 0], 6 - 4 * x[:, 0]) + rng.normal(0, 0.3, 300)
    model = Mixture(LinearRegression(), range(1, 5), random_state=0).fit(x, y)
    assert model.n_components_ == 2


class Uniformly(Family):
    """A family of the user: one number per row, uniform between two bounds."""

    min_observations = 2

    def __init__(self, low=None, high=None):
        self.low, self.high = low, high

    n_parameters = 2

    def fit(self, data, *, weights=None, rng=None):
        low, high = data.values.min(), data.values.max()
        return type(self)(low, high + 1e-3 * (high - low) + 1e-9)

    def log_prob(self, data):
        x = data.values[:, 0]
        inside = (x >= self.low) & (x <= self.high)
        return np.where(inside, -np.log(self.high - self.low), -np.inf)


class Uncounted(Uniformly):
    """The same, which does not say how many parameters it has."""

    @property
    def n_parameters(self):
        return Family.n_parameters.fget(self)


def test_a_family_of_the_user_with_a_number_of_parameters():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.uniform(0, 1, 150), rng.uniform(5, 6, 150)])[:, None]
    for numbers in (range(1, 4), "auto"):
        assert Mixture(Uniformly(), numbers, random_state=0).fit(X).n_components_ == 2
    with pytest.raises(NotImplementedError, match="n_parameters"):
        Mixture(Uncounted(), range(1, 3), random_state=0).fit(X)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], r"n_components must be .* not \[\]"),
        (range(0), "n_components must be a whole number"),
        ([0, 1], r"n_components must be .* not \[0, 1\]"),
        ([1, 2.5], "n_components must be"),
        ([1, "a"], "n_components must be"),
        ("automatic", "n_components must be .* not 'automatic'"),
        (None, "n_components must be .* not None"),
        ([2, 500], "n_components goes up to 500, but X has only 30 distinct observations"),
    ],
)
def test_bad_numbers_raise_one_sentence(given, message):
    X, _ = make_mixture(30, 2, 2, random_state=0)
    with pytest.raises(ValueError, match=message):
        Mixture(n_components=given).fit(X)


def test_other_bad_arguments_raise_one_sentence():
    X, y = make_mixture(30, 3, 2, random_state=0)
    with pytest.raises(ValueError, match="criterion must be one of 'agreement'"):
        Mixture(n_components="auto", criterion="best").fit(X)
    with pytest.raises(ValueError, match="labels go up to 2, so n_components must be at least 3"):
        Mixture(n_components=[1, 3]).fit(X, labels=y)
    with pytest.raises(ValueError, match="X is empty"):
        Mixture(n_components="auto").fit(np.empty((0, 2)))


def test_only_problems_of_the_chosen_mixture_are_warned_of():
    X, _ = make_square(random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Mixture(n_components=range(1, 9), random_state=0).fit(X)


def test_few_observations_end_the_path():
    X = np.random.default_rng(0).normal(size=(6, 2))
    model = Mixture(n_components="auto", random_state=0).fit(X)
    assert 1 <= model.n_components_ <= 6
