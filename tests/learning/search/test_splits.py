"""Groups divided anew: all at once as each by itself would be, and by what each of them has."""

import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.data import Table
from boltzmix.datasets import make_mixture
from boltzmix.families import Gaussian, StudentT
from boltzmix.learning import Evidence, Start
from boltzmix.learning.dividing import Division
from boltzmix.learning.pricing import Holdings, View
from boltzmix.learning.workers import Workers
from tests.unweighted import Unweighted


def seen_as(X, labels, family=None):
    """Return the view of components fitted to labels."""
    data, k = Table.of(X), int(labels.max()) + 1
    family = (family or Gaussian()).prepare(data, k)
    bank = family.bank([family.fit(Table.of(X[labels == one])) for one in range(k)])
    return View.of(Start(bank, np.bincount(labels) / len(X)), Evidence(data))


def two_in_one(family=None, seed=0):
    """Return four clusters seen through three components, of which the first has two."""
    X, labels = make_mixture(400, 4, 2, separation=6, random_state=seed)
    return X, labels, seen_as(X, np.maximum(labels - 1, 0), family)


def divided(view, groups, n_pieces=2, times=4, tail=0.0, seed=0):
    division = Division(
        Holdings.of(view, groups), times, n_pieces, np.random.default_rng(seed), Workers()
    )
    division.explore(12, tail)
    best = division.best()
    best.settle(8)
    return best.pieces()


@pytest.mark.parametrize("family", [None, StudentT(), Unweighted()])
@pytest.mark.parametrize("seed", range(3))
def test_a_component_that_has_two_clusters_is_split_into_them(family, seed):
    _, labels, view = two_in_one(family, seed)
    pieces = divided(view, [(0,), (1,), (2,)])
    assert pieces.gains.argmax() == 0
    change = pieces.change(0)
    assert change.told == "split 0"
    assert len(change.arrivals) == 2
    halves = pieces.labels[pieces.own.group == 0]
    truth = labels[pieces.own.rows[pieces.own.group == 0]]
    assert max(np.mean(halves == truth), np.mean(halves != truth)) > 0.97


def test_what_it_gains_is_what_the_likelihood_rises_by():
    _, _, view = two_in_one()
    pieces = divided(view, [(0,)])
    (one, other) = (component for _, component, _ in pieces.change(0).arrivals)
    weights = [weight for _, _, weight in pieces.change(0).arrivals]
    rest = view.mixture.bank.components[1:]
    bank = view.mixture.bank.family.bank([one, other, *rest])
    after = View.of(Start(bank, np.append(weights, view.mixture.weights[1:])), view.evidence)
    rise = after.scores.sum() - view.scores.sum()
    assert pieces.gains[0] == pytest.approx(rise, rel=1e-3)


def test_three_that_share_wrongly_are_shared_out_anew():
    X, labels = make_mixture(450, 3, 2, separation=5, random_state=1)
    view = seen_as(X, np.random.default_rng(0).integers(3, size=450))
    change = divided(view, [(0, 1, 2)], n_pieces=3).change(0)
    assert change.told == "split 0 and 1 and 2 anew"
    after = View.of(change.applied(view.mixture), view.evidence)
    truth = Mixture(n_components=3, algorithm="em", init=labels).fit(X)
    assert after.scores.mean() > truth.lower_bound_ - 0.02


def test_pieces_that_are_what_the_group_was_are_no_change():
    X, labels = make_mixture(300, 2, 2, separation=6, random_state=0)
    assert divided(seen_as(X, labels), [(0, 1)]).change(0) is None


def test_pieces_of_a_few_observations_are_no_change():
    X, _ = make_mixture(12, 2, 2, separation=6, random_state=0)
    assert divided(seen_as(X, np.arange(12) % 2), [(0,)]).change(0) is None


def test_groups_do_not_see_each_other():
    """What a group comes to is the same, whoever is divided with it, if nothing is drawn."""
    _, _, view = two_in_one()

    def greedy(groups):
        division = Division(Holdings.of(view, groups), 1, 2, np.random.default_rng(0), Workers())
        division.explore(6, tail=0.3)
        return division.pieces().gains

    together = greedy([(0,), (1,), (2,)])
    for k in range(3):
        np.testing.assert_allclose(together[k], greedy([(k,)])[0], rtol=1e-9)
