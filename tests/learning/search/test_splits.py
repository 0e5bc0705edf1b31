"""Splits of several groups of components at once, each on the members of its group."""

from dataclasses import replace

import numpy as np
import pytest

from boltzmix import Mixture
from boltzmix.data import Hard, Table
from boltzmix.datasets import make_mixture
from boltzmix.families import Gaussian, RobustGaussian, StudentT
from boltzmix.learning import AutoSettings, MixtureState, Randomness, Run, TrainingData, Workers
from boltzmix.learning.parts.objective import mean_objective
from boltzmix.learning.search.moves.pricing import EvaluatedMixture
from boltzmix.learning.search.moves.splits import splits
from tests.unweighted import Unweighted

AUTO = AutoSettings()


def fitted_to(X, labels, family=None, **settings):
    """Return the components fitted to labels, and their log-likelihood matrix."""
    data, k = Table.of(X), int(labels.max()) + 1
    family = (family or Gaussian()).prepare(data, k)
    bank, members = family.bank([family] * k), Hard(labels.astype(np.int32), k)
    for _ in range(20):
        bank = bank.update(bank.summarise(data, members), np.zeros(k, dtype=bool))
    mixture = MixtureState(bank, np.bincount(labels) / len(X))
    return EvaluatedMixture.of(mixture, TrainingData(data), replace(AUTO, **settings))


def two_in_one(family=None, seed=0, **settings):
    """Return four clusters and three components, the first of which has two clusters."""
    X, labels = make_mixture(400, 4, 2, separation=6, random_state=seed)
    return X, labels, fitted_to(X, np.maximum(labels - 1, 0), family, **settings)


def split(priced, groups, draws=3, seed=0):
    """Return the proposed splits of groups, and the states that were yielded."""
    run = Run(priced.data, Randomness.from_seed(seed), Workers())
    states, found = [], splits(run, priced, groups, draws, np.random.default_rng(seed))
    while True:
        try:
            states.append(next(found))
        except StopIteration as end:
            return {change.moves[0].components: change for change in end.value}, states


@pytest.mark.parametrize("family", [None, StudentT(), Unweighted()])
@pytest.mark.parametrize("seed", range(3))
def test_a_component_with_two_clusters_is_split_into_them(family, seed):
    X, labels, priced = two_in_one(family, seed)
    changes, _ = split(priced, [(0,), (1,), (2,)])
    best = max(changes.values(), key=lambda change: change.gain)
    assert [move.kind for move in best.moves] == ["split"]
    assert best.moves[0].components == (0,)
    (_, one, _), (_, other, _) = best.arrivals
    own = labels <= 1
    halves = one.log_prob(Table.of(X[own])) > other.log_prob(Table.of(X[own]))
    assert max(np.mean(halves == labels[own]), np.mean(halves != labels[own])) > 0.97


@pytest.mark.parametrize("family", [Gaussian(), Gaussian(prior=0), StudentT(), RobustGaussian()])
def test_the_gain_of_a_split_is_the_change_of_the_objective(family):
    _, _, priced = two_in_one(family)
    change = split(priced, [(0,)])[0][0,]
    (one, other) = (component for _, component, _ in change.arrivals)
    weights = [weight for _, _, weight in change.arrivals]
    rest = priced.mixture.bank.components[1:]
    bank = priced.mixture.bank.family.bank([one, other, *rest])
    after = MixtureState(bank, np.append(weights, priced.mixture.weights[1:]))
    rise = objective(after, priced) - objective(priced.mixture, priced)
    assert change.gain == pytest.approx(rise, rel=1e-3)


def objective(mixture, priced):
    """Return the log-likelihood of all observations plus the log prior."""
    return len(priced.data) * mean_objective(priced.data, mixture, Workers())


def test_three_wrong_components_are_split_again_to_the_optimum():
    X, labels = make_mixture(450, 3, 2, separation=5, random_state=1)
    exact = Gaussian(prior=0, resolution=None)
    priced = fitted_to(X, np.random.default_rng(0).integers(3, size=450), exact)
    change = split(priced, [(0, 1, 2)])[0][0, 1, 2]
    assert [move.kind for move in change.moves] == ["resplit"]
    after = EvaluatedMixture.of(change.applied(priced.mixture), priced.data, AUTO)
    truth = Mixture(exact, 3, algorithm="em", init=labels).fit(X)
    assert objective(after.mixture, priced) / len(X) > truth.lower_bound_ - 0.02


def test_a_split_that_changes_nothing_is_not_proposed():
    X, labels = make_mixture(300, 2, 2, separation=6, random_state=0)
    assert not split(fitted_to(X, labels), [(0, 1)])[0]


def test_a_split_into_few_members_is_not_proposed():
    X, _ = make_mixture(12, 2, 2, separation=6, random_state=0)
    assert not split(fitted_to(X, np.arange(12) % 2), [(0,)])[0]


def test_the_split_of_a_group_does_not_depend_on_the_other_groups():
    # without random draws and at temperature zero, gains are equal
    _, _, priced = two_in_one(split_heat=1e-300, tail=0.3)
    together, _ = split(priced, [(0,), (1,), (2,)], draws=0)
    assert together
    for group, change in together.items():
        alone, _ = split(priced, [group], draws=0)
        np.testing.assert_allclose(change.gain, alone[group].gain, rtol=1e-9)


def test_a_split_yields_a_state_for_every_iteration():
    _, _, priced = two_in_one()
    _, states = split(priced, [(0,), (1,)])
    phases = [state.step.phase for state in states]
    assert phases == ["BEEM"] * AUTO.split_explore + ["EM"] * AUTO.split_polish
    explored = [state.step.temperature for state in states if state.step.phase == "BEEM"]
    np.testing.assert_allclose(explored, AUTO.split_heat * (1 - np.arange(12) / 12))
    polished = [state.step.score for state in states if state.step.phase == "EM"]
    assert (np.diff(polished) > -1e-9).all()
