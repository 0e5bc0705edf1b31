"""Tests of `boltzmix fit --save`, `predict`, `inspect` and `families`, as text and as JSON."""

import io
import json
import re
from pathlib import Path
from time import sleep

import numpy as np
import polars as pl
import pytest
from rich.console import Console

import boltzmix
from boltzmix import SEM, GaussianMixture, Mixture
from boltzmix.cli.errors import in_options
from boltzmix.cli.progress import progress_bar
from boltzmix.data import marked
from boltzmix.datasets import make_square
from boltzmix.families import FAMILIES, HMM
from tests.cli.test_sequences import WALKS
from tests.command import assert_one_sentence, run

X, TRUE = make_square(random_state=0)
FRAME = pl.DataFrame({"x": X[:, 0], "y": X[:, 1], "kind": [f"k{label}" for label in TRUE]})
RNG = np.random.default_rng(0)
TIME = np.tile(np.linspace(0, 6, 40), 2)
HEIGHT = np.concatenate([np.sin(TIME[:40]), 4 + np.cos(TIME[40:])]) + 0.1 * RNG.normal(size=80)
SIDES = RNG.integers(0, 2, 60)
MIXED = pl.DataFrame(
    {
        "age": RNG.normal(40 + 20 * SIDES, 5),
        "visits": RNG.poisson(2 + 5 * SIDES),
        "colour": [["red", "blue", "green"][side + RNG.integers(2)] for side in SIDES],
    }
)
UNIT = """
import numpy as np
from boltzmix.families import Family, FunctionFamily


class Unit(Family):
    mean = None

    def fit(self, data, *, weights=None, rng=None):
        new = type(self)()
        new.mean = np.asarray(data).mean(axis=0)
        return new

    def log_prob(self, data):
        return -0.5 * ((np.asarray(data) - self.mean) ** 2).sum(axis=1)


unit = Unit()
functions = FunctionFamily(lambda x: x.mean(0), lambda x, mean: -((x - mean) ** 2).sum(1))
"""
FITS = {
    "rows": "square.csv -k 4",
    "noise": "square.csv -k 3 --noise",
    "auto": "mixed.csv -k 2 --family auto",
    "codes": "square.csv -k 2 --family categorical --columns kind",
    "hmm": "walks.csv -k 2 --sequence walker --order when --columns x,y --states 2",
    "text": "walks.csv -k 2 --sequence walker --columns symbol --emission categorical --states 2",
    "chain": "walks.csv -k 2 --sequence walker --columns symbol --family markov-chain",
    "curves": "curves.csv -k 2 --target height",
    "regression": "mixed.csv -k 2 --family poisson-regression --target visits",
    "formula": "mixed.csv -k 2 --formula visits~age*colour",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FRAME.write_csv("square.csv")
    MIXED.write_csv("mixed.csv")
    WALKS.write_csv("walks.csv")
    pl.DataFrame({"time": TIME, "height": HEIGHT}).write_csv("curves.csv")
    (tmp_path / "units.py").write_text(UNIT)
    return tmp_path


def fit(arguments, *more):
    result = run("fit", *arguments.split(), "--seed", "0", "--save", "m.bmix", *more)
    assert result.exit_code == 0, result.stderr
    return result


def table(text):
    return pl.read_csv(io.StringIO(text))


@pytest.mark.parametrize("case", FITS)
def test_predict_writes_the_labels_of_the_fit(folder, case):
    fit(FITS[case], "--out", "labels.csv")
    name = FITS[case].split()[0]
    result = run("predict", "m.bmix", name)
    assert result.exit_code == 0, result.stderr
    assert table(result.stdout).equals(pl.read_csv("labels.csv"))
    from_stream = run("predict", "m.bmix", "-", stdin=Path(name).read_bytes())
    assert from_stream.stdout == result.stdout


def test_columns_are_found_by_name_in_any_order(folder):
    fit("square.csv -k 4")
    FRAME.select("kind", "y", "x").write_parquet("turned.parquet")
    expected = run("predict", "m.bmix", "square.csv").stdout
    assert run("predict", "m.bmix", "turned.parquet").stdout == expected


def test_predict_uses_the_codes_of_the_fit_for_text(folder):
    fit("square.csv -k 2 --family categorical --columns kind", "--out", "labels.csv")
    labels = dict(zip(FRAME["kind"], pl.read_csv("labels.csv")["label"], strict=True))
    result = run("predict", "m.bmix", "-", stdin="kind\nk3\nk1\n")
    assert table(result.stdout)["label"].to_list() == [labels["k3"], labels["k1"]]
    new = run("predict", "m.bmix", "-", stdin="kind\nk3\nk9\n")
    assert_one_sentence(new, "'k9' in line 3, which the model has never seen: it knows k0, k1")


def test_probabilities_of_all_components_and_of_noise(folder):
    fit("square.csv -k 3 --noise")
    result = run("predict", "m.bmix", "square.csv", "--proba", "--out", "labels.parquet")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == "Labels: labels.parquet\n"
    found = pl.read_parquet("labels.parquet")
    probabilities = found.select("p0", "p1", "p2", "p_noise").to_numpy()
    assert np.allclose(probabilities.sum(axis=1), 1)
    assert np.array_equal(probabilities.max(axis=1), found["probability"].to_numpy())
    places = np.where(found["label"] < 0, 3, found["label"])
    assert np.array_equal(probabilities.argmax(axis=1), places)


def test_standard_output_contains_only_labels(folder):
    result = run("fit", "-", "-k", "4", "--seed", "0", "--out", "-", stdin=FRAME.write_csv())
    assert result.exit_code == 0, result.stderr
    assert table(result.stdout).columns == ["label", "probability"]
    assert table(result.stdout).height == 210
    assert "4 components on 210 rows" in result.stderr
    tabs = run("fit", "-", "-k", "4", "--seed", "0", "--out", "-",
               stdin=FRAME.write_csv(separator="\t"))  # fmt: skip
    assert tabs.stdout == result.stdout


def test_fit_prints_json(folder):
    options = ("--json", "--out", "labels.csv", "--family", "robust-gaussian")
    result = fit("square.csv -k 3 --noise", *options)
    facts = json.loads(result.stdout)
    assert facts["family"] == "RobustGaussian" and facts["columns"] == ["x", "y"]
    assert len(facts["components"]) == 3
    weights = [one["weight"] for one in facts["components"]]
    assert sum(weights) + facts["noise"]["weight"] == pytest.approx(1)
    assert sum(one["size"] for one in facts["components"]) + facts["noise"]["size"] == 210
    model = boltzmix.load("m.bmix")
    assert facts["bic"] == model.bic(FRAME.select("x", "y"))
    assert facts["objective"] == model.lower_bound_
    means = [one["parameters"]["mean"] for one in facts["components"]]
    assert np.array_equal(means, [one.mean for one in model.components_])
    assert facts["written"] == {"labels": "labels.csv", "model": "m.bmix"}
    assert "column 'kind' was left out" in facts["notes"][0]


@pytest.mark.parametrize("case", FITS)
def test_inspect_shows_what_was_fitted(folder, case):
    fitted = json.loads(fit(FITS[case], "--json").stdout)
    facts = json.loads(run("inspect", "m.bmix", "--json").stdout)
    for name in ("family", "components", "iterations", "objective", "n_observations"):
        assert facts[name] == fitted[name]
    assert facts["about"]["file"] == FITS[case].split()[0]
    assert facts["parameters"]["random_state"] == 0
    assert "boltzmix" in facts["written_by"]
    shown = run("inspect", "m.bmix")
    assert shown.exit_code == 0, shown.stderr
    assert f"{len(facts['components'])} {facts['family']} components" in shown.stdout
    assert "--seed 0" in shown.stdout and "Written by: boltzmix" in shown.stdout


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("rows", ["x -5.0 ± 0.5", "y 5.1 ± 0.5"]),
        ("auto", ["age ", "visits ", "colour "]),
        ("hmm", ["state 0: x 4.0 ± "]),
        ("chain", ["starts with low (", "low → high (", "high → low ("]),
        ("codes", ["kind k"]),
        ("curves", ["noise ± "]),
    ],
)
def test_inspect_describes_components_in_words(folder, case, words):
    fit(FITS[case])
    shown = run("inspect", "m.bmix").stdout.replace("\N{NO-BREAK SPACE}", " ")
    for one in words:
        assert one in shown


@pytest.mark.parametrize("case", ["noise", "auto", "text", "curves"])
def test_one_command_writes_labels_picture_model_and_report(folder, case):
    places = {"labels": "l.csv", "picture": "p.png", "model": "m.bmix", "report": "r.html"}
    asked = "--out l.csv --plot p.png --save m.bmix --report r.html --seed 0"
    result = run("fit", *FITS[case].split(), *asked.split())
    assert result.exit_code == 0, result.output
    for what, place in places.items():
        assert f"{what.capitalize()}: {place}" in result.stdout
        assert Path(place).stat().st_size > 0
    labels = boltzmix.load("m.bmix").labels_
    assert pl.read_csv("l.csv")["label"].to_list() == labels.tolist()
    assert f"in {len(labels)} " in Path("r.html").read_text()


def test_outputs_must_be_different_files(folder):
    result = run("fit", "square.csv", "-k", "2", "--report", "square.csv")
    assert_one_sentence(result, ".html")
    Path("page.html").write_text("x,y\n1,2\n")
    result = run("fit", "page.html", "-k", "2", "--report", "page.html")
    assert_one_sentence(result, "--report would overwrite page.html: choose another name.")


def test_families_are_listed_with_a_line_each(folder):
    shown = run("families").stdout
    facts = json.loads(run("families", "--json").stdout)
    assert [one["name"] for one in facts] == list(FAMILIES)
    for one in facts:
        assert f"\n{one['name']} " in shown
        assert one["summary"].endswith(".")
    kinds = {one["name"]: one["of"] for one in facts}
    assert kinds["hmm"] == "sequences" and kinds["gp"] == "curves" and kinds["gamma"] == "rows"


@pytest.mark.parametrize("name", ["units:Unit", "units:unit"])
def test_predict_and_inspect_need_the_name_of_a_users_own_family(folder, name):
    fit(f"square.csv -k 4 --family {name}", "--out", "labels.csv")
    for command in (("inspect", "m.bmix"), ("predict", "m.bmix", "square.csv")):
        assert_one_sentence(run(*command), "hand its class over, as in --family module:Unit.")
        assert run(*command, "--family", name).exit_code == 0
    result = run("predict", "m.bmix", "square.csv", "--family", name)
    assert table(result.stdout).equals(pl.read_csv("labels.csv"))


def test_models_of_the_library_need_options_for_sequences_and_columns(folder):
    GaussianMixture(3, random_state=0).fit(X).save("plain.bmix")
    assert run("inspect", "plain.bmix").exit_code == 0
    FRAME.with_columns(pl.col("x").alias("z")).write_csv("more.csv")
    wide = run("predict", "plain.bmix", "more.csv")
    assert_one_sentence(wide, "more.csv has 3 columns to use (x, y, z), but the model was")
    chosen = run("predict", "plain.bmix", "more.csv", "--columns", "x,y")
    assert chosen.stdout == run("predict", "plain.bmix", "square.csv").stdout
    chains = [one.select("x", "y").to_numpy() for one in WALKS.partition_by("walker")]
    Mixture(HMM(2), 2, random_state=0).fit(chains).save("chains.bmix")
    lost = run("predict", "chains.bmix", "walks.csv", "--columns", "x,y")
    assert_one_sentence(
        lost, "The model is of sequences: name the column that says which sequence a row"
    )
    found = run("predict", "chains.bmix", "walks.csv", "--columns", "x,y", "--sequence", "walker")
    assert table(found.stdout).columns == ["walker", "label", "probability"]
    assert found.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("predict nothing.bmix square.csv", "There is no file nothing.bmix."),
        ("predict m.bmix nothing.csv", "There is no file nothing.csv."),
        ("predict square.csv square.csv", "square.csv is not a model file of boltzmix"),
        ("predict half.bmix square.csv", "half.bmix is damaged"),
        ("predict m.bmix walks.csv --order when", "--order sorts the steps of sequences"),
        ("predict m.bmix curves.csv", "curves.csv has no column 'x': its columns are time"),
        ("predict m.bmix square.csv --columns x", "leave --columns out, or rename those"),
        ("predict m.bmix square.csv --out square.csv", "--out would overwrite square.csv"),
        ("predict m.bmix square.csv --out m.bmix", "--out must end in .csv"),
        ("predict m.bmix square.csv --out nowhere/l.csv", "nowhere of --out does not exist"),
        ("predict m.bmix -", "standard input is empty"),
        ("predict m.bmix square.csv --family os:getcwd", "not a boltzmix family"),
        ("inspect nothing.bmix", "There is no file nothing.bmix."),
        ("inspect .", "There is no file ."),
        ("inspect half.bmix --json", "half.bmix is damaged"),
        ("fit square.csv -k 2 --save m.doc", "--save must end in .bmix"),
        ("fit square.csv -k 2 --save nowhere/m.bmix", "nowhere of --save does not exist"),
        ("fit square.csv -k 2 --out - --json", "both print to standard output"),
        ("fit square.csv -k 2 --family units:functions --save n.bmix", "FunctionFamily cannot be"),
        ("fit square.csv -k 2 --family units:Unit --algorithm em", "use --algorithm 'beem'"),
        ("fit square.csv -k 2 --family beta", "Column 'x' of the file holds"),
        ("fit square.csv -k 2 --columns x,x", "--columns must be a list of different names"),
        ("fit - -k 2", "standard input is empty"),
    ],
)
def test_every_error_is_one_sentence(folder, arguments, words):
    fit("square.csv -k 2")
    (folder / "half.bmix").write_bytes((folder / "m.bmix").read_bytes()[:700])
    before = sorted(folder.iterdir())
    result = run(*arguments.split())
    assert_one_sentence(result, words)
    assert result.stdout == ""
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    "arguments", [["fit"], ["frob"], ["predict", "m.bmix"], ["fit", "-k", "x"]]
)
def test_an_invalid_command_line_exits_with_two(folder, arguments):
    assert run(*arguments).exit_code == 2


@pytest.mark.parametrize(
    "command", ["compare", "demo", "families", "fit", "inspect", "predict", "reproduce"]
)
def test_every_command_shows_examples(folder, command):
    page = run(command, "--help").output
    assert f"boltzmix {command}" in page.split("For example:")[1]


def test_messages_name_options_instead_of_arguments():
    sentence = in_options(
        f"{marked('n_components', 3)} ({marked('n_components')}), {marked('random_state')} must be"
        f" None; raise {marked('max_iter')}."
    )
    assert sentence == "-k 3 (-k), --seed must be None; raise --max-iter."


def test_the_progress_bar_shows_rows_per_second_and_what_is_left():
    states, screen = [], io.StringIO()
    Mixture(n_components=4, algorithm=SEM(), random_state=0, verbose=states.append).fit(X)
    with progress_bar(3, Console(file=screen, force_terminal=True, width=150)) as show:
        for state in states[:10]:
            show(state)
        sleep(0.15)  # as it is shown ten times a second at most
        show(states[10])
    shown = screen.getvalue()
    assert "4 components, SEM, run 1 of 3, iteration 10, score" in shown
    assert re.search(r"[\d,]+ rows/s, (about \d+|less than 1) s of SEM left", shown)
