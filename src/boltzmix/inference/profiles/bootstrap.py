"""Intervals of profiles that include the uncertainty of the components, by a bootstrap."""

from dataclasses import replace
from typing import Any

import numpy as np

from ...data import FloatArray, block_slices, without_covariates
from ...learning import MixtureState, TrainingData
from ...learning.parts.assignment import responsibilities
from ...views import Symbols
from ..bootstrap.making import make_bootstrap
from ..named_values import NOISE, Name
from .column_profile import column_means
from .profiles import Profiles
from .variables import variables_of

ROWS_AT_A_TIME = 2**14


def bootstrap_profiles(
    profiles: Profiles, model: Any, data: Any, n: int, seed: int, symbols: Symbols | None = None
) -> Profiles:
    """Return profiles with standard errors and intervals from n replicates of the mixture.

    Parameters
    ----------
    profiles : Profiles
    model : fitted mixture
    data : Data
        What the mixture was fitted to.
    n : int
    seed : int
    symbols : mapping of column names to sequences, optional
    """

    def measure(given: TrainingData, mixture: MixtureState) -> tuple[list[Name], FloatArray]:
        """Return the means of all columns in each component of a mixture."""
        weighted = _weighted(given, mixture)
        tables = [
            column_means(variable, weighted)
            for variable in variables_of(
                without_covariates(given.observations), model, symbols or {}
            )
        ]
        return names, np.concatenate([table.ravel() for table in tables])

    k = len(model.components_)
    names = [
        Name(place if place < k else NOISE, label)
        for column in profiles.columns
        for label in column.labels
        for place in range(len(profiles.names))
    ]
    n_threads = model._workers().n_threads
    made = make_bootstrap(TrainingData(data), model._state, measure, n, None, seed, n_threads)
    return _with_intervals(profiles, made.replicates)


def _with_intervals(profiles: Profiles, replicates: FloatArray) -> Profiles:
    """Return profiles with the deviations and percentiles of replicates (B, P)."""
    tails = [(1 - profiles.level) / 2, (1 + profiles.level) / 2]
    errors, (low, high) = replicates.std(axis=0, ddof=1), np.quantile(replicates, tails, axis=0)
    ends = np.cumsum([column.means.size for column in profiles.columns])[:-1]
    columns = [
        replace(
            column,
            errors=error.reshape(column.means.shape),
            low=first.reshape(column.means.shape),
            high=last.reshape(column.means.shape),
        )
        for column, error, first, last in zip(
            profiles.columns, *(np.split(one, ends) for one in (errors, low, high)), strict=True
        )
    ]
    return replace(profiles, columns=columns)


def _weighted(data: TrainingData, mixture: MixtureState) -> FloatArray:
    """Return responsibilities times sample weights, shape (n, K)."""
    blocks = map(data.observations.take, block_slices(len(data), ROWS_AT_A_TIME))
    evaluated = (mixture.evaluate(block, is_rounded=False) for block in blocks)
    found = np.concatenate(
        [responsibilities(one.log_densities, one.log_weights)[0] for one in evaluated]
    )
    return found if data.sample_weight is None else found * data.sample_weight[:, None]
