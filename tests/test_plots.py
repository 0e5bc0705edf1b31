import matplotlib.pyplot as plt
import numpy as np
import pytest
from own_family import Exponential

from boltzmix import Mixture, plots
from boltzmix.datasets import make_mixture, make_square

X, _ = make_square(random_state=0)


@pytest.fixture(scope="module")
def model():
    return Mixture(n_components=4, random_state=0).fit(X)


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_ellipses_lie_two_deviations_from_their_means(model):
    drawing = plots.clusters(model, X)
    for component, outline in zip(model.components_, drawing.outlines, strict=True):
        away = outline - component.mean
        distances = np.einsum("nd,de,ne->n", away, np.linalg.inv(component.covariance_matrix), away)
        np.testing.assert_allclose(distances, 4)


def test_clusters_show_every_observation_and_component(model):
    axes = plots.clusters(model, X).plot()
    assert len(axes.collections[0].get_offsets()) == len(X)
    assert len(axes.lines) == 2 * 4


def test_many_columns_are_projected_on_two():
    points, _ = make_mixture(300, 12, 5, random_state=0)
    model = Mixture(n_components=12, random_state=0).fit(points)
    drawing = plots.clusters(model, points)
    assert drawing.points.shape == (300, 2)
    assert drawing.axis_names[0] == "principal component 1"
    drawing.plot()


def test_one_column_is_a_histogram_with_density_curves():
    model = Mixture(n_components=2, random_state=0).fit(X[:, :1])
    drawing = plots.clusters(model, X[:, :1])
    area = sum(np.trapezoid(curve[:, 1], curve[:, 0]) for curve in drawing.outlines)
    np.testing.assert_allclose(area, 1, atol=0.05)
    drawing.plot()


def test_a_family_without_a_covariance_is_drawn_without_ellipses():
    rng = np.random.default_rng(0)
    points = rng.exponential(size=(100, 2))
    model = Mixture(Exponential(), 2, random_state=0).fit(points)
    assert plots.clusters(model, points).outlines == []


def test_trace_shows_score_temperature_and_phases(model):
    axes = plots.trace(model).plot()
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), model.history_.score)
    assert {text.get_text() for text in axes.texts} == {"BEEM", "EM"}


def test_allocations_show_a_line_per_component(model):
    axes = plots.allocations(model).plot()
    np.testing.assert_array_equal(axes.lines[2].get_ydata(), model.history_.counts[:, 2])


def test_plots_draw_on_the_axes_they_are_given(model):
    _, axes = plt.subplots(1, 3)
    assert plots.clusters(model, X).plot(axes[0]) is axes[0]
    assert plots.trace(model).plot(axes[1]) is axes[1]
    assert plots.allocations(model).plot(axes[2]) is axes[2]


def test_the_overview_has_three_parts(model):
    titles = [axes.get_title() for axes in plots.overview(model, X).axes]
    assert titles[:3] == ["Clusters", "Training", "Allocations"]


def test_one_row_of_many_columns_can_be_drawn():
    points, _ = make_mixture(100, 2, 5, random_state=0)
    model = Mixture(n_components=2, random_state=0).fit(points)
    assert plots.clusters(model, points[:1]).points.shape == (1, 2)
