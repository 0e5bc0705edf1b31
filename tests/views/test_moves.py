from dataclasses import replace

import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.datasets import make_square
from boltzmix.learning import Move, Trial
from boltzmix.views import (
    count_trials,
    counted,
    describe_beginning,
    describe_iterations,
    describe_moves,
    describe_phase,
    moved_components,
)


def moves(*pairs):
    return tuple(Move(kind, components, 0.5) for kind, *components in pairs)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (moves(), ""),
        (moves(("merge", 3, 5), ("split", 2)), "merge 3 and 5, split 2"),
        (moves(("resplit", 1, 4)), "split 1 and 4 again"),
        (moves(("resplit", 1, 4, 6)), "split 1, 4 and 6 again"),
        (moves(("reseed", 0)), "re-seed 0"),
        (moves(("restart",)), "restart"),
        (moves(("baseline",)), "the baseline"),
        (moves(("refine",)), "a few more iterations"),
        (moves(("restart",), ("propose",), ("merge",)), "restart, candidates for a merge"),
        (moves(("propose",), ("resplit",)), "candidates for a split of several"),
        (moves(("swap", 1, 2)), "1 swap"),
        (moves(("swap", 1, 2), ("swap", 3, 4)), "2 swaps"),
        (moves(("shuffle", 1, 2)), "shuffle 1 and 2"),
        (moves(("cool",)), "cool"),
    ],
)
def test_moves_are_described_in_words(made, words):
    assert describe_moves(made) == words


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (moves(), ""),
        (moves(("start",)), "a start of its own"),
        (moves(("split", 1)), "2 components: split 1"),
        (moves(("merge", 1, 3)), "4 components: merge 1 and 3"),
    ],
)
def test_the_beginning_of_a_phase_on_a_path_is_described_in_words(made, words):
    assert describe_beginning(made, 3) == words


def test_moves_that_begin_a_phase_are_no_accepted_trials():
    X, _ = make_square(random_state=0)
    history = Mixture(n_components=range(2, 5), random_state=0).fit(X).history_
    assert history.moves[0]
    assert 0 not in history.moved
    assert count_trials(history)["accepted"] == len(history.moved)


def test_verbose_lines_on_a_path_have_the_number_of_components(capsys):
    X, _ = make_square(random_state=0)
    Mixture(n_components=range(2, 5), random_state=0, verbose=1).fit(X)
    lines = capsys.readouterr().out.splitlines()
    assert {line.split("components")[1].split()[0] for line in lines} == {"2", "3", "4"}


def test_every_changed_component_is_listed_once():
    assert moved_components(moves(("merge", 3, 5), ("split", 3), ("restart",))) == (3, 5)


def test_an_unknown_recipe_is_described_by_its_name():
    assert describe_phase("BEEM") == "BEEM: exploring"
    assert describe_phase("MyRecipe") == "MyRecipe"


def test_iterations_are_counted_by_phase_with_the_trials_of_each():
    X, _ = make_square(random_state=0)
    history = Mixture(n_components=2, algorithm=["beem", "em"], random_state=0).fit(X).history_
    history = replace(history, trials=())
    explored, polished = ((history.phase == name).sum() - 1 for name in ("BEEM", "EM"))
    assert describe_iterations(history) == (
        f"BEEM: {explored} iterations; EM: {counted(polished, 'iteration')}"
    )
    scores = np.zeros(4)
    trials = [
        Trial(moves(("split", 1)), "EM", after, np.arange(4), scores, scores, accepted=after == 1)
        for after in (0, 1, len(history))
    ]
    made = ((), moves(("split", 1)), *history.moves[2:])
    tried = replace(history, moves=made, trials=tuple(trials))
    assert f"BEEM: {explored} iterations, 2 trials of 6 iterations; EM: " in (
        describe_iterations(tried)
    )
    assert describe_iterations(tried).endswith(", 1 trial of 3 iterations")
    assert count_trials(tried) == {"number": 3, "accepted": 1, "iterations": 9}
