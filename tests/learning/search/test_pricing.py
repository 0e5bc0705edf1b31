"""What changes are worth: prices are exact for one change, whatever the family takes."""

import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.data import Table
from boltzmix.datasets import make_mixture
from boltzmix.learning import Evidence, Start
from boltzmix.learning.pricing import FREE, LEAST_SHARE, Change, Holdings, View
from boltzmix.learning.workers import Workers
from tests.unweighted import Unweighted


def fitted(seed=0, k=4, family=None, **options):
    X, _ = make_mixture(400, k, 2, separation=4, random_state=seed)
    model = Mixture(family, k, algorithm="cem", random_state=seed, **options).fit(X)
    return X, View.of(Start(model._bank, model._mixing), Evidence(Table.of(X)))


def merges(view):
    return view.merged(np.random.default_rng(0), Workers())


def total(mixture, X):
    with np.errstate(divide="ignore"):
        return View.of(mixture, Evidence(Table.of(X))).scores.sum()


@pytest.mark.parametrize("seed", range(5))
def test_a_merge_costs_about_what_the_likelihood_falls_by_and_is_not_flattered(seed):
    X, view = fitted(seed)
    assert len(merges(view)) == len(view.pairs()) > 0
    for change in merges(view):
        merged = change.applied(view.mixture)
        (goes,) = change.freed
        assert merged.weights[goes] == 0
        fall = total(merged, X) - total(view.mixture, X)
        assert fall - 0.1 * abs(fall) - 5 < change.gain < fall + 0.5


@pytest.mark.parametrize("seed", range(5))
def test_a_removal_costs_what_the_likelihood_falls_by(seed):
    X, view = fitted(seed)
    changes = view.removed()
    assert [change.freed for change in changes] == [(k,) for k in range(4)]
    for change in changes:
        fall = total(change.applied(view.mixture), X) - total(view.mixture, X)
        np.testing.assert_allclose(change.gain, fall, rtol=1e-3, atol=0.5)


def test_labels_are_merged_by_the_likelihood_of_observations_and_labels():
    X, view = fitted(family=Unweighted())
    labels = view.joint.argmax(axis=1)
    one, other = view.pairs()[0]
    both = np.isin(labels, [one, other])
    own = Table.of(X[both])
    weight = view.mixture.weights[[one, other]].sum()
    merged = view.mixture.bank.components[one].fit(own).log_prob(own) + np.log(weight)
    others = np.delete(view.joint[both], [one, other], axis=1).max(axis=1)
    after = np.maximum(merged, others).sum()
    assert merges(view)[0].gain == pytest.approx(after - view.joint[both].max(axis=1).sum())


def test_groups_have_what_their_components_have():
    _, view = fitted()
    own = Holdings.of(view, [(0, 3), (1, 2)])
    shares, weights = np.exp(view.joint - view.scores[:, None]), view.mixture.weights
    for place, members in enumerate(own.groups):
        assert own.totals[place] == pytest.approx(shares[:, members].sum(), rel=0.05)
        assert own.group_weights[place] == pytest.approx(weights[[*members]].sum())
    assert (own.share > LEAST_SHARE).all()
    twice = own.repeated(2)
    np.testing.assert_array_equal(twice.totals, np.tile(own.totals, 2))
    np.testing.assert_array_equal(twice.rest, np.tile(own.rest, 2))
    assert own.with_at_least(own.totals.max()).groups == [own.groups[own.totals.argmax()]]


def test_what_is_as_before_gains_nothing():
    _, view = fitted()
    own = Holdings.of(view, [(0,), (3,)])
    now = view.joint[own.rows, np.array([0, 3])[own.group]]
    np.testing.assert_allclose(own.gains(now), 0, atol=1e-9)
    assert (own.gains(now + 1) > 0.9 * own.totals).all()


def test_the_least_likely_observations_of_a_group_are_its_tail():
    _, view = fitted()
    own = Holdings.of(view, [(1,), (2,)])
    tail = own.outlying(0.2)
    for place, k in enumerate([1, 2]):
        mine = own.group == place
        values = view.joint[own.rows[mine], k]
        assert values[tail[mine]].max() <= values[~tail[mine]].min()
        assert tail[mine].sum() == pytest.approx(0.2 * mine.sum(), abs=1)


def test_a_thinned_view_stands_for_the_whole():
    _, view = fitted()
    few = view.thinned(20)
    assert np.bincount(few.joint.argmax(axis=1)).max() == 20
    assert few.total == pytest.approx(view.total)
    whole, thin = Holdings.of(view, [(0,)]), Holdings.of(few, [(0,)])
    assert thin.totals == pytest.approx(whole.totals, rel=0.1)
    assert view.thinned(1000) is view


def test_known_labels_stay_out():
    X, view = fitted()
    known = np.full(400, -1)
    known[:50] = view.joint[:50].argmax(axis=1)
    seen = View.of(view.mixture, Evidence(Table.of(X), known=known))
    assert not set(Holdings.of(seen, [(0, 1, 2, 3)]).rows) & set(range(50))


def test_changes_go_together_and_find_their_places():
    _, view = fitted()
    bank, weights = view.mixture
    split = Change(
        2.0, ((2, bank.components[0], 0.1), (FREE, bank.components[1], 0.2)), (), "split 2"
    )
    both = view.removed()[3] & split
    assert both.places == {2, 3}
    assert both.told == "re-seed 3, split 2"
    moved = both.applied(view.mixture)
    for place, came in [(2, 0), (3, 1)]:
        np.testing.assert_array_equal(moved.bank.means[place], bank.means[came])
    np.testing.assert_allclose(moved.weights.sum(), 1)
    np.testing.assert_allclose(moved.weights[3] / moved.weights[2], 2)
    assert weights[3] > 0
