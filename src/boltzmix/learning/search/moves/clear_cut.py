"""Whether clusters are so clear that a search for better ones can find nothing."""

import numpy as np
from scipy.linalg import eigh

from ....data import FloatArray, evenly_spaced
from .pricing import EvaluatedMixture

DIRECTIONS = 3  # in which the members of a component vary most, and are looked at
LEAST_CERTAINTY = 0.999  # mean of the largest responsibility of an observation
LEAST_PART = 0.02  # of the members of a component, to be a cluster of their own
NARROWEST = 1e-3  # variance of such a cluster, as a fraction of that of all members
MEMBERS = 2_000  # of a component that are looked at, at most


def is_clear_cut(evaluated: EvaluatedMixture) -> bool:
    """Return whether no two components overlap, and none seems to hold two clusters.

    For each component, its members are projected onto the directions in which they vary most, in
    units of the variance within all components. If they fell into two clusters, these would lie
    apart in one of these directions, and two Gaussians would fit the projection better than one.

    Without distances between observations, without responsibilities (the family takes no weights),
    or with known labels, the answer is no.
    """
    bank, data = evaluated.mixture.bank, evaluated.data
    observations = data.observations
    if not bank.family.distances or not observations.is_table:
        return False
    if data.known_labels is not None or not bank.family.weighted:
        return False
    found = evaluated.responsibilities[:, : evaluated.n_components]
    if evaluated.sample_weight @ found.max(axis=1) < LEAST_CERTAINTY * evaluated.total_weight:
        return False
    vectors, labels = np.asarray(observations.as_vectors(), dtype=float), found.argmax(axis=1)
    groups = [vectors[labels == k] for k in range(found.shape[1])]
    if min(map(len, groups)) < 2:
        return False
    for own in groups:
        own -= own.mean(axis=0)
    if vectors.shape[1] > len(vectors):  # in the few directions in which members differ at all
        basis = np.linalg.qr(np.concatenate(groups).T)[0]
        groups = [own @ basis for own in groups]
    scatters = [own.T @ own for own in groups]
    whitening = _whitening(np.sum(scatters, axis=0) / len(vectors))
    return not any(map(_splits, groups, scatters, [whitening] * len(groups)))


def _whitening(covariance: FloatArray) -> FloatArray:
    """Return the matrix that gives residuals unit covariance, directions without any out."""
    variances, directions = np.linalg.eigh(covariance)
    kept = variances > 1e-9 * variances[-1]
    return np.asarray(directions[:, kept] / np.sqrt(variances[kept]))


def _splits(members: FloatArray, scatter: FloatArray, whitening: FloatArray) -> bool:
    """Return whether the members (m, d) of a component, centred, seem to be two clusters."""
    if not (n_directions := whitening.shape[1]):
        return False
    most = (max(0, n_directions - DIRECTIONS), n_directions - 1)
    _, directions = eigh(whitening.T @ scatter @ whitening, subset_by_index=most)
    some = members[evenly_spaced(len(members), MEMBERS)]
    return _gain(np.sort(some @ (whitening @ directions), axis=0)) > 0


def _gain(values: FloatArray) -> float:
    """Return by how much two Gaussians explain values better than one, with labels known.

    It is the largest gain among columns of sorted values (m, p). Values are divided where that is
    best, either part having a fraction `LEAST_PART` of them at least. What three more parameters
    gain by chance is subtracted.
    """
    n = len(values)
    least = max(2, int(LEAST_PART * n))
    if n < 2 * least or values.shape[1] == 0:
        return 0.0
    below = np.arange(least, n - least + 1, dtype=float)[:, None]
    sums, squares = np.cumsum(values, axis=0), np.cumsum(values**2, axis=0)
    narrowest = np.maximum(NARROWEST * squares[-1] / n, np.finfo(float).tiny)

    def log_likelihood(count: FloatArray, total: FloatArray, square: FloatArray) -> FloatArray:
        variances = np.maximum(square / count - (total / count) ** 2, narrowest)
        return count * (np.log(count / n) - np.log(variances) / 2)

    last = slice(least - 1, n - least)
    left = log_likelihood(below, sums[last], squares[last])
    right = log_likelihood(n - below, sums[-1] - sums[last], squares[-1] - squares[last])
    whole = log_likelihood(np.array([float(n)]), sums[-1], squares[-1])
    return float(((left + right).max(axis=0) - whole).max() - 1.5 * np.log(n))
