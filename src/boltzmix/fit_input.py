"""The input of a fit, and the parts that are added to components before learning begins."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .data import BoolArray, without_covariates
from .families import Family
from .families.contract.background import Background, outlier_weight
from .families.contract.gate import Gate
from .learning import MixtureState, State, TrainingData

FIRST_NOISE = 0.05  # its weight before any is learned


class FitInput(NamedTuple):
    """The observations and the family that a mixture is learned from.

    Parameters
    ----------
    data : TrainingData
        The observations that have weight.
    family : Family
    has_weight : array of bool, shape (n,), or slice
        Which of all observations these are.
    """

    data: TrainingData
    family: Family
    has_weight: BoolArray | slice

    def without_covariates(self) -> "FitInput":
        """Return the fit input without covariates of membership."""
        plain = without_covariates(self.data.observations)
        return self._replace(data=replace(self.data, observations=plain))


def prepared(family: Family, data: TrainingData, n_components: int) -> Family:
    """Return a family after one look at all the data; raise if it takes no weights."""
    plain, sample_weight = without_covariates(data.observations), data.sample_weight
    found = family.prepare(plain, n_components, sample_weight)
    if sample_weight is not None and not found.weighted:
        raise ValueError(
            f"sample_weight was given, but fit of {found.name} takes no weights:"
            " leave sample_weight out."
        )
    return found


def state_of_components(state: State) -> State:
    """Return a state without its background."""
    step = replace(state.step, counts=state.step.counts[: len(state.bank)])
    return state.mixture.without_background().at(step)


def outlier_weight_of(fit_input: FitInput) -> float:
    """Return the weight of the background of outliers."""
    return outlier_weight(fit_input.family, fit_input.data.observations.n_features)


def with_noise(
    starts: Sequence[Callable[[], MixtureState]],
    fit_input: FitInput,
    rng: np.random.Generator,
    weight: float | None,
) -> Sequence[Callable[[], MixtureState]]:
    """Add to each start a background for noise, which has no members yet.

    Its weight is learned unless it is given.
    """
    data = fit_input.data
    family = fit_input.family
    make = family.background if weight is None else family.outlier_background
    background = make(data.observations, data.sample_weight, rng)

    def begin(start: Callable[[], MixtureState]) -> MixtureState:
        made, noise = start(), FIRST_NOISE if weight is None else weight
        return made.with_background(Background(background, weight), noise)

    return [partial(begin, start) for start in starts]


def with_gate(mixture: MixtureState, fit_input: FitInput) -> MixtureState:
    """Return a mixture with covariates of membership, which have no effect yet."""
    data: Any = fit_input.data.observations
    gated = mixture.with_gate(Gate.without_effect(data, mixture.weights))
    return gated.weighed(np.asarray, mixture.joint_weights)
