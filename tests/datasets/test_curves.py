import numpy as np
import pytest

from boltzmix.datasets import draw_data_association, make_data_association

KINDS = ("crossing", "sinusoids", "waves", "tracking")
SIZES = {
    "crossing": [125, 125],
    "sinusoids": [75, 60],
    "waves": [100, 100, 100],
    "tracking": [100, 100, 100],
}


def on_own_curve(drawn):
    return drawn.functions[np.arange(len(drawn.labels)), drawn.labels]


@pytest.mark.parametrize("kind", KINDS)
def test_shapes_sizes_and_order(kind):
    X, y, labels = make_data_association(kind, random_state=0)
    drawn, k = draw_data_association(kind, random_state=0), len(SIZES[kind])
    assert np.bincount(labels).tolist() == SIZES[kind]
    assert X.shape == (len(labels), 1)
    assert y.shape == ((300, 2) if kind == "tracking" else (len(labels),))
    assert drawn.functions.shape == (len(labels), k, *y.shape[1:])
    assert drawn.noise.shape == (k,)
    assert (np.diff(X[:, 0]) >= 0).all()
    for ours, theirs in zip((X, y, labels), drawn[:3], strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("kind", KINDS)
def test_points_scatter_around_their_curves_by_the_noise(kind):
    drawn = [draw_data_association(kind, random_state=seed) for seed in range(20)]
    for k in range(len(SIZES[kind])):
        errors = np.concatenate(
            [
                ((one.targets - on_own_curve(one)) / np.sqrt(one.noise[k]))[one.labels == k]
                for one in drawn
            ]
        )
        np.testing.assert_allclose(errors.mean(), 0, atol=0.1)
        np.testing.assert_allclose(errors.var(), 1, rtol=0.1)


@pytest.mark.parametrize("kind", ["crossing", "tracking"])
def test_noise_and_range_of_the_random_curves(kind):
    drawn = draw_data_association(kind, random_state=1)
    np.testing.assert_array_equal(drawn.noise, 0.01)
    assert 0 <= drawn.inputs.min() < 0.3
    assert 9.7 < drawn.inputs.max() <= 10


def test_two_curves_cross_three_to_five_times_and_are_smooth():
    for seed in range(30):
        drawn = draw_data_association(random_state=seed)
        first, second = drawn.functions.T
        assert np.count_nonzero(np.diff(first > second)) <= 5
        slopes = np.diff(first) / np.maximum(np.diff(drawn.inputs[:, 0]), 1e-9)
        assert np.abs(slopes).max() < 2
    heights = [draw_data_association(random_state=s).functions[:, 0].std() for s in range(30)]
    assert 0.25 < np.mean(heights) < 0.4


def test_sinusoids_are_a_sine_and_its_negative_normalised_together():
    drawn = draw_data_association("sinusoids", random_state=2)
    np.testing.assert_allclose([drawn.targets.mean(), drawn.targets.var()], [0, 1], atol=1e-12)
    scale = np.sqrt(0.3 / drawn.noise[0])
    np.testing.assert_allclose(drawn.noise[0] / drawn.noise[1], 1.5)
    sine = np.sin(drawn.inputs[:, 0])
    apart = drawn.functions[:, 0] - drawn.functions[:, 1]
    np.testing.assert_allclose(apart * scale, 2 * sine, atol=1e-12)
    assert drawn.inputs.max() <= 2 * np.pi
    gaps = np.diff(np.unique(drawn.inputs[drawn.labels == 1, 0]))
    assert gaps.max() > 1.9 * gaps.min()


def test_every_target_comes_near_another():
    for seed in range(5):
        positions = draw_data_association("tracking", random_state=seed).functions
        apart = np.linalg.norm(positions[:, :, None] - positions[:, None], axis=3).min(axis=0)
        np.fill_diagonal(apart, np.inf)
        assert apart.min(axis=1).max() < 0.4


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [
        ("crossing", 0.85, 0.89),
        ("sinusoids", 0.84, 0.88),
        ("waves", 0.90, 0.95),
        ("tracking", 0.96, 0.99),
    ],
)
def test_the_true_curves_classify_most_points(kind, low, high):
    drawn = (draw_data_association(kind, random_state=seed) for seed in range(50))
    assert low < np.mean([(one.most_likely == one.labels).mean() for one in drawn]) < high


@pytest.mark.parametrize("kind", KINDS)
def test_equal_seeds_draw_equal_points_and_different_seeds_different_curves(kind):
    one, same, other = (draw_data_association(kind, random_state=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(one.targets, same.targets)
    assert (one.inputs != other.inputs).any()
    assert not np.allclose(one.functions, other.functions)


def test_an_unknown_kind_raises():
    with pytest.raises(ValueError, match="kind must be one of 'crossing', 'sinusoids', 'waves'"):
        make_data_association("knots")
