"""The command three-step prints what the method finds."""

import json

import numpy as np
import polars as pl
import pytest

import boltzmix
from tests.command import assert_one_sentence, run
from tests.inference.three_step_people import ANSWERS, COVARIATES, INCOME, TOWN


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("three-step")
    people = pl.DataFrame(ANSWERS, schema=[f"q{j}" for j in range(6)]).with_columns(
        income=pl.Series(INCOME),
        town=pl.Series(np.array(["a", "b", "c"])[TOWN]),
        age=pl.Series(COVARIATES[:, 0]),
        wealth=pl.Series(COVARIATES[:, 1]),
    )
    people.write_csv(folder / "people.csv")
    questions = people.select(pl.col("^q.$"))
    model = boltzmix.Mixture(boltzmix.families.Bernoulli(), 3, random_state=0).fit(questions)
    model.save(folder / "people.bmix")
    return folder


@pytest.fixture(autouse=True)
def inside(folder, monkeypatch):
    monkeypatch.chdir(folder)


def found(**arguments):
    people = pl.read_csv("people.csv")
    chosen = {name: people.select(value) for name, value in arguments.items()}
    questions = people.select(pl.col("^q.$")).cast(pl.Float64)
    return boltzmix.load("people.bmix").three_step(questions, **chosen)


def test_it_prints_what_the_method_finds():
    result = run("three-step", "people.bmix", "people.csv", "--outcome", "town")
    assert result.exit_code == 0 and result.output == f"{found(outcome=['town'])!r}\n"
    result = run("three-step", "people.bmix", "people.csv", "--covariates", "age + wealth")
    assert result.output == f"{found(covariates=['age', 'wealth'])!r}\n"


def test_it_writes_a_table_and_json():
    options = ("--outcome", "income", "--correction", "none", "--out", "means.csv", "--json")
    result = run("three-step", "people.bmix", "people.csv", *options)
    estimates = json.loads(result.output)["estimates"]
    written = pl.read_csv("means.csv")
    np.testing.assert_allclose(written["estimate"], [row["estimate"] for row in estimates])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "Pass either covariates or outcome"),
        (("--outcome", "luck"), "--outcome names 'luck', which is no column"),
        (("--outcome", "income", "--correction", "lg"), "correction must be"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(options, words):
    result = run("three-step", "people.bmix", "people.csv", *options)
    assert_one_sentence(result, words)
