"""Tests of `boltzmix fit --sequence`: it reads long tables and labels each sequence."""

import numpy as np
import polars as pl
import pytest

from boltzmix.metrics import purity_score
from tests.command import assert_one_sentence, run

N, TRUE = 24, np.arange(24) % 2


def walks():
    """Return sequences, named w000 to w023, that stay at their start or oscillate."""
    rng = np.random.default_rng(0)
    frames = []
    for i in range(N):
        steps = np.arange(rng.integers(8, 13))
        height = 4.0 * (steps % 2 if TRUE[i] else np.ones(len(steps)))
        frames.append(
            pl.DataFrame(
                {
                    "walker": [f"w{i:03}"] * len(steps),
                    "when": steps,
                    "day": [f"2024-01-{step + 1:02}" for step in steps],
                    "x": height + rng.normal(0, 0.5, len(steps)),
                    "y": rng.normal(0, 0.5, len(steps)),
                    "symbol": ["high" if h else "low" for h in height],
                    "count": (height + 1).astype(int),
                }
            )
        )
    return pl.concat(frames)


WALKS = walks()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    WALKS.write_csv("walks.csv")
    WALKS.write_parquet("walks.parquet")
    return tmp_path


def fit(*arguments):
    options = ["--states", "2"] if "markov-chain" not in arguments else []
    return run("fit", *arguments, *options, "-k", "2", "--sequence", "walker", "--seed", "0")


@pytest.mark.parametrize("name", ["walks.csv", "walks.parquet"])
def test_every_sequence_has_a_label_and_is_drawn(folder, name):
    result = fit(name, "--order", "when", "--columns", "x,y", "--out", "labels.csv",
                 "--plot", "fit.png")  # fmt: skip
    assert result.exit_code == 0, result.output
    labels = pl.read_csv("labels.csv")
    assert labels.columns == ["walker", "label", "probability"]
    assert labels["walker"].to_list() == [f"w{i:03}" for i in range(N)]
    assert purity_score(TRUE, labels["label"].to_numpy()) == 1
    assert labels["probability"].is_between(0.5, 1.0).all()
    assert (folder / "fit.png").read_bytes().startswith(b"\x89PNG")
    lengths = WALKS.group_by("walker").len()["len"]
    assert f"24 sequences of {lengths.mean():.1f} steps on average (8 to 12)" in result.output
    assert "2 columns: x, y" in result.output
    assert "state 0 (" in result.output


def test_slopes_and_normalisation_are_kept_for_prediction(folder):
    result = fit("walks.csv", "--order", "when", "--columns", "x", "--slopes", "--normalise",
                 "--out", "labels.csv", "--save", "m.bmix")  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "2 columns: x, slope of x" in result.output
    again = run("predict", "m.bmix", "walks.csv", "--out", "again.csv")
    assert again.exit_code == 0, again.output
    assert pl.read_csv("labels.csv").equals(pl.read_csv("again.csv"))
    for option in ("--slopes", "--normalise"):
        refused = run("fit", "walks.csv", "-k", "2", option, "--columns", "x,y")
        assert_one_sentence(refused, f"{option} is for sequences of numbers")


@pytest.mark.parametrize("order", ["when", "day"])
def test_rows_in_any_order_give_the_same_labels(folder, order):
    WALKS.sample(fraction=1, shuffle=True, seed=1).write_parquet("shuffled.parquet")
    for name in ("walks.parquet", "shuffled.parquet"):
        result = fit(name, "--order", order, "--columns", "x,y", "--out", f"labels-{name}")
        assert result.exit_code == 0, result.output
    expected, found = (
        pl.read_parquet(f"labels-{name}") for name in ("walks.parquet", "shuffled.parquet")
    )
    assert expected.equals(found)
    assert "as text" not in result.stderr


def test_without_an_order_rows_keep_the_order_of_the_file(folder):
    by_step = WALKS.sort("when", maintain_order=True)
    by_step.write_csv("by-step.csv")
    for name in ("walks.csv", "by-step.csv"):
        assert fit(name, "--columns", "x,y", "--out", f"labels-{name}").exit_code == 0
    assert pl.read_csv("labels-walks.csv").equals(pl.read_csv("labels-by-step.csv"))


def test_sequence_and_order_are_never_features(folder):
    numbers = WALKS.with_columns(pl.col("walker").str.slice(1).cast(pl.Int32)).drop("day", "symbol")
    numbers.write_parquet("numbers.parquet")
    result = fit("numbers.parquet", "--order", "when", "--out", "labels.parquet")
    assert "3 columns: x, y, count" in result.output
    labels = pl.read_parquet("labels.parquet")
    assert labels["walker"].dtype == pl.Int32
    assert labels["walker"].to_list() == list(range(N))


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (["007", "010"], ["007", "010"]),
        ([" 7", "10"], [7, 10]),
        (["10", "b7"], ["10", "b7"]),
        (["1.50", "2"], ["1.50", "2"]),
    ],
)
def test_sequence_names_keep_zeros_and_decimals(folder, written, kept):
    rows = [f"{name},{value}" for name in written for value in (0.1, 0.5, 3.1, 3.3)]
    (folder / "ids.csv").write_text("\n".join([" id ,x", *rows]) + "\n")
    result = run("fit", "ids.csv", "-k", "1", "--sequence", "id", "--states", "2",
                 "--seed", "0", "--out", "labels.parquet")  # fmt: skip
    assert result.exit_code == 0, result.output
    assert pl.read_parquet("labels.parquet")["id"].to_list() == kept


def test_a_markov_chain_accepts_text_and_lists_its_codes(folder):
    result = fit("walks.csv", "--family", "markov-chain", "--columns", "symbol",
                 "--out", "labels.csv", "--plot", "fit.svg")  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "note: the text of column 'symbol' was turned into codes: 0 = high, 1 = low." in (
        result.stderr
    )
    assert "starts with low (96%)" in result.output  # of 12 sequences, and the prior
    assert "high → high" in result.output
    assert purity_score(TRUE, pl.read_csv("labels.csv")["label"].to_numpy()) == 1


def test_the_only_remaining_column_is_the_symbol(folder):
    WALKS.select("walker", "symbol").write_csv("symbols.csv")
    assert fit("symbols.csv", "--family", "markov-chain").exit_code == 0
    result = fit("symbols.csv", "--emission", "categorical")
    assert result.exit_code == 0, result.output
    assert "symbol high (" in result.output


@pytest.mark.parametrize(
    "options",
    ["--emission poisson --columns count", "--topology left-right --covariance full --columns x,y"],
)
def test_other_emissions_and_topologies_can_be_fitted(folder, options):
    result = fit("walks.csv", *options.split(), "--order", "when", "--plot", "fit.png")
    assert result.exit_code == 0, result.output


def test_a_users_own_family_of_sequences_can_be_fitted(folder):
    (folder / "walkers.py").write_text(
        "from boltzmix.families import Family\n"
        "from boltzmix import Sequences\n"
        "class Mean(Family):\n"
        "    mean = 0.0\n"
        "    def observe(self, X, y=None):\n"
        "        return Sequences.of(X)\n"
        "    def fit(self, data, *, weights=None, rng=None):\n"
        "        new = type(self)(); new.mean = data.as_vectors()[:, 1].mean(); return new\n"
        "    def log_prob(self, data):\n"
        "        return -0.5 * (data.as_vectors()[:, 1] - self.mean) ** 2\n"
        "class Rows(Mean):\n"
        "    observe = Family.observe\n"
    )
    result = run("fit", "walks.csv", "-k", "2", "--sequence", "walker", "--seed", "0",
                 "--family", "walkers:Mean", "--columns", "x", "--plot", "fit.png")  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "24 sequences" in result.output
    failed = run("fit", "walks.csv", "-k", "2", "--sequence", "walker", "--family", "walkers:Rows")
    assert_one_sentence(failed, "The family walkers:Rows does not read sequences")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            "--family hmm",
            "The family hmm is for sequences: name the column that says which sequence",
        ),
        ("--family markov-chain", "The family markov-chain is for sequences"),
        ("--states 3", "--states is for the family hmm, not for auto: leave it out, or"),
        ("--topology ergodic", "--topology is for the family hmm"),
        ("--emission poisson", "--emission is for the family hmm"),
        ("--order when", "--order sorts the steps of sequences: name the column"),
        ("--sequence walker --family gaussian", "--family hmm --emission gaussian"),
        ("--sequence walker --family markov-chain --states 3", "not for markov-chain: leave it"),
        ("--sequence walker --family markov-chain --covariance full", "not for markov-chain"),
        ("--sequence walker --emission poisson --covariance full", "not for poisson"),
        ("--sequence walker --states 0", "boltzmix: --states must be a whole number of at least 1"),
        ("--sequence walker --states 9999", "--states 9999 is more than the"),
        ("--sequence walker --topology ring", "--topology must be one of ergodic, left-right"),
        ("--sequence walker --emission magic", "There is no emission 'magic'"),
        ("--sequence walker --emission :", "--emission must name a module and a class"),
        ("--sequence nobody", "walks.csv has no column 'nobody': its columns are walker, when"),
        ("--sequence walker --order never", "walks.csv has no column 'never'"),
        ("--sequence walker --columns x,z", "walks.csv has no column 'z'"),
        ("--sequence walker --columns symbol", "or use --family markov-chain for text"),
        ("--sequence walker --exclude x,y,count,when", "--family markov-chain uses text, too"),
        ("--sequence walker --columns x,walker", "--sequence and --columns both name column"),
        ("--sequence walker --order when --columns when", "--order and --columns both name column"),
        ("--sequence walker --order walker", "--sequence and --order both name column 'walker'"),
        ("--sequence walker --order count", "has 5 more than once in sequence w000: every step"),
        ("--sequence walker --family markov-chain", "one column of symbols is wanted: name it"),
        ("--sequence walker --family markov-chain --columns x,y", "one column of symbols"),
        ("--sequence walker --family markov-chain --columns x", "takes codes 0, 1, 2"),
        ("--sequence walker -k 25", "-k 25 is more than the 24 observations of"),
        ("--sequence walker --columns x --init points", "use --init random"),
    ],
)
def test_every_error_is_one_sentence(folder, arguments, words):
    before = sorted(folder.iterdir())
    count = [] if "-k" in arguments else ["-k", "2"]
    assert_one_sentence(run("fit", "walks.csv", *count, *arguments.split()), words)
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,t,x\na,0,1\n,1,2\nb,0,3\n", "Column 'id' of file.csv has no value in line 3: fill it"),
        ("id,t,x\na,0,1\na,,2\nb,0,3\n", "Column 't' of file.csv has no value in line 3"),
        ("id,t,x\na,0,1\nb,0,\nb,1,3\n", "'x' of file.csv has no value in line 3, in sequence b"),
        ("id,t,x\na,0,1\nb,0,inf\nb,1,3\n", "'x' of file.csv has infinity in line 3"),
        ("id,t\na,0\nb,0\n", "file.csv has no column besides id, t"),
        ("id,t,x\na,0,u\nb,0,v\n", "file.csv has no column to cluster"),
        ("id,t,x\na,0,1\na,0,2\nb,0,3\n", "'t' of file.csv has 0 more than once in sequence a"),
        ("id,t,x\n", "file.csv has no rows"),
    ],
)
def test_every_error_in_a_file_is_one_sentence(folder, text, words):
    (folder / "file.csv").write_text(text)
    result = run("fit", "file.csv", "-k", "1", "--sequence", "id", "--order", "t")
    assert_one_sentence(result, words)


def test_a_sequence_column_named_label_is_an_error(folder):
    WALKS.rename({"walker": "label"}).write_csv("named.csv")
    arguments = ("fit", "named.csv", "-k", "2", "--sequence", "label", "--columns", "x")
    assert_one_sentence(run(*arguments, "--out", "labels.csv"), "--out has a column 'label' itself")


def test_missing_numbers_in_parquet_are_an_error_too(folder):
    gaps = WALKS.with_columns(pl.col("when").cast(pl.Float64))
    gaps[3, "when"] = float("nan")
    gaps.write_parquet("gaps.parquet")
    assert_one_sentence(fit("gaps.parquet", "--order", "when"), "has no value in row 3")
