"""Tests of `boltzmix fit --trajectory`: it reads long tables and labels each trajectory."""

import numpy as np
import polars as pl
import pytest

from tests.command import assert_one_sentence, run

N = 20


def visits():
    """Return visits of patients 001 to 020, every second of which gains weight, in any order."""
    rng = np.random.default_rng(0)
    frames = []
    for i in range(N):
        days = rng.integers(0, 300, rng.integers(2, 6))
        frames.append(
            pl.DataFrame(
                {
                    "patient": [f"{i + 1:03}"] * len(days),
                    "day": days,
                    "date": [str(np.datetime64("2024-01-01") + day) for day in days],
                    "weight": 60 + 0.1 * (i % 2) * days + rng.normal(0, 1, len(days)),
                    "remark": ["none"] * len(days),
                }
            )
        )
    return pl.concat(frames).sample(fraction=1, shuffle=True, seed=0)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    visits().write_csv("visits.csv")
    return tmp_path


FIT = ("fit", "visits.csv", "-k", "2", "--trajectory", "patient", "--seed", "0")
QUICK = ("--algorithm", "em", "--init", "distance", "--columns", "weight")


def test_fits_are_labelled_by_trajectory_saved_and_predicted(folder):
    outputs = ("--out", "labels.csv", "--save", "model.bmix", "--report", "page.html")
    found = run(*FIT, "--time", "date", *QUICK, *outputs)
    assert "20 trajectories" in found.output and "days since 1970-01-01" in found.output
    labels = pl.read_csv("labels.csv", schema_overrides={"patient": pl.String})
    assert labels["patient"].to_list() == [f"{i + 1:03}" for i in range(N)]
    assert np.ptp(labels["label"].to_numpy()[::2]) == np.ptp(labels["label"].to_numpy()[1::2]) == 0
    again = run("predict", "model.bmix", "visits.csv", "--out", "again.csv")
    assert again.exit_code == 0
    predicted = pl.read_csv("again.csv", schema_overrides={"patient": pl.String})
    assert predicted["label"].equals(labels["label"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "--trajectory and --time go together"),
        (("--time", "remark"), "neither a number nor a date"),
        (("--time", "when"), "no column 'when'"),
        (("--time", "day", "--family", "gaussian"), "not for trajectories"),
        (("--time", "day", "--sequence", "patient"), "neither --sequence nor --target"),
        (("--time", "day", "--columns", "day"), "different columns"),
    ],
)
def test_wrong_options_are_named_in_one_sentence(folder, options, words):
    assert_one_sentence(run(*FIT, *options), words)
