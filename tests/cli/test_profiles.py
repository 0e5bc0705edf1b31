"""Tests of `boltzmix profiles`."""

import json

import numpy as np
import polars as pl
import pytest

import boltzmix
from tests.command import assert_one_sentence, run

RNG = np.random.default_rng(0)
SIDES = RNG.integers(0, 2, 80)
MIXED = pl.DataFrame(
    {
        "age": RNG.normal(40 + 30 * SIDES, 5),
        "colour": [["red", "blue"][side] for side in SIDES],
        "luck": RNG.normal(size=80),
    }
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    MIXED.write_csv("mixed.csv")
    run("fit", "mixed.csv", "-k", "2", "--family", "auto", "--seed", "0", "--save", "mixed.bmix")


def test_it_prints_the_profiles_of_the_model():
    result = run("profiles", "mixed.bmix", "mixed.csv")
    assert result.exit_code == 0
    found = boltzmix.load("mixed.bmix").profiles(MIXED)
    assert result.output == f"{found!r}\n"
    assert "colour = red" in result.output
    assert found.ranking[-1] == "luck"


def test_it_writes_the_table_and_a_picture():
    result = run("profiles", "mixed.bmix", "mixed.csv", "--out", "p.csv", "--plot", "p.png")
    assert "Table: p.csv\nPicture: p.png" in result.output
    table = pl.read_csv("p.csv")
    found = boltzmix.load("mixed.bmix").profiles(MIXED)
    np.testing.assert_allclose(table["mean"], [row["mean"] for row in found.rows()])


def test_json_has_the_ranking_and_all_rows():
    found = json.loads(run("profiles", "mixed.bmix", "mixed.csv", "--json").output)
    assert sorted(found["ranking"]) == ["age", "colour", "luck"]
    assert len(found["profiles"]) == 2 * (1 + 2 + 1)


def test_a_bootstrap_changes_the_intervals_only():
    given = ["mixed.bmix", "mixed.csv", "--json"]
    one, other = (
        json.loads(run("profiles", *given, *more).output)["profiles"]
        for more in ([], ["--bootstrap", "20", "--seed", "0"])
    )
    assert [row["mean"] for row in one] == [row["mean"] for row in other]
    assert [row["low"] for row in one] != [row["low"] for row in other]


def test_codes_of_a_categorical_model_have_their_names():
    run("fit", "mixed.csv", "-k", "1", "--family", "categorical", "--columns", "colour",
        "--save", "codes.bmix")  # fmt: skip
    assert "colour = blue" in run("profiles", "codes.bmix", "mixed.csv").output


def test_a_wrong_level_is_one_sentence():
    result = run("profiles", "mixed.bmix", "mixed.csv", "--level", "95")
    assert_one_sentence(result, "--level must lie between 0 and 1")
    result = run("profiles", "mixed.bmix", "mixed.csv", "--json", "--out", "-")
    assert_one_sentence(result, "--json and --out -")
