from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boltzmix import Mixture
from boltzmix.data import Hard, Sequences, Soft
from boltzmix.families.distributions.markov_chain import MarkovChain
from boltzmix.metrics import purity_score

INITIAL = np.array([0.5, 0.3, 0.2])
STICKY = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8]])
ROUND = np.array([[0.1, 0.8, 0.1], [0.1, 0.2, 0.7], [0.8, 0.1, 0.1]])


def draw(n=60, seed=0, transitions=STICKY, lengths=(1, 30)):
    rng = np.random.default_rng(seed)
    chain = MarkovChain(initial=INITIAL, transitions=transitions)
    return [chain.sample(1, rng, length=rng.integers(*lengths))[0] for _ in range(n)]


SOME = Sequences.of(draw())


def count(sequences, n_symbols=3):
    first, moves = np.zeros(n_symbols), np.zeros((n_symbols, n_symbols))
    for sequence in sequences:
        codes = sequence[:, 0].astype(int)
        first[codes[0]] += 1
        for before, after in pairwise(codes):
            moves[before, after] += 1
    return first, moves


def test_probabilities_are_frequencies():
    X = draw()
    fitted = MarkovChain(prior=0).fit(X)
    first, moves = count(X)
    assert fitted.n_symbols == 3
    np.testing.assert_allclose(fitted.initial, first / first.sum())
    np.testing.assert_allclose(fitted.transitions, moves / moves.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(fitted.mean_length, np.mean([len(one) for one in X]))


def test_log_prob_is_the_sum_over_the_steps():
    X = draw()
    fitted = MarkovChain().fit(X)
    expected = []
    for sequence in X:
        codes = sequence[:, 0].astype(int)
        chances = [fitted.initial[codes[0]], *fitted.transitions[codes[:-1], codes[1:]]]
        expected.append(np.log(chances).sum())
    np.testing.assert_allclose(fitted.log_prob(Sequences.of(X)), expected, rtol=1e-12)
    np.testing.assert_array_equal(fitted.log_prob(X), fitted.log_prob(Sequences.of(X)))


def test_probabilities_of_all_sequences_of_a_length_add_up_to_one():
    chain = MarkovChain(initial=INITIAL, transitions=ROUND)
    every = np.stack(np.meshgrid(*[np.arange(3.0)] * 4), axis=-1).reshape(-1, 4, 1)
    np.testing.assert_allclose(np.exp(chain.log_prob(list(every))).sum(), 1)


def test_unseen_symbols_and_transitions_stay_possible_and_the_default_shows_in_no_fit():
    X = [np.array([[0.0], [1.0]] * 50)] * 20
    fitted = MarkovChain(3).fit(X)
    assert np.isfinite(fitted.log_prob([np.array([[2.0], [2.0], [0.0]])])).all()
    np.testing.assert_allclose(fitted.initial, [1, 0, 0], atol=2e-3)
    expected = [[0, 1, 0], [1, 0, 0], [1 / 3, 1 / 3, 1 / 3]]
    np.testing.assert_allclose(fitted.transitions, expected, atol=1e-4)


def test_without_a_prior_the_unseen_is_impossible():
    fitted = MarkovChain(3, prior=0).fit([np.array([[0.0], [1.0], [0.0]])])
    assert fitted.log_prob([np.array([[0.0], [0.0]])]) == -np.inf
    np.testing.assert_allclose(fitted.transitions[2], 1 / 3)


def test_fit_returns_a_new_object_and_leaves_the_template():
    template = MarkovChain().prepare(Sequences.of(draw()), 1)
    fitted = template.fit(draw())
    assert fitted is not template
    assert template.transitions is None


def test_doubling_a_weight_is_doubling_a_sequence():
    X, weights = draw(), np.ones(60)
    weights[:7] = 2
    one, two = MarkovChain().fit(X, weights=weights), MarkovChain().fit(X + X[:7])
    np.testing.assert_allclose(one.initial, two.initial)
    np.testing.assert_allclose(one.transitions, two.transitions)
    np.testing.assert_allclose(one.mean_length, two.mean_length)
    assert not np.allclose(one.transitions, MarkovChain().fit(X).transitions)


@given(st.integers(0, 60))
def test_statistics_of_two_blocks_add_up_to_those_of_the_whole(cut):
    data, family = SOME, MarkovChain(3)
    parts = [family.summarise(data.take(at)) for at in (slice(0, cut), slice(cut, None))]
    whole = family.summarise(data)
    np.testing.assert_array_equal(parts[0] + parts[1], whole)
    np.testing.assert_array_equal(whole * 2, family.summarise(data, np.full(60, 2.0)))


def test_nothing_has_statistics_of_zero():
    data, family = Sequences.of(draw()), MarkovChain(3)
    for nobody in (slice(0, 0), np.array([], dtype=int)):
        empty = data.take(nobody)
        np.testing.assert_array_equal(family.summarise(empty), np.zeros((4, 3)))
        assert family.fit(data).log_prob(empty).shape == (0,)
    np.testing.assert_allclose(family.from_statistics(np.zeros((4, 3))).transitions, 1 / 3)


def test_a_bank_evaluates_and_summarises_as_its_components_do():
    data, family = Sequences.of(draw()), MarkovChain(3)
    labels, weights = np.arange(60) % 2, np.linspace(0.5, 2, 60)
    bank = family.bank([family.fit(data.take(labels == k)) for k in range(2)])
    expected = np.column_stack([component.log_prob(data) for component in bank])
    np.testing.assert_allclose(bank.log_prob(data), expected)
    hard = bank.summarise(data, Hard(labels, 2, weights))
    soft = bank.summarise(data, Soft(np.eye(2)[labels] * weights[:, None]))
    for k in range(2):
        members = labels == k
        alone = family.summarise(data.take(members), weights[members])
        np.testing.assert_allclose(hard[k], alone)
        np.testing.assert_allclose(soft[k], alone)


def test_sampling_then_fitting_recovers_the_parameters():
    chain = MarkovChain(initial=INITIAL, transitions=ROUND)
    drawn = chain.sample(10_000, np.random.default_rng(1), length=20)
    assert len(drawn) == 10_000
    assert {one.shape for one in drawn} == {(20, 1)}
    assert drawn[0].dtype == float
    again = MarkovChain().fit(drawn)
    np.testing.assert_allclose(again.initial, INITIAL, atol=0.02)
    np.testing.assert_allclose(again.transitions, ROUND, atol=0.01)


def test_sequences_are_drawn_as_long_as_those_fitted_to():
    fitted = MarkovChain().fit([np.zeros((4, 1)), np.ones((9, 1))])
    assert fitted.mean_length == 6.5
    assert [len(one) for one in fitted.sample(2, np.random.default_rng(0))] == [6, 6]
    given = MarkovChain(initial=INITIAL, transitions=ROUND)
    with pytest.raises(ValueError, match="fitted to no sequences: give a length"):
        given.sample(1, np.random.default_rng(0))


def test_n_parameters():
    assert MarkovChain().fit(draw()).n_parameters == 2 + 3 * 2
    assert MarkovChain(5).fit(draw()).n_parameters == 4 + 5 * 4


def test_codes_that_lie_close_are_not_alike():
    assert not MarkovChain.distances


@pytest.mark.parametrize("algorithm", ["auto", "em", "cem"])
def test_a_mixture_tells_chains_apart(algorithm):
    X = draw(300, 0, STICKY, (20, 40)) + draw(300, 1, ROUND, (20, 40))
    assert len(Sequences.of(X).blocks(2)) > 1
    labels = np.repeat([0, 1], 300)
    model = Mixture(MarkovChain(), 2, algorithm=algorithm, n_init=3, random_state=0).fit(X)
    assert purity_score(labels, model.labels_) > 0.97
    first, second = sorted(model.components_, key=lambda one: -one.transitions[0, 0])
    np.testing.assert_allclose(first.transitions, STICKY, atol=0.06)
    np.testing.assert_allclose(second.transitions, ROUND, atol=0.06)
    log_prior = sum(component.log_prior for component in model.components_)
    np.testing.assert_allclose(model.score(X) + log_prior / len(X), model.lower_bound_)


def test_weights_count_in_a_mixture():
    X = draw(40, 0, STICKY, (20, 40)) + draw(40, 1, ROUND, (20, 40))
    weights = np.repeat([3.0, 1.0], 40)
    model = Mixture(MarkovChain(), 2, n_init=3, random_state=0).fit(X, sample_weight=weights)
    np.testing.assert_allclose(sorted(model.weights_), [0.25, 0.75], atol=0.03)


@pytest.mark.parametrize(
    ("sequence", "message"),
    [
        ([[0], [1.5]], "^Sequence 1 of X holds 1.5 at step 1, but MarkovChain takes codes 0, 1, 2"),
        ([[0], [1], [-2]], "^Sequence 1 of X holds -2 at step 2, but .* number the symbols first"),
        ([[0, 1]], "X has 2 features, but MarkovChain takes one, the symbol's code: pass one"),
        ([[2**11]], "X has codes up to 2048, too many symbols to learn the transitions of"),
    ],
)
def test_values_other_than_codes_raise_an_error(sequence, message):
    data = Sequences.of([np.zeros((3, np.shape(sequence)[1])), np.array(sequence, dtype=float)])
    with pytest.raises(ValueError, match=message):
        MarkovChain().prepare(data, 1)
    with pytest.raises(ValueError, match=message):
        Mixture(MarkovChain(), 1).fit(data)


def test_unknown_symbols_raise_an_error():
    message = "Sequence 1 of X holds 4 at step 2, but the codes known go from 0 to 2: .*n_symbols"
    X = [np.zeros((3, 1)), np.array([[0.0], [1.0], [4.0]])]
    with pytest.raises(ValueError, match=message):
        MarkovChain(3).prepare(Sequences.of(X), 1)
    with pytest.raises(ValueError, match=message):
        MarkovChain().fit(draw()).log_prob(X)


def test_sequences_are_named_by_their_place_in_all_the_data():
    X = draw(2000, lengths=(10, 20))
    assert len(Sequences.of(X).blocks(2)) > 1
    model = Mixture(MarkovChain(), 2, random_state=0).fit(X[:100])
    X[900][4] = 3
    with pytest.raises(ValueError, match="Sequence 900 of X holds 3 at step 4"):
        model.predict(X)
    X[900][4] = 0.5
    with pytest.raises(ValueError, match=r"Sequence 900 of X holds 0.5 at step 4"):
        Mixture(MarkovChain(), 2).fit(X, sample_weight=np.arange(1000))


def test_bad_arguments_raise_an_error():
    for n_symbols in (0, 2.5, "a"):
        with pytest.raises(ValueError, match="n_symbols must be a whole number of at least 1"):
            MarkovChain(n_symbols)
    with pytest.raises(ValueError, match="prior must be zero or a positive number"):
        MarkovChain(prior=-1)


def test_an_unfitted_component_says_so():
    message = "This MarkovChain has no parameters yet: call fit first"
    for family in (MarkovChain(), MarkovChain(3)):
        with pytest.raises(ValueError, match=message):
            family.log_prob(draw())
        with pytest.raises(ValueError, match=message):
            family.sample(1, np.random.default_rng(0))
        with pytest.raises(ValueError, match=message):
            _ = family.n_parameters


def test_what_is_shown():
    assert repr(MarkovChain()) == "MarkovChain()"
    assert repr(MarkovChain(3)) == "MarkovChain(3)"
    fitted = MarkovChain(2, prior=0).fit([np.array([[0.0], [1.0], [1.0]])])
    assert repr(fitted) == ("MarkovChain(2, initial=[1. 0.], transitions=[[0. 1.] [0. 1.]])")
