"""Links between the strands of neighbouring windows: which strands make up one curve."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from ....data import FloatArray, IntArray
from ....families.contract.joint import JointStatistics
from ...parts.strands import Strands


class _Link(NamedTuple):
    """Curves through the first windows.

    Parameters
    ----------
    joint : float
        The joint log-likelihood of all curves.
    statistics : array, shape (K, s)
        Of each curve.
    orders : tuple of arrays, shape (K,)
        In each window, the strand that belongs to each curve.
    """

    joint: float
    statistics: FloatArray
    orders: tuple[IntArray, ...]


def linked(strands: Strands, statistics: JointStatistics, width: int) -> FloatArray:
    """Return responsibilities (n, K) of curves made of strands, one of each window.

    Windows are joined from left to right. Each strand is priced as the continuation of each curve
    by the joint likelihood of both together; the best way to continue all curves, and those in
    which two curves are exchanged, compete with those of other links so far, of which the
    likeliest `width` go on.
    """
    found = strands.responsibilities
    n_curves, n_windows = found.shape[1], len(strands.bounds) - 1
    rows = np.stack([statistics.summarise(own, strands.bounds) for own in found.T], axis=1)
    links = [_Link(0.0, rows[0], (np.arange(n_curves),))]
    for window in range(1, n_windows):
        further = [one for link in links for one in _continued(link, rows[window], statistics)]
        links = sorted(further, key=lambda link: -link.joint)[:width]
    orders = np.repeat(np.array(links[0].orders), np.diff(strands.bounds), axis=0)
    return np.take_along_axis(found, orders, axis=1)


def _continued(link: _Link, rows: FloatArray, statistics: JointStatistics) -> list[_Link]:
    """Return the best ways to continue curves by the strands of one more window."""
    k = len(rows)
    together = link.statistics[:, None] + rows[None]
    joints = statistics.log_marginals(together.reshape(k * k, -1)).reshape(k, k)
    _, best = linear_sum_assignment(joints, maximize=True)
    ways = [best]
    for one in range(k):
        for other in range(one):
            ways.append(best.copy())
            ways[-1][[one, other]] = best[[other, one]]
    curves = np.arange(k)
    return [
        _Link(float(joints[curves, way].sum()), together[curves, way], (*link.orders, way))
        for way in ways
    ]
