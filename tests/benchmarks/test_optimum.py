"""Tests of the benchmark `optimum`: its likelihoods, scores, saved results and page."""

from argparse import Namespace

import numpy as np
import pytest
from scipy import stats
from sklearn.mixture import GaussianMixture

from benchmarks.fits import Plan
from benchmarks.optimum import Saved, attempt, measure_optimum, optimum
from benchmarks.optimum_methods import (
    ABLATIONS,
    METHODS,
    PEER,
    Method,
    Solution,
    peer_reference,
    reference,
)
from benchmarks.optimum_pages import markdown, write_page
from benchmarks.optimum_scores import MARGIN, highest, score_all, summarise
from benchmarks.optimum_sets import SETS, Evaluation, Points, Set, chains, gaussian_joint, points
from boltzmix import EM, Mixture
from boltzmix.datasets import make_mixture
from boltzmix.families import Gaussian

OVERLAPPING = points(*make_mixture(800, 4, 3, separation=2, random_state=0))
WORSE = OVERLAPPING.labels * 0


def test_joint_log_densities_equal_those_of_scipy():
    rng = np.random.default_rng(0)
    X, weights, means = rng.normal(size=(20, 3)), [0.2, 0.8], rng.normal(size=(2, 3))
    covariances = [np.diag([1.0, 2.0, 3.0]), np.cov(rng.normal(size=(3, 9)))]
    expected = [
        np.log(weight) + stats.multivariate_normal(mean, covariance).logpdf(X)
        for weight, mean, covariance in zip(weights, means, covariances, strict=True)
    ]
    np.testing.assert_allclose(gaussian_joint(X, weights, means, covariances).T, expected)


def test_likelihoods_equal_those_that_boltzmix_and_scikit_learn_compute():
    ours = Mixture(OVERLAPPING.family, 4, random_state=0).fit(OVERLAPPING.rows)
    evaluation = OVERLAPPING.evaluate(ours)
    assert evaluation.likelihood == pytest.approx(ours.lower_bound_)
    np.testing.assert_array_equal(evaluation.labels, ours.labels_)
    theirs = GaussianMixture(4, random_state=0).fit(OVERLAPPING.rows)
    evaluation = OVERLAPPING.evaluate_gaussians(theirs.weights_, theirs.means_, theirs.covariances_)
    assert evaluation.likelihood == pytest.approx(theirs.score(OVERLAPPING.rows))


def test_the_likelihood_of_sequences_equals_the_score_of_the_model():
    problem = chains(0, (5, 10))
    model = Mixture(problem.family, 3, random_state=0).fit(*problem.data)
    assert problem.evaluate(model).likelihood == pytest.approx(model.score(*problem.data))


def test_scaled_columns_have_one_ridge_and_the_same_clusters():
    X, labels = make_mixture(300, 3, 2, random_state=1)
    X = X * [1.0, 500.0]
    problem = points(X, labels)
    data = Gaussian().observe(problem.rows)
    np.testing.assert_allclose(Gaussian().prepare(data, 3).added_variance, problem.ridge)
    raw, scaled = (Mixture(n_components=3, random_state=0).fit(one) for one in (X, problem.rows))
    np.testing.assert_array_equal(raw.labels_, scaled.labels_)


def test_both_references_reach_the_same_optimum():
    own, peer = reference(OVERLAPPING, 1), peer_reference(OVERLAPPING)
    assert own.likelihood == pytest.approx(peer.likelihood, abs=1e-6)
    assert (own.labels == peer.labels).mean() > 0.99


def test_the_reference_is_above_em_with_a_larger_tolerance():
    own = reference(OVERLAPPING, 1)
    loose = Mixture(
        OVERLAPPING.family, 4, algorithm=EM(1e-3), init=OVERLAPPING.labels, random_state=0
    ).fit(OVERLAPPING.rows)
    assert own.likelihood > OVERLAPPING.evaluate(loose).likelihood


@pytest.mark.parametrize("name", ["auto", "beem", "beem+em", PEER, "sklearn-kmeans++-1"])
def test_methods_find_separated_clusters(name):
    problem = SETS["K5-D2-separated"].make(0)
    row = attempt(METHODS[name], problem, 0, 1)
    assert row["ARI"] > 0.99
    assert row["likelihood"] == pytest.approx(reference(problem, 1).likelihood, abs=MARGIN)
    assert row["seconds"] > 0


def test_the_error_of_a_failed_fit_is_saved():
    def fail(problem, seed, threads):
        raise ValueError("no such luck\nat all")

    def diverge(problem, seed, threads):
        return Solution(1.0, Evaluation(np.nan, problem.labels))

    assert attempt(Method(fail, (Points,)), OVERLAPPING, 0, 1) == {
        "error": "ValueError: no such luck"
    }
    assert "error" in attempt(Method(diverge, (Points,)), OVERLAPPING, 0, 1)


def rows_of(**likelihoods):
    """Return references and fits of two sets: one fixed, one drawn again for every seed."""
    references = {
        key: {"set": key[0], "data": key[1], "n": 9, "k": 3, "ARI": 1.0, "likelihood": 0.0}
        for key in [("iris", 0), ("K30-D2", 0), ("K30-D2", 1)]
    }
    fits = {}
    for method, values in likelihoods.items():
        name = method.replace("_", "-").replace("sklearn-kmeans", PEER)
        for place, value in enumerate(values):
            key = (("iris", "K30-D2")[place // 2], name, place % 2)
            row = {"session": 0, "seconds": 2.0 + (name == PEER), "ARI": 0.5, "purity": 0.6}
            row |= {"error": "none"} if value is None else {"likelihood": value}
            fits[key] = row
    return references, fits


def test_success_counts_fits_near_the_reference_or_above_it():
    references, fits = rows_of(auto=[-MARGIN, -2 * MARGIN, 5.0, None])
    scores = score_all(references, fits)
    assert scores["iris", "auto"].success == 0.5
    assert scores["K30-D2", "auto"].success == 0.5
    assert scores["K30-D2", "auto"].errors == 1


def test_the_gap_is_the_distance_to_the_best_fit_of_the_same_data():
    references, fits = rows_of(auto=[-1.0, -3.0, -1.0, 0.0], beem=[2.0, 0.0, 1.0, 3.0])
    assert highest(references, fits) == {("iris", 0): 2, ("K30-D2", 0): 1, ("K30-D2", 1): 3}
    scores = score_all(references, fits)
    assert scores["iris", "auto"].gap == 4  # mean of 3 and 5: all seeds have the same data
    assert scores["K30-D2", "auto"].gap == 2.5  # mean of 2 and 3: each seed has its own data


def test_a_summary_includes_only_sets_with_scores():
    references, fits = rows_of(auto=[0.0, 0.0, 0.0, -1.0], sklearn_kmeans=[0.0, 0.0])
    scores = score_all(references, fits)
    own = summarise(scores, SETS, "auto", PEER)
    assert (own.sets, own.success, own.certain) == (2, 0.75, 1)
    assert own.time == pytest.approx(2 / 3)
    assert summarise(scores, SETS, "beem", PEER) is None


class Counting:
    """A method that counts its fits."""

    def __init__(self, calls, name):
        self.calls, self.name = calls, name

    def __call__(self, problem, seed, threads):
        if len(problem.labels) == len(OVERLAPPING.labels):  # not while warming up
            self.calls.append((self.name, seed))
        return Solution(1.0, Evaluation(-1.0, WORSE[: len(problem.labels)]))


@pytest.fixture
def counted(monkeypatch):
    """Return the list of calls so far, and a function that plans one set and two methods."""
    monkeypatch.setitem(SETS, "tiny", Set(lambda seed: OVERLAPPING, Points, drawn=False))
    calls = []
    methods = {name: Method(Counting(calls, name), (Points,)) for name in ("one", "other")}

    def plan(**changes):
        settings = {"sets": {"tiny": SETS["tiny"]}, "methods": methods, "seeds": 2, "threads": 1}
        return Plan(**settings | changes)

    return calls, plan


def test_methods_alternate_and_saved_fits_are_not_repeated(counted, tmp_path):
    calls, plan = counted
    path = tmp_path / "optimum.json"
    measure_optimum(plan(), Saved.load(path), lambda text: None)
    assert calls == [("one", 0), ("other", 0), ("one", 1), ("other", 1)]
    measure_optimum(plan(), Saved.load(path), lambda text: None)
    assert len(calls) == 4
    measure_optimum(plan(seeds=3), Saved.load(path), lambda text: None)
    assert calls[4:] == [("one", 2), ("other", 2)]
    measure_optimum(plan(seeds=1, again=True), Saved.load(path), lambda text: None)
    assert calls[6:] == [("one", 0), ("other", 0)]
    saved = Saved.load(path)
    assert len(saved.fits) == 6
    assert saved.fits["tiny", "one", 0]["session"] == 2
    assert saved.references["tiny", 0]["scikit-learn"] == pytest.approx(
        saved.references["tiny", 0]["likelihood"], abs=1e-6
    )


def test_an_interrupted_run_keeps_its_fits(counted, tmp_path):
    _, plan = counted

    def stop(text):
        raise KeyboardInterrupt

    path = tmp_path / "optimum.json"
    with pytest.raises(KeyboardInterrupt):
        measure_optimum(plan(), Saved.load(path), stop)
    assert list(Saved.load(path).fits) == [("tiny", "one", 0)]


def test_sets_with_absent_data_are_skipped_with_a_message(monkeypatch, tmp_path):
    monkeypatch.setenv("BOLTZMIX_DATA", str(tmp_path))
    messages = []
    plan = Plan({"S1": SETS["S1"]}, METHODS, 1)
    measure_optimum(plan, Saved(tmp_path / "optimum.json"), messages.append)
    assert len(messages) == 1
    assert messages[0].startswith("Skipped: S1 is absent: set BOLTZMIX_DATA")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sets": "S1,S9"}, "--sets accepts S1, .* not 'S9'"),
        ({"methods": "magic"}, "--methods accepts auto, .* not 'magic'"),
        ({"seeds": 0}, "--seeds must be at least 1, not 0"),
    ],
)
def test_invalid_options_raise(changes, message, tmp_path):
    options = {"sets": None, "methods": None, "seeds": 1, "threads": 1, "again": False}
    with pytest.raises(SystemExit, match=message):
        optimum(Namespace(**options | changes), tmp_path, lambda text: None)


SESSION = {
    "date": "2020-01-01", "threads": 2, "versions": {"numpy": "2"}, "load": 0.1,
    "machine": {"cores": 2, "python": "3", "system": "Linux", "architecture": "any"},
}  # fmt: skip


def test_the_page_shows_scores_and_lists_sets_where_the_peer_is_better(tmp_path):
    references, fits = rows_of(auto=[0.0, -1.0, 0.0, None], sklearn_kmeans=[0.0, 0.0, 0.0, 0.0])
    page = markdown(references, fits, [SESSION])
    assert "2020-01-01 (load average 0.1), 2 threads on 2 cores" in page
    assert "| iris | 0.50 | 1.00 |" in page
    assert "| K30-D2 | 0.50 (1 error) | 1.00 |" in page
    assert f"less often than `{PEER}` on iris, K30-D2, and takes longer on none" in page
    assert "pomegranate |" not in page
    paths = write_page(references, fits, [SESSION], tmp_path)
    assert [path.name for path in paths] == ["optimum.md", "optimum.png"]
    assert all(path.stat().st_size for path in paths)


def test_the_page_counts_fits_below_the_algorithm_of_the_paper():
    references, fits = rows_of(auto=[0.0, -1.0, 0.5, None], **{"beem+em": [0.0, -0.8, 0.0, 0.0]})
    page = markdown(references, fits, [SESSION])
    assert "Of 3 fits, `auto` ended more than 0.0001 nats below `beem+em`" in page
    assert "with the same seed in 1: 1 of iris, by 0.2000 at most." in page


def test_ablations_are_compared_on_sets_that_all_were_run_on():
    references, fits = rows_of(auto=[0.0, 0.0, -1.0, -1.0], **dict.fromkeys(ABLATIONS, (-1.0, 0.0)))
    section = markdown(references, fits, [SESSION]).split("## Without one part")[1]
    assert "means over the 1 sets of points" in section
    assert "| auto | 1.00 | 1 of 1 |" in section
    assert "| without-moves | 0.50 | 0 of 1 |" in section


def test_every_method_for_points_has_a_different_marker():
    from benchmarks.pictures import METHOD_LOOKS

    names = [name for name, method in METHODS.items() if Points in method.kinds]
    assert names == list(METHOD_LOOKS)
    assert len(set(METHOD_LOOKS.values())) == len(names)
