"""A table is read the same in whatever way it is written."""

import csv
import io
from itertools import islice, product

import numpy as np
import pytest

from boltzmix.files import FileFormat, ReadOptions

NAMES = ["länge", "width, cm", "weight", "note"]


def make_table(seed):
    """Return rows of numbers, some missing, and a text."""
    rng = np.random.default_rng(seed)
    texts = ["red", "blue; dark", 'it\'s, "so"', "a|b", "two\tparts", "größer"]
    rows = []
    for _ in range(rng.integers(3, 60)):
        numbers = [rng.normal(0, 9), rng.normal(5e4, 4e4), rng.integers(0, 3000)]
        row = [None if rng.random() < 0.1 else round(float(one), 3) for one in numbers]
        rows.append([*row, str(rng.choice(texts))])
    rows[0][:3] = [0.25, -1234.5, 7.0]  # numbers that can be read in one way only
    return rows


def written(rows, separator, decimal, grouped, line_end, quoting):
    """Return a table as text."""

    def cell(value):
        if not isinstance(value, float):
            return value
        text = f"{value:,}" if grouped else f"{value}"
        return text.translate(str.maketrans(",.", ".,")) if decimal == "," else text

    file = io.StringIO()
    writer = csv.writer(file, delimiter=separator, lineterminator=line_end, quoting=quoting)
    writer.writerow(NAMES)
    writer.writerows([[cell(value) for value in row] for row in rows])
    return file.getvalue()


ENCODINGS = ("utf-8", "cp1252", "utf-16")


@pytest.mark.parametrize("place", range(len(ENCODINGS)))
def test_every_way_of_writing_a_table_is_recognised(tmp_path, place):
    path, encoding = tmp_path / "table", ENCODINGS[place]
    ways = product(";,\t|", ".,", [False, True], ["\n", "\r\n"], [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    for seed, way in enumerate(islice(ways, place, None, len(ENCODINGS))):
        rows = make_table(seed)
        path.write_bytes(written(rows, *way).encode(encoding))
        found = ReadOptions(mixed=True).read(path).content.frame
        assert found.rows() == [tuple(row) for row in rows], way
        assert found.columns == NAMES


@pytest.mark.parametrize("decimal", [".", ","])
def test_options_say_what_is_recognised(tmp_path, decimal):
    path = tmp_path / "table"
    rows = make_table(1)
    path.write_bytes(written(rows, ";", decimal, True, "\n", csv.QUOTE_MINIMAL).encode("cp1252"))
    given = FileFormat(separator=";", decimal=decimal, encoding="cp1252", header=True)
    recognised = ReadOptions(mixed=True).read(path).content.frame
    assert ReadOptions(mixed=True, written=given).read(path).content.frame.equals(recognised)
