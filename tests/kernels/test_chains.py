"""Forward–backward and Viterbi against sums over all paths."""

from itertools import product

import numpy as np
import pytest
from scipy.special import logsumexp

from boltzmix.kernels import chains


def chain(s, seed=0, mask=None):
    rng = np.random.default_rng(seed)
    transitions = rng.dirichlet(np.ones(s), size=s)
    if mask is not None:
        transitions = np.where(mask, transitions, 0)
        transitions /= transitions.sum(axis=1, keepdims=True)
    return rng.dirichlet(np.ones(s)), transitions


def emit(s, lengths, seed=0, scale=3.0):
    rng = np.random.default_rng(seed)
    return rng.normal(scale=scale, size=(s, sum(lengths))), np.cumsum([0, *lengths])


def longest_first(ends):
    return np.argsort(-np.diff(ends), kind="stable")


def evaluate(log_emissions, ends, initial, transitions):
    """Return the layout, what the forward pass writes, and the log-likelihoods of one chain."""
    s, n = log_emissions.shape
    layout = chains.lay_out(ends, longest_first(ends))
    emitted = np.ascontiguousarray(log_emissions[:, layout.steps])
    memory = [np.empty(size * n + chains.PADDING) for size in (s, s, 1)]
    doubtful, scores = np.empty((1, len(ends) - 1), dtype=bool), np.empty((1, len(ends) - 1))
    chains.evaluate(
        emitted, *layout, np.array([0, s]), initial, transitions, *memory, doubtful, scores
    )
    return layout, (emitted, *memory, doubtful[0]), scores[0]


def expectations(log_emissions, ends, initial, transitions, weights=None):
    layout, passed, scores = evaluate(log_emissions, ends, initial, transitions)
    weights = np.ones(len(scores)) if weights is None else weights
    s, n = len(initial), int(np.diff(ends)[weights > 0].sum())
    slots, memory = np.empty(n, dtype=int), np.empty(s * n + chains.PADDING)
    totals, starts, counts = np.zeros(s), np.zeros(s), np.zeros((s, s))
    chains.expectations(
        *passed, *layout, np.argsort(layout.steps), ends, longest_first(ends), initial,
        transitions, weights, slots, memory, totals, starts, counts,
    )  # fmt: skip
    posteriors = np.zeros(log_emissions.shape)
    posteriors[:, layout.steps[slots]] = memory[: s * n].reshape(s, n)
    np.testing.assert_allclose(totals, posteriors.sum(axis=1), atol=1e-9)
    np.testing.assert_allclose(starts, posteriors[:, ends[:-1]].sum(axis=1), atol=1e-9)
    return scores, posteriors, counts


def log_likelihoods(log_emissions, ends, initial, transitions):
    return evaluate(log_emissions, ends, initial, transitions)[2]


def by_paths(log_emissions, initial, transitions):
    """Return likelihood, posteriors, counts and best path of a sequence, from all its paths."""
    s, n = log_emissions.shape
    paths = np.array(list(product(range(s), repeat=n)))
    with np.errstate(divide="ignore"):
        logs = np.log(initial)[paths[:, 0]] + log_emissions[paths, np.arange(n)].sum(axis=1)
        logs = logs + np.log(transitions)[paths[:, :-1], paths[:, 1:]].sum(axis=1)
    total = logsumexp(logs)
    chances = np.exp(logs - total)
    posteriors = np.array(
        [[(chances * (paths[:, t] == i)).sum() for t in range(n)] for i in range(s)]
    )
    counts = np.zeros((s, s))
    for t in range(n - 1):
        np.add.at(counts, (paths[:, t], paths[:, t + 1]), chances)
    return total, posteriors, counts, paths[logs.argmax()]


@pytest.mark.parametrize("mask", [None, np.triu(np.ones((3, 3), dtype=bool))])
@pytest.mark.parametrize("scale", [1.0, 30.0, 2000.0])
def test_forward_backward_agrees_with_the_sum_over_all_paths(scale, mask):
    initial, transitions = chain(3, seed=1, mask=mask)
    log_emissions, ends = emit(3, [5, 1, 3, 7, 2, 6], scale=scale)
    weights = np.array([1.0, 2.0, 0.5, 1.0, 0.0, 3.0])
    scores, posteriors, counts = expectations(log_emissions, ends, initial, transitions, weights)
    expected_counts = np.zeros((3, 3))
    for place, weight in enumerate(weights):
        steps = slice(ends[place], ends[place + 1])
        total, own, moves, _ = by_paths(log_emissions[:, steps], initial, transitions)
        np.testing.assert_allclose(scores[place], total, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(posteriors[:, steps], weight * own, atol=1e-9)
        expected_counts += weight * moves
    np.testing.assert_allclose(counts, expected_counts, atol=1e-9)
    np.testing.assert_allclose(
        log_likelihoods(log_emissions, ends, initial, transitions), scores, rtol=1e-12
    )


@pytest.mark.parametrize("mask", [None, np.triu(np.ones((3, 3), dtype=bool))])
def test_viterbi_paths_are_the_most_likely_of_all_paths(mask):
    initial, transitions = chain(3, seed=2, mask=mask)
    log_emissions, ends = emit(3, [6, 1, 4])
    paths, scores = np.empty(ends[-1], dtype=np.int32), np.empty(3)
    chains.best_paths(log_emissions, ends, initial, transitions, paths, scores)
    for place in range(3):
        steps = slice(ends[place], ends[place + 1])
        *_, best = by_paths(log_emissions[:, steps], initial, transitions)
        np.testing.assert_array_equal(paths[steps], best)


def test_results_do_not_depend_on_the_other_sequences():
    initial, transitions = chain(5)
    log_emissions, ends = emit(5, [*range(1, 60), 200])
    together = expectations(log_emissions, ends, initial, transitions)
    counts = np.zeros((5, 5))
    for place in range(len(ends) - 1):
        steps = slice(ends[place], ends[place + 1])
        alone = np.ascontiguousarray(log_emissions[:, steps])
        score, posteriors, moves = expectations(
            alone, np.array([0, alone.shape[1]]), initial, transitions
        )
        np.testing.assert_allclose(together[0][place], score[0], rtol=1e-12)
        np.testing.assert_allclose(together[1][:, steps], posteriors, atol=1e-12)
        counts += moves
    np.testing.assert_allclose(together[2], counts, rtol=1e-10)


def test_a_hundred_thousand_steps_do_not_underflow():
    initial, transitions = chain(4)
    log_emissions, ends = emit(4, [100_000, 3, 90_000])
    scores, posteriors, counts = expectations(log_emissions, ends, initial, transitions)
    assert np.isfinite(scores).all()
    np.testing.assert_allclose(posteriors.sum(axis=0), 1, rtol=1e-9)
    np.testing.assert_allclose(counts.sum(), 99_999 + 2 + 89_999, rtol=1e-9)
    last = slice(ends[1], ends[2])
    total, *_ = by_paths(log_emissions[:, last], initial, transitions)
    np.testing.assert_allclose(scores[1], total, rtol=1e-12)


def test_log_emissions_of_minus_100000_do_not_underflow():
    initial, transitions = np.array([1.0, 0.0]), np.array([[1.0, 0.0], [0.0, 1.0]])
    log_emissions = np.array([[-1e5] * 50, [0.0] * 50])
    scores, posteriors, counts = expectations(
        log_emissions, np.array([0, 20, 50]), initial, transitions
    )
    np.testing.assert_allclose(scores, [-20e5, -30e5])
    np.testing.assert_array_equal(posteriors, [[1.0] * 50, [0.0] * 50])
    np.testing.assert_allclose(counts, [[19 + 29, 0], [0, 0]])


def test_an_impossible_sequence_has_zero_posteriors_and_leaves_the_others_unchanged():
    initial, transitions = chain(3)
    log_emissions, ends = emit(3, [4, 5, 6])
    log_emissions[:, 6] = -np.inf
    scores, posteriors, counts = expectations(log_emissions, ends, initial, transitions)
    assert scores[1] == -np.inf
    assert np.isfinite(scores[[0, 2]]).all()
    np.testing.assert_array_equal(posteriors[:, ends[1] : ends[2]], 0)
    np.testing.assert_allclose(counts.sum(), 3 + 5)


def test_a_state_lost_by_underflow_is_found_if_the_best_path_leads_through_it():
    initial, transitions = np.array([1.0, 0.0]), np.array([[0.9, 0.1], [0.0, 1.0]])
    log_emissions = np.zeros((2, 120))
    log_emissions[0, 30:60] = log_emissions[1, :30] = log_emissions[1, 60:] = -40.0
    ends = np.array([0, 120])
    scores, posteriors, counts = expectations(log_emissions, ends, initial, transitions)
    expected = 119 * np.log(0.9) - 30 * 40.0  # the path that stays in the first state
    np.testing.assert_allclose(scores, expected, rtol=1e-10)
    np.testing.assert_allclose(
        log_likelihoods(log_emissions, ends, initial, transitions), expected, rtol=1e-10
    )
    np.testing.assert_allclose(posteriors[0], 1, atol=1e-9)
    np.testing.assert_allclose(counts, [[119, 0], [0, 0]], atol=1e-9)


@pytest.mark.parametrize("s", [1, 2, 4])
@pytest.mark.parametrize("scale", [1.0, 2000.0])
def test_left_right_chains_agree_with_the_sum_over_all_paths(s, scale):
    _, transitions = chain(s, mask=np.eye(s, dtype=bool) | np.eye(s, k=1, dtype=bool))
    initial, lengths = np.eye(s)[0], [5, 1, 3, 6, 2]
    log_emissions, ends = emit(s, lengths, scale=scale)
    weights = np.array([1.0, 2.0, 0.0, 0.5, 3.0])
    scores, posteriors, counts = expectations(log_emissions, ends, initial, transitions, weights)
    expected_counts = np.zeros((s, s))
    for place, weight in enumerate(weights):
        steps = slice(ends[place], ends[place + 1])
        total, own, moves, _ = by_paths(log_emissions[:, steps], initial, transitions)
        np.testing.assert_allclose(scores[place], total, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(posteriors[:, steps], weight * own, atol=1e-9)
        expected_counts += weight * moves
    np.testing.assert_allclose(counts, expected_counts, atol=1e-9)


def test_an_impossible_sequence_of_a_left_right_chain_has_no_posterior():
    log_emissions, ends = emit(2, [3, 3])
    log_emissions[:, 1] = -np.inf
    transitions = np.array([[0.5, 0.5], [0.0, 1.0]])
    scores, posteriors, counts = expectations(log_emissions, ends, np.eye(2)[0], transitions)
    assert scores[0] == -np.inf
    assert (posteriors[:, :3] == 0).all()
    np.testing.assert_allclose(posteriors[:, 3:].sum(axis=0), 1)
    np.testing.assert_allclose(counts.sum(), 2)


def test_expected_numbers_of_transitions_of_a_left_right_chain_are_not_negative():
    transitions = np.array([[0.0, 1.0], [0.0, 1.0]])
    for seed in range(20):
        log_emissions, ends = emit(2, [2, 3, 2, 2, 5], seed, scale=1.0)
        weights = np.random.default_rng(seed).uniform(size=5)
        _, _, counts = expectations(log_emissions, ends, np.eye(2)[0], transitions, weights)
        assert (counts >= 0).all()
        np.testing.assert_allclose(counts[0], [0, weights.sum()], atol=1e-15)
