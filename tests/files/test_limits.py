"""Small files that would take much memory, and damaged ones, end in one sentence."""

import bz2
import gzip
import lzma
import os
import zipfile
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from boltzmix import Mixture
from boltzmix.families import Gaussian, Product
from tests.command import assert_one_sentence, run

FIT = ("-k", "2", "--seed", "0", "--max-iter", "3")
TABLE = b"a,b\n" + b"".join(b"%d.5,%d\n" % (i % 9, i * i % 17) for i in range(60))
PACK = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("kind", PACK)
def test_packed_files_are_read_up_to_a_limit(kind):
    path = Path(f"a.csv.{kind}")
    path.write_bytes(PACK[kind](TABLE))
    assert run("fit", str(path), *FIT).exit_code == 0
    path.write_bytes(PACK[kind](TABLE)[:-9])
    assert_one_sentence(run("fit", str(path), *FIT), f"{path} could not be unpacked: ")
    path.write_bytes(PACK[kind](b"a,b\n" + b"1.5,2.5\n" * 200_000))
    assert path.stat().st_size < 10_000
    failed = run("fit", str(path), *FIT, "--max-size", "8MB")
    assert_one_sentence(failed, f"{path} unpacks to more than 1 MB of text")


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz"])
def test_packed_parts_are_read_one_after_the_other(kind):
    half = len(TABLE) // 2
    Path("a.csv").write_bytes(TABLE)
    Path("b.csv").write_bytes(PACK[kind](TABLE[:half]) + PACK[kind](TABLE[half:]))
    one, two = (run("fit", name, *FIT, "--out", "-").stdout for name in ("a.csv", "b.csv"))
    assert one == two


def test_the_cells_of_a_parquet_file_are_counted_before_they_are_read():
    column = pl.Series("a", [0.0]).new_from_index(0, 3_000_000)
    pl.DataFrame({"a": column}).write_parquet("a.parquet")
    failed = run("fit", "a.parquet", *FIT, "--max-size", "20MB")
    assert_one_sentence(failed, "a.parquet has 3,000,000 rows of 1 column, which take more than 20")


@pytest.mark.parametrize("text", ["[" * 9999, '[{"a":' + "[" * 9999, '{"a":' * 9999])
def test_deep_json_is_one_sentence(text):
    Path("a.json").write_text(text)
    assert run("fit", "a.json", *FIT).exit_code == 1
    if text[1] != "[":
        assert_one_sentence(run("fit", "a.json", *FIT), "more than 100 lists and objects within")


def test_wide_tables_are_one_sentence_or_a_fit():
    rows = np.random.default_rng(0).normal(size=(12, 5000))
    pl.DataFrame(rows, [f"x{j}" for j in range(5000)]).write_csv("wide.csv")
    for family in ("robust-gaussian", "auto"):
        failed = run("fit", "wide.csv", *FIT, "--family", family)
        assert_one_sentence(failed, f"5,000 columns are too many for the family {family}")
    names = ",".join(f"x{j}" for j in range(500))
    assert run("fit", "wide.csv", *FIT, "--columns", names, "--family", "laplace").exit_code == 0


@pytest.mark.parametrize("size", ["", "x", "-1", "0", "1e9", "9" * 400])
def test_a_size_that_is_none_is_an_error(size):
    Path("a.csv").write_bytes(TABLE)
    assert_one_sentence(run("fit", "a.csv", *FIT, "--max-size", size), "--max-size must be a size")


@pytest.mark.skipif(os.name == "nt", reason="links and pipes are those of POSIX")
def test_links_in_a_circle_and_pipes_are_no_files():
    Path("loop.csv").symlink_to("loop.csv")
    os.mkfifo("pipe.csv")
    assert_one_sentence(run("fit", "loop.csv", *FIT), "There is no file loop.csv.")
    assert_one_sentence(run("fit", "pipe.csv", *FIT), "pipe.csv is not a file.")


def decimals():
    rng = np.random.default_rng(0)
    cells = [Decimal(f"{value:.2f}") for value in rng.normal(100, 20, 60)]
    return [None, *cells[1:]], np.array([np.nan, *map(float, cells[1:])])


@pytest.mark.parametrize("kind", ["objects", "polars", "pyarrow"])
def test_decimals_are_numbers(kind):
    cells, numbers = decimals()
    series = pl.Series(cells, dtype=pl.Decimal(10, 2))
    X = {
        "objects": lambda: pd.DataFrame({"price": cells}),
        "polars": lambda: pl.DataFrame({"price": series}),
        "pyarrow": lambda: pl.DataFrame({"price": series}).to_pandas(
            use_pyarrow_extension_array=True
        ),
    }[kind]()
    product = Product.auto(X)
    expected = Product.auto(pd.DataFrame({"price": numbers}))
    assert repr(product) == repr(expected)
    options = {"n_components": 2, "family": "auto", "random_state": 0}
    labels = Mixture(**options).fit(X).labels_
    assert (labels == Mixture(**options).fit(pd.DataFrame({"price": numbers})).labels_).all()


@pytest.mark.parametrize("family", ["auto", Gaussian()])
def test_decimals_that_signal_errors_are_missing_values(family):
    cells, _ = decimals()
    fitted = [
        Mixture(family, 2, random_state=0).fit(pd.DataFrame({"price": [one, *cells[1:]]}))
        for one in (Decimal("sNaN"), None)
    ]
    assert (fitted[0].labels_ == fitted[1].labels_).all()


def test_many_columns_are_one_sentence_before_they_are_read():
    Path("a.csv").write_text("a," * 100_000 + "b\n" + "1," * 100_000 + "2\n")
    Path("a.json").write_text("[{" + ",".join(f'"c{i}": 1' for i in range(40_000)) + "}]")
    for name, n in (("a.csv", "100,001"), ("a.json", "40,000")):
        assert_one_sentence(run("fit", name, *FIT), f"{name} has 1 row of {n} columns, which take")


def test_one_long_text_in_many_cells_is_one_sentence():
    codes = np.zeros(100_000, dtype=np.int32)
    texts = pa.DictionaryArray.from_arrays(codes, ["a" * 10_000])
    table = pa.table({"a": texts, "b": np.arange(100_000.0)})
    pq.write_table(table, "a.parquet", store_schema=False)
    feather.write_feather(table, "a.feather")
    for name in ("a.parquet", "a.feather"):
        assert Path(name).stat().st_size < 2_000_000
        assert_one_sentence(run("fit", name, *FIT), f"{name} has 954 MB of text in its cells")


def write_sheet(path, cells):
    """Write a workbook whose only sheet has these rows, as XML."""
    pd.DataFrame({"a": [1.0, 2.0]}).to_excel("plain.xlsx", index=False)
    with zipfile.ZipFile("plain.xlsx") as plain, zipfile.ZipFile(path, "w") as changed:
        for name in plain.namelist():
            own = plain.read(name)
            if name == "xl/worksheets/sheet1.xml":
                end = own.index(b"</sheetData>")
                own = own[: own.index(b"<sheetData>") + 11] + cells.encode() + own[end:]
            changed.writestr(name, own)


def test_workbooks_cannot_end_the_process():
    far = (
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="{n}"><c r="{column}{n}"><v>2</v></c></row>'
    )
    write_sheet("far.xlsx", far.format(n=1_048_576, column="XFD"))
    assert Path("far.xlsx").stat().st_size < 20_000
    write_sheet("odd.xlsx", far.format(n=4_294_967_295, column="ZZZZZZ"))
    for name in ("far.xlsx", "odd.xlsx"):
        assert_one_sentence(run("fit", name, *FIT), f"{name} could not be read: it is damaged, or")
    with zipfile.ZipFile("tables.zip", "w") as archive:
        archive.writestr("table.csv", "a,b\n1,2\n")
    assert_one_sentence(
        run("fit", "tables.zip", *FIT), "if it is an archive of other files, unpack"
    )
    write_sheet("near.xlsx", far.format(n=3, column="B"))
    assert_one_sentence(run("fit", "near.xlsx", *FIT), "-k 2 is more than the 1 observation")
