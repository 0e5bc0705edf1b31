"""Steps of EM that are known beforehand."""

from dataclasses import dataclass

import numpy as np
import pytest

from boltzmix.learning.engine.state import Step
from boltzmix.learning.parts.extrapolation import StepMap, flatten, unflatten
from boltzmix.learning.parts.stopping import negligible_gain


@dataclass(frozen=True)
class Sums:
    name: str
    counts: np.ndarray
    rest: tuple


def test_statistics_are_numbers_and_back():
    statistics = [Sums("a", np.array([1.0, 2.0]), (np.eye(2), 3.0, None))]
    numbers = flatten(statistics)
    assert numbers.tolist() == [1, 2, 1, 0, 0, 1, 3]
    again = unflatten(statistics, 2 * numbers)[0]
    assert again.name == "a"
    assert again.counts.tolist() == [2, 4]
    assert (again.rest[0] == 2 * np.eye(2)).all()
    assert again.rest[1:] == (6.0, None)


def test_statistics_of_another_kind_are_named():
    with pytest.raises(TypeError, match="set, which is no array"):
        flatten([{1.0, 2.0}])


def test_the_optimum_of_a_linear_map_is_reached_in_one_step():
    rng = np.random.default_rng(0)
    slow = rng.normal(size=(6, 2))
    basis = np.linalg.qr(slow)[0]
    jacobian = basis @ np.diag([0.95, 0.7]) @ basis.T
    origin = rng.normal(size=6)

    def path(shift, n_steps):
        """Positions after steps towards origin + (I - J)⁻¹ shift."""
        places = [origin]
        for _ in range(n_steps):
            places.append(origin + jacobian @ (places[-1] - origin) + shift)
        return places[1:]

    steps = StepMap.learned(origin, [path(rng.normal(size=6), 8) for _ in range(12)])
    shift = rng.normal(size=6)
    optimum = np.linalg.solve(np.eye(6) - jacobian, shift)
    left = np.linalg.norm(steps.way(shift) - optimum) / np.linalg.norm(optimum)
    assert left < 0.05
    assert np.linalg.norm(shift - optimum) / np.linalg.norm(optimum) > 0.5


def steps_of(scores):
    return [Step("EM", i, 1.0, score, np.array([50.0, 50.0])) for i, score in enumerate(scores)]


def test_a_run_stops_when_little_is_left_to_gain():
    is_over = negligible_gain(1e-3)
    slow = [-(0.99**i) for i in range(2000)]  # 100 observations: 100 * 0.99^i nats are left
    stopped = next(i for i in range(2000) if is_over(steps_of(slow[: i + 1])))
    assert 100 * 0.99**stopped == pytest.approx(1e-3, rel=0.05)
    assert is_over(steps_of([0.0, 0.0, 0.0]))
    assert not is_over(steps_of([0.0, 0.1, 0.3]))
