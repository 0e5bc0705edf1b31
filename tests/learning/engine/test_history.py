"""The history stores the steps of a fit and of its trials separately, and counts both."""

import numpy as np
import pytest

import boltzmix
from boltzmix import BEEM, EM, Mixture, Moves
from boltzmix.datasets import make_mixture, make_rainbow
from boltzmix.families import Gaussian
from boltzmix.learning import History, Move, Step

SPLIT, RESTART = Move("split", (1,), 3.0), Move("restart")


def step(iteration, score, phase="EM", moves=(), trial=()):
    return Step(phase, iteration, 1.0, score, np.ones(2), moves=moves, trial=trial)


@pytest.fixture(scope="module")
def fitted():
    """Return a model fitted by "auto", and all states of the fit."""
    X, _ = make_rainbow(random_state=0)
    states = []
    exact = Gaussian(prior=0, resolution=None)
    return Mixture(exact, 8, verbose=states.append, random_state=0).fit(X), states


def test_steps_of_trials_are_kept_apart():
    history = History.of(
        [
            step(0, 1.0),
            step(1, 2.0),
            step(0, 2.1, trial=(SPLIT,)),
            step(1, 2.2, trial=(SPLIT,)),
            step(0, 0.5, "BEEM", trial=(RESTART,)),
            step(0, 2.3, trial=(RESTART,)),
            step(1, 2.9, trial=(RESTART,)),
            step(2, 3.0, moves=(RESTART,)),
        ]
    )
    np.testing.assert_array_equal(history.score, [1, 2, 3])
    assert history.moves == ((), (), (RESTART,))
    assert [trial.moves for trial in history.trials] == [(SPLIT,), (RESTART,), (RESTART,)]
    assert [trial.recipe for trial in history.trials] == ["EM", "BEEM", "EM"]
    assert [trial.accepted for trial in history.trials] == [False, True, True]
    assert [trial.after for trial in history.trials] == [2, 2, 2]
    assert [trial.n_iter for trial in history.trials] == [1, 0, 1]
    assert history.n_iter == 2 + 2


def test_consecutive_trials_of_the_same_moves_are_separate():
    steps = [step(0, 1.0)] + 2 * [step(0, 1.0, trial=(SPLIT,)), step(1, 2.0, trial=(SPLIT,))]
    assert [len(trial) for trial in History.of(steps).trials] == [2, 2]


def test_the_repr_of_a_history_has_the_number_of_trials():
    history = History.of([step(0, 1.0), step(0, 1.0, trial=(SPLIT,))])
    assert repr(history) == "<History of 1 steps (EM: 1) and 1 trials>"
    assert repr(history.trials[0]) == "<Trial of split: 1 steps of EM>"


def test_every_state_of_a_fit_is_in_its_history(fitted):
    model, states = fitted
    history = model.history_
    n_tried = sum(len(trial) for trial in history.trials)
    assert len(states) == len(history) + n_tried
    assert [state.step.score for state in states if not state.step.trial] == history.score.tolist()
    assert n_tried > 5 * len(history)  # most of the work of a search is in its trials


def test_n_iter_counts_the_m_steps_of_trials(fitted):
    model, states = fitted
    assert model.n_iter_ == model.history_.n_iter
    assert model.n_iter_ == sum(state.step.iteration > 0 for state in states)


def test_accepted_trials_are_those_whose_moves_were_made(fitted):
    history = fitted[0].history_
    made = {moves for moves in history.moves if moves}
    assert {trial.moves for trial in history.trials if trial.accepted} == made


def test_trials_are_equal_after_saving_and_loading(fitted, tmp_path):
    model, _ = fitted
    model.save(tmp_path / "m.bmix")
    again = boltzmix.load(tmp_path / "m.bmix").history_
    assert again.moves == model.history_.moves
    for one, two in zip(again.trials, model.history_.trials, strict=True):
        assert (one.moves, one.recipe, one.accepted) == (two.moves, two.recipe, two.accepted)
        np.testing.assert_array_equal(one.score, two.score)


def test_verbose_prints_a_line_for_each_trial(capsys):
    X, _ = make_mixture(200, 4, 2, separation=2, random_state=0)
    algorithm = [BEEM("auto"), Moves(), EM()]
    model = Mixture(n_components=4, algorithm=algorithm, verbose=1, random_state=0).fit(X)
    lines = capsys.readouterr().out.splitlines()
    tried = [line for line in lines if "trying:" in line]
    begun = sum(trial.iteration[0] == 0 for trial in model.history_.trials)
    assert len(tried) == begun > 0
    assert any("BEEM" in line and "trying" not in line for line in lines)
