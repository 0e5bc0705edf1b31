"""Covariates of membership, profiles and standard errors of a file, by the command."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.command import run
from tests.test_membership import people


@pytest.fixture
def people_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame, _ = people(200, spread=0.5)
    frame.to_csv("people.csv", index=False)
    return frame


def test_fit_shows_effects_and_the_model_reads_covariates_again(people_file):
    made = run("fit", "people.csv", "-k", "3", "--membership", "age + sex", "--seed", "0",
               "--save", "m.bmix", "--report", "r.html", "--out", "labels.csv")  # fmt: skip
    assert "odds ratio" in made.output
    assert "sex[m]" in made.output
    assert "a, b" in made.output.splitlines()[0]
    labels = pd.read_csv("labels.csv")["label"]
    again = run("predict", "m.bmix", "people.csv", "--json")
    assert json.loads(again.output)["label"] == labels.tolist()
    assert "--membership age + sex" in run("inspect", "m.bmix").output
    assert "membership[age]" in run("bootstrap", "m.bmix", "people.csv", "-n", "10").output
    assert "b" in run("profiles", "m.bmix", "people.csv").output


def test_json_has_the_effects(people_file):
    made = run("fit", "people.csv", "-k", "2", "--membership", "age", "--columns", "a,b", "--json")
    effects = json.loads(made.output)["membership"]
    assert [row["name"] for row in effects] == ["intercept", "age"]


def test_covariates_of_sequences_are_the_same_in_all_rows_of_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    steps = pd.DataFrame({"id": np.repeat(np.arange(30), 5), "age": np.repeat(range(30), 5)})
    steps["speed"] = rng.normal(4 * (steps["age"] > 15), 1)
    steps.to_csv("walks.csv", index=False)
    made = run("fit", "walks.csv", "-k", "2", "--sequence", "id", "--states", "1",
               "--membership", "age", "--seed", "0", "--save", "w.bmix")  # fmt: skip
    assert "Standard errors take longer here" in made.output
    assert run("predict", "w.bmix", "walks.csv").exit_code == 0
    steps["age"] = np.arange(150)
    steps.to_csv("walks.csv", index=False)
    bad = run("fit", "walks.csv", "-k", "2", "--sequence", "id", "--membership", "age")
    assert bad.exit_code != 0
    assert "must be the same in all rows of a sequence" in " ".join(bad.stderr.split())


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("height", "has no column 'height'"),
        ("age +", "something is missing"),
        ("f(age)", "functions I, C"),
    ],
)
def test_bad_formulas_get_one_sentence(people_file, formula, message):
    made = run("fit", "people.csv", "-k", "2", "--membership", formula)
    assert made.exit_code != 0
    assert message in " ".join(made.stderr.split())
