"""The data sets of a bootstrap: observations weighted, drawn again, or drawn from the mixture."""

from dataclasses import replace
from typing import Any

import numpy as np

from ...data import (
    Data,
    FloatArray,
    IntArray,
    WithCovariates,
    check_choice,
    without_covariates,
)
from ...families.contract.base import Family
from ...learning import MixtureState, TrainingData

KINDS = ("weighted", "resample", "parametric")


def default_kind(family: Family) -> str:
    """Return the kind of bootstrap that is best for a family."""
    return "weighted" if family.weighted else "resample"


def check_kind(kind: Any, family: Family, data: TrainingData) -> None:
    """Raise unless a bootstrap of this kind can be made."""
    check_choice("kind", kind, KINDS)
    if kind == "weighted" and not family.weighted:
        raise ValueError(
            f"kind='weighted' weights observations, but fit of {family.name} takes no weights: use"
            " kind='resample'."
        )
    if kind == "parametric" and data.known_labels is not None:
        raise ValueError(
            "labels cannot be known of observations that are drawn from the mixture: leave them"
            " out, or use another kind than 'parametric'."
        )
    if kind == "parametric" and data.sample_weight is not None:
        raise ValueError(
            "sample_weight cannot be used with kind='parametric', which draws observations from the"
            " mixture: leave it out, or use another kind."
        )


def draw_set(
    kind: str, data: TrainingData, mixture: MixtureState, rng: np.random.Generator
) -> TrainingData:
    """Return one data set of a bootstrap.

    Parameters
    ----------
    kind : {"weighted", "resample", "parametric"}
    data : TrainingData
        What the mixture was fitted to.
    mixture : MixtureState
        The fitted mixture.
    rng : Generator
    """
    if kind == "weighted":
        weights = rng.exponential(size=len(data))
        if data.sample_weight is not None:
            weights *= data.sample_weight
        return TrainingData(data.observations, weights / weights.mean(), data.known_labels)
    if kind == "resample":
        return data.take(np.sort(rng.integers(len(data), size=len(data))))
    return TrainingData(_draw_from(mixture, data.observations, rng))


def _draw_from(mixture: MixtureState, data: Data, rng: np.random.Generator) -> Data:
    """Draw an observation from the mixture for each of `data`, grouped by component."""
    sources = mixture.sources
    labels = _draw_labels(mixture, data, rng)
    places = [np.flatnonzero(labels == k) for k in range(len(sources))]
    plain = without_covariates(data)
    drawn = [
        one.sample_like(plain.take(own), rng)
        for one, own in zip(sources, places, strict=True)
        if len(own)
    ]
    joined: Data = type(drawn[0]).joined(drawn)
    if not isinstance(data, WithCovariates):
        return joined
    return replace(data.take(np.concatenate(places)), observations=joined)


def _draw_labels(mixture: MixtureState, data: Any, rng: np.random.Generator) -> IntArray:
    """Draw the component of each observation, shape (n,)."""
    chances, gate = mixture.joint_weights, mixture.gate
    if gate is not None:
        own = (1 - mixture.noise_weight) * np.exp(gate.log_weights(data.covariates))
        rest = chances[len(mixture.bank) :]
        chances = np.hstack([own, np.broadcast_to(rest, (len(data), len(rest)))])
    limits: FloatArray = np.cumsum(np.atleast_2d(chances), axis=1)
    return np.asarray((rng.random((len(data), 1)) * limits[:, -1:] >= limits[:, :-1]).sum(axis=1))
