"""Tests of --compare-with: a column of known classes, which is not clustered."""

import json

import numpy as np
import pandas as pd
import pytest

from boltzmix.datasets import make_square
from boltzmix.metrics import adjusted_rand_score
from tests.command import assert_one_sentence, run

X, CORNERS = make_square(random_state=0)
NAMES = np.array(["north", "east", "south", "west"])[CORNERS]
SEED = ("--seed", "0")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame(X, columns=["a", "b"])
    frame.to_csv("plain.csv", index=False)
    frame.assign(corner=CORNERS, name=NAMES, key=np.arange(len(X))).to_csv("c.csv", index=False)
    return tmp_path


@pytest.mark.parametrize("command", ["fit", "compare"])
@pytest.mark.parametrize("column", ["corner", "name"])
def test_the_column_is_compared_and_left_out_of_the_fit(folder, command, column):
    rest = ("--columns", "a,b", "--compare-with", column)
    found = json.loads(run(command, "c.csv", "-k", "4", *SEED, *rest, "--json").stdout)
    alone = json.loads(run(command, "plain.csv", "-k", "4", *SEED, "--json").stdout)
    own = found if command == "fit" else found["best"]
    assert own["components"] == (alone if command == "fit" else alone["best"])["components"]
    agreement = found["agreement"]
    known = sorted(set(NAMES)) if column == "name" else list("0123")
    assert agreement["classes"] == known
    assert sum(map(sum, agreement["counts"])) == len(X)


def test_without_columns_the_known_classes_are_not_clustered(folder):
    run("fit", "c.csv", "-k", "4", *SEED, "--compare-with", "corner", "--exclude", "key,name",
        "--out", "labels.csv")  # fmt: skip
    run("fit", "plain.csv", "-k", "4", *SEED, "--out", "alone.csv")
    assert (folder / "labels.csv").read_text() == (folder / "alone.csv").read_text()


def test_the_summary_has_the_cross_table_and_the_scores(folder):
    result = run("fit", "c.csv", "-k", "4", *SEED, "--columns", "a,b", "--compare-with", "name",
                 "--out", "labels.csv")  # fmt: skip
    labels = pd.read_csv("labels.csv")["label"]
    assert f"adjusted Rand index of {adjusted_rand_score(NAMES, labels):.3f}" in result.stdout
    lines = result.stdout.splitlines()
    row = next(line for line in lines if line.startswith("east")).split()
    assert sum(map(int, row[1:])) == (NAMES == "east").sum()


def test_a_sequence_has_one_class(folder):
    rng = np.random.default_rng(0)
    steps = pd.DataFrame(
        [
            (f"s{i:02}", t, value, "AB"[i % 2])
            for i in range(30)
            for t, value in enumerate(rng.normal(8 * (i % 2), 1, 12))
        ],
        columns=["who", "t", "x", "kind"],
    )
    steps.sample(frac=1, random_state=0).to_csv("walks.csv", index=False)
    options = ("-k", "2", "--sequence", "who", "--order", "t", "--states", "1", *SEED)
    found = json.loads(run("fit", "walks.csv", *options, "--compare-with", "kind", "--json").stdout)
    assert found["agreement"]["adjusted_Rand_index"] == 1
    steps.loc[3, "kind"] = "B"
    steps.to_csv("walks.csv", index=False)
    result = run("fit", "walks.csv", *options, "--compare-with", "kind")
    assert_one_sentence(result, "Column 'kind' of walks.csv differs between rows of who s00")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--compare-with", "nothing"), "c.csv has no column 'nothing'"),
        (("--compare-with", "a", "--columns", "a,b"), "--columns and --compare-with both name"),
        (("--compare-with", "key"), "--compare-with (key) has 210 different values"),
    ],
)
def test_a_wrong_column_is_an_error_before_the_fit(folder, options, words):
    assert_one_sentence(run("fit", "c.csv", "-k", "4", *options), words)
