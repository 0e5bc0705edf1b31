"""The bins in which values are counted."""

from dataclasses import dataclass

import numpy as np

from ..data import BoolArray, FloatArray, IntArray
from ..views import shown_range

FEWEST_BINS, MOST_BINS = 14, 48
ENDS = (0.002, 0.998)  # quantiles that the bins cover


@dataclass(frozen=True)
class Scale:
    """Bins of equal width between two ends.

    Parameters
    ----------
    low, high : float
    n_bins : int
    """

    low: float
    high: float
    n_bins: int

    @classmethod
    def of(cls, values: FloatArray, labels: IntArray) -> "Scale":
        """Cover values (m,) except for outliers and far noise; few whole numbers get a bin each."""
        first, last = shown_range(values, labels)
        known = values[(values >= first) & (values <= last)]
        if not len(known):
            return cls(0.0, 1.0, 1)
        inner = np.quantile(known, ENDS)
        room = 0.1 * (inner[1] - inner[0])
        low, high = max(inner[0] - room, known.min()), min(inner[1] + room, known.max())
        if high - low < MOST_BINS and (known == np.round(known)).all():
            low, high = np.floor(low) - 0.5, np.ceil(high) + 0.5
            return cls(float(low), float(high), round(high - low))
        if high <= low:
            wide = 0.01 * max(abs(low), 1.0)
            return cls(float(low) - wide, float(high) + wide, 1)
        n_bins = np.clip(1.6 * np.sqrt(len(known)), FEWEST_BINS, MOST_BINS)
        return cls(float(low), float(high), int(n_bins))

    def __call__(self, values: FloatArray) -> tuple[IntArray, BoolArray]:
        """Return the bins of values between the ends, and which values these are, shape (m,)."""
        inside = (values >= self.low) & (values <= self.high)
        return bins_of((values[inside] - self.low) / (self.high - self.low), self.n_bins), inside


def bins_of(fractions: FloatArray, n_bins: int) -> IntArray:
    """Return the bin of each fraction between zero and one."""
    return np.minimum((fractions * n_bins).astype(int), n_bins - 1)


def count(rows: IntArray, n_rows: int, columns: IntArray, n_columns: int) -> IntArray:
    """Count pairs, shape (n_rows, n_columns)."""
    counts = np.bincount(rows * n_columns + columns, minlength=n_rows * n_columns)
    return counts.reshape(n_rows, n_columns)
