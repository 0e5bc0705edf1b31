"""The shapes of covariances by their names.

Fourteen names have three letters, as in Celeux & Govaert (1995) and R's mclust: for the volume, the
shape and the orientation of covariances, E where it is equal for all components of a mixture, V
where every component has its own, and I for the identity. Four of the shapes have scikit-learn's
names, too.
"""

import numpy as np

from ... import kernels
from ...data import FloatArray, InputError, marked, shown
from .common_parts import (
    CommonParts,
    EqualCovariances,
    EqualVolumes,
    NoCommonParts,
    Parts,
    ProportionalCovariances,
)
from .covariance_base import Covariance
from .covariance_forms import Diagonal, Full, Spherical

SWEEPS = 20  # of rotations in search of common axes, at most, in a first fit
SWEEPS_AGAIN = 3  # in a later one, which starts from axes that are nearly right
ANGLE = 1e-7  # below which these end
GOLDEN = (np.sqrt(5) - 1) / 2


class OwnAxes(CommonParts):
    """Every component has its own axes, and what is along these has parts in common.

    The most likely axes are the eigenvectors of the own covariance, largest variance to largest.

    Parameters
    ----------
    along : CommonParts
        What variances (K, d) along the axes, in rising order, have in common.
    """

    def __init__(self, along: CommonParts) -> None:
        self.along = along

    def read(self, variances: FloatArray) -> Parts:
        return self.along.read(np.linalg.eigvalsh(variances))

    def learn(self, weights: FloatArray, own: FloatArray, start: Parts | None) -> Parts:
        return self.along.learn(weights[:, :, 0], np.linalg.eigvalsh(own), start)

    def given(self, parts: Parts, weights: FloatArray, own: FloatArray) -> FloatArray:
        lengths, axes = np.linalg.eigh(own)
        return _along(axes, self.along.given(parts, weights[:, :, 0], lengths))


class CommonAxes(CommonParts):
    """All components have the same axes, and every component its own shape.

    Axes are rotated in the plane of each pair of them, in turn, as by Flury & Gautschi (1986):
    given the variances along the axes, the best angle has a closed form, and given the axes, so
    have the variances.
    """

    def __init__(self, has_equal_volumes: bool) -> None:
        self.has_equal_volumes = has_equal_volumes
        self.along = EqualVolumes() if has_equal_volumes else NoCommonParts()

    def read(self, variances: FloatArray) -> Parts:
        axes = self._axes(variances)
        return axes, *self.along.read(_diagonals(_turned(axes, variances)))

    def learn(self, weights: FloatArray, own: FloatArray, start: Parts | None) -> Parts:
        axes = self._axes(weights * own) if start is None else start[0].copy()
        turned = np.ascontiguousarray(_turned(axes, own))
        n_sweeps = SWEEPS if start is None else SWEEPS_AGAIN
        kernels.axes.rotate(
            turned, axes, weights[:, 0, 0].copy(), self.has_equal_volumes, n_sweeps, ANGLE
        )
        return axes, *self.along.learn(weights[:, :, 0], _diagonals(turned), None)

    def given(self, parts: Parts, weights: FloatArray, own: FloatArray) -> FloatArray:
        axes, *others = parts
        lengths = _diagonals(_turned(axes, own))
        return _along(axes, self.along.given(tuple(others), weights[:, :, 0], lengths))

    @staticmethod
    def _axes(matrices: FloatArray) -> FloatArray:
        """Return the common eigenvectors of K matrices, or a first guess if they have none.

        They are those of a sum of the matrices, times irregular factors, so that it is most
        unlikely that the eigenvalues of the sum are equal where those of a matrix are not.
        """
        factors = 1 + np.arange(1, len(matrices) + 1) * GOLDEN % 1
        factors /= np.trace(matrices, axis1=1, axis2=2)
        return np.linalg.eigh(np.einsum("k,kij->ij", factors, matrices))[1]


def _turned(axes: FloatArray, matrices: FloatArray) -> FloatArray:
    """Return matrices (K, d, d) in the coordinates of axes (d, d), which are columns."""
    return axes.T @ matrices @ axes


def _diagonals(matrices: FloatArray) -> FloatArray:
    return np.diagonal(matrices, axis1=1, axis2=2)


def _along(axes: FloatArray, lengths: FloatArray) -> FloatArray:
    """Return covariances (K, d, d) with variances (K, d) along axes (d, d) or (K, d, d)."""
    roots = axes * np.sqrt(np.maximum(lengths, 0.0))[:, None, :]  # below zero by rounding only
    return roots @ roots.transpose(0, 2, 1)


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


def check_covariance(argument: str, name: object) -> None:
    """Raise an error if there is no shape of this name."""
    if not isinstance(name, str) or name not in COVARIANCES:
        raise InputError(
            f"{marked(argument)} must be one of {', '.join(map(repr, LETTERS))}, or three letters"
            " for"
            f" volume, shape and orientation: {', '.join(SHAPES)}; not {shown(name)}."
        )
