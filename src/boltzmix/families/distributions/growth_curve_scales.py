"""What growth curves of all components have in common, taken from all the data once."""

from typing import NamedTuple, Self

import numpy as np

from ...data import FloatArray, Trajectories, evenly_spaced
from ..shared.regression_scales import centre_and_spread, least_noise
from ..shared.splines import SplineBasis
from .growth_curve_products import Products

MOST_FUNCTIONS = 10
MOST_COEFFICIENTS = 48  # of the functions of all outputs
MOST_EFFECTS = 8
LEAST_SIGNAL = 0.1
SAMPLE = 500
STEPS = 60
SMOOTH = 0.3
STRENGTH = 2.0


class GrowthScales(NamedTuple):
    """What growth curves of all components have in common.

    Parameters
    ----------
    basis : SplineBasis
        The p functions of which mean curves are made.
    centre : array, shape (m,)
        Means of the outputs.
    least_noise : array, shape (m,)
        Least noise variances.
    effects : array, shape (m, p, q)
        Coefficients of the q functions of which deviations from a mean curve are made. Over all
        trajectories, the effects that multiply them have unit variance and are not correlated.
    level : array, shape (m, p)
        Coefficients of the mean curve of all trajectories.
    precision : array, shape (m p, m p)
        Of the coefficients of single trajectories around it.
    noise : array, shape (m,)
        Noise variances around the curves of single trajectories.
    mean_length : float
        Mean number of points of a trajectory.
    quantiles : array, shape (101,)
        Quantiles of the times.
    time_unit : str, optional
    """

    basis: SplineBasis
    centre: FloatArray
    least_noise: FloatArray
    effects: FloatArray
    level: FloatArray
    precision: FloatArray
    noise: FloatArray
    mean_length: float
    quantiles: FloatArray
    time_unit: str | None

    @classmethod
    def of(
        cls,
        data: Trajectories,
        n_components: int,
        weights: FloatArray | None,
        n_basis: int | None,
        n_effects: int | None,
        floor: float,
    ) -> Self:
        """Measure trajectories; a sample of them is smoothed to see how curves vary."""
        m = data.n_features
        most = max(min(MOST_FUNCTIONS, MOST_COEFFICIENTS // m), 4) if n_basis is None else n_basis
        basis = SplineBasis.of(data.times, most)
        some = evenly_spaced(len(data), SAMPLE)
        sample = data.take(some)
        centre, spread = np.nanmean(data.values, axis=0), np.nanstd(data.values, axis=0)
        least = floor * spread**2 / n_components**2
        products = Products.of(sample, basis, centre)
        curves = _smoothed(products, basis, spread, np.maximum(least, 1e-6 * spread**2))
        level, covariance, noise = curves
        information = np.zeros_like(covariance)
        p = basis.n_functions
        for j in range(m):
            own = slice(j * p, (j + 1) * p)
            information[own, own] = products.grams[:, j].mean(axis=0) / noise[j]
        root = np.linalg.cholesky(covariance)
        signals, directions = np.linalg.eigh(root.T @ information @ root)
        signals, directions = signals[::-1], directions[:, ::-1]
        wanted = max(int((signals > LEAST_SIGNAL).sum()), 1)
        q = min(wanted, MOST_EFFECTS) if n_effects is None else min(n_effects, m * p)
        effects = (root @ directions[:, :q]).reshape(m, p, q)
        return cls(
            basis,
            centre,
            least,
            np.ascontiguousarray(effects),
            level.reshape(m, p),
            np.linalg.inv(covariance),
            noise,
            data.mean_size,
            np.quantile(data.times, np.linspace(0, 1, 101)),
            data.time_unit,
        )


def _smoothed(
    products: Products, basis: SplineBasis, spread: FloatArray, least: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    n, m, p = products.crossed.shape
    centres = basis.centres
    smooth = np.exp(-0.5 * ((centres[:, None] - centres) / SMOOTH) ** 2) + 1e-3 * np.eye(p)
    prior = np.kron(np.diag(spread**2), smooth)
    covariance, level, noise = prior.copy(), np.zeros(m * p), 0.3 * spread**2
    crossed = products.crossed
    for _ in range(STEPS):
        information = np.zeros((n, m * p, m * p))
        pull = np.empty((n, m, p))
        curve = level.reshape(m, p)
        for j in range(m):
            own = slice(j * p, (j + 1) * p)
            information[:, own, own] = products.grams[:, j] / noise[j]
            pull[:, j] = (crossed[:, j] - products.grams[:, j] @ curve[j]) / noise[j]
        spreads = np.linalg.inv(information + np.linalg.inv(covariance))
        means = np.einsum("nab,nb->na", spreads, pull.reshape(n, m * p))
        shift = means.mean(axis=0)
        second = np.einsum("na,nb->ab", means - shift, means - shift) + spreads.sum(axis=0)
        covariance = (second + STRENGTH * prior * 0.1) / (n + STRENGTH)
        fits = (means + level).reshape(n, m, p)
        for j in range(m):
            own = slice(j * p, (j + 1) * p)
            gram, fit = products.grams[:, j], fits[:, j]
            square = products.squares[:, j] - 2 * (fit * crossed[:, j]).sum(axis=1)
            square += np.einsum("na,nab,nb->n", fit, gram, fit)
            square += np.einsum("nab,nab->n", gram, spreads[:, own, own])
            noise[j] = max(square.sum() / products.counts[:, j].sum(), least[j])
        level = level + shift
    return level, covariance, noise
