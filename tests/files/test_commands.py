"""All subcommands read a file in the same way, whatever its format, and keep its rows."""

import gzip
import io
import json

import numpy as np
import polars as pl
import pytest

from boltzmix import GaussianMixture
from boltzmix.datasets import make_square
from tests.command import assert_one_sentence, run

X, _ = make_square(random_state=0)
FRAME = pl.DataFrame({"größe": (1000 * X[:, 0]).round(1), "y": X[:, 1].round(3)})
ROWS = "rows.csv"


def german(number):
    return f"{number:,}".translate(str.maketrans(",.", ".,"))


def german_table(frame=FRAME):
    lines = [";".join(map(german, row)) for row in frame.iter_rows()]
    return "\r\n".join([";".join(frame.columns), *lines, "", ";" * (frame.width - 1), ""])


def english_table(frame=FRAME):
    lines = ["\t".join(f"{number:,}" for number in row) for row in frame.iter_rows()]
    return "\n".join(["\t".join(frame.columns), "", *lines, "# the end"])


WRITERS = {
    "german.csv": lambda path: path.write_bytes(german_table().encode("latin-1")),
    "english.tsv": lambda path: path.write_text(english_table(), encoding="utf-16"),
    "rows.csv.gz": lambda path: path.write_bytes(gzip.compress(FRAME.write_csv().encode())),
    "rows.xlsx": FRAME.write_excel,
    "rows.feather": FRAME.write_ipc,
    "rows.parquet": FRAME.write_parquet,
    "rows.jsonl": FRAME.write_ndjson,
    "turned.dat": lambda path: FRAME.select("y", "größe").write_csv(path, separator="|"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FRAME.write_csv(ROWS)
    return tmp_path


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """A model, and the labels of the rows that it was fitted to."""
    folder = tmp_path_factory.mktemp("fitted")
    FRAME.write_csv(folder / ROWS)
    saved = ("--save", str(folder / "m.bmix"), "--out", str(folder / "labels.csv"))
    result = run("fit", str(folder / ROWS), "-k", "4", "--seed", "0", *saved)
    assert result.exit_code == 0, result.stderr
    return str(folder / "m.bmix"), (folder / "labels.csv").read_text()


@pytest.mark.parametrize("name", WRITERS)
def test_the_same_rows_have_the_same_labels_in_every_format(folder, fitted, name):
    WRITERS[name](folder / name)
    model, labels = fitted
    assert run("predict", model, name).stdout == labels
    content = (folder / name).read_bytes()
    assert run("predict", model, "-", stdin=content).stdout == labels


def test_options_of_the_fit_are_remembered(folder):
    table = "x:y\n-9:1\n" + "".join(f"{i % 5},5:{i}\n" for i in range(30))
    (folder / "odd.txt").write_bytes(table.encode("utf-16-le"))
    options = ["--separator", ":", "--decimal", ",", "--encoding", "utf-16-le", "--na", "-9"]
    result = run("fit", "odd.txt", "-k", "2", "--seed", "0", *options,
                 "--save", "m.bmix", "--out", "labels.csv")  # fmt: skip
    assert result.exit_code == 0, result.stderr
    assert "31 rows" in result.stdout
    labels = (folder / "labels.csv").read_text()
    assert run("predict", "m.bmix", "odd.txt").stdout == labels
    pl.DataFrame({"x": [None, *[i % 5 + 0.5 for i in range(30)]], "y": [1, *range(30)]}).write_csv(
        "plain.csv"
    )
    changed = ["--separator", ",", "--decimal", ".", "--encoding", "utf-8"]
    assert run("predict", "m.bmix", "plain.csv", *changed).stdout == labels


def test_the_decimal_mark_of_the_fit_decides_where_a_new_file_does_not(folder):
    (folder / "german.csv").write_bytes(german_table().encode())
    result = run("fit", "german.csv", "-k", "1", "--seed", "0", "--save", "m.bmix")
    assert result.exit_code == 0, result.stderr
    answers = [
        run("predict", "m.bmix", "-", stdin=f"größe;y\n{one}\n950;1\n")
        for one in ("1.200;1", "1200;1")
    ]
    assert answers[0].exit_code == 0, answers[0].stderr
    assert "'1.200' in column 'größe' was read as the number 1200" in answers[0].stderr
    assert answers[0].stdout == answers[1].stdout


def test_a_column_may_have_no_values_in_a_new_file(fitted):
    result = run("predict", fitted[0], "-", stdin="größe;y\n;0,5\nNA;0,75\n")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("\n") == 3


def test_a_model_without_names_uses_all_numeric_columns(folder):
    GaussianMixture(2, random_state=0).fit(FRAME.to_numpy()).save("plain.bmix")
    result = run("predict", "plain.bmix", "-", stdin="a,b,t\n1,0.5,u\n2,0.5,v\n3,0.5,w\n")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("\n") == 4


@pytest.mark.parametrize(
    "command", ["profiles", "bootstrap -n 2 --seed 0", "three-step --outcome third"]
)
def test_other_subcommands_read_the_same_files(folder, fitted, command):
    third = FRAME.with_columns(third=pl.Series(range(len(FRAME))) % 3 / 2)
    third.write_csv("rows.csv")
    (folder / "german.csv").write_text(german_table(third), encoding="cp1252")
    name, *options = command.split()
    expected, found = (
        run(name, fitted[0], file, *options, "--json") for file in ("rows.csv", "german.csv")
    )
    assert found.exit_code == 0, found.stderr
    assert json.loads(found.stdout) == json.loads(expected.stdout)
    assert "decimal commas" in found.stderr


def test_compare_reads_the_same_files(folder):
    (folder / "german.csv").write_bytes(german_table().encode("latin-1"))
    options = ["-k", "1..2", "--family", "gaussian", "--seed", "0", "--exclude", "y"]
    expected, found = (run("compare", name, *options, "--json") for name in (ROWS, "german.csv"))
    assert found.exit_code == 0, found.stderr
    assert json.loads(found.stdout)["best"]["columns"] == ["größe"]
    likelihoods = [
        [one["log_likelihood"] for one in json.loads(result.stdout)["candidates"]]
        for result in (expected, found)
    ]
    assert likelihoods[0] == likelihoods[1]


def walks():
    rng = np.random.default_rng(0)
    steps = [(f"{walk:03}", step) for walk in range(12) for step in range(8)]
    return pl.DataFrame(
        {
            "walk": [walk for walk, _ in steps],
            "day": [f"{step + 1:02}.{1 + step % 3:02}.2024" for _, step in steps],
            "step": [step + step % 3 * 31 for _, step in steps],
            "x": [(rng.normal(8 * (int(walk) % 2))).__round__(3) for walk, _ in steps],
            "branch": 7,
        }
    )


@pytest.mark.parametrize(
    ("options", "by_number"),
    [
        ("--sequence walk --order day --states 1", "--sequence walk --order step --states 1"),
        ("--trajectory walk --time day", None),
    ],
)
def test_sequences_and_trajectories_are_read_from_messy_files(folder, options, by_number):
    frame = walks()
    lines = [";".join(str(cell).replace(".", ",") if isinstance(cell, float) else str(cell)
                      for cell in row) for row in frame.iter_rows()]  # fmt: skip
    (folder / "walks.txt").write_text("\n".join([";".join(frame.columns), "", *lines[::-1], "\n"]))
    frame.write_csv("walks.csv")
    messy, plain = (
        run(
            "fit",
            name,
            "-k",
            "2",
            "--seed",
            "0",
            "--out",
            "-",
            "--exclude",
            exclude,
            *given.split(),
        )
        for name, given, exclude in (
            ("walks.txt", options, "step"),
            ("walks.csv", by_number or options, "day" if by_number else "step"),
        )
    )
    assert messy.exit_code == 0, messy.stderr
    assert messy.stdout == plain.stdout
    assert "column 'branch' was left out, because it has one value only (7)" in messy.stderr
    names = pl.read_csv(io.StringIO(messy.stdout), infer_schema=False)["walk"].to_list()
    assert names == [f"{walk:03}" for walk in range(12)]


def test_steps_that_are_sorted_as_text_are_noted(folder):
    lines = [f"{i % 4},step {i},{i % 3}" for i in range(24)]
    (folder / "steps.csv").write_text("\n".join(["id,when,x", *lines]))
    result = run("fit", "steps.csv", "-k", "1", "--sequence", "id", "--order", "when",
                 "--states", "1", "--seed", "0")  # fmt: skip
    assert "sorted by column 'when' as text, from 'step 0' to 'step 9'" in result.stderr


def test_columns_of_a_formula_are_not_left_out(folder):
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"visits": rng.poisson(3, 40), "age": rng.normal(40, 9, 40), "years": 2})
    frame.write_csv("visits.csv")
    options = ["-k", "1", "--family", "poisson-regression", "--seed", "0", "--json"]
    used = run("fit", "visits.csv", *options, "--formula", "visits~age", "--exposure", "years")
    assert json.loads(used.stdout)["columns"] == ["age", "years"]
    unused = run("fit", "visits.csv", *options, "--target", "visits")
    assert json.loads(unused.stdout)["columns"] == ["age"]
    assert "column 'years' was left out, because it has one value only (2)" in unused.stderr


def test_sheets_are_chosen_by_name(folder):
    import xlsxwriter

    with xlsxwriter.Workbook("book.xlsx") as book:
        FRAME.head(9).write_excel(book, "first")
        FRAME.write_excel(book, "all rows", position="B3")
        book.get_worksheet_by_name("all rows").write("B1", "All rows of June")
    result = run("fit", "book.xlsx", "-k", "1", "--seed", "0")
    assert "9 rows" in result.stdout
    assert "only the first of 2 sheets was read, 'first'" in result.stderr
    result = run("fit", "book.xlsx", "-k", "1", "--sheet", "all rows")
    assert "210 rows" in result.stdout
    assert "the first line was left out as a title above the table ('All rows of" in result.stderr
    assert_one_sentence(run("fit", "book.xlsx", "-k", "1", "--sheet", "last"), "no sheet 'last'")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--separator ;;", "--separator must be one character"),
        ("--decimal x", "--decimal must be '.' or ','"),
        ("--decimal , --separator ,", "--separator and --decimal are both ','"),
        ("--encoding klingon", "--encoding names 'klingon'"),
        ("--exclude z", "has no column 'z'"),
        ("--exclude y --columns y", "--columns and --exclude both name column 'y'"),
    ],
)
def test_wrong_options_are_one_sentence(folder, options, words):
    assert_one_sentence(run("fit", ROWS, "-k", "1", *options.split()), words)
