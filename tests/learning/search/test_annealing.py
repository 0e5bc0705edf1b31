from dataclasses import replace

import numpy as np
import pytest

from boltzmix import EM, Mixture, Moves
from boltzmix.datasets import make_mixture
from boltzmix.families import HMM, Gaussian
from boltzmix.learning import AutoSettings

AUTO = AutoSettings()

NEVER = replace(AUTO, anneal_from=np.inf)


def fitted(X, k, settings, seed=0):
    algorithm = [Moves(restarts=0, settings=settings), EM(1e-5)]
    return Mixture(Gaussian(prior=0), k, algorithm=algorithm, init="kmeans", random_state=seed).fit(
        X
    )


def kinds(model):
    return {move.kind for moves in model.history_.moves for move in moves}


def test_annealing_finds_likelier_mixtures_where_observations_are_few():
    gains = []
    for seed in range(4):
        X, _ = make_mixture(1000, 4, 40, separation=2, random_state=seed)
        gains.append(fitted(X, 4, AUTO).lower_bound_ - fitted(X, 4, NEVER).lower_bound_)
    assert min(gains) > -1e-3
    assert np.mean(gains) > 1e-3


@pytest.mark.parametrize(("n", "separation"), [(4000, 3), (400, 100)])
def test_nothing_is_annealed_where_observations_are_many_or_clusters_are_far(n, separation):
    X, _ = make_mixture(n, 4, 12, separation=separation, random_state=0)
    tried = {move.kind for trial in fitted(X, 4, AUTO).history_.trials for move in trial.moves}
    assert "anneal" not in tried


def test_annealing_never_lowers_the_objective():
    X, _ = make_mixture(200, 4, 10, separation=2, random_state=0)
    model = fitted(X, 4, AUTO)
    own = model.history_.phase == "Moves"
    assert (np.diff(model.history_.score[own]) > -1e-9).all()
    assert "anneal" in kinds(model)


def test_sequences_are_annealed_only_where_their_steps_are_few():
    def tried(n_steps):
        rng = np.random.default_rng(0)
        steps = rng.normal(size=(24, n_steps, 2)) + 0.4 * (np.arange(24) % 2)[:, None, None]
        model = Mixture(HMM(3), 2, algorithm=[Moves(restarts=0), "em"], random_state=0)
        trials = model.fit(list(steps)).history_.trials
        return {move.kind for trial in trials for move in trial.moves}

    assert "anneal" in tried(3)
    assert "anneal" not in tried(30)
