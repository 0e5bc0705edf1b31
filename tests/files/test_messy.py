"""Every file of a table of messy ones gives the right rows and columns, or one sentence."""

import pytest

from boltzmix.files import FileFormat, ReadOptions
from tests.files.messy import FAILED, READ


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(folder, case):
    content = case.content
    path = folder / "table"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return ReadOptions(written=FileFormat(**case.written), **case.options).read(
        path.relative_to(folder)
    )


def test_the_table_is_large():
    assert len(READ) + len(FAILED) >= 40


@pytest.mark.parametrize("name", READ)
def test_the_right_rows_and_columns_are_read(folder, name):
    case = READ[name]
    found = read(folder, case)
    assert found.X.to_dict(as_series=False) == case.columns
    if case.note is not None:
        assert any(case.note in note for note in found.notes), found.notes


@pytest.mark.parametrize("name", FAILED)
def test_or_one_sentence_says_what_is_wrong(folder, name):
    with pytest.raises(ValueError) as caught:
        read(folder, FAILED[name])
    sentence = str(caught.value)
    assert FAILED[name].sentence in sentence
    assert sentence.endswith(".") and "\n" not in sentence


def test_plain_files_are_read_without_notes(folder):
    assert read(folder, READ["plain"]).notes == []
