"""The claims of the paper's tables, as means over many seeds; and the pages that show them."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from boltzmix.metrics import purity_score
from experiments import TABLES, measure
from experiments.measure import Results
from experiments.pages import differences, markdown, rows
from experiments.table import Figure, Found, Method, PaperTable, paper


def mean_over_seeds(table_name, label, n_seeds=100):
    """Return the mean purity and the mean number of EM steps of a row of a table."""
    table = TABLES[table_name]
    (method,) = (method for method in table.methods if method.label == label)
    outcomes = []
    with threadpool_limits(1):  # as in the workers of measure; K-means is faster by it
        for seed in range(n_seeds):
            X, labels = table.make_data(seed)
            found = method.run(X, seed)
            outcomes.append((purity_score(labels, found.labels), found.em_steps))
    return np.mean(outcomes, axis=0)


@pytest.mark.slow
def test_unbalanced_square():
    uniform, _ = mean_over_seeds("unbalanced-square", "BEEM A/I")
    learned, _ = mean_over_seeds("unbalanced-square", "BEEM A/II")
    assert uniform >= 0.98
    assert learned <= uniform - 0.03


@pytest.mark.slow
def test_balanced_square():
    uniform, _ = mean_over_seeds("balanced-square", "BEEM A/I")
    learned, _ = mean_over_seeds("balanced-square", "BEEM A/II")
    assert uniform >= learned + 0.08


@pytest.mark.slow
def test_rainbow():
    purity, steps = mean_over_seeds("rainbow", "BEEM A/I")
    assert purity >= 0.90
    assert 65 <= steps <= 95


def test_iris():
    purity, _ = mean_over_seeds("iris", "BEEM B/I", n_seeds=25)  # the deviation over seeds is 0.01
    assert purity >= 0.95


@pytest.mark.slow
def test_random_hmms():
    long, _ = mean_over_seeds("random-hmm-20-50", "BEEM A/I", n_seeds=30)
    short, _ = mean_over_seeds("random-hmm-5-10", "BEEM A/I", n_seeds=30)
    assert long >= 0.93
    assert short >= 0.55


def test_missing_data_raise_before_any_work(monkeypatch, tmp_path):
    monkeypatch.setenv("BOLTZMIX_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="character_trajectories_a-e"):
        measure(TABLES["characters-a-b"], repeats=1)


def test_the_run_with_the_highest_likelihood_is_shown_beside_every_seed():
    method = Method("M", "A", "–", lambda X, seed: Found([0]), paper((0.5, 0.0)))
    table = PaperTable("toy", "Toy", lambda seed: ([[0]], [0]), (method,), best_of=2)
    metrics = {metric: [0.7, 0.8, 0.9] for metric in ("ACC", "Homo", "NMI", "ARI")}
    values = {"M A": metrics | {"log-likelihood": [-1.0, -2.0, 5.0]}}
    results = Results("toy", [0, 1, 2], values, 1.0, {}, {})
    assert rows(table, results)[0][2:] == [
        "0.700 \\| 0.50", "0.700 \\| –", "0.700 \\| –", "0.700 \\| –", "0.700 0.800 0.900",
    ]  # fmt: skip
    assert differences(table, results) == []


def toy_results(accuracy):
    method = Method("M", "A", "–", lambda X, seed: Found([0]), paper((0.5, 0.1)), why="a reason")
    table = PaperTable("toy", "Toy", lambda seed: ([[0]], [0]), (method,))
    values = {"M A": {metric: [accuracy] for metric in ("ACC", "Homo", "NMI", "ARI")}}
    machine = {"cores": 2, "system": "s", "architecture": "a", "python": "3"}
    return table, Results("toy", [0], values, 1.0, {"numpy": "2"}, machine)


def test_a_mean_within_two_deviations_is_not_marked():
    table, results = toy_results(0.69)
    assert differences(table, results) == []
    assert rows(table, results)[0][2] == "0.69 (0.00) \\| 0.50 (0.10)"


def test_a_mean_further_away_is_marked_with_the_reason():
    table, results = toy_results(0.8)
    assert differences(table, results) == ["**M A** (ACC): a reason"]
    assert "0.80 (0.00)\\*" in markdown(table, results)


def test_results_are_equal_after_saving_and_loading(tmp_path):
    _, results = toy_results(0.8)
    results.save(tmp_path / "toy.json")
    assert Results.load(tmp_path / "toy.json") == results


@pytest.mark.slow
def test_measuring_in_workers_and_in_this_process_gives_the_same_values(measure_here):
    table = TABLES["balanced-square"]
    one, two = (run(table, repeats=2) for run in (measure, measure_here))
    assert one.values == two.values
    assert one.figure(table.methods[0], "ACC") == Figure(
        float(np.mean(one.values["BEEM A/I"]["ACC"])), float(np.std(one.values["BEEM A/I"]["ACC"]))
    )
