"""Where a run starts: components at observations, or fitted to a first assignment."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.cluster import KMeans, kmeans_plusplus
from sklearn.metrics import pairwise_distances_argmin

from ..data import Data, FloatArray, Hard, Membership, Soft, Table
from ..families.base import Family
from .evidence import Evidence, Start
from .known_labels import known_of, renumbered
from .starts import fit_start, random_split
from .weights import Weighting
from .workers import Workers

Draw = Callable[[Data, int, np.random.Generator, FloatArray | None], Hard]
MODELS = 500  # observations that get a model of their own, at most
MODEL_FITS = 5  # each from where the last one ended


def kmeans_plus_plus(
    data: Data, n_components: int, rng: np.random.Generator, sample_weight: FloatArray | None
) -> Hard:
    """Draw observations far from each other, and let every observation join the nearest."""
    vectors = _scaled(data)
    centres, _ = kmeans_plusplus(
        vectors, n_components, sample_weight=sample_weight, random_state=_seed(rng)
    )
    return Hard(pairwise_distances_argmin(vectors, centres), n_components, sample_weight)


def kmeans(
    data: Data, n_components: int, rng: np.random.Generator, sample_weight: FloatArray | None
) -> Hard:
    """Cluster the observations by K-means."""
    clusters = KMeans(n_components, n_init=1, random_state=_seed(rng))
    labels = clusters.fit(_scaled(data), sample_weight=sample_weight).labels_
    return Hard(labels, n_components, sample_weight)


ASSIGNMENTS: dict[str, Draw] = {
    "random": random_split,
    "kmeans": kmeans,
    "kmeans++": kmeans_plus_plus,
}
BY_DISTANCE = ("kmeans", "kmeans++")
NAMES = ("points", *ASSIGNMENTS, "smyth")


def initialise(
    init: Any,
    evidence: Evidence,
    family: Family,
    n_components: int,
    weighting: Weighting,
    rng: np.random.Generator,
    workers: Workers,
) -> Start:
    """Make a start. Known labels hold whatever `init` says, and name its clusters.

    Parameters
    ----------
    init : str, array or callable
        A name in `NAMES`; labels (n,); responsibilities (n, K); or a function of
        (data, n_components, rng) that returns labels or responsibilities.
    """
    data, sample_weight, known = evidence.everything
    if isinstance(init, str):
        if init == "points":
            return start_at_points(evidence, family, n_components, weighting, rng, workers)
        if init not in NAMES:
            raise ValueError(
                f"init must be one of {', '.join(map(repr, NAMES))}, an array of labels or"
                f" responsibilities, or a function, not {init!r}."
            )
        if init in BY_DISTANCE and not family.distances:
            raise ValueError(
                f"init={init!r} goes by the distances between observations, which mean nothing to"
                f" {family.name}: use init='random'."
            )
        clusters = (
            by_likelihood(data, family, n_components, rng, sample_weight, workers)
            if init == "smyth"
            else ASSIGNMENTS[init](data, n_components, rng, sample_weight)
        )
        if known is not None:
            labels = renumbered(clusters.labels, known, n_components)
            clusters = Hard(labels, n_components, sample_weight)
        membership: Membership = clusters
    else:
        given = np.asarray(init(data, n_components, rng) if callable(init) else init)
        membership = _as_membership(given, len(data), family, n_components, sample_weight)
    return fit_start(data, family, membership, weighting, rng, workers, known)


def start_at_points(
    evidence: Evidence,
    family: Family,
    n_components: int,
    weighting: Weighting,
    rng: np.random.Generator,
    workers: Workers,
) -> Start:
    """Fit one component to all the data, and move a copy of it to each of K observations.

    A component of which observations are known is moved to one of these.
    """
    if not family.movable:
        raise ValueError(
            f"init='points' moves components to observations, and {family.name} cannot be moved:"
            " use init='random', or give it movable = True and a moved_to method."
        )
    data, sample_weight, known = evidence.everything
    everyone = Hard(np.zeros(len(data), dtype=np.int32), 1, sample_weight)
    whole = fit_start(data, family, everyone, weighting, rng, workers).bank.components[0]
    chosen = rng.choice(len(data), n_components, replace=False)
    for k in range(n_components):
        if len(own := known_of(k, known)):
            chosen[k] = rng.choice(own)
    bank = family.bank([whole.moved_to(data.take(chosen[k : k + 1])) for k in range(n_components)])
    return Start(bank, weighting(np.ones(n_components)))


def by_likelihood(
    data: Data,
    family: Family,
    n_components: int,
    rng: np.random.Generator,
    sample_weight: FloatArray | None,
    workers: Workers,
) -> Hard:
    """Cluster observations by how likely models of single observations find them (Smyth 1997).

    Every observation gets a model of its own (a random `MODELS` of them, if there are more). What
    these say of two observations is averaged over both directions where both have a model.
    """
    n = len(data)
    chosen = np.sort(rng.choice(n, min(n, MODELS), replace=False))
    models = []
    for place in chosen:
        one, model = data.take(np.array([place])), family
        for _ in range(MODEL_FITS):
            model = model.fit(one, rng=rng)
        models.append(model)
    bank = family.bank(models)
    parts = workers.map(lambda place: bank.log_prob(data.take(place)), data, bank)
    values = np.concatenate(list(parts))
    values = np.maximum(values, values[np.isfinite(values)].min(initial=0))
    likeness = values - values.mean(axis=1, keepdims=True)
    likeness[chosen] = (likeness[chosen] + likeness[chosen].T) / 2
    return kmeans(Table(likeness), n_components, rng, sample_weight)


def _as_membership(
    given: np.ndarray[Any, Any],
    n: int,
    family: Family,
    n_components: int,
    sample_weight: FloatArray | None,
) -> Membership:
    if given.shape == (n, n_components) and given.dtype.kind in "fiub":
        shares = given.astype(float)
        if not np.isfinite(shares).all() or (shares < 0).any() or (shares.sum(axis=1) == 0).any():
            raise ValueError(
                "init as responsibilities must be finite and not negative, with no row of zeros."
            )
        shares /= shares.sum(axis=1, keepdims=True)
        if not family.weighted:
            return Hard(shares.argmax(axis=1), n_components, sample_weight)
        return Soft(shares if sample_weight is None else shares * sample_weight[:, None])
    if given.shape != (n,) or given.dtype.kind not in "iu":
        raise ValueError(
            f"init must give one whole-number label per observation (shape ({n},)) or"
            f" responsibilities (shape ({n}, {n_components})), but has shape {given.shape} and"
            f" dtype {given.dtype}."
        )
    if given.min() < 0 or given.max() >= n_components:
        raise ValueError(
            f"init as labels must lie between 0 and {n_components - 1}, but goes from"
            f" {given.min()} to {given.max()}."
        )
    membership = Hard(given, n_components, sample_weight)
    fewest = int(membership.sizes.argmin())
    if membership.sizes[fewest] < family.min_observations:
        raise ValueError(
            f"init as labels gives component {fewest} only {membership.sizes[fewest]:.0f}"
            f" observation(s), but {family.name} needs {family.min_observations}."
        )
    return membership


def _scaled(data: Data) -> FloatArray:
    """Return the observations as centred vectors of moderate size: distances keep their order."""
    vectors = data.as_vectors()
    centred = vectors - vectors.mean(axis=0, dtype=float)
    return np.asarray(centred / (np.abs(centred).max() or 1.0), dtype=float)


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**31))
