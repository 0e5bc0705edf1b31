"""One smooth curve for each trajectory: how curves vary over all trajectories together."""

from typing import NamedTuple, Self

import numpy as np

from ....data import FloatArray
from ...shared.splines import SplineBasis
from .growth_curve_products import Products

STEPS = 60  # of EM
SMOOTH = 0.3  # fraction of all time over which curves vary, before any is seen
STRENGTH = 2.0  # number of trajectories that this counts as
FIRST_NOISE = 0.3  # fraction of the variance of values
LEAST_NOISE = 1e-6


class Smoothed(NamedTuple):
    """A mixed model of one component: mean curve, covariance of coefficients, and noise.

    Parameters
    ----------
    level : array, shape (m, p)
    covariance : array, shape (m p, m p)
    noise : array, shape (m,)
    information : array, shape (m p, m p)
        Mean precision that the points of a trajectory give its coefficients.
    """

    level: FloatArray
    covariance: FloatArray
    noise: FloatArray
    information: FloatArray

    @classmethod
    def of(
        cls, products: Products, weights: FloatArray, basis: SplineBasis, variances: FloatArray
    ) -> Self:
        """Fit the model by EM to trajectories of which weights (n,) are given."""
        n, m, p = products.crossed.shape
        centres = basis.centres
        smooth = np.exp(-0.5 * ((centres[:, None] - centres) / SMOOTH) ** 2) + 1e-3 * np.eye(p)
        prior = np.kron(np.diag(variances), smooth)
        weights = weights * n / weights.sum()
        model = cls(np.zeros((m, p)), prior, FIRST_NOISE * variances, prior)
        least = LEAST_NOISE * variances
        for _ in range(STEPS):
            model = model._step(products, weights, STRENGTH * 0.1 * prior, least)
        return model

    def _step(
        self, products: Products, weights: FloatArray, prior: FloatArray, least: FloatArray
    ) -> Self:
        n, m, p = products.crossed.shape
        information = _blocks(products.grams / self.noise[:, None, None])
        pull = products.crossed - np.einsum("njab,jb->nja", products.grams, self.level)
        pull = (pull / self.noise[:, None]).reshape(n, m * p)
        spreads = np.linalg.inv(information + np.linalg.inv(self.covariance))
        means = np.einsum("nab,nb->na", spreads, pull)
        shift = weights @ means / n
        off = means - shift
        second = (off * weights[:, None]).T @ off + np.tensordot(weights, spreads, 1)
        return type(self)(
            self.level + shift.reshape(m, p),
            (second + prior) / (n + STRENGTH),
            np.maximum(self._noise(products, weights, means, spreads), least),
            np.tensordot(weights, information, 1) / n,
        )

    def _noise(
        self, products: Products, weights: FloatArray, means: FloatArray, spreads: FloatArray
    ) -> FloatArray:
        n, m, p = products.crossed.shape
        curves = self.level + means.reshape(n, m, p)
        squares = products.squares - 2 * (curves * products.crossed).sum(axis=2)
        squares += np.einsum("nja,njab,njb->nj", curves, products.grams, curves)
        for j in range(m):
            own = slice(j * p, (j + 1) * p)
            squares[:, j] += np.einsum("nab,nab->n", products.grams[:, j], spreads[:, own, own])
        return (weights @ squares) / (weights @ products.counts)

    def effects(self, least: float, most: int, wanted: int | None) -> FloatArray:
        """Return the functions in which curves vary most, as coefficients (m, p, q).

        Parameters
        ----------
        least : float
            Variance that a function adds to a trajectory, in units of the noise, to be kept.
        most : int
            Number of functions, at most.
        wanted : int, optional
            Number of functions, in place of these two.
        """
        m, p = self.level.shape
        root = np.linalg.cholesky(self.covariance)
        signals, directions = np.linalg.eigh(root.T @ self.information @ root)
        kept = int(np.clip((signals > least).sum(), 1, most)) if wanted is None else wanted
        found = root @ directions[:, ::-1][:, : min(kept, m * p)]
        return np.ascontiguousarray(found.reshape(m, p, -1))


def _blocks(grams: FloatArray) -> FloatArray:
    """Return grams (n, m, p, p) as the blocks on the diagonal of matrices (n, m p, m p)."""
    n, m, p, _ = grams.shape
    blocks = np.zeros((n, m * p, m * p))
    for j in range(m):
        own = slice(j * p, (j + 1) * p)
        blocks[:, own, own] = grams[:, j]
    return blocks
