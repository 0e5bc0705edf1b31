"""The shapes of covariances by their names.

Fourteen names have three letters, as in Celeux & Govaert (1995) and R's mclust: for the volume, the
shape and the orientation of covariances, E where it is equal for all components of a mixture, V
where every component has its own, and I for the identity. Four of the shapes have scikit-learn's
names, too.
"""

from typing import Any

from ...data import InputError, marked, shown
from .common_axes import CommonAxes, OwnAxes
from .common_parts import (
    EqualCovariances,
    EqualVolumes,
    NoCommonParts,
    ProportionalCovariances,
)
from .covariance_base import Covariance
from .covariance_forms import Diagonal, Full, Spherical

SHAPES: dict[str, Covariance] = {
    shape.letters: shape
    for shape in (
        Spherical("EII", EqualCovariances()),
        Spherical("VII", NoCommonParts()),
        Diagonal("EEI", EqualCovariances()),
        Diagonal("VEI", ProportionalCovariances()),
        Diagonal("EVI", EqualVolumes()),
        Diagonal("VVI", NoCommonParts()),
        Full("EEE", EqualCovariances()),
        Full("VEE", ProportionalCovariances()),
        Full("EVE", CommonAxes(has_equal_volumes=True)),
        Full("VVE", CommonAxes(has_equal_volumes=False)),
        Full("EEV", OwnAxes(EqualCovariances())),
        Full("VEV", OwnAxes(ProportionalCovariances())),
        Full("EVV", EqualVolumes()),
        Full("VVV", NoCommonParts()),
    )
}
LETTERS = {"full": "VVV", "tied": "EEE", "diag": "VVI", "spherical": "VII"}
COVARIANCES: dict[str, Covariance] = {
    **{name: SHAPES[letters] for name, letters in LETTERS.items()},
    **SHAPES,
}

__all__ = ["COVARIANCES", "LETTERS", "SHAPES", "Covariance", "check_covariance"]


def check_covariance(argument: str, name: Any) -> None:
    """Raise an error if there is no shape of this name."""
    if not isinstance(name, str) or name not in COVARIANCES:
        raise InputError(
            f"{marked(argument)} must be one of {', '.join(map(repr, LETTERS))}, or three letters"
            f" for volume, shape and orientation: {', '.join(SHAPES)}; not {shown(name)}."
        )
