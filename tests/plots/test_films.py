import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from own_family import Exponential
from PIL import Image

from boltzmix import Mixture, Moves, plots
from boltzmix.data import Table
from boltzmix.datasets import make_mixture, make_square
from boltzmix.families import HMM
from boltzmix.views import describe_moves

X, _ = make_square(random_state=0)


def recorded(X, *arguments, **settings):
    states = []
    model = Mixture(*arguments, random_state=0, verbose=states.append, **settings).fit(X)
    return model, states


def with_data(table, *arguments, **settings):
    model, states = recorded(table, *arguments, **settings)
    return model, table, states


@pytest.fixture(scope="module")
def four():
    return recorded(X, n_components=4, init="random")


@pytest.fixture(scope="module")
def moved():
    """Return a film with an accepted move, from labels that need a move."""
    corners = np.array([[0, 0], [0, 9], [9, 0], [9, 9]])
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(4), 60)
    points = corners[truth] + rng.normal(size=(240, 2))
    bad = np.where(truth < 2, 0, truth)
    bad[truth == 3] = np.where(points[truth == 3, 0] > 9, 3, 1)
    model, states = recorded(points, n_components=4, init=bad, algorithm=Moves())
    return plots.film(model, points, states)


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_every_step_has_a_frame_and_the_last_one_is_the_model(four):
    model, states = four
    film = plots.film(model, X, states)
    assert len(film.frames) == len(model.history_) + 1
    np.testing.assert_array_equal(film.frames[-1].labels, model.labels_)
    main = [state for state in states if not state.step.trial]
    assert len(main) == len(model.history_)
    for frame, state in zip(film.frames, main, strict=False):
        state = state.in_order(model.history_.order)
        log_densities = np.column_stack([one.log_prob(Table.of(X)) for one in state.bank])
        best = (log_densities + np.log(state.weights)).argmax(axis=1)
        np.testing.assert_array_equal(frame.labels, best)
        np.testing.assert_allclose(
            [outline[:-1].mean(axis=0) for outline in frame.outlines],
            [one.mean for one in state.bank],
        )


def test_the_best_of_several_runs_is_shown():
    model, states = recorded(X, n_components=4, n_init=4)
    assert len(states) > len(model.history_)
    last = plots.film(model, X, states).frames[-2:]
    np.testing.assert_array_equal(last[0].labels, last[1].labels)


@pytest.mark.parametrize("n_frames", [1, 2, 5, 8, 30, 1000])
def test_frames_are_chosen_in_order_and_end_with_the_model(moved, n_frames):
    shown = [shot.frame for shot in moved.shots(n_frames)]
    assert len(shown) == min(n_frames, len(moved.frames))
    assert shown == sorted(set(shown))
    assert shown[-1] == len(moved.history)


def test_components_that_moves_change_are_marked_before_and_after(moved):
    step = next(step for step, moves in enumerate(moved.history.moves) if moves)
    made = moved.history.moves[step]
    before, after = [shot for shot in moved.shots(8) if shot.moves][:2]
    assert (before.frame, before.title) == (step - 1, f"Before: {describe_moves(made)}")
    assert (after.frame, after.title) == (step, f"After: {describe_moves(made)}")
    assert before.moves == after.moves == made
    cells = moved.plot(n_frames=8)
    place = [shot.frame for shot in moved.shots(8)].index(step)
    marked = [str(k) for move in made for k in move.components]
    assert [text.get_text() for text in cells[place].texts] == marked


def test_a_strip_has_a_panel_per_frame_and_the_temperature(four):
    model, states = four
    *cells, below = plots.film(model, X, states).plot(n_frames=5)
    assert len(cells) == 5
    assert cells[0].get_title() == "BEEM: exploring, step 0"
    drawn = below.lines[0].get_ydata()
    np.testing.assert_array_equal(drawn[~np.isnan(drawn)], model.history_.temperature)
    assert 5 in [len(line.get_xdata()) for line in below.lines if line.get_marker() == "o"]


def test_a_single_recipe_is_shown_by_its_name():
    model, states = recorded(X, n_components=2, algorithm="em")
    assert plots.film(model, X, states).shots(3)[0].title == "EM, step 0"


def test_a_gif_has_its_frames_and_shows_moves_longer(moved, tmp_path):
    path = tmp_path / "fit.gif"
    moved.save(path, n_frames=6)
    with Image.open(path) as image:
        assert image.n_frames == 6
        durations = []
        for frame in range(6):
            image.seek(frame)
            durations.append(image.info["duration"])
    held = [bool(shot.moves) for shot in moved.shots(6)]
    assert any(held)
    assert [length > 1000 for length in durations[:-1]] == held[:-1]
    assert durations[-1] == max(durations)


def test_noise_is_drawn_as_noise():
    points = np.vstack([X, [[300.0, 300.0]]])
    model, states = recorded(points, n_components=4, noise=True)
    assert plots.film(model, points, states).frames[-2].labels[-1] == -1


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_tables_of_other_shapes_are_filmed():
    points, _ = make_mixture(4000, 2, 3, random_state=0)
    film = plots.film(*with_data(points, n_components=2))
    assert film.frames[0].points.shape == (3000, 2)
    for table in (X[:, :1], pd.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 0, "x", "y")})):
        family = None if isinstance(table, np.ndarray) else "auto"
        plots.film(*with_data(table, family, 2)).plot(n_frames=2)
    counts = np.random.default_rng(0).exponential(size=(80, 2))
    film = plots.film(*with_data(counts, Exponential(), 2, algorithm="cem"))
    assert film.frames[0].outlines == []


def test_film_raises_for_models_and_settings_it_cannot_show(four, tmp_path):
    model, states = four
    film = plots.film(model, X, states)
    with pytest.raises(ValueError, match="states lacks steps of this fit"):
        plots.film(model, X, [])
    with pytest.raises(ValueError, match="states lacks steps of this fit"):
        plots.film(model, X, states[1:])
    with pytest.raises(ValueError, match="3 features, but Mixture is expecting 2"):
        plots.film(model, np.ones((5, 3)), states)
    with pytest.raises(ValueError, match="not fitted yet"):
        plots.film(Mixture(), X, states)
    with pytest.raises(ValueError, match="n_frames must be a whole number of at least 1"):
        film.plot(n_frames=0)
    with pytest.raises(ValueError, match=r"path must end in \.gif"):
        film.save(tmp_path / "fit.mp4")


def test_a_film_of_sequences_raises():
    model, states = recorded([X[:5], X[5:10]], HMM(1), 1, algorithm="em")
    with pytest.raises(ValueError, match="not sequences or curves"):
        plots.film(model, [X[:5]], states)
