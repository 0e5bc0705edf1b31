"""What the benchmark of found optima computes, saves and shows."""

from argparse import Namespace

import numpy as np
import pytest
from scipy import stats
from sklearn.mixture import GaussianMixture

from benchmarks.optimum import Plan, Saved, attempt, measure_optimum, optimum
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
from benchmarks.optimum_sets import SETS, Points, Set, Verdict, chains, gaussian_joint, points
from boltzmix import EM, Mixture
from boltzmix.datasets import make_mixture
from boltzmix.families import Gaussian

OVERLAPPING = points(*make_mixture(800, 4, 3, separation=2, random_state=0))
WORSE = OVERLAPPING.labels * 0


def test_the_likelihood_is_that_of_scipy():
    rng = np.random.default_rng(0)
    X, weights, means = rng.normal(size=(20, 3)), [0.2, 0.8], rng.normal(size=(2, 3))
    covariances = [np.diag([1.0, 2.0, 3.0]), np.cov(rng.normal(size=(3, 9)))]
    expected = [
        np.log(weight) + stats.multivariate_normal(mean, covariance).logpdf(X)
        for weight, mean, covariance in zip(weights, means, covariances, strict=True)
    ]
    np.testing.assert_allclose(gaussian_joint(X, weights, means, covariances).T, expected)


def test_our_mixture_and_that_of_scikit_learn_are_judged_as_they_judge_themselves():
    ours = Mixture(n_components=4, random_state=0).fit(OVERLAPPING.rows)
    verdict = OVERLAPPING.judge(ours)
    assert verdict.likelihood == pytest.approx(ours.lower_bound_)
    np.testing.assert_array_equal(verdict.labels, ours.labels_)
    theirs = GaussianMixture(4, random_state=0).fit(OVERLAPPING.rows)
    verdict = OVERLAPPING.judge_gaussians(theirs.weights_, theirs.means_, theirs.covariances_)
    assert verdict.likelihood == pytest.approx(theirs.score(OVERLAPPING.rows))


def test_sequences_are_judged_by_their_likelihood():
    problem = chains(0, (5, 10))
    model = Mixture(problem.family, 3, random_state=0).fit(*problem.data)
    assert problem.judge(model).likelihood == pytest.approx(model.score(*problem.data))


def test_scaled_columns_have_one_ridge_and_the_same_clusters():
    X, labels = make_mixture(300, 3, 2, random_state=1)
    X = X * [1.0, 500.0]
    problem = points(X, labels)
    data = Gaussian().observe(problem.rows)
    np.testing.assert_allclose(Gaussian().prepare(data, 3).added_variance, problem.ridge)
    raw, scaled = (Mixture(n_components=3, random_state=0).fit(one) for one in (X, problem.rows))
    np.testing.assert_array_equal(raw.labels_, scaled.labels_)


def test_both_references_end_in_the_same_place():
    own, peer = reference(OVERLAPPING, 1), peer_reference(OVERLAPPING)
    assert own.likelihood == pytest.approx(peer.likelihood, abs=1e-6)
    assert (own.labels == peer.labels).mean() > 0.99


def test_the_reference_is_the_top_of_its_hill():
    own = reference(OVERLAPPING, 1)
    loose = Mixture(
        n_components=4, algorithm=EM(1e-3), init=OVERLAPPING.labels, random_state=0
    ).fit(OVERLAPPING.rows)
    assert own.likelihood > OVERLAPPING.judge(loose).likelihood


@pytest.mark.parametrize("name", ["auto", "beem", "beem+em", PEER, "sklearn-kmeans++-1"])
def test_methods_find_separated_clusters(name):
    problem = SETS["K5-D2-separated"].make(0)
    row = attempt(METHODS[name], problem, 0, 1)
    assert row["ARI"] > 0.99
    assert row["likelihood"] == pytest.approx(reference(problem, 1).likelihood, abs=MARGIN)
    assert row["seconds"] > 0


def test_a_fit_that_breaks_down_is_kept_as_such():
    def fail(problem, seed, threads):
        raise ValueError("no such luck\nat all")

    def diverge(problem, seed, threads):
        return Solution(1.0, Verdict(np.nan, problem.labels))

    assert attempt(Method(fail, (Points,)), OVERLAPPING, 0, 1) == {
        "error": "ValueError: no such luck"
    }
    assert "error" in attempt(Method(diverge, (Points,)), OVERLAPPING, 0, 1)


def rows_of(**likelihoods):
    """Return references of two sets, one drawn anew for every seed, and fits to them."""
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


def test_success_counts_what_is_near_the_reference_or_above_it():
    references, fits = rows_of(auto=[-MARGIN, -2 * MARGIN, 5.0, None])
    scores = score_all(references, fits)
    assert scores["iris", "auto"].success == 0.5
    assert scores["K30-D2", "auto"].success == 0.5
    assert scores["K30-D2", "auto"].broken == 1


def test_the_gap_is_to_the_best_on_the_same_data():
    references, fits = rows_of(auto=[-1.0, -3.0, -1.0, 0.0], beem=[2.0, 0.0, 1.0, 3.0])
    assert highest(references, fits) == {("iris", 0): 2, ("K30-D2", 0): 1, ("K30-D2", 1): 3}
    scores = score_all(references, fits)
    assert scores["iris", "auto"].gap == 4  # 3 and 5: all seeds have the same data
    assert scores["K30-D2", "auto"].gap == 2.5  # 2 and 3: each has its own


def test_a_summary_is_over_the_sets_that_were_tried():
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
        if len(problem.labels) == len(OVERLAPPING.labels):  # not when it only warms up
            self.calls.append((self.name, seed))
        return Solution(1.0, Verdict(-1.0, WORSE[: len(problem.labels)]))


@pytest.fixture
def counted(monkeypatch):
    """Return fits made so far, and a plan for one set and two methods."""
    monkeypatch.setitem(SETS, "tiny", Set(lambda seed: OVERLAPPING, Points, drawn=False))
    calls = []
    methods = {name: Method(Counting(calls, name), (Points,)) for name in ("one", "other")}

    def plan(**changes):
        settings = {"sets": {"tiny": SETS["tiny"]}, "methods": methods, "seeds": 2, "threads": 1}
        return Plan(**settings | changes)

    return calls, plan


def test_methods_take_turns_and_what_is_saved_is_not_run_again(counted, tmp_path):
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


def test_a_run_that_is_stopped_keeps_its_fits(counted, tmp_path):
    _, plan = counted

    def stop(text):
        raise KeyboardInterrupt

    path = tmp_path / "optimum.json"
    with pytest.raises(KeyboardInterrupt):
        measure_optimum(plan(), Saved.load(path), stop)
    assert list(Saved.load(path).fits) == [("tiny", "one", 0)]


def test_absent_data_are_left_out_with_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv("BOLTZMIX_DATA", str(tmp_path))
    told = []
    plan = Plan({"S1": SETS["S1"]}, METHODS, 1)
    measure_optimum(plan, Saved(tmp_path / "optimum.json"), told.append)
    assert len(told) == 1
    assert told[0].startswith("Left out: S1 needs BOLTZMIX_DATA")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sets": "S1,S9"}, "--sets may name S1, .* not 'S9'"),
        ({"methods": "magic"}, "--methods may name auto, .* not 'magic'"),
        ({"seeds": 0}, "--seeds must be at least 1, not 0"),
    ],
)
def test_unknown_names_raise(changes, message, tmp_path):
    options = {"sets": None, "methods": None, "seeds": 1, "threads": 1, "again": False}
    with pytest.raises(SystemExit, match=message):
        optimum(Namespace(**options | changes), tmp_path, lambda text: None)


SESSION = {
    "date": "2020-01-01", "threads": 2, "versions": {"numpy": "2"}, "load": 0.1,
    "machine": {"cores": 2, "python": "3", "system": "Linux", "architecture": "any"},
}  # fmt: skip


def test_the_page_tells_what_was_measured_and_where_we_fall_short(tmp_path):
    references, fits = rows_of(auto=[0.0, -1.0, 0.0, None], sklearn_kmeans=[0.0, 0.0, 0.0, 0.0])
    page = markdown(references, fits, [SESSION])
    assert "2020-01-01 (load average 0.1), 2 threads on 2 cores" in page
    assert "| iris | 0.50 | 1.00 |" in page
    assert "| K30-D2 | 0.50 (1 broke down) | 1.00 |" in page
    assert f"less often than `{PEER}` on iris, K30-D2, and takes longer on none" in page
    assert "pomegranate |" not in page
    paths = write_page(references, fits, [SESSION], tmp_path)
    assert [path.name for path in paths] == ["optimum.md", "optimum.png"]
    assert all(path.stat().st_size for path in paths)


def test_the_page_counts_the_fits_that_end_below_the_paper():
    references, fits = rows_of(auto=[0.0, -1.0, 0.5, None], **{"beem+em": [0.0, -0.8, 0.0, 0.0]})
    page = markdown(references, fits, [SESSION])
    assert "Of 3 fits, `auto` ended more than 0.0001 nats below `beem+em`" in page
    assert "with the same seed in 1: 1 of iris, by 0.2000 at most." in page


def test_parts_are_compared_on_the_sets_that_all_were_tried_on():
    references, fits = rows_of(auto=[0.0, 0.0, -1.0, -1.0], **dict.fromkeys(ABLATIONS, (-1.0, 0.0)))
    section = markdown(references, fits, [SESSION]).split("## Without one part")[1]
    assert "means over the 1 sets of points" in section
    assert "| auto | 1.00 | 1 of 1 |" in section
    assert "| without-moves | 0.50 | 0 of 1 |" in section


def test_every_method_of_points_has_a_look_of_its_own():
    from benchmarks.pictures import METHOD_LOOKS

    names = [name for name, method in METHODS.items() if Points in method.kinds]
    assert names == list(METHOD_LOOKS)
    assert len(set(METHOD_LOOKS.values())) == len(names)
