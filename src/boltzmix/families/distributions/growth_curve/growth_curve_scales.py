"""Scales that growth curves of all components have in common, taken from all the data once."""

from typing import NamedTuple, Self

import numpy as np

from ....data import DATA, FloatArray, InputError, Trajectories, Weights, evenly_spaced
from ...columns.scales import robust_variances
from ...shared.splines import SplineBasis
from .growth_curve_products import Products

MOST_FUNCTIONS = 10  # of a mean curve; with 7 and 15, mean ARI changes by less than 0.01
MOST_COEFFICIENTS = 48  # of the functions of all outputs
MOST_EFFECTS = 8
LEAST_SIGNAL = 0.1  # variance of what an effect adds to a trajectory, in units of the noise
SAMPLE = 500  # trajectories that are smoothed, at most


class GrowthScales(NamedTuple):
    """Scales that growth curves of all components have in common.

    Parameters
    ----------
    basis : SplineBasis
        The p functions of which mean curves are made.
    centre : array, shape (m,)
        Means of the outputs.
    effects : array, shape (m, p, q)
        Coefficients of the q functions of which deviations from a mean curve are made. Over all
        trajectories, the effects that multiply them have unit variance and are not correlated.
    level : array, shape (m, p)
        Coefficients of the mean curve of all trajectories, less the centre.
    precision : array, shape (m p, m p)
        Of the coefficients of single trajectories around it.
    information : array, shape (m p, m p)
        Mean precision that the points of a trajectory give its coefficients.
    noise : array, shape (m,)
        Noise variances around the curves of single trajectories.
    mean_length : float
        Mean number of points of a trajectory.
    quantiles : array, shape (101,)
        Quantiles of the times.
    time_unit : str, optional
    least_noise : array, shape (m,)
        Least noise variances of a component.
    """

    basis: SplineBasis
    centre: FloatArray
    effects: FloatArray
    level: FloatArray
    precision: FloatArray
    information: FloatArray
    noise: FloatArray
    mean_length: float
    quantiles: FloatArray
    time_unit: str | None
    least_noise: FloatArray

    def check_shapes(self, **parameters: FloatArray | None) -> None:
        """Raise if an array has another shape than that of the basis and the outputs.

        Parameters
        ----------
        **parameters : arrays or None
            Those of a component.
        """
        if not self.basis.is_whole or np.ndim(self.effects) != 3:
            raise ValueError("The functions of growth curves are not those of their intervals.")
        m, q, p = len(self.centre), self.effects.shape[2], self.basis.n_functions
        shapes = {
            "centre": (m,),
            "effects": (m, p, q),
            "level": (m, p),
            "precision": (m * p, m * p),
            "information": (m * p, m * p),
            "noise": (m,),
            "least_noise": (m,),
            "coefficients": (m, p),
            "covariance": (q, q),
            "pooled_covariance": (q, q),
            "pooled_noise": (m,),
        }
        for name, value in [*self._asdict().items(), *parameters.items()]:
            if name in shapes and value is not None and np.shape(value) != shapes[name]:
                raise ValueError(
                    f"{name} of a growth curve must have the shape {shapes[name]}, not"
                    f" {np.shape(value)}."
                )

    @classmethod
    def of(
        cls,
        data: Trajectories,
        weights: Weights,
        n_basis: int | None = None,
        n_effects: int | None = None,
    ) -> Self:
        """Measure trajectories; a sample of them is smoothed to see how curves vary."""
        m = data.n_features
        most = max(min(MOST_FUNCTIONS, MOST_COEFFICIENTS // m), 4) if n_basis is None else n_basis
        basis = SplineBasis.of(data.times, most)
        centre, variances = _moments(data, weights)
        some = evenly_spaced(len(data), SAMPLE)
        products = Products.of(data.take(some), basis, centre)
        own = np.ones(len(some)) if weights is None else weights[some].astype(float)
        smoothed = Smoothed.of(products, own, basis, variances)
        return cls(
            basis,
            centre,
            smoothed.effects(LEAST_SIGNAL, MOST_EFFECTS, n_effects),
            smoothed.level,
            np.linalg.inv(smoothed.covariance),
            smoothed.information,
            smoothed.noise,
            data.mean_size,
            np.quantile(data.times, np.linspace(0, 1, 101)),
            data.time_unit,
            np.zeros(m),
        )

    def with_floor(
        self, data: Trajectories, floor: float, n_components: int, weights: Weights
    ) -> Self:
        """Return these scales with least noise variances: `floor` times those of values over K²."""
        repeated = None if weights is None else np.repeat(weights, data.lengths)
        robust = robust_variances(data.values, _moments(data, weights)[1], repeated)
        return self._replace(least_noise=floor * robust / n_components**2)

    def effective_coefficients(self, root: FloatArray, noise: FloatArray, size: float) -> float:
        """Return how many coefficients of a mean curve are learned, as far as the prior lets them.

        Parameters
        ----------
        root : array, shape (q, q)
            Cholesky factor of the covariance of effects.
        noise : array, shape (m,)
        size : float
            Number of trajectories.
        """
        m, p, q = self.effects.shape
        scale = np.repeat(np.sqrt(self.noise / noise), p)
        single = self.information * np.outer(scale, scale)
        spread = self.effects.reshape(m * p, q) @ root
        across = single @ spread
        inner = np.eye(q) + spread.T @ across
        learned = size * (single - across @ np.linalg.solve(inner, across.T))
        return float(np.trace(np.linalg.solve(learned + self.precision, learned)))

    def distance(self, coefficients: FloatArray) -> float:
        """Return the squared distance of a mean curve (m, p) from that of all trajectories.

        It is in units of the deviations of single trajectories.
        """
        difference = (coefficients - self.level).ravel()
        return float(difference @ self.precision @ difference)


def _moments(data: Trajectories, weights: Weights) -> tuple[FloatArray, FloatArray]:
    """Return means and variances of the outputs (m,); raise if one has no value, or no variance."""
    own = np.ones(len(data)) if weights is None else weights
    there = ~np.isnan(data.values)
    heavy = np.where(there, np.repeat(own, data.lengths)[:, None], 0.0)
    values, totals = np.where(there, data.values, 0.0), heavy.sum(axis=0)
    for output in np.flatnonzero(totals == 0).tolist():
        raise InputError(f"Output {_name(data, output)} of {DATA} has no value: drop it.")
    centre = (heavy * values).sum(axis=0) / totals
    with np.errstate(over="ignore"):
        variances = (heavy * np.where(there, values - centre, 0.0) ** 2).sum(axis=0) / totals
    for output in np.flatnonzero(
        ~((variances > 1e-24 * centre**2) & (variances < np.inf))
    ).tolist():
        raise InputError(
            f"Output {_name(data, output)} of {DATA} is constant, or too large for double"
            " precision, so"
            " components cannot differ in it: drop or rescale it."
        )
    return centre, variances


def _name(data: Trajectories, output: int) -> str:
    return str(output) if data.feature_names is None else repr(data.feature_names[output])


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
