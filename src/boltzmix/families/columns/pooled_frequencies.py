"""A prior that pulls the probabilities of all components towards the frequencies in all the data.

The prior of probabilities p is proportional to exp(-nu KL(f | p)), where f are the frequencies in
all the data: the density of a Dirichlet distribution but for a constant, which is largest where p
is f. Given counts n_c, the most probable p_c are (n_c + nu f_c) / (n + nu): as if nu more
observations had been seen, distributed as all the data are. A category that a component has not
seen so keeps a probability above zero.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from ...data import BoolArray, Data, FloatArray, Weights
from ..contract.base import Family
from ..contract.search_hints import SearchHints
from ..shared.copies import replaced

# Mean ARI of "auto" over 6 seeds of simulated mixtures, with a prior of 0, 0.1, 1 and 3, where each
# component has 10 or 15 rows. Categorical: 0.45, 0.60, 0.65 and 0.63; 0.13, 0.86, 0.92 and 0.95;
# 0.57, 0.99, 0.98 and 0.98; 0.04, 0.69, 0.74 and 0.96. Bernoulli: 0.61, 0.71, 0.72 and 0.71; 0.61,
# 0.98, 0.92 and 0.97; 0.95, 0.98, 0.99 and 0.99. Multinomial: 0.57, 0.63, 0.59 and 0.62; 0.23,
# 0.94, 0.97 and 0.99. With 60 rows: 0.725, 0.727, 0.731 and 0.729 (Categorical).
PRIOR = 1.0


def pooled_frequencies(counts: FloatArray, allowed: BoolArray) -> FloatArray:
    """Return the frequencies of counts along the last axis, none of them zero where allowed.

    One more observation is divided evenly among the allowed cells, so that a category that is
    nowhere in the data stays possible.

    Examples
    --------
    >>> pooled_frequencies(np.array([[3.0, 0.0, 0.0]]), np.array([[True, True, False]]))
    array([[0.875, 0.125, 0.   ]])
    """
    even = allowed / allowed.sum(axis=-1, keepdims=True)
    counts = counts + even
    return np.asarray(counts / counts.sum(axis=-1, keepdims=True))


def log_density(frequencies: FloatArray, probabilities: FloatArray) -> float:
    """Return minus the sum of the Kullback-Leibler divergences of all rows, from f to p.

    Examples
    --------
    >>> log_density(np.array([0.5, 0.5, 0.0]), np.array([0.5, 0.5, 0.0]))
    0.0
    """
    return float(log_densities(frequencies, probabilities[None])[0])


def log_densities(frequencies: FloatArray, probabilities: FloatArray) -> FloatArray:
    """Return `log_density` for each of K tables (K, …) of probabilities, shape (K,)."""
    seen = frequencies > 0
    tiny = np.finfo(float).tiny
    ratios = np.log(np.maximum(probabilities[:, seen], tiny)) - np.log(frequencies[seen])
    return np.asarray(ratios @ frequencies[seen])


def with_search_prior(own: Any, hints: SearchHints, prior: float, *pooled: str) -> SearchHints:
    """Return hints by which a search learns with a prior.

    Without one, EM cannot undo a probability of zero.

    Parameters
    ----------
    own : Family
        With a field `prior`.
    hints : SearchHints
        Its other hints.
    prior : float
        The prior of the search, if the family has none.
    *pooled : str
        Fields in which `prepare` stores what the prior pulls to.
    """

    def before(data: Data, weights: Weights) -> Family:
        if own.prior > 0:
            return own
        return replaced(own, prior=prior, **dict.fromkeys(pooled)).prepare(data, 1, weights)

    def after(found: Any) -> Family:
        return replaced(found, prior=own.prior, **{name: getattr(own, name) for name in pooled})

    return replace(hints, before=before, after=after)
