"""What changes are worth: prices are exact for one change, whatever the family takes."""

import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.data import Table
from boltzmix.datasets import make_mixture
from boltzmix.families import Gaussian
from boltzmix.learning import Evidence, Start
from boltzmix.learning.pricing import FREE, Change, View


class Unweighted(Gaussian):
    """A Gaussian whose fit takes no weights."""

    weighted = False
    additive = False


def fitted(seed=0, k=4, family=None, **options):
    X, _ = make_mixture(400, k, 2, separation=4, random_state=seed)
    model = Mixture(family, k, algorithm="cem", random_state=seed, **options).fit(X)
    return X, View.of(Start(model._bank, model._mixing), Evidence(Table.of(X)))


def total(mixture, X):
    return (
        View.of(mixture, Evidence(Table.of(X)))
        ._scores(View.of(mixture, Evidence(Table.of(X))).joint)
        .sum()
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_merge_costs_about_what_the_likelihood_falls_by_and_is_not_flattered(seed):
    X, view = fitted(seed)
    for pair in view.pairs():
        (change,) = view.merged(pair, np.random.default_rng(0))
        merged = change.applied(view.mixture)
        (goes,) = change.freed
        assert merged.weights[goes] == 0
        with np.errstate(divide="ignore"):
            fall = total(merged, X) - total(view.mixture, X)
        assert fall - 0.1 * abs(fall) - 5 < change.gain < fall + 0.5


@pytest.mark.parametrize("seed", range(5))
def test_a_removal_costs_what_the_likelihood_falls_by(seed):
    X, view = fitted(seed)
    for k in range(4):
        change = view.removed(k)
        with np.errstate(divide="ignore"):
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
    (change,) = view.merged((one, other), np.random.default_rng(0))
    after = np.maximum(merged, others).sum()
    assert change.gain == pytest.approx(after - view.joint[both].max(axis=1).sum())


def test_a_part_is_weighted_by_shares_and_thinned_by_what_it_stands_for(monkeypatch):
    _, view = fitted()
    whole = view.part((0,))
    monkeypatch.setattr("boltzmix.learning.pricing.SEEN_OF_EACH", 20)
    thin = view.part((0,))
    assert len(thin.rows) == 20 < len(whole.rows)
    assert thin.thinning == len(whole.rows) / 20
    assert thin.total == pytest.approx(whole.total, rel=0.3)
    shares = np.exp(view.joint[:, 0] - view._scores(view.joint))
    assert whole.total == pytest.approx(shares.sum(), rel=0.05)


def test_known_labels_stay_out_of_a_part():
    X, view = fitted()
    known = np.full(400, -1)
    known[:50] = view.joint[:50].argmax(axis=1)
    seen = View.of(view.mixture, Evidence(Table.of(X), known=known))
    assert not set(seen.part((0, 1, 2, 3)).rows) & set(range(50))


def test_changes_go_together_and_find_their_places():
    _, view = fitted()
    bank, weights = view.mixture
    split = Change(
        2.0, ((2, bank.components[0], 0.1), (FREE, bank.components[1], 0.2)), (), "split 2"
    )
    both = view.removed(3) & split
    assert both.places == {2, 3}
    assert both.told == "re-seed 3, split 2"
    moved = both.applied(view.mixture)
    for place, came in [(2, 0), (3, 1)]:
        np.testing.assert_array_equal(moved.bank.means[place], bank.means[came])
    np.testing.assert_allclose(moved.weights.sum(), 1)
    np.testing.assert_allclose(moved.weights[3] / moved.weights[2], 2)
    assert weights[3] > 0
