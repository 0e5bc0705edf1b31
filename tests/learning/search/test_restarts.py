"""Several runs (`n_init`): the better half of the runs takes the last recipe."""

import numpy as np
import pytest

from boltzmix import BEEM, EM, Mixture
from boltzmix.datasets import make_mixture


def phases_seen(n_init, algorithm, init="random"):
    X, _ = make_mixture(400, 6, 2, random_state=0)
    seen = []
    model = Mixture(
        n_components=6, algorithm=algorithm, init=init, n_init=n_init, verbose=seen.append,
        random_state=0,
    ).fit(X)  # fmt: skip
    steps = [state.step for state in seen if not state.step.trial]
    begun = [step.phase for step in steps if step.iteration == 0]
    assert {step.run for step in steps} == set(range(n_init))
    return {phase: begun.count(phase) for phase in dict.fromkeys(begun)}, model, X


def test_half_of_the_runs_take_the_last_recipe():
    counts, _, _ = phases_seen(5, "auto")
    assert counts == {"BEEM": 5, "Moves": 5, "EM": 3}
    counts, _, _ = phases_seen(3, "auto", init="auto")
    assert counts == {"Moves": 3, "EM": 2}


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_a_single_recipe_is_run_to_its_end_in_every_run():
    counts, model, X = phases_seen(4, "em")
    assert counts == {"EM": 4}
    single = [
        Mixture(n_components=6, algorithm="em", n_init=n, random_state=0).fit(X).lower_bound_
        for n in (1, 2, 3, 4)
    ]
    assert (np.diff(single) >= 0).all()
    assert model.lower_bound_ == single[-1]


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_eight_runs_are_not_noticeably_below_one():
    X, _ = make_mixture(500, 10, 2, separation=2, random_state=1)
    algorithm = [BEEM(), EM(1e-5)]
    found = [
        Mixture(n_components=10, algorithm=algorithm, n_init=n, random_state=0).fit(X)
        for n in (1, 8)
    ]
    assert found[1].lower_bound_ >= found[0].lower_bound_ - 5e-3
    assert found[1].history_.phases == ["BEEM", "EM"]
