"""Colours and column names that all pictures share."""

from collections.abc import Sequence

from .words import cut

# Okabe and Ito's colours, which people with any colour vision can distinguish, and last a dark red:
# black is for text, and grey is for noise
PALETTE = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#661100"]
NOISE_COLOUR = "#C8C8C8"


def column_names(names: Sequence[str] | None, n: int, letters: int = 40) -> tuple[str, ...]:
    """Return the names of n columns, cut to so many letters, or else "column 0" and so on."""
    if not names:
        return tuple(f"column {j}" for j in range(n))
    return tuple(cut(name, letters) for name in names)
