"""Where a run starts: components at observations, or fitted to a first assignment."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
from sklearn.cluster import kmeans_plusplus
from sklearn.metrics import pairwise_distances, pairwise_distances_argmin

from ...clustering import fitted_kmeans
from ...data import (
    DATA,
    Data,
    FloatArray,
    Hard,
    InputError,
    IntArray,
    Membership,
    Remote,
    Soft,
    Table,
    as_array,
    evenly_spaced,
    marked,
    shown,
)
from ...families.contract.base import Family
from ..auto import AutoSettings
from ..engine.contract import Weighting
from ..engine.known_labels import known_members, renumbered
from ..engine.state import MixtureState
from ..engine.training_data import TrainingData
from ..engine.workers import Workers
from .first_fit import fit_start, random_split
from .objective import mean_objective

GAUSSIAN_QUARTILES = 1.349  # their distance in a Gaussian of unit deviation
QUARTILE_ROWS = 1_000
FAR = 10.0  # deviations from the median in some column, beyond which K-means leaves out a row
KMEANS_RUNS = 3
SAME_INERTIA = 1e-9  # relative difference between two runs that found the same clusters
CLEARLY_NEARER = 0.5  # distance to the nearest centre, as a fraction of that to the next one
MODELS = 500  # observations that get a model of their own, at most
MODEL_FITS = 5  # each from where the last one ended


def kmeans_labels(
    vectors: FloatArray, n_clusters: int, random_state: Any, sample_weight: FloatArray | None
) -> IntArray:
    """Return the cluster of each vector (n,) by one run of K-means."""
    return np.asarray(fitted_kmeans(vectors, n_clusters, 1, random_state, sample_weight).labels_)


def kmeans_plus_plus(
    data: Data, n_components: int, rng: np.random.Generator, sample_weight: FloatArray | None
) -> Hard:
    """Draw observations far from each other, and assign every observation to the nearest."""
    vectors = _scaled(data)
    centres, _ = kmeans_plusplus(
        vectors, n_components, sample_weight=sample_weight, random_state=_seed(rng)
    )
    return Hard(pairwise_distances_argmin(vectors, centres), n_components, sample_weight)


def kmeans(
    data: Data, n_components: int, rng: np.random.Generator, sample_weight: FloatArray | None
) -> Hard:
    """Cluster the observations by K-means."""
    labels = kmeans_labels(_scaled(data), n_components, _seed(rng), sample_weight)
    return Hard(labels, n_components, sample_weight)


def robust_kmeans(
    data: Data, n_components: int, rng: np.random.Generator, sample_weight: FloatArray | None
) -> list[Hard]:
    """Cluster the observations by K-means on columns of equal spread, without far outliers.

    The outliers join the nearest centre. K-means runs until two runs agree, `KMEANS_RUNS` times at
    most, or until every vector is clearly nearest to one centre: then no cluster is divided, and
    other runs would not find better ones. Returns the clusters of all runs that differ, the most
    compact ones first.
    """
    vectors = data.as_vectors().astype(float)
    centre, spread = _robust_scale(vectors)
    scaled = (vectors - centre) / spread
    inside = np.abs(scaled).max(axis=1) < FAR
    if not inside.all() and _n_distinct(scaled[inside], n_components) < n_components:
        inside[:] = True
    kept = scaled if inside.all() else scaled[inside]
    own = None if sample_weight is None else sample_weight[inside]
    found: list[Any] = []
    for _ in range(KMEANS_RUNS):
        clusters = fitted_kmeans(kept, n_components, 1, _seed(rng), own)
        if any(np.isclose(clusters.inertia_, one.inertia_, rtol=SAME_INERTIA) for one in found):
            break
        found.append(clusters)
        if _all_clear(kept, clusters.cluster_centers_):
            break
    found.sort(key=attrgetter("inertia_"))
    if kept is scaled:
        return [Hard(one.labels_, n_components, sample_weight) for one in found]
    nearest = (pairwise_distances_argmin(scaled, one.cluster_centers_) for one in found)
    return [Hard(labels, n_components, sample_weight) for labels in nearest]


def _all_clear(vectors: FloatArray, centres: FloatArray) -> bool:
    """Return whether every vector is clearly nearer to one centre than to all others."""
    if len(centres) == 1:
        return True
    distances = np.partition(pairwise_distances(vectors, centres), 1, axis=1)
    return bool((distances[:, 0] < CLEARLY_NEARER * distances[:, 1]).all())


def _n_distinct(vectors: FloatArray, enough: int) -> int:
    """Return the number of distinct vectors, or `enough` if there are more."""
    return Table(vectors).count_distinct(enough) if len(vectors) else 0


def _robust_scale(vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return medians and spreads (p,) of columns.

    A spread is the deviation of a Gaussian with the same quartiles, or the deviation of the column
    if that is less, or if the quartiles are equal. Quartiles are those of up to QUARTILE_ROWS
    vectors.
    """
    some = vectors[evenly_spaced(len(vectors), QUARTILE_ROWS)]
    places = [(len(some) - 1) * quarter // 4 for quarter in (1, 2, 3)]
    low, middle, high = np.partition(some.T, places, axis=1)[:, places].T
    deviations = vectors.std(axis=0)
    spreads = np.where(
        high > low, np.minimum((high - low) / GAUSSIAN_QUARTILES, deviations), deviations
    )
    return middle, np.where(spreads > 0, spreads, 1.0)


ASSIGNMENTS: dict[str, Callable[[Data, int, np.random.Generator, FloatArray | None], Hard]] = {
    "random": random_split,
    "kmeans": kmeans,
    "kmeans++": kmeans_plus_plus,
}
BY_DISTANCE = ("kmeans", "kmeans++", "distance")
NAMES = ("points", *ASSIGNMENTS, "distance", "smyth")


def has_distances(family: Family, data: Data) -> bool:
    """Return whether observations that are close are alike, so that a start can be made of that."""
    return family.distances and not family.joint and data.has_distances


def initialise(
    init: Any,
    data: TrainingData,
    family: Family,
    n_components: int,
    weighting: Weighting,
    rng: np.random.Generator,
    workers: Workers,
    settings: AutoSettings,
) -> MixtureState:
    """Return where a run starts. Known labels hold, whatever `init` is, and number its clusters.

    A start by name is made from a sample, if there are many observations.

    Parameters
    ----------
    init : str, array or callable
        A name in `NAMES`; labels (n,); responsibilities (n, K); or a function of
        (data, n_components, rng) that returns labels or responsibilities.
    """
    if isinstance(init, str):
        _check_name(init, family)
        data = data.sample(settings.sample_size(n_components))
        if init == "points":
            return start_at_points(data, family, n_components, weighting, rng, workers)
        memberships = _clusters(init, data, family, n_components, rng, workers)
    else:
        _check_in_memory(data.observations)
        given = init(data.observations, n_components, rng) if callable(init) else init
        given = as_array(given, "init")
        memberships = [_as_membership(given, family, n_components, data)]
    starts = [fit_start(data, family, one, weighting, rng, workers) for one in memberships]
    if len(starts) == 1:
        return starts[0]
    return max(starts, key=lambda start: mean_objective(data, start, workers))


def unfitted(family: Family, n_components: int) -> MixtureState:
    """Return a start without parameters, for a recipe that makes its own."""
    bank = family.bank([family] * n_components)
    return MixtureState(bank, np.full(n_components, 1 / n_components))


def _check_name(init: str, family: Family) -> None:
    if init not in NAMES:
        raise InputError(
            f"{marked('init')} must be one of {', '.join(map(repr, NAMES))}, an array of labels or"
            f" responsibilities, or a function, not {shown(init)}."
        )
    if init in BY_DISTANCE and not family.distances:
        raise InputError(
            f"{marked('init', shown(init))} uses the distances between observations, which mean"
            f" nothing to {family.name}: use {marked('init', repr('random'))}."
        )


def _check_in_memory(data: Data) -> None:
    if isinstance(data, Remote):
        raise InputError(
            f"init must be a name, one of {', '.join(map(repr, NAMES))}, where {DATA} is a Dask"
            " collection or a path."
        )


def _clusters(
    init: str,
    data: TrainingData,
    family: Family,
    n_components: int,
    rng: np.random.Generator,
    workers: Workers,
) -> list[Membership]:
    """Return first assignments by name, numbered as the known labels are.

    There may be several by distance; those of sequences are of their summaries and of their shapes.
    """
    observations, sample_weight = data.observations, data.sample_weight
    if init == "smyth":
        found = [by_likelihood(data, family, n_components, rng, workers)]
    elif init == "distance":
        found = robust_kmeans(observations, n_components, rng, sample_weight)
        if (shapes := observations.as_shapes()) is not None:
            found = [found[0], kmeans(Table(shapes), n_components, rng, sample_weight)]
    else:
        found = [ASSIGNMENTS[init](observations, n_components, rng, sample_weight)]
    if data.known_labels is None:
        return list(found)
    labels = [renumbered(one.labels, data.known_labels, n_components) for one in found]
    return [Hard(own, n_components, sample_weight) for own in labels]


def start_at_points(
    data: TrainingData,
    family: Family,
    n_components: int,
    weighting: Weighting,
    rng: np.random.Generator,
    workers: Workers,
) -> MixtureState:
    """Fit one component to all the data, and move a copy of it to each of K observations.

    A component with observations of known label is moved to one of these.
    """
    if not family.movable:
        raise InputError(
            f"{marked('init', repr('points'))} moves components to observations, and {family.name}"
            f" cannot be moved: use {marked('init', repr('random'))}, or write a moved_to method."
        )
    everyone = Hard(np.zeros(len(data), dtype=np.int32), 1, data.sample_weight)
    unlabelled = TrainingData(data.observations, data.sample_weight)
    whole = fit_start(unlabelled, family, everyone, weighting, rng, workers).bank.components[0]
    chosen = rng.choice(len(data), n_components, replace=False)
    for k in range(n_components):
        if len(own := known_members(k, data.known_labels)):
            chosen[k] = rng.choice(own)
    places = (data.observations.take(chosen[k : k + 1]) for k in range(n_components))
    bank = family.bank([whole.moved_to(place) for place in places])
    return MixtureState(bank, weighting(np.ones(n_components)))


def by_likelihood(
    data: TrainingData,
    family: Family,
    n_components: int,
    rng: np.random.Generator,
    workers: Workers,
) -> Hard:
    """Cluster observations by their log-likelihoods under models of single ones (Smyth 1997).

    Every observation gets a model of its own (`MODELS` of them drawn at random, if there are
    more). The likeness of two observations that both have a model is averaged over both directions.
    """
    observations, n = data.observations, len(data)
    chosen = np.sort(rng.choice(n, min(n, MODELS), replace=False))
    models = []
    for place in chosen:
        one, model = observations.take(np.array([place])), family
        for _ in range(MODEL_FITS):
            model = model.fit(one, rng=rng)
        models.append(model)
    bank = family.bank(models)
    blocks = workers.map(lambda block, _: bank.log_prob(block), observations, bank)
    log_probs = np.concatenate(list(blocks))
    log_probs = np.maximum(log_probs, log_probs[np.isfinite(log_probs)].min(initial=0))
    likeness = log_probs - log_probs.mean(axis=1, keepdims=True)
    likeness[chosen] = (likeness[chosen] + likeness[chosen].T) / 2
    return kmeans(Table(likeness), n_components, rng, data.sample_weight)


def _as_membership(
    given: np.ndarray[Any, Any], family: Family, n_components: int, data: TrainingData
) -> Membership:
    """Check labels or responsibilities that a user gave."""
    n = len(data)
    if given.shape == (n, n_components) and given.dtype.kind in "fiub":
        return _as_soft(given.astype(float), family, data)
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
    membership = Hard(given, n_components, data.sample_weight)
    smallest = int(membership.sizes.argmin())
    if membership.sizes[smallest] < family.min_observations:
        raise ValueError(
            f"init as labels gives component {smallest} only {membership.sizes[smallest]:.0f}"
            f" observation(s), but {family.name} needs {family.min_observations}."
        )
    return membership


def _as_soft(given: FloatArray, family: Family, data: TrainingData) -> Membership:
    if not np.isfinite(given).all() or (given < 0).any() or (given.sum(axis=1) == 0).any():
        raise ValueError(
            "init as responsibilities must be finite and not negative, with no row of zeros."
        )
    given = given / given.sum(axis=1, keepdims=True)
    if not family.weighted:
        return Hard(given.argmax(axis=1), given.shape[1], data.sample_weight)
    return Soft(given if data.sample_weight is None else given * data.sample_weight[:, None])


def _scaled(data: Data) -> FloatArray:
    """Return the observations as centred vectors of moderate size: distances keep their order."""
    vectors = data.as_vectors()
    centred = vectors - vectors.mean(axis=0, dtype=float)
    return np.asarray(centred / (np.abs(centred).max() or 1.0), dtype=float)


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**31))
