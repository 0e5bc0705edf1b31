"""Tests of `boltzmix compare`, and of `boltzmix fit` where it chooses the number of components."""

import json

import numpy as np
import polars as pl
import pytest

import boltzmix
from boltzmix.cli.values import read_components
from tests.command import assert_one_sentence, run

CENTRES = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], 70, axis=0)
X = CENTRES + np.random.default_rng(0).normal(size=CENTRES.shape)
SENTENCE = "3 clusters; fits to halves of the rows agree by "
BY_BIC = "3 components of RobustGaussian() chosen among "


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"x": X[:, 0], "y": X[:, 1]}).write_csv("corners.csv")
    return tmp_path


@pytest.fixture
def walks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    who = np.repeat(np.arange(20), 6)
    pl.DataFrame({"who": who, "x": rng.normal(6 * (who % 2))}).write_csv("walks.csv")
    return tmp_path


def succeeded(*arguments):
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.parametrize(
    ("text", "numbers"),
    [(None, "auto"), ("auto", "auto"), ("3", 3), ("1..3", [1, 2, 3]), ("6,2, 4", [2, 4, 6]),
     ("1..3,3,7", [1, 2, 3, 7]), ("4..4", [4])],
)  # fmt: skip
def test_numbers_of_components_are_one_or_several(text, numbers):
    assert read_components(text) == numbers


def test_fit_without_a_number_chooses_it(folder):
    result = succeeded("fit", "corners.csv", "--seed", "0", "--save", "m.bmix", "--out", "l.csv")
    assert SENTENCE in result.output
    assert result.output.startswith("3 components on 210 rows")
    assert pl.read_csv("l.csv")["label"].n_unique() == 3
    assert SENTENCE in succeeded("inspect", "m.bmix").output


def test_fit_chooses_among_the_numbers_given_by_the_criterion_given(folder):
    result = succeeded(
        "fit", "corners.csv", "-k", "1..5", "--criterion", "bic", "--seed", "0", "--json"
    )
    choice = json.loads(result.output)["choice"]
    assert choice["sentence"].startswith(f"{BY_BIC}5 candidates by BIC (")
    assert choice["criterion"] == "bic"
    assert [one["n_components"] for one in choice["candidates"]] == [1, 2, 3, 4, 5]
    assert [one["chosen"] for one in choice["candidates"]] == [False, False, True, False, False]
    assert "choice" not in json.loads(succeeded("fit", "corners.csv", "-k", "2", "--json").output)


def test_facts_of_a_choice_have_the_agreement_of_each_number_and_component(folder):
    found = json.loads(succeeded("fit", "corners.csv", "--seed", "0", "--json").output)
    halves = found["choice"]["halves"]
    agreement = {one["number"]: one["agreement"] for one in halves["numbers"]}
    assert max(agreement, key=lambda k: (agreement[k], k) if k > 1 else (0, 0)) == 3
    assert 3 in halves["plausible"]
    assert all(one["lowest"] <= one["agreement"] <= one["highest"] for one in halves["numbers"])
    assert all(one["agreement"] > 0.9 for one in found["components"])
    assert found["n_clusters"] == found["n_components"] == 3
    assert "clusters" not in found


def test_one_population_has_no_cluster_structure(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = np.random.default_rng(0).normal(size=(120, 2))
    pl.DataFrame({"x": rows[:, 0], "y": rows[:, 1]}).write_csv("one.csv")
    result = succeeded("fit", "one.csv", "--seed", "0", "--out", "l.csv")
    assert "One cluster, no cluster structure: fits to halves of the rows agree by" in result.output
    assert pl.read_csv("l.csv")["label"].to_list() == [0] * 120


def test_compare_writes_table_picture_best_model_and_report(folder):
    result = succeeded(
        "compare", "corners.csv", "-k", "1..5", "--seed", "0", "--out", "t.csv", "--plot", "c.png",
        "--save", "m.bmix", "--report", "r.html",
    )  # fmt: skip
    assert result.output.startswith("5 candidates on 210 rows of 2 columns: x, y\n")
    assert SENTENCE in result.output
    table = pl.read_csv("t.csv")
    assert table["n_components"].to_list() == [1, 2, 3, 4, 5]
    assert table["agreement"][2] > table["agreement"][1]
    assert (folder / "c.png").read_bytes().startswith(b"\x89PNG")
    model = boltzmix.load("m.bmix")
    assert model.n_components_ == 3
    assert model.comparison_.rows() == [*table.iter_rows(named=True)]
    assert "<title>3 RobustGaussian components" in (folder / "r.html").read_text()
    assert succeeded("predict", "m.bmix", "corners.csv").output.startswith("label,")


def test_compare_takes_several_families_and_shapes(folder):
    result = succeeded(
        "compare", "corners.csv", "-k", "1,3", "--family", "gaussian,laplace", "--folds", "3",
        "--covariance", "full,diag", "--criterion", "cv", "--seed", "0", "--out", "t.parquet",
        "--json",
    )  # fmt: skip
    facts = json.loads(result.output)
    families = ["Gaussian('full')", "Gaussian('diag')", "Laplace()"]
    assert pl.read_parquet("t.parquet")["family"].unique(maintain_order=True).to_list() == families
    assert facts["criterion"] == "cv"
    assert len(facts["candidates"]) == 6
    assert facts["best"]["n_components"] == 3
    assert facts["written"] == {"table": "t.parquet"}


def test_compare_prints_the_table_alone_in_a_pipe(folder):
    result = succeeded("compare", "corners.csv", "-k", "1..4", "--seed", "0", "--out", "-")
    assert result.stdout.splitlines()[0].startswith("family,n_components,log_likelihood")
    assert len(result.stdout.splitlines()) == 5
    assert SENTENCE in result.stderr


def test_compare_tests_the_choice_by_a_bootstrap(folder):
    options = ("--seed", "0", "--columns", "x", "--family", "gaussian", "--bootstrap", "9")
    result = succeeded("compare", "corners.csv", "-k", "1..3", *options, "--json")
    facts = json.loads(result.output)
    assert facts["bootstrap"]["n_components"] == facts["best"]["n_components"]
    assert f"p = {facts['bootstrap']['p_value']:.3g} from 9 data" in facts["bootstrap"]["sentence"]


def test_compare_takes_several_numbers_of_states(walks):
    result = succeeded(
        "compare", "walks.csv", "--sequence", "who", "-k", "1,2", "--states", "1..2", "--seed", "0",
        "--algorithm", "em", "--max-iter", "20", "--json",
    )  # fmt: skip
    candidates = json.loads(result.output)["candidates"]
    assert [one["n_components"] for one in candidates] == [1, 2, 1, 2]
    assert len({one["family"] for one in candidates}) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("missing.csv", "There is no file missing.csv"),
        ("corners.csv -k 3..x", "-k must be a whole number of at least 1, as 3, a range"),
        ("corners.csv --out t.doc", "--out must end in"),
        ("corners.csv --out corners.csv", "--out would overwrite corners.csv"),
        ("corners.csv --json --out -", "both print to standard output"),
        ("corners.csv --criterion magic", "--criterion must be one of"),
        ("corners.csv --family gaussian,magic", "There is no family 'magic'"),
        ("corners.csv --family gaussian,hmm", "The family hmm is for sequences"),
        ("corners.csv --family gaussian,auto", "read the file in different ways"),
        ("corners.csv --family poisson,laplace --covariance diag", "is not for poisson"),
        ("corners.csv --covariance full,round", "--covariance must be one of"),
        ("corners.csv --states 2..3", "--states is for the family hmm"),
        ("corners.csv --states 3..2", "--states must be a whole number of at least 1"),
        ("corners.csv -k 2..3 --folds 1", "--folds must be at least 2"),
        ("corners.csv -k 2..3 --criterion cv --folds 300", "--folds 300 is more than the 210"),
        ("corners.csv --bootstrap 0", "--bootstrap must be a whole number of at least 1"),
        ("corners.csv -k 3 --bootstrap 9", "let it be 3..4, or leave it out"),
        ("corners.csv -k 1..3 --seed 0 --bootstrap 9", "to test 3 against: compare with -k 3..4."),
    ],
)  # fmt: skip
def test_every_error_is_one_sentence(folder, arguments, words):
    assert_one_sentence(run("compare", *arguments.split()), words)
