"""Simulated points in clusters."""

from collections.abc import Sequence

import numpy as np

from ..data import (
    MOST_SAMPLES,
    FloatArray,
    IntArray,
    are_whole,
    check_count,
    check_flag,
    check_number,
    read_generator,
    shown,
)

Points = tuple[FloatArray, IntArray]


def make_square(sizes: Sequence[int] = (100, 50, 50, 10), random_state: object = None) -> Points:
    """Draw four clusters at the corners of a square (the paper's square simulation).

    The square has side 10 and is centred at the origin; every cluster has covariance 0.3 I. From
    the top left corner clockwise, the clusters have `sizes` points.

    Parameters
    ----------
    sizes : sequence of four ints
        ``(50, 50, 50, 50)`` is the paper's balanced square.
    random_state : int, Generator or None

    Returns
    -------
    X : array, shape (sum(sizes), 2)
    labels : array of int, shape (sum(sizes),)

    Examples
    --------
    >>> X, labels = make_square(random_state=0)
    >>> X.shape, np.bincount(labels)
    ((210, 2), array([100,  50,  50,  10]))
    """
    if not are_whole(sizes, 4, least=0):
        raise ValueError(f"sizes must be four numbers of zero or more, not {shown(sizes)}.")
    rng = read_generator(random_state)
    corners = np.array([[-5.0, 5.0], [5.0, 5.0], [5.0, -5.0], [-5.0, -5.0]])
    labels = np.repeat(np.arange(4), sizes)
    return corners[labels] + rng.normal(scale=np.sqrt(0.3), size=(len(labels), 2)), labels


def make_rainbow(n_samples: int = 1000, random_state: object = None) -> Points:
    """Draw eight overlapping clusters along a half circle (the paper's rainbow simulation).

    The means lie at radius 9 and angles π i / 7, every cluster has unit covariance, and each
    point comes from any cluster with the same probability.

    Parameters
    ----------
    n_samples : int
    random_state : int, Generator or None

    Returns
    -------
    X : array, shape (n_samples, 2)
    labels : array of int, shape (n_samples,)
    """
    check_count("n_samples", n_samples, most=MOST_SAMPLES)
    rng = read_generator(random_state)
    angles = np.pi * np.arange(8) / 7
    means = 9 * np.column_stack([np.cos(angles), np.sin(angles)])
    labels = rng.integers(8, size=n_samples)
    return means[labels] + rng.normal(size=(n_samples, 2)), labels


def make_mixture(
    n_samples: int = 1000,
    n_components: int = 10,
    n_features: int = 2,
    *,
    separation: float = 3.0,
    unbalance: float = 1.0,
    correlated: bool = True,
    rotated: bool = False,
    random_state: object = None,
) -> Points:
    """Draw points from a random Gaussian mixture of chosen difficulty.

    Parameters
    ----------
    n_samples, n_components, n_features : int
    separation : float, default=3
        Smallest distance between two means, in units of the root of the mean variance of a column
        within a cluster. In two dimensions, clusters overlap heavily at 2 and hardly at 6. In many
        dimensions random means lie further apart than this, so clusters overlap only if it is
        below 1.
    unbalance : float, default=1
        Ratio of the largest cluster size to the smallest; sizes fall geometrically.
    correlated : bool, default=True
        Whether covariances are random, instead of the identity.
    rotated : bool, default=False
        Whether the axes of random covariances have random directions. If not, they are the columns,
        which are then independent within each cluster.
    random_state : int, Generator or None

    Returns
    -------
    X : array, shape (n_samples, n_features)
    labels : array of int, shape (n_samples,)

    Examples
    --------
    >>> X, labels = make_mixture(500, n_components=5, unbalance=4, random_state=0)
    >>> np.bincount(labels)
    array([177, 126,  89,  63,  45])
    """
    check_count("n_samples", n_samples, most=MOST_SAMPLES)
    check_count("n_components", n_components)
    check_count("n_features", n_features)
    n_samples, n_components, n_features = map(int, (n_samples, n_components, n_features))
    for name, given in (("separation", separation), ("unbalance", unbalance)):
        check_number(name, given, "a finite number", np.isfinite)
    for name, flag in (("correlated", correlated), ("rotated", rotated)):
        check_flag(name, flag)
    if n_components > n_samples:
        raise ValueError(
            f"n_components must lie between 1 and n_samples={n_samples}, not {n_components}."
        )
    if separation <= 0:
        raise ValueError(f"separation must be above 0, not {separation}.")
    if unbalance < 1:
        raise ValueError(f"unbalance must be at least 1, not {unbalance}.")
    rng = read_generator(random_state)
    labels = np.repeat(np.arange(n_components), _falling_sizes(n_samples, n_components, unbalance))
    means = _spread_means(n_components, n_features, separation, rng)
    X = rng.normal(size=(n_samples, n_features))
    for k in range(n_components):
        if correlated:
            axes, scales = _random_axes(n_features, rng)
            own = X[labels == k]
            X[labels == k] = (own * scales) @ axes.T if rotated else own @ (axes * scales)
        X[labels == k] += means[k]
    return X, labels


def _falling_sizes(n: int, k: int, unbalance: float) -> IntArray:
    """Return k sizes that add up to n and fall geometrically, by `unbalance` in all."""
    proportions = unbalance ** -np.linspace(0, 1, k)
    ends = np.round(np.cumsum(proportions) / proportions.sum() * (n - k)).astype(int)
    return np.diff(ends, prepend=0) + 1


def _spread_means(k: int, d: int, separation: float, rng: np.random.Generator) -> FloatArray:
    """Draw k means at least `separation` apart, in a box that grows until they fit."""
    side = separation * k ** (1 / d)
    means: list[FloatArray] = []
    rejections = 0
    while len(means) < k:
        candidate = rng.uniform(0, side, size=d)
        if any(np.linalg.norm(candidate - mean) < separation for mean in means):
            rejections += 1
            if rejections % 50 == 0:
                side *= 1.05
        else:
            means.append(candidate)
    return np.array(means)


def _random_axes(d: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Return random axes (d, d), and deviations (d,) within 1:4 whose mean variance is one."""
    axes, _ = np.linalg.qr(rng.normal(size=(d, d)))
    scales = np.exp(rng.uniform(-np.log(2), np.log(2), size=d))
    return axes, scales / np.sqrt((scales**2).mean())
