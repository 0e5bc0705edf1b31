"""The paper's expectations of Thompson sampling hold in the results, and in new runs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from boltzmix.metrics import purity_score
from experiments import TABLES, write_pages
from experiments.measure import Results
from experiments.thompson import fit_all, thompson

SAVED = Path(__file__).parents[2] / "experiments" / "results" / "thompson.json"
TABLE = TABLES["thompson"]


@pytest.fixture(scope="module")
def purity():
    values = Results.load(SAVED).values
    return {name: np.mean(own["ACC"]) for name, own in values.items()}


def test_the_whole_history_is_worse_than_beem_even_in_long_runs(purity):
    whole, longer = purity["Thompson, whole history"], purity["Thompson, whole history, 300 steps"]
    assert whole < purity["BEEM"] - 0.15
    assert longer < purity["BEEM"] - 0.1
    assert whole > purity["EM"] + 0.1


def test_a_discount_is_better_than_the_whole_history(purity):
    assert purity["Thompson, discount 0.5"] > purity["Thompson, whole history"] + 0.15
    assert purity["Thompson, discount 0.9"] > purity["Thompson, whole history"] + 0.05


@pytest.mark.slow
def test_a_discount_is_better_in_new_runs_too():
    gains = []
    for seed in range(3):
        X, labels = TABLE.make_data(seed)
        whole, discounted = (fit_all(thompson(discount))(X, seed) for discount in (1.0, 0.5))
        assert len(whole.label_history) == whole.em_steps + 1 == 101
        gains.append(purity_score(labels, discounted.labels) - purity_score(labels, whole.labels))
    assert np.mean(gains) > 0.15


def test_the_picture_shows_purity_after_every_update(measure_here, tmp_path):
    table = replace(TABLE, methods=TABLE.methods[:3])
    results = measure_here(table, repeats=1)
    assert len(results.bands["Thompson, whole history"]["purity"]) == 101
    page, picture = write_pages(table, results, tmp_path)
    assert "unbalanced square" in page.read_text()
    assert picture.stat().st_size > 10_000
