"""Observations with their log densities, by which a loaded model is compared with the saved one."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..data import Data, FloatArray, Regression, Sequences, Trajectories, WithCovariates
from ..families import Family
from ..families.contract.capabilities import as_regression
from ..families.contract.gate import Gate
from ..learning import MixtureState, Workers

LARGEST_CHANGE = 1e-4  # difference that is allowed between two machines
STEPS = 8  # of a sequence that is drawn


class Probe(NamedTuple):
    """Observations that were drawn from a mixture, and their log densities under each component.

    Parameters
    ----------
    observations : list of rows, of sequences (each a list of steps), of inputs and targets, or of
        times and values
    log_densities : list of lists, the K (or, with noise, K + 1) log densities of each observation
    """

    observations: Any
    log_densities: Sequence[Sequence[float]]

    @classmethod
    def of(cls, mixture: MixtureState, n_features: int) -> "Probe | None":
        """Draw an observation from each component that can be sampled; None, if there is none."""
        observations = _draw(mixture.components, n_features)
        if not observations:
            return None
        return cls(observations, _log_densities(mixture, observations, n_features).tolist())

    def check(self, mixture: MixtureState, n_features: int) -> None:
        """Raise if the log densities of the observations are not those of the saved model."""
        found = _log_densities(mixture, self.observations, n_features)
        before = np.asarray(self.log_densities, dtype=float)
        if found.shape != before.shape or not np.allclose(
            found, before, LARGEST_CHANGE, LARGEST_CHANGE
        ):
            raise ValueError("what it holds does not predict what it predicted when it was saved")


def _draw(components: Sequence[Family], n_features: int) -> list[object]:
    rng, drawn = np.random.default_rng(0), []
    for component in components:
        try:
            drawn.append(_draw_one(component, n_features, rng))
        except Exception:  # families need not be able to, nor components that saw no observation
            continue
    return drawn


def _draw_one(component: Any, n_features: int, rng: np.random.Generator) -> object:
    if issubclass(component.observes, Regression):
        inputs = rng.standard_normal((1, component.n_inputs(n_features)))
        unknown = Regression(inputs, np.zeros((1, 1)))
        return [inputs[0].tolist(), component.sample_targets(unknown, rng)[0].tolist()]
    if issubclass(component.observes, Sequences):
        return component.sample(1, rng, length=STEPS)[0].tolist()
    if issubclass(component.observes, Trajectories):
        times, values = Trajectories.of(component.sample(1, rng))[0]
        return [times.tolist(), values.tolist()]
    return component.sample(1, rng)[0].tolist()


def _log_densities(mixture: MixtureState, observations: Any, n_features: int) -> FloatArray:
    data, expected = _observe(mixture.family, observations), n_features
    if isinstance(data, Regression):
        expected = as_regression(mixture.family).n_inputs(n_features)
    if data.n_features != expected:
        raise ValueError(f"it has {data.n_features} columns, not {expected}")
    if mixture.gate is not None:
        data = _with_covariates(data, mixture.gate)
    with Workers(), np.errstate(all="ignore"):  # as in predictions, products use one thread
        return np.asarray(mixture.evaluate(data, is_rounded=False).log_densities)


def _observe(family: Family, observations: Any) -> Data:
    if issubclass(family.observes, Regression):
        inputs, targets = zip(*observations, strict=True)
        return family.observe(Regression.of(np.asarray(inputs), np.asarray(targets)))
    if issubclass(family.observes, Sequences):
        return family.observe([np.asarray(steps, dtype=float) for steps in observations])
    if issubclass(family.observes, Trajectories):
        return family.observe([tuple(pair) for pair in observations])
    return family.observe(_as_rows(observations))


def _with_covariates(data: Data, gate: Gate) -> WithCovariates:
    """Return observations with covariates that lie around zero, the same each time."""
    drawn = np.random.default_rng(0).standard_normal((len(data), len(gate.names)))
    drawn[:, 0] = 1
    return WithCovariates(data, gate.scales * drawn, gate.design)


def _as_rows(observations: Any) -> object:
    """Return an array of numbers, or of objects where there is something else among them."""
    plain = all(type(one) in (int, float) for row in observations for one in row)
    return np.array(observations, dtype=float if plain else object)
