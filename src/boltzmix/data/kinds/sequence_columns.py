"""Columns computed from the steps of sequences: slopes, and normalised columns."""

import numpy as np

from ..data_set import FloatArray, IntArray


def slopes(values: FloatArray, ends: IntArray, window: int) -> FloatArray:
    """Return the slope of each column at each step, shape (steps, d).

    It is that of the least-squares line through the steps of the same sequence that are at most
    `window` before or after, and present. It is zero where the sequence has one step, and NaN where
    fewer than two of several are present.
    """
    numbers = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    centred = values - column_means(values, ends)[numbers]
    sums = np.zeros((5, *values.shape))
    for apart in range(-window, window + 1):
        kept = _within(numbers, apart)
        others = centred[kept + apart]
        present = ~np.isnan(others)
        others = np.where(present, others, 0.0)
        powers = present, present * apart, present * apart**2, others, others * apart
        for total, terms in zip(sums, powers, strict=True):
            total[kept] += terms
    n, x, xx, y, xy = sums
    spread = n * xx - x * x
    found = np.where(spread > 0, n * xy - x * y, np.nan) / np.where(spread > 0, spread, 1.0)
    found[np.diff(ends)[numbers] == 1] = 0.0
    return found.astype(values.dtype)


def normalised_columns(values: FloatArray, ends: IntArray) -> FloatArray:
    """Return columns with mean zero and deviation one in every sequence; constant ones are zero."""
    numbers = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    means = column_means(values, ends)
    centred = values - means[numbers]
    deviations = np.sqrt(column_means(centred**2, ends))
    rounding = 8 * np.finfo(values.dtype).eps * np.abs(means)
    constant = ~(deviations > rounding)
    found = centred / np.where(constant, 1.0, deviations)[numbers]
    return np.where(constant[numbers] & ~np.isnan(values), 0.0, found).astype(values.dtype)


def column_means(values: FloatArray, ends: IntArray) -> FloatArray:
    """Return the mean of the values that are present in each sequence, shape (n, d)."""
    present = ~np.isnan(values)
    totals = np.add.reduceat(np.where(present, values, 0.0).astype(float), ends[:-1])
    counts = np.add.reduceat(present.astype(float), ends[:-1])
    return totals / np.where(counts > 0, counts, np.nan)


def _within(numbers: IntArray, apart: int) -> IntArray:
    """Return the steps whose neighbour, a number of steps apart, is in the same sequence."""
    steps = np.arange(max(0, -apart), len(numbers) - max(0, apart))
    return steps[numbers[steps] == numbers[steps + apart]]
