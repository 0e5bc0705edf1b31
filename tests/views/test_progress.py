"""The progress of a fit: pace, remaining time, lines, and one line of a notebook."""

import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from boltzmix import BEEM, EM, SEM, GaussianMixture, Mixture, Moves
from boltzmix.datasets import make_mixture, make_square
from boltzmix.families import Gaussian, GaussianProcess, MarkovChain
from boltzmix.learning import Move, Step
from boltzmix.views import (
    InPlace,
    NotebookView,
    ProgressMeter,
    ending_sentence,
    progress_line,
    progress_sentence,
)

X, _ = make_square(random_state=0)
TRIAL = (Move("merge", (3, 5)), Move("split", (2,)))


def state(iteration, phase="EM", n_components=6, **values):
    step = Step(phase, iteration, 1.0, -2.0, np.ones(6), n_observations=1000, **values)
    bank = SimpleNamespace(components=range(n_components))
    return SimpleNamespace(bank=bank, family=Gaussian(), step=step)


def progress_after(*timed):
    """Return the progress after states, each with its time; the fit begins at time zero."""
    times = iter([0.0, *(time for time, _ in timed)])
    meter = ProgressMeter(lambda: next(times))
    for _, one in timed:
        meter.note(one)
    return meter.read()


def states_of(data, *arguments, **options):
    states = []
    Mixture(*arguments, random_state=0, verbose=states.append, **options).fit(*data)
    return states


def test_rate_and_remaining_time_are_those_of_the_iterations():
    found = progress_after((5.0, state(0)), (7.0, state(1)), (9.0, state(2, n_left=8)))
    assert found.elapsed == 9
    assert found.rate == 500  # the five seconds before the first state are no iteration
    assert found.seconds_left == 16
    assert found.fraction == 0.2
    assert found.n_iter == 2


def test_nothing_is_estimated_where_nothing_is_known():
    assert progress_after((1.0, state(0, n_left=9))).seconds_left is None
    assert progress_after((1.0, state(0))).rate is None
    unknown = progress_after((1.0, state(0)), (2.0, state(1)))
    assert unknown.seconds_left is None
    assert unknown.fraction is None
    tried = progress_after((1.0, state(0, trial=TRIAL)), (2.0, state(1, trial=TRIAL, n_left=3)))
    assert tried.seconds_left is None
    assert tried.fraction is None
    assert tried.score is None


def test_time_between_trials_takes_no_part_in_the_rate():
    other = (Move("restart"),)
    found = progress_after(
        (0.0, state(0, trial=TRIAL)),
        (1.0, state(1, trial=TRIAL)),
        (9.0, state(0, trial=other)),
        (10.0, state(1, trial=other)),
    )
    assert found.rate == 1000


def test_a_new_phase_shows_the_last_rate_until_it_has_its_own():
    explored = [(0.0, state(0, "BEEM")), (1.0, state(1, "BEEM")), (1.5, state(0))]
    assert progress_after(*explored).rate == 1000
    assert progress_after(*explored, (2.0, state(1))).rate == 2000


@pytest.mark.parametrize(
    ("recipe", "length"), [(SEM(length=12), 12), (BEEM("auto", length=15), 15)]
)
def test_the_length_of_some_recipes_is_known(recipe, length):
    states = states_of([X], n_components=4, algorithm=recipe)
    left = [one.step.n_left for one in states]
    assert left == list(range(length, -1, -1))


def test_the_length_of_em_is_estimated_and_at_most_max_iter():
    data, _ = make_mixture(2000, 6, 2, separation=1.5, random_state=0)
    states = []
    options = {"tol": 1e-6, "verbose": states.append, "random_state": 0}
    GaussianMixture(6, max_iter=5000, **options).fit(data)
    last = states[-1].step
    assert (last.finished, last.n_left) == (True, 0)
    estimated = [one.step for one in states if one.step.n_left is not None]
    assert len(estimated) > len(states) / 2
    states.clear()
    with pytest.warns(match="did not converge"):
        GaussianMixture(6, max_iter=20, **options).fit(data)
    assert max(one.step.iteration + (one.step.n_left or 0) for one in states) == 20


def test_a_search_has_no_estimate_outside_its_exploration_and_polish():
    states = states_of([X], n_components=4, algorithm=[Moves(), EM()])
    assert {one.step.n_left for one in states if one.step.phase == "Moves"} <= {None, 0}


def test_all_states_of_a_fit_have_observations_of_the_same_name():
    states = states_of([X], n_components=4)
    assert {progress_after((0.0, one)).noun for one in states} == {"rows"}
    assert min(one.step.n_observations for one in states) > 0


RNG = np.random.default_rng(0)
TIME = np.linspace(0, 6, 40)[:, None]


@pytest.mark.parametrize(
    ("data", "family", "n", "noun"),
    [
        ([X], Gaussian(), len(X), "rows"),
        ([list(RNG.integers(0, 2, (30, 5, 1)))], MarkovChain(), 30, "sequences"),
        ([TIME, np.sin(TIME[:, 0])], GaussianProcess(), 40, "points"),
    ],
)
def test_states_count_their_observations_and_name_them(data, family, n, noun):
    first = states_of(data, family, 1, algorithm=SEM(length=1))[0]
    assert (first.step.n_observations, progress_after((0.0, first)).noun) == (n, noun)


def test_sentences_say_what_is_done_how_fast_and_what_is_left():
    two = [(0.0, state(0)), (2.0, state(1, n_left=6, run=0))]
    assert progress_sentence(progress_after(*two)) == (
        "6 components, polishing, iteration 1, score -2.0000, 500 rows/s, about 12 s of polishing"
        " left"
    )
    tried = progress_after(*two, (3.0, state(0, "Moves", 1, trial=TRIAL, run=1)))
    assert progress_sentence(tried, n_runs=4) == (
        "1 component, trying: merge 3 and 5, split 2, run 2 of 4, iteration 0, score -2.0000,"
        " 500 rows/s"
    )
    assert ending_sentence(tried) == "fitted in 3.0 s, 1 iteration"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.3, "less than 1 s"),
        (7.2, "about 7 s"),
        (61, "about 61 s"),
        (200, "about 3 min"),
        (9000, "about 2 h 30 min"),
    ],
)
def test_lines_end_with_pace_and_remaining_time(seconds, words):
    found = progress_after((0.0, state(0)), (seconds, state(1, n_left=1)))
    assert progress_line(found).endswith(f" rows/s  {words} of EM left")


def test_no_time_is_left_at_the_last_iteration():
    found = progress_after((0.0, state(0)), (1.0, state(1, n_left=0)))
    assert progress_line(found).endswith(" rows/s")
    assert found.fraction == 1


class Screen:
    """Stands in for IPython's display and the handle that it returns."""

    def __init__(self):
        self.shown, self.n_displays = [], 0

    def display(self, data, *, raw, display_id):
        assert raw
        assert display_id
        self.n_displays += 1
        self.shown.append(data)
        return self

    def update(self, data, *, raw):
        assert raw
        self.shown.append(data)


def test_a_notebook_shows_one_line_in_place_and_the_end():
    screen, states = Screen(), states_of([X], n_components=4, algorithm=SEM(length=20))
    clock = iter(np.arange(0, 100, 0.1))  # read twice for each state
    with NotebookView(screen.display, lambda: next(clock)) as view:
        for one in states:
            view(one)
    assert screen.n_displays == 1
    assert len(screen.shown) == len(states) + 1
    texts = [data["text/plain"] for data in screen.shown]
    assert re.match(r"[\d.]+ s: 4 components, SEM, iteration 0, score", texts[0])
    assert "rows/s, about 3 s of SEM left" in texts[5]
    assert re.fullmatch(r"fitted in [\d.]+ s, 20 iterations", texts[-1])
    assert [data["text/html"].split(" ", 1)[0] for data in screen.shown] == ["<progress"] * 22
    assert 'value="0.500"' in screen.shown[10]["text/html"]


def test_a_notebook_keeps_where_a_fit_was_interrupted():
    screen = Screen()
    with pytest.raises(KeyboardInterrupt), NotebookView(screen.display) as view:
        view(state(3))
        raise KeyboardInterrupt
    assert screen.shown[-1]["text/plain"].startswith("interrupted after ")


def test_a_fit_that_fails_before_its_first_state_shows_nothing():
    screen = Screen()
    with pytest.raises(ValueError, match="early"), NotebookView(screen.display):
        raise ValueError("early")
    assert screen.shown == []


def test_quick_states_are_shown_ten_times_a_second_at_most():
    shown, times = [], iter(np.repeat(np.arange(0, 1.001, 0.001), 2))
    view = InPlace(shown.append, lambda: next(times))
    for iteration in range(1000):
        view(state(iteration))
    assert 9 <= len(shown) <= 11
    assert view.meter.read().n_iter == 999


def test_a_notebook_is_recognised_by_its_kernel(monkeypatch, capsys):
    screen = Screen()
    shell = SimpleNamespace(kernel=object())
    ipython = SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", screen)
    Mixture(n_components=4, random_state=0, verbose=1).fit(X)
    assert screen.n_displays == 1
    assert screen.shown[-1]["text/plain"].startswith("fitted in ")
    assert capsys.readouterr().out == ""
    shell.kernel = None  # IPython in a terminal
    Mixture(n_components=4, random_state=0, verbose=1).fit(X)
    assert "rows/s" in capsys.readouterr().out
    assert screen.n_displays == 1
