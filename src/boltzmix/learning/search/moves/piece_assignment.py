"""Assignment of the members of groups to pieces of their group, by the parts of recipes."""

from collections.abc import Callable

import numpy as np

from ....data import FloatArray, Hard, Soft
from ...engine.assigned import Assignment
from ...parts.assignment import sampled
from .grouped import TINY, GroupedData, PieceLabels
from .groups import Groups


def joint_of(data: GroupedData, log_probs: FloatArray, log_weights: FloatArray) -> FloatArray:
    """Return log densities plus log weights of the members' own pieces, shape (m, e)."""
    by_group = log_weights.reshape(data.n_pieces, -1)
    return np.asarray(log_probs.T + by_group[:, data.groups.group])


def within_groups(data: GroupedData, assignment: Assignment) -> Assignment:
    """Assign every member to pieces of its group, by `soft` or `argmax`."""

    def assign(
        log_probs: FloatArray,
        log_weights: FloatArray,
        temperature: float,
        draw: Callable[[], FloatArray],
        weights: FloatArray | None,
    ) -> tuple[Hard, FloatArray]:
        joint = joint_of(data, log_probs, log_weights).T
        found, scores = assignment(joint, np.zeros(data.n_pieces), temperature, draw, weights)
        if isinstance(found, Soft):
            copies = found.responsibilities.T.ravel()
            return PieceLabels(data.labels_of_copies, len(log_weights), copies), scores
        return PieceLabels(data.labels(found.labels), len(log_weights), weights), scores

    return assign


def drawn(data: GroupedData, is_hot: FloatArray) -> Assignment:
    """Draw a piece for every member, at a temperature of its group.

    It is the temperature of the step times the mean difference between the best and the second
    best log density of the group's members, so it has no units.

    Parameters
    ----------
    data : GroupedData
    is_hot : array, shape (G,)
        One for groups that explore; zero for groups whose members go to their best piece.
    """
    group, n_pieces = data.groups.group, data.n_pieces

    def assign(
        log_probs: FloatArray,
        log_weights: FloatArray,
        temperature: float,
        draw: Callable[[], FloatArray],
        weights: FloatArray | None,
    ) -> tuple[Hard, FloatArray]:
        columns = log_probs.T
        best = columns.max(axis=0)
        heat = np.maximum(temperature * is_hot * _mean_margins(data.groups, columns), TINY)
        with np.errstate(invalid="ignore", over="ignore"):
            below = np.nan_to_num(columns - best, nan=0.0, neginf=-np.inf) / heat[group]
        draw_pieces = sampled(lambda *_: best)
        found, _ = draw_pieces(below.T, np.zeros(n_pieces), 1.0, draw, weights)
        assert isinstance(found, Hard)
        return PieceLabels(data.labels(found.labels), len(log_weights), weights), best

    return assign


def _mean_margins(groups: Groups, log_probs: FloatArray) -> FloatArray:
    """Return by how much the best piece of a member is better, as a mean by groups (G,)."""
    best, second = log_probs[0], np.full(log_probs.shape[1], -np.inf)
    for more in log_probs[1:]:
        second = np.maximum(second, np.minimum(best, more))
        best = np.maximum(best, more)
    with np.errstate(invalid="ignore"):
        margins = best - second
    margins[~np.isfinite(margins)] = 0
    sums = np.bincount(groups.group, margins, minlength=len(groups))
    return np.asarray(sums / np.maximum(groups.sizes, 1))
