"""The estimated gain of a change is the change of the objective, for any family."""

from dataclasses import replace

import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.data import Table
from boltzmix.datasets import make_mixture
from boltzmix.families import Gaussian, RobustGaussian
from boltzmix.learning import (
    AutoSettings,
    MixtureState,
    Move,
    Randomness,
    Run,
    TrainingData,
    Workers,
)
from boltzmix.learning.search.moves.groups import Groups, removals
from boltzmix.learning.search.moves.pricing import ANY_FREE, Change, EvaluatedMixture
from boltzmix.learning.search.moves.splits import merges as price_merges
from tests.unweighted import Unweighted

AUTO = AutoSettings()

EXACT = Gaussian(prior=0, resolution=None)


def fitted(seed=0, k=4, family=None, **options):
    X, _ = make_mixture(400, k, 2, separation=4, random_state=seed)
    model = Mixture(family, k, algorithm="cem", random_state=seed, **options).fit(X)
    bank = model.components_[0].bank(model.components_)
    return X, EvaluatedMixture.of(
        MixtureState(bank, model.weights_), TrainingData(Table.of(X)), AUTO
    )


def merges(priced):
    run = Run(priced.data, Randomness.from_seed(0), Workers())
    found = price_merges(run, priced, np.random.default_rng(0))
    assert next(found).step.iteration == 1
    with pytest.raises(StopIteration) as end:
        next(found)
    return end.value.value


def total(mixture, X):
    with np.errstate(divide="ignore"):
        priced = EvaluatedMixture.of(mixture, TrainingData(Table.of(X)), AUTO)
    return priced.scores.sum() + priced.log_prior[mixture.weights > 0].sum()


@pytest.mark.parametrize("seed", range(5))
def test_the_gain_of_a_merge_is_about_the_change_of_the_objective(seed):
    X, priced = fitted(seed, family=EXACT)
    assert len(merges(priced)) == len(priced.pairs()) > 0
    for change in merges(priced):
        merged = change.applied(priced.mixture)
        assert len(merged.weights) == len(priced.mixture.weights) - 1
        difference = total(merged, X) - total(priced.mixture, X)
        assert difference - 0.1 * abs(difference) - 5 < change.gain < difference + 0.5


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("family", [EXACT, Gaussian(), RobustGaussian()])
@pytest.mark.parametrize("seed", range(5))
def test_the_gain_of_a_merge_is_exact_if_every_observation_is_a_member(seed, family):
    X, priced = fitted(seed, family=family)
    every = replace(AUTO, least_responsibility=1e-12)
    priced = EvaluatedMixture.of(priced.mixture, priced.data, every)
    for change in merges(priced):
        difference = total(change.applied(priced.mixture), X) - total(priced.mixture, X)
        assert change.gain == pytest.approx(difference, abs=0.01)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("seed", range(5))
def test_the_gain_of_a_removal_is_the_change_of_the_objective(seed):
    X, priced = fitted(seed)
    changes = removals(priced)
    assert [change.freed for change in changes] == [(k,) for k in range(4)]
    for change in changes:
        difference = total(change.applied(priced.mixture), X) - total(priced.mixture, X)
        np.testing.assert_allclose(change.gain, difference, rtol=1e-3, atol=0.5)


def test_without_weights_the_gain_of_a_merge_is_that_of_the_labelled_likelihood():
    X, priced = fitted(family=Unweighted(prior=0, resolution=None))
    labels = priced.joint.argmax(axis=1)
    one, other = priced.pairs()[0]
    both = np.isin(labels, [one, other])
    own = Table.of(X[both])
    weight = priced.mixture.weights[[one, other]].sum()
    merged = priced.mixture.bank.components[one].fit(own).log_prob(own) + np.log(weight)
    others = np.delete(priced.joint[both], [one, other], axis=1).max(axis=1)
    after = np.maximum(merged, others).sum()
    assert merges(priced)[0].gain == pytest.approx(after - priced.joint[both].max(axis=1).sum())


def test_groups_have_the_members_of_their_components():
    _, priced = fitted()
    own = Groups.of(priced, [(0, 3), (1, 2)])
    found, weights = np.exp(priced.joint - priced.scores[:, None]), priced.mixture.weights
    for place, members in enumerate(own.places):
        assert own.totals[place] == pytest.approx(found[:, members].sum(), rel=0.05)
        assert own.weights[place] == pytest.approx(weights[[*members]].sum())
    assert (own.responsibility > AUTO.least_responsibility).all()
    twice = own.repeated(2)
    np.testing.assert_array_equal(twice.totals, np.tile(own.totals, 2))
    np.testing.assert_array_equal(twice.rest, np.tile(own.rest, 2))
    assert own.with_at_least(own.totals.max()).places == [own.places[own.totals.argmax()]]


def test_unchanged_log_densities_have_zero_gain():
    _, priced = fitted()
    own = Groups.of(priced, [(0,), (3,)])
    now = priced.joint[own.rows, np.array([0, 3])[own.group]]
    np.testing.assert_allclose(own.gains(now, own.log_prior), 0, atol=1e-9)
    assert (own.gains(now + 1, own.log_prior) > 0.9 * own.totals).all()


def test_the_least_likely_observations_of_a_group_are_its_tail():
    _, priced = fitted()
    own = Groups.of(priced, [(1,), (2,)])
    tail = own.outlying(0.2)
    for place, k in enumerate([1, 2]):
        mine = own.group == place
        log_probs = priced.joint[own.rows[mine], k]
        assert log_probs[tail[mine]].max() <= log_probs[~tail[mine]].min()
        assert tail[mine].sum() == pytest.approx(0.2 * mine.sum(), abs=1)


def test_a_subset_of_members_has_the_total_weight_of_all():
    _, priced = fitted()
    few = priced.thinned(20)
    assert np.bincount(few.joint.argmax(axis=1)).max() == 20
    assert few.total_weight == pytest.approx(priced.total_weight)
    full, thin = Groups.of(priced, [(0,)]), Groups.of(few, [(0,)])
    assert thin.totals == pytest.approx(full.totals, rel=0.1)
    assert priced.thinned(1000) is priced


def test_observations_with_known_labels_are_not_members():
    X, priced = fitted()
    known = np.full(400, -1)
    known[:50] = priced.joint[:50].argmax(axis=1)
    seen = EvaluatedMixture.of(priced.mixture, TrainingData(Table.of(X), known_labels=known), AUTO)
    assert not set(Groups.of(seen, [(0, 1, 2, 3)]).rows) & set(range(50))


def test_changes_are_combined_and_applied():
    _, priced = fitted()
    bank, weights = priced.mixture.bank, priced.mixture.weights
    arrivals = (2, bank.components[0], 0.1), (ANY_FREE, bank.components[1], 0.2)
    split = Change(2.0, arrivals, (), (Move("split", (2,), 2.0),))
    both = removals(priced)[3] & split
    assert both.places == {2, 3}
    assert [(move.kind, move.components) for move in both.moves] == [
        ("reseed", (3,)),
        ("split", (2,)),
    ]
    moved = both.applied(priced.mixture)
    for place, source in [(2, 0), (3, 1)]:
        np.testing.assert_array_equal(moved.bank.means[place], bank.means[source])
    np.testing.assert_allclose(moved.weights.sum(), 1)
    np.testing.assert_allclose(moved.weights[3] / moved.weights[2], 2)
    assert weights[3] > 0
