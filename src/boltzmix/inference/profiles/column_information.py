"""How much the values of a variable say about the component of an observation."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.special import entr
from sklearn.utils.validation import check_is_fitted

from ...data import Columns, FloatArray, IntArray, Table
from ...families.contract.base import Family
from ...fitted import FittedMixture
from ...views import Summary

FEWEST_BINS, MOST_BINS = 4, 128
IN_CELL = 4  # observations of each component in a bin, on average


def counts_of(codes: IntArray, owners: IntArray, n: int, n_codes: int) -> csr_array:
    """Count how often each of n observations has each code, shape (n, n_codes)."""
    return csr_array((np.ones(len(codes)), (owners, codes)), shape=(n, n_codes))


def binned(values: FloatArray, n_observations: int, n_components: int) -> IntArray:
    """Return the bin of each number, in bins that hold about equally many of them.

    There are at most 128 bins, and each has about four observations of every component; or there is
    one for each different number if these are fewer. Bins depend on the order of the numbers
    only, so any rising function of these leaves them as they are.
    """
    most = int(np.clip(n_observations / (IN_CELL * n_components), FEWEST_BINS, MOST_BINS))
    ordered = np.sort(values)
    distinct = np.unique(ordered)
    if len(distinct) <= most:
        return np.searchsorted(distinct, values)
    starts = ordered[np.arange(1, most) * len(ordered) // most]
    edges = np.unique(starts)
    return np.searchsorted(edges, values, side="right")


def information(counts: csr_array, probabilities: FloatArray) -> float:
    """Return the fraction of the information about the component that a variable carries.

    It is the mutual information of variable and component, over the entropy of the component; of
    both, what a variable that is independent of the component has by chance is subtracted.

    Parameters
    ----------
    counts : sparse array, shape (n, C)
        How often each observation has each category, or each bin.
    probabilities : array, shape (n, K)
        Of each component for each observation.

    Returns
    -------
    float
        From 0, no more than by chance, to 1: the variable alone says which component it is.
    """
    joint = np.asarray((counts.T @ probabilities).T)
    total = joint.sum()
    if total == 0:
        return 0.0
    joint = joint / total
    of_group, of_code = joint.sum(axis=1), joint.sum(axis=0)
    entropy = float(entr(of_group).sum())
    mutual = entropy + float(entr(of_code).sum()) - float(entr(joint).sum())
    chance = _by_chance(counts, probabilities, of_group, of_code) / total**2
    if entropy <= chance:
        return 0.0
    return float(np.clip((mutual - chance) / (entropy - chance), 0, 1))


def cramers_v(counts: csr_array, probabilities: FloatArray) -> float:
    """Return Cramér's V of categories and components, from 0 to 1; NaN where either is constant."""
    joint = np.asarray((counts.T @ probabilities).T)
    joint = joint[joint.sum(axis=1) > 0][:, joint.sum(axis=0) > 0]
    smaller = min(joint.shape) - 1
    if smaller < 1:
        return float("nan")
    joint = joint / joint.sum()
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
    return float(np.sqrt(((joint - apart) ** 2 / apart).sum() / smaller))


def _by_chance(
    counts: csr_array, probabilities: FloatArray, of_group: FloatArray, of_code: FloatArray
) -> float:
    """Return the mutual information that independent variables have on average.

    It is half the expectation of chi-squared, to which each observation adds the product of two
    squared distances: of its probabilities, and of its counts, from the means of all. For labels
    and one category for each observation, this is about half of (K - 1)(C - 1), as Miller and
    Madow have it. It must be divided by the square of the number of values.
    """
    groups, codes = of_group > 0, of_code > 0
    sizes = counts.sum(axis=1)
    far = (probabilities[:, groups] ** 2 / of_group[groups]).sum(axis=1) - 1
    scaled = np.divide(1.0, of_code, out=np.zeros_like(of_code), where=codes)
    away = counts.power(2) @ scaled - sizes**2
    return float((far * away).sum() / 2)


DRAWN, LEAST = 1000, 20  # rows drawn from all components, and from each of them at the least


def rank_columns(components: Sequence[Family], weights: FloatArray) -> list[int]:
    """Return the numbers of the columns, those first that tell the components apart most.

    Rows are drawn from the components, and columns ranked by the information about the component
    that each carries alone. So no data are needed. Empty where rows are of another kind or cannot
    be drawn, and where there is one component.

    Examples
    --------
    >>> from boltzmix.families import Gaussian
    >>> rng = np.random.default_rng(0)
    >>> means = [0.0, 0.0, 5.0], [0.0, 9.0, 6.0]
    >>> components = [Gaussian().fit(Table.of(rng.normal(one, 1, (50, 3)))) for one in means]
    >>> rank_columns(components, np.array([0.5, 0.5]))
    [1, 2, 0]
    """
    if len(components) == 1:
        return []
    rng = np.random.default_rng(0)
    sizes = np.maximum(np.round(DRAWN * np.asarray(weights)), LEAST).astype(int)
    try:
        drawn = [
            one.observe(one.sample(int(n), rng)) for one, n in zip(components, sizes, strict=True)
        ]
    except (NotImplementedError, TypeError, ValueError):  # some families cannot be drawn from
        return []
    if not all(isinstance(one, Table | Columns) for one in drawn):
        return []
    rows = np.concatenate([_values(one) for one in drawn])
    labels = np.eye(len(sizes))[np.repeat(np.arange(len(sizes)), sizes)]
    found = np.array([_information(column, labels) for column in rows.T])
    return [int(place) for place in np.argsort(-found, kind="stable")]


def summarise(model: FittedMixture) -> Summary:
    """Return the summary of a mixture, which describes the columns that differ most."""
    check_is_fitted(model)
    return Summary.of(model, rank_columns(model.components_, model.weights_))


def _values(data: Any) -> FloatArray:
    tables = data.tables if isinstance(data, Columns) else [data]
    return np.hstack([table.values.astype(float) for table in tables])


def _information(values: FloatArray, labels: FloatArray) -> float:
    there = np.flatnonzero(~np.isnan(values))
    if not len(there):
        return 0.0
    codes = binned(values[there], len(there), labels.shape[1])
    counts = counts_of(codes, there, len(values), int(codes.max()) + 1)
    return information(counts, labels)
