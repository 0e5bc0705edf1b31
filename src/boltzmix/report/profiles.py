"""What columns are like in each component: a picture and a table."""

from typing import Any

from ..data import Columns, FloatArray, Regression, Rows, Sequences, Trajectories
from ..fitted import FittedMixture
from ..inference import Profiles, profile
from ..inference.profiles.drawing import profile_rows
from ..views import Symbols
from .numbers import neat, plain

LEVEL = 0.95
MOST_ROWS = 24  # of the picture
MOST_LINES = 40  # of the table


def profiles(
    model: FittedMixture, data: Any, probabilities: FloatArray, symbols: Symbols
) -> Profiles | None:
    """Return the profiles of components, if their data are of a kind that has columns."""
    if not isinstance(data, Rows | Columns | Sequences | Trajectories | Regression):
        return None
    return profile(model, data, probabilities, LEVEL, symbols)


def shown_profiles(found: Profiles | None) -> dict[str, Any] | None:
    """Return the picture and the table of the columns that say most about the component."""
    if found is None:
        return None
    rows, is_standardised = profile_rows(found, MOST_ROWS)
    headings, lines = found.table(found.ranked)
    return {
        "standardised": is_standardised,
        "sentence": neat(found.sentence),
        "rows": [
            {
                "label": row.label,
                "means": plain(row.means, 4),
                "low": plain(row.low, 4),
                "high": plain(row.high, 4),
            }
            for row in rows
        ],
        "headings": headings,
        "lines": [list(map(neat, line)) for line in lines[:MOST_LINES]],
        "n_lines": len(lines),
    }
