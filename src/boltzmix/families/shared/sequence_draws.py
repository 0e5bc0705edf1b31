"""Draws of sequences that are as long as others."""

from collections.abc import Callable, Sequence

import numpy as np

from ...data import FloatArray, Sequences


def draw_as_long_as(data: Sequences, draw: Callable[[int, int], Sequence[FloatArray]]) -> Sequences:
    """Draw one sequence for each of `data`, of the same length.

    Sequences of similar lengths are drawn together and cut, which is the same as drawing each by
    itself where later steps do not change earlier ones.

    Parameters
    ----------
    data : Sequences
    draw : function of a number of sequences and of a length
    """
    drawn: list[FloatArray] = [np.empty(0)] * len(data)
    groups = np.ceil(np.log2(data.lengths))
    for group in np.unique(groups):
        places = np.flatnonzero(groups == group)
        longest = int(data.lengths[places].max())
        for place, steps in zip(places, draw(len(places), longest), strict=True):
            drawn[place] = np.asarray(steps, dtype=float)[: data.lengths[place]]
    return Sequences(np.concatenate(drawn), data.ends, data.feature_names)
