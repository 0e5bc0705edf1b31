"""Tests that a stranger can repeat a report from what it says."""

import hashlib
import json
import re
import shlex

import numpy as np
import pandas as pd
import pytest

from boltzmix import Mixture, load
from boltzmix.datasets import make_mixture, make_square
from boltzmix.families import Gaussian, LinearRegression
from tests.command import run
from tests.report import cases

X, CORNERS = make_square(random_state=0)


def findings_in(path):
    return json.loads(re.search(r'id="findings">(.*?)</script>', path.read_text(), re.S)[1])


def without_time(findings):
    """Return findings without what differs between two runs of the same code."""
    summary = [fact for fact in findings["summary"] if not fact[0].startswith("Time to fit")]
    facts = [fact for fact in findings["provenance"]["facts"] if fact[0] != "Made"]
    provenance = {**findings["provenance"], "facts": facts}
    chosen = findings["choice"] and [row["cells"][:-1] for row in findings["choice"]["rows"]]
    return {**findings, "summary": summary, "provenance": provenance, "choice": chosen}


def fact(report, name):
    return dict(report.findings["provenance"]["facts"])[name]


# the few rows of the smallest corner are noise in most halves
@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize(
    ("model", "given"),
    [
        (Mixture(n_components=4), {"X": X}),
        (Mixture(n_components=6, n_clusters=4), {"X": X}),
        (Mixture(Gaussian("diag"), range(2, 5), noise=True), {"X": X}),
        (Mixture(n_components="auto", random_state=np.random.default_rng(1)), {"X": X}),
        (Mixture(LinearRegression(), 2, algorithm="em"), {"X": X[:, :1], "y": X[:, 1]}),
    ],
)
def test_the_lines_of_python_make_the_same_report(model, given, tmp_path, monkeypatch):
    report = model.fit(**given).report(**given, compare_with=CORNERS)
    monkeypatch.chdir(tmp_path)
    exec(report.findings["provenance"]["code"], {**given, "known_classes": CORNERS})
    written = findings_in(tmp_path / "report.html")
    assert without_time(written) == without_time(json.loads(json.dumps(report.findings)))


@pytest.mark.parametrize("symbols", [["stay", "go", "rest"], {"column 0": ("stay", "go", "rest")}])
def test_the_lines_of_python_name_what_codes_stand_for(symbols, tmp_path, monkeypatch):
    model, (chains,) = cases.symbols()
    report = model.report(chains, symbols=symbols)
    monkeypatch.chdir(tmp_path)
    exec(report.findings["provenance"]["code"], {"X": chains})
    written = findings_in(tmp_path / "report.html")
    assert without_time(written) == without_time(json.loads(json.dumps(report.findings)))
    assert "rest" in json.dumps(written["differences"])


def test_the_command_makes_the_same_report(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame(X, columns=["width", "the height"]).assign(corner=CORNERS)
    frame.to_csv("square.csv", index=False)
    options = ("-k", "4", "--columns", "width,the height", "--compare-with", "corner")
    assert run("fit", "square.csv", *options, "--report", "square.html").exit_code == 0
    path = tmp_path / "square.html"
    first = findings_in(path)
    facts = dict(first["provenance"]["facts"])
    content = (tmp_path / "square.csv").read_bytes()
    assert hashlib.sha256(content).hexdigest() in facts["Checksum of the file"]
    assert facts["File"] == f"square.csv ({len(content):,} bytes)"
    program, *arguments = shlex.split(first["provenance"]["code"])
    assert program == "boltzmix"
    assert run(*arguments).exit_code == 0
    assert without_time(findings_in(path)) == without_time(first)


def test_equal_data_have_equal_checksums():
    model = Mixture(n_components=4, random_state=0).fit(X)
    name = "Checksum of the data as read"
    first = fact(model.report(X), name)
    assert fact(model.report(X.copy()), name) == first
    other = X.copy()
    other[0, 0] += 1e-9
    assert fact(model.report(other), name) != first


def test_a_report_on_other_data_says_so():
    model = Mixture(n_components=4, random_state=0).fit(X)
    report = model.report(X[:100])
    assert "not those that the mixture was fitted to" in report.findings["provenance"]["notes"][0]
    assert "fit(fitted_data)" in report.findings["provenance"]["code"]


def test_what_fit_was_given_is_named():
    labels = np.where(np.arange(len(X)) < 5, CORNERS, -1)
    model = Mixture(n_components=4, random_state=0).fit(X, labels=labels, sample_weight=CORNERS + 1)
    code = model.report(X).findings["provenance"]["code"]
    assert "fit(X, sample_weight=sample_weight, labels=labels)" in code


def test_a_value_that_cannot_be_written_is_named():
    model = Mixture(n_components=2, init=np.arange(len(X)) % 2, random_state=0).fit(X)
    provenance = model.report(X).findings["provenance"]
    assert "init=init" in provenance["code"]
    assert provenance["notes"] == [
        "The value of init cannot be written here: ask who made this report."
    ]


def test_a_source_that_does_not_exist_raises():
    model = Mixture(n_components=4, random_state=0).fit(X)
    with pytest.raises(ValueError, match=r"source names the file nothing\.csv, which does not"):
        model.report(X, source="nothing.csv")


@pytest.mark.parametrize("n_components", [3, "auto", range(2, 5)])
def test_a_seed_that_was_drawn_is_kept(n_components, tmp_path):
    rows, _ = make_mixture(200, 3, 2, random_state=0)
    model = Mixture(n_components=n_components, noise=n_components != "auto").fit(rows)
    again = Mixture(n_components=n_components, noise=model.noise, random_state=model.seed_)
    np.testing.assert_array_equal(again.fit(rows).predict_proba(rows), model.predict_proba(rows))
    model.save(tmp_path / "m.bmix")
    assert load(tmp_path / "m.bmix").seed_ == model.seed_


@pytest.mark.parametrize("case", cases.ALL_CASES)
def test_every_kind_of_data_has_a_checksum_and_code(case):
    model, given = case()
    report = model.report(*given)
    assert re.fullmatch("SHA-256 [0-9a-f]{64}", fact(report, "Checksum of the data as read"))
    compile(report.findings["provenance"]["code"], "report", "exec")
