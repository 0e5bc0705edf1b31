import numpy as np
import pytest

from boltzmix.data import Sequences
from boltzmix.datasets import draw_random_hmms, make_random_hmms


@pytest.fixture(scope="module")
def drawn():
    return draw_random_hmms((40, 60), n_per_cluster=2000, random_state=0)


def nearest_states(sequence):
    return np.abs(sequence - [-2, -1, 0, 1]).argmin(axis=1)


def test_the_papers_simulation_has_its_number_and_lengths_of_sequences():
    X, labels = make_random_hmms(random_state=0)
    assert np.bincount(labels).tolist() == [20, 20, 20]
    assert all(x.shape[1] == 1 and 20 <= len(x) <= 50 for x in X)
    assert len(Sequences.of(X)) == 60


def test_lengths_are_uniform_and_include_both_limits(drawn):
    counts = np.bincount([len(x) for x in drawn.sequences])
    assert len(counts) == 61
    assert not counts[:40].any()
    np.testing.assert_allclose(counts[40:], 6000 / 21, rtol=0.25)


def test_probabilities_are_normalised_uniform_numbers():
    draws = [draw_random_hmms((1, 1), 1, seed) for seed in range(1000)]
    initial = np.concatenate([d.initial for d in draws])
    transitions = np.concatenate([d.transitions.reshape(-1, 4) for d in draws])
    for probabilities in (initial, transitions):
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)
        np.testing.assert_allclose(probabilities.mean(axis=0), 1 / 4, atol=0.01)
        uniform = np.random.default_rng(1).random((100_000, 4))
        expected = (uniform / uniform.sum(axis=1, keepdims=True)).var(axis=0).mean()
        np.testing.assert_allclose(probabilities.var(axis=0), expected, rtol=0.08)


def test_sequences_follow_the_true_parameters(drawn):
    assert drawn.initial.shape == (3, 4)
    assert drawn.transitions.shape == (3, 4, 4)
    for k in range(3):
        paths = [nearest_states(x) for x, label in zip(*drawn[:2], strict=True) if label == k]
        first = np.bincount([path[0] for path in paths], minlength=4) / len(paths)
        np.testing.assert_allclose(first, drawn.initial[k], atol=0.04)
        moves = np.zeros((4, 4))
        for path in paths:
            np.add.at(moves, (path[:-1], path[1:]), 1)
        frequencies = moves / moves.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(frequencies, drawn.transitions[k], atol=0.03)


def test_states_emit_around_their_means(drawn):
    values = np.concatenate(drawn.sequences)
    states = nearest_states(values)
    for state, mean in enumerate(drawn.means):
        np.testing.assert_allclose(values[states == state].mean(), mean, atol=0.005)
        np.testing.assert_allclose(values[states == state].std(), drawn.deviation, rtol=0.02)


def test_draw_and_make_return_the_same_sequences():
    drawn = draw_random_hmms((5, 10), 7, random_state=3)
    X, labels = make_random_hmms((5, 10), 7, random_state=3)
    np.testing.assert_array_equal(labels, drawn.labels)
    for x, same in zip(X, drawn.sequences, strict=True):
        np.testing.assert_array_equal(x, same)


def test_different_seeds_draw_different_sequences_and_a_generator_advances():
    first, second = (make_random_hmms((9, 9), random_state=seed)[0] for seed in (1, 2))
    assert (np.array(first) != np.array(second)).any()
    rng = np.random.default_rng(1)
    again, later = (make_random_hmms((9, 9), random_state=rng)[0] for _ in range(2))
    np.testing.assert_array_equal(again, first)
    assert (np.array(later) != np.array(first)).any()


def test_all_sequences_can_have_one_length():
    assert {x.shape for x in make_random_hmms(np.array([1, 1]), 3)[0]} == {(1, 1)}


@pytest.mark.parametrize(
    "lengths", [(0, 5), (6, 5), (5,), (1, 2, 3), (1.0, 5.0), (True, 5), "ab", 20, None, []]
)
def test_bad_lengths_raise(lengths):
    with pytest.raises(ValueError, match="lengths must be two whole numbers, the shortest"):
        make_random_hmms(lengths)


@pytest.mark.parametrize("n", [0, -1, 2.0, True, None])
def test_a_bad_number_of_sequences_raises(n):
    with pytest.raises(ValueError, match="n_per_cluster must be a whole number of at least 1"):
        make_random_hmms(n_per_cluster=n)
