"""What may mislead about a fit is said: in warnings, the command, reports, notebooks, files."""

import json
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.preprocessing import StandardScaler

import boltzmix
from boltzmix import DegenerateMixtureWarning, GaussianMixture, Mixture
from boltzmix.families import HMM, Bernoulli, Family, Gaussian, Poisson
from boltzmix.learning import Problem
from boltzmix.views import describe_problems
from tests.command import run

IRIS = load_iris().data
WINE = StandardScaler().fit_transform(load_wine().data)
CANCER = StandardScaler().fit_transform(load_breast_cancer().data)
LIKELIHOOD_ONLY = Gaussian(prior=0, resolution=None)


def fit_with_warnings(model, X, **given):
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        model.fit(X, **given)
    said = [one for one in noted if issubclass(one.category, DegenerateMixtureWarning)]
    return model, [str(one.message) for one in said]


@pytest.fixture(scope="module")
def spiked():
    """Iris with a component on the flowers whose petals are all 0.2 cm wide."""
    return fit_with_warnings(Mixture(LIKELIHOOD_ONLY, 4, init="random", random_state=0), IRIS)


@pytest.fixture(scope="module")
def crowded():
    """Iris with about as many components as flowers."""
    return fit_with_warnings(Mixture(n_components=149, algorithm="em", random_state=0), IRIS)


def test_a_component_at_the_variance_floor_is_named(spiked):
    model, said = spiked
    (problem,) = model.problems_
    (k,) = problem.components
    assert problem.kind == "floor"
    assert model.components_[k].is_degenerate
    assert problem.sizes == ((model.labels_ == k).sum(),)
    assert np.ptp(IRIS[model.labels_ == k, 3]) == 0
    assert len(said) == 1
    assert f"Component {k} is at the variance floor with 29 observations" in said[0]
    assert issubclass(DegenerateMixtureWarning, UserWarning)


@pytest.mark.parametrize(("seed", "n_init"), [*((seed, 1) for seed in range(5)), (0, 5)])
def test_the_default_does_not_degenerate_on_iris(n_init, seed):
    model = Mixture(n_components=4, n_init=n_init, random_state=seed).fit(IRIS)
    assert model.problems_ == ()
    assert not any(one.is_degenerate for one in model.components_)
    assert np.bincount(model.labels_, minlength=4).min() >= 5


@pytest.mark.parametrize(("X", "n_components"), [(IRIS, 3), (WINE, 3), (CANCER, 2)])
@pytest.mark.parametrize(("kind", "n_init"), [(Mixture, 2), (GaussianMixture, 5)])
def test_good_fits_have_no_problem(kind, n_init, X, n_components):
    assert kind(n_components=n_components, n_init=n_init, random_state=0).fit(X).problems_ == ()


def test_too_many_components_are_one_sentence(crowded):
    model, said = crowded
    (problem,) = model.problems_
    sizes = np.bincount(model.labels_, minlength=149)
    assert problem.kind == "few"
    assert set(problem.components) >= set(np.flatnonzero(sizes == 0))
    assert problem.sizes == tuple(sizes[list(problem.components)])
    assert max(problem.sizes) < problem.value
    assert len(said) == 1
    assert f"{len(problem.components)} of 149 components" in said[0]
    assert f"({(sizes == 0).sum()} of them none)" in said[0]
    assert len(said[0]) < 300


def test_an_empty_component_is_named():
    start = np.repeat([0, 1], [100, 20])
    rows = np.random.default_rng(0).normal(size=(120, 2)) + 50 * start[:, None]
    model = Mixture(LIKELIHOOD_ONLY, 3, algorithm="em", init=lambda *_: _third_empty(start))
    model, said = fit_with_warnings(model, rows)
    (problem,) = model.problems_
    assert problem == Problem("empty", (2,), (0,), problem.value)
    assert said == [
        "Component 2 is the most probable component of no observation: use fewer components"
        " (n_components=2), unless only the density matters."
    ]


def test_a_mixture_that_is_all_noise_is_named():
    counts = np.full((14, 2), 1e15)
    model, said = fit_with_warnings(Mixture(Poisson(), 1, noise=True, random_state=0), counts)
    assert (model.labels_ == -1).all()
    assert said == ["Every observation is most probably noise: fit without noise (noise=False)."]


def _third_empty(labels):
    """Return responsibilities of which the third component has a little of each observation."""
    found = 0.9 * np.eye(3)[labels]
    found[:, 2] = 0.1 * (labels == 0)
    return found / found.sum(axis=1, keepdims=True)


def test_broad_components_with_few_members_are_not_small():
    rng = np.random.default_rng(0)
    rows = np.concatenate([rng.normal(size=1000), 1.2 * rng.normal(size=1000)])[:, None]
    wide = Mixture(Gaussian(), 2, algorithm="em", init="points", random_state=0).fit(rows)
    assert not any(problem.kind == "few" for problem in wide.problems_)


def test_columns_that_determine_each_other_are_no_defect_of_a_component():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(200, 2)) + np.repeat([[0.0, 0.0], [9.0, 9.0]], 100, axis=0)
    model = Mixture(LIKELIHOOD_ONLY, 2, random_state=0).fit(np.c_[rows, rows.sum(axis=1)])
    assert all(one.is_degenerate for one in model.components_)
    assert model.problems_ == ()


def test_one_component_on_each_value_of_a_column_is_at_the_floor():
    rng = np.random.default_rng(0)
    rows = np.c_[np.repeat(np.arange(3.0), 50), rng.normal(size=150)]
    model = Mixture(LIKELIHOOD_ONLY, 3, init="random", random_state=0)
    model, said = fit_with_warnings(model, rows)
    assert [problem.kind for problem in model.problems_] == ["floor"]
    assert "Components 0, 1 and 2 are at the variance floor" in said[0]


def test_runs_that_are_equally_likely_and_disagree_are_told():
    rows = np.random.default_rng(0).normal(size=(300, 2))
    model = Mixture(n_components=4, algorithm="em", n_init=4, random_state=0)
    model, said = fit_with_warnings(model, rows)
    (problem,) = [one for one in model.problems_ if one.kind == "runs"]
    assert 0 < problem.value < 0.8
    sentence = next(one for one in said if "runs" in one)
    assert "The two best of 4 runs" in sentence
    assert f"adjusted Rand index {problem.value:.2f}" in sentence
    assert "n_init=8" in sentence


def test_rows_need_one_value_for_each_parameter():
    binary = (np.random.default_rng(0).random((60, 6)) < 0.5).astype(float)
    model, _ = fit_with_warnings(Mixture(Bernoulli(), 30, algorithm="em", random_state=0), binary)
    problem = model.problems_[0]
    assert problem.value == 2  # one parameter for each column, but a fit needs two rows
    model = Mixture(Gaussian(), 20, algorithm="em", random_state=0)
    model, _ = fit_with_warnings(model, IRIS[::3])
    assert model.problems_[0].value == (4 + 10) / 4


def test_one_long_sequence_is_enough_for_one_component():
    steps = np.random.default_rng(0).normal(size=(200, 1))
    assert Mixture(HMM(n_states=2), random_state=0).fit([steps]).problems_ == ()


class Mean(Family):
    """A family that does not count its parameters."""

    mean = None

    def fit(self, data, *, weights=None, rng=None):
        fitted = Mean()
        fitted.mean = np.asarray(data).mean()
        return fitted

    def log_prob(self, data):
        return -((np.asarray(data)[:, 0] - self.mean) ** 2)


def test_a_family_that_counts_no_parameters_needs_what_a_fit_needs():
    rows = np.r_[np.zeros(10), np.ones(10), 50.0, 51.0][:, None]
    model = Mixture(Mean(), 3, random_state=0, n_init=3)
    fit_with_warnings(model, rows)
    assert all(problem.value in (0, 2) for problem in model.problems_ if problem.kind != "runs")


def test_scikit_learns_likeliest_run_is_kept_and_warned_of():
    model, said = fit_with_warnings(GaussianMixture(149, random_state=0), IRIS)
    assert model.problems_[0].kind == "few"
    assert said[0].startswith("149 of 149 components (0, 1, 2, 3, 4 and 144 more) have")


@pytest.mark.slow
def test_of_finished_runs_one_that_is_not_degenerate_is_kept():
    floors = []
    for seed in range(10):
        model = Mixture(LIKELIHOOD_ONLY, 4, init="random", n_init=5, random_state=seed)
        model, _ = fit_with_warnings(model, IRIS)
        floors.append(any(one.is_degenerate for one in model.components_))
    assert np.mean(floors) <= 0.3  # 0.7 if the likelihood decides alone


def test_the_words_name_components_and_say_what_to_do():
    model = Mixture(n_components=1, random_state=0).fit(IRIS)
    model.problems_ = (
        Problem("few", (0,), (1,), 3.5),
        Problem("floor", (0,), (4,)),
    )
    few, floor = describe_problems(model)
    assert few == (
        "Component 0 has 1 observation, fewer than the 4 that its parameters need: use a family"
        " with fewer parameters."
    )
    assert "with 4 observations, so its likelihood means little: use a simpler covariance" in floor


def test_a_second_batch_has_no_problems():
    model = Mixture(Gaussian(), 20, random_state=0)
    with pytest.warns(DegenerateMixtureWarning):
        model.partial_fit(IRIS[::3])
    assert model.problems_
    assert model.partial_fit(IRIS[::3]).problems_ == ()


def test_saved_models_reports_and_notebooks_have_the_sentences(spiked, tmp_path):
    model, said = spiked
    model.save(tmp_path / "m.bmix")
    same = boltzmix.load(tmp_path / "m.bmix")
    assert same.problems_ == model.problems_
    assert describe_problems(same) == said
    assert model.report(IRIS).findings["problems"] == said
    assert f"<p>{said[0]}</p>" in model._repr_html_()
    shown = run("inspect", str(tmp_path / "m.bmix"))
    assert said[0] in shown.output
    facts = json.loads(run("inspect", str(tmp_path / "m.bmix"), "--json").output)
    assert facts["problems"][0]["kind"] == "floor"


def test_the_command_says_it_in_its_summary_and_its_facts(tmp_path):
    file = tmp_path / "iris.csv"
    np.savetxt(file, IRIS[::3], delimiter=",", header="a,b,c,d", comments="")
    call = ("fit", str(file), "-k", "20", "--algorithm", "em", "--seed", "0")
    shown = run(*call)
    (sentence,) = [one for one in shown.stdout.splitlines() if one.startswith("Note: ")]
    assert "of 20 components" in sentence
    assert "Warning" not in shown.output + shown.stderr
    facts = run(*call, "--json")
    (problem,) = json.loads(facts.stdout)["problems"]
    assert problem["kind"] == "few"
    assert f"Note: {problem['sentence']}" == sentence
    assert f"boltzmix: note: {problem['sentence']}" in facts.stderr
    good = run("fit", str(file), "-k", "3", "--seed", "0")
    assert "Note: " not in good.output
