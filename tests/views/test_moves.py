from dataclasses import replace

import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.data import counted
from boltzmix.datasets import make_square
from boltzmix.learning import Move, Trial
from boltzmix.views import (
    count_trials,
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
        (moves(("choose",)), "candidates for the family"),
        (moves(("restart",), ("propose",), ("merge",)), "restart, candidates for a merge"),
        (moves(("propose",), ("resplit",)), "candidates for a split of several"),
        (moves(("swap", 1, 2)), "1 swap"),
        (moves(("swap", 1, 2), ("swap", 3, 4)), "2 swaps"),
        (moves(("shuffle", 1, 2)), "shuffle 1 and 2"),
        (moves(("cool",)), "cool"),
        (moves(("half", 0)), "fits to halves, split 1 of up to 4"),
        (
            moves(("half", 3), ("propose",), ("split",)),
            "fits to halves, split 4 of up to 4, candidates for a split",
        ),
    ],
)
def test_moves_are_described_in_words(made, words):
    assert describe_moves(made) == words


def test_accepted_trials_are_the_steps_with_moves():
    X, _ = make_square(random_state=0)
    history = Mixture(n_components=4, init="random", random_state=0).fit(X).history_
    assert 0 not in history.moved
    assert count_trials(history)["accepted"] == len(history.moved)


def test_verbose_lines_name_the_halves_and_the_number_of_components(capsys):
    X, _ = make_square(random_state=0)
    Mixture(n_components=range(2, 5), random_state=0, verbose=1).fit(X)
    lines = capsys.readouterr().out.splitlines()
    assert {line.split("components")[1].split()[0] for line in lines} == {"1", "2", "3", "4"}
    halves = {line.split("  fits to ")[1] for line in lines if "fits to halves" in line}
    assert {f"halves, split {place} of up to 4" for place in (1, 2)} <= halves
    assert not any("trying: fits" in line for line in lines)


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
