"""The history of benchmarks is compared run by run."""

import json

import pytest

from benchmarks.history import compare


def line(date, **figures):
    about = {"version": "0.1.0", "commit": "abc", "machine": "a machine"}
    return json.dumps({"date": date, **about, "figures": figures})


def test_a_change_by_a_fifth_is_marked_and_a_missing_figure_shown_as_such(tmp_path):
    path = tmp_path / "history.jsonl"
    runs = [line("2026-01-01 00:00", EM=0.1), line("2026-02-01 00:00", EM=0.11, ARI=0.9)]
    path.write_text("\n".join([*runs, line("2026-03-01 00:00", EM=0.2, ARI=0.9)]) + "\n")
    rows = {row.split()[0]: row.split()[1:] for row in compare(path).splitlines() if row.strip()}
    assert rows["EM"] == ["0.1", "0.11", "0.2*"]
    assert rows["ARI"] == ["–", "0.9", "0.9"]


def test_without_a_history_a_sentence_says_what_to_do(tmp_path):
    with pytest.raises(SystemExit, match="run `python -m benchmarks history` first"):
        compare(tmp_path / "history.jsonl")
