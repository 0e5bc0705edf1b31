"""What the paper's tables claim, over a hundred seeds; and the pages made of them."""

import numpy as np
import pytest

from experiments import TABLES, measure
from experiments.measure import Results
from experiments.pages import differences, markdown, rows
from experiments.table import Figure, Found, Method, PaperTable, paper

SEEDS = 100


@pytest.fixture(scope="module")
def mean():
    """Return the means over the seeds of a table's rows, measured without parallel workers."""

    def of(table_name, *labels):
        table = TABLES[table_name]
        methods = {method.label: method for method in table.methods}
        found = []
        for label in labels:
            runs = [_run(table, methods[label], seed) for seed in range(SEEDS)]
            found.append(np.mean(runs, axis=0))
        return found

    return of


def _run(table, method, seed):
    from boltzmix.metrics import purity_score

    X, labels = table.make_data(seed)
    found = method.run(X, seed)
    return purity_score(labels, found.labels), found.em_steps


def test_unbalanced_square(mean):
    (uniform, _), (learned, _) = mean("unbalanced-square", "BEEM A/I", "BEEM A/II")
    assert uniform >= 0.98
    assert learned <= uniform - 0.03


def test_balanced_square(mean):
    (uniform, _), (learned, _) = mean("balanced-square", "BEEM A/I", "BEEM A/II")
    assert uniform >= learned + 0.08


def test_rainbow(mean):
    ((purity, steps),) = mean("rainbow", "BEEM A/I")
    assert purity >= 0.90
    assert 65 <= steps <= 95


def test_iris(mean):
    ((purity, _),) = mean("iris", "BEEM B/I")
    assert purity >= 0.95


def test_random_hmms(mean):
    ((long, _),) = mean("random-hmm-20-50", "BEEM A/I")
    ((short, _),) = mean("random-hmm-5-10", "BEEM A/I")
    assert long >= 0.93
    assert short >= 0.55


def test_missing_data_are_told_before_any_work(monkeypatch, tmp_path):
    monkeypatch.setenv("BOLTZMIX_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="character_trajectories_a-e"):
        measure(TABLES["characters-a-b"], repeats=1)


def test_the_likeliest_of_the_first_runs_is_shown_beside_every_seed():
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
    method = Method("M", "A", "–", lambda X, seed: Found([0]), paper((0.5, 0.1)), why="of this")
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
    assert differences(table, results) == ["**M A** (ACC): of this"]
    assert "0.80 (0.00)\\*" in markdown(table, results)


def test_results_survive_saving(tmp_path):
    _, results = toy_results(0.8)
    results.save(tmp_path / "toy.json")
    assert Results.load(tmp_path / "toy.json") == results


def test_measuring_twice_gives_the_same_values():
    table = TABLES["balanced-square"]
    one, two = (measure(table, repeats=2) for _ in range(2))
    assert one.values == two.values
    assert one.figure(table.methods[0], "ACC") == Figure(
        float(np.mean(one.values["BEEM A/I"]["ACC"])), float(np.std(one.values["BEEM A/I"]["ACC"]))
    )
