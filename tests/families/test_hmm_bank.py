"""K hidden Markov models together do what each of them does alone."""

from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from boltzmix.data import Hard, Sequences, Soft
from boltzmix.families import HMM, Categorical, Gaussian, StudentT, replaced

N, K = 40, 3
RNG = np.random.default_rng(0)


def sequences(codes=False):
    rng = np.random.default_rng(1)
    drawn = [rng.normal(size=(rng.integers(1, 30), 2)).cumsum(axis=0) for _ in range(N)]
    if codes:
        drawn = [np.abs(np.round(one[:, :1])) % 4 for one in drawn]
    return Sequences.of(drawn)


FAMILIES = {
    "ergodic": HMM(3),
    "full": HMM(4, Gaussian("full")),
    "tied": HMM(3, Gaussian("tied")),
    "student-t": HMM(2, StudentT()),
    "codes": HMM(3, Categorical(4)),
    "left-right": HMM(5, topology="left-right"),
    "underflow": HMM(3, Gaussian(added_variance=1e-12, prior=0), topology="left-right", prior=0),
}


def models(name):
    """Return some sequences, and K models that are fitted to parts of these."""
    data = sequences(codes=name == "codes")
    longest = np.argsort(-data.lengths)
    family = FAMILIES[name].prepare(data, K)
    parts = [data.take(longest[k : 30 + k : K]) for k in range(K)]
    return data, [family.fit(part).fit(part) for part in parts]


def memberships():
    rng = np.random.default_rng(2)
    found = rng.dirichlet(np.ones(K), N)
    labels = rng.integers(0, K, N).astype(np.int32)
    yield Soft(found)
    yield Soft(np.where(found < 0.3, 0, found) * rng.random((N, 1)))
    yield Hard(labels, K)
    yield Hard(np.minimum(labels, 1).astype(np.int32), K, rng.random(N))


def numbers_of(statistics):
    """Return all numbers in statistics that change as observations are added."""
    if isinstance(statistics, list | tuple):
        return [one for part in statistics for one in numbers_of(part)]
    if is_dataclass(statistics):
        own = [one.name for one in fields(statistics) if one.name != "chains"]
        return numbers_of([getattr(statistics, name) for name in own])
    return [np.asarray(statistics)] if isinstance(statistics, np.ndarray | float) else []


@pytest.mark.parametrize("name", FAMILIES)
def test_an_e_step_that_keeps_the_forward_pass_has_the_statistics_of_one_that_does_not(name):
    data, components = models(name)
    bank = components[0].bank(components)
    evaluation = bank.evaluate(data)
    alone = np.column_stack([one.log_objective(data) for one in bank.components])
    np.testing.assert_allclose(evaluation.log_densities, alone, rtol=1e-10)
    bank.evaluate(data.take(slice(0, 10)))  # which must not change what is kept
    for membership in memberships():
        reused = evaluation.summarise(membership)
        anew = bank.summarise(data, membership)
        pairs = list(zip(numbers_of(reused), numbers_of(anew), strict=True))
        assert len(pairs) > 4
        for one, other in pairs:
            np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8)


def test_models_may_have_different_numbers_of_states():
    data = sequences()
    emission = Gaussian("diag", added_variance=0.0, resolution=None, prior=0)
    components = [HMM(s, emission, prior=0.5).fit(data) for s in (2, 4, 3)]
    bank = components[0].bank(components)
    log_densities, summarise = bank.evaluate(data)
    membership = next(memberships())
    statistics = summarise(membership)
    for k, one in enumerate(components):
        np.testing.assert_allclose(log_densities[:, k], one.log_objective(data), rtol=1e-12)
        np.testing.assert_allclose(bank.log_prior[k], one.log_prior, rtol=1e-9)
    updated = bank.update(statistics, np.array([False, False, True]), RNG)
    assert [len(one.emissions) for one in updated] == [2, 4, 3]
    alone = components[1].fit(data, weights=membership.responsibilities[:, 1])
    np.testing.assert_allclose(updated.components[1].transitions, alone.transitions, rtol=1e-9)
    np.testing.assert_allclose(updated.components[1].states.means, alone.states.means, rtol=1e-9)
    np.testing.assert_array_equal(updated.components[2].transitions, components[2].transitions)


def test_statistics_of_one_model_can_be_replaced():
    data, components = models("ergodic")
    bank, membership = components[0].bank(components), next(memberships())
    statistics = bank.summarise(data, membership)
    some = data.take(slice(0, 10))
    changed = bank.update(bank.refill(statistics, 1, some, None), np.zeros(K, dtype=bool), RNG)
    plain = bank.update(statistics, np.zeros(K, dtype=bool), RNG)
    expected = components[1].fit(some)
    np.testing.assert_allclose(changed.components[1].transitions, expected.transitions)
    np.testing.assert_allclose(changed.components[1].states.means, expected.states.means)
    for k in (0, 2):
        kept = plain.components[k]
        np.testing.assert_array_equal(changed.components[k].transitions, kept.transitions)
    twice = (statistics + statistics) * 0.5
    for one, other in zip(numbers_of(twice), numbers_of(statistics), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


class Sticky(HMM):
    """A hidden Markov model with a fit of its own: the first state is always the same."""

    def from_statistics(self, statistics, rng=None):
        found = super().from_statistics(statistics, rng)
        return replaced(found, initial=np.eye(self.n_states)[0])


def test_a_derived_class_is_fitted_by_its_own_method():
    data, membership = sequences(), next(memberships())
    plain, sticky = (kind(3).prepare(data, K) for kind in (HMM, Sticky))
    nobody = np.zeros(K, dtype=bool)
    banks = [one.bank([one] * K) for one in (plain, sticky)]
    banks = [one.update(one.summarise(data, membership), nobody, RNG) for one in banks]
    for one, other in zip(*banks, strict=True):
        np.testing.assert_array_equal(other.initial, [1, 0, 0])
        np.testing.assert_allclose(other.transitions, one.transitions)
        np.testing.assert_allclose(other.states.variances, one.states.variances)
    statistics = banks[1].evaluate(data).summarise(membership)
    assert all(one.initial[0] == 1 for one in banks[1].update(statistics, nobody, RNG))
