"""Every family has its line in the table, and what was measured holds."""

from pathlib import Path

import numpy as np
import pytest

from boltzmix import families
from boltzmix.metrics import purity_score
from experiments.families import CASES, draw_labels, find
from experiments.measure import Results

SAVED = Path(__file__).parents[2] / "experiments" / "results" / "families.json"
LEAST = 0.05  # of purity, by which a seed may fall short of the true parameters


def test_every_family_is_in_the_table():
    contracts = {"AdditiveFamily", "Bank", "FAMILIES", "Family"}
    composites = {"Automatic", "Product"}  # as good as their parts
    tried = {type(case.family).__name__ for case in CASES.values()}
    assert tried == set(families.__all__) - contracts - composites


@pytest.mark.parametrize("name", sorted(CASES))
def test_what_was_measured_holds(name):
    values = {metric: np.array(seeds) for metric, seeds in Results.load(SAVED).values[name].items()}
    assert len(values["ACC"]) == 10
    found_again = values["ACC"] > values["true parameters"] - LEAST
    assert found_again.mean() >= (0.8 if name == "GaussianProcess" else 1)  # the page says why
    assert np.mean(values["gain over EM"]) > -1e-3
    assert np.mean(values["auto ≥ EM"]) >= 0.9
    if CASES[name].family.weighted:
        assert values["auto ≥ EM"].all()


@pytest.mark.parametrize("name", ["Gamma", "LinearRegression", "MarkovChain", "FunctionFamily"])
def test_a_case_can_be_measured_again(name):
    labels, _ = draw_labels(0)
    found = find(CASES[name])(labels, 0)
    assert purity_score(labels, found.labels) > found.figures["true parameters"] - 0.03
    assert found.figures["auto ≥ EM"] == 1
