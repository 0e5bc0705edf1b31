"""compare: mixtures of several families and numbers of components, fitted to the same data."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from numbers import Integral
from typing import Any

from .comparison import DEFAULT_CRITERION, Comparison, check_criterion, cross_validate
from .data import InputError, Remote, check_count, evenly_spaced, marked, shown, warning
from .families import Family
from .inputs import as_seed, check_remote, observe, weigh
from .learning import DegenerateMixtureWarning, TrainingData
from .mixture import Mixture
from .views import marked_problems

SAMPLE_SIZE = 20_000  # observations of a Dask collection that are compared


def compare(
    X: object,
    y: object = None,
    *,
    families: Any = None,
    n_components: object = "auto",
    criterion: str = DEFAULT_CRITERION,
    folds: int | None = None,
    sample_weight: object = None,
    covariates: object = None,
    **options: Any,
) -> Comparison:
    """Fit mixtures of several families and numbers of components, and compare them.

    Every candidate is fitted as a `Mixture` of that family and number of components is. By the
    default criterion, numbers that are not named are chosen for each family by the agreement of
    fits to halves of the data, and of the families, the one with the highest held-out likelihood
    is the best.

    Parameters
    ----------
    X : array, frame or whatever the families take
        The observations. Of a Dask collection, a sample of 20,000, evenly spaced, is compared.
    y : array, optional
        The targets of families that have them.
    families : family, sequence of families or "auto", optional
        The families to compare; `RobustGaussian()` unless given. A name such as "auto" is as of
        `Mixture`. For example, ``[Gaussian("full"), StudentT(), Gaussian("VEV")]``, or
        ``[HMM(2), HMM(3)]``.
    n_components : int, "auto" or several of int, default="auto"
        Numbers of components to compare for each family; "auto" goes on from one until more of
        them are no better.
    criterion : str, default="agreement"
        The criterion that `Comparison.best` goes by; see `Mixture`.
    folds : int, optional
        If given, all candidates are cross-validated with so many folds.
    sample_weight : array, shape (n,), optional
        Weights of the observations.
    covariates : frame or array, shape (n, c), optional
        The table whose columns the option `membership` names, if they are not columns of X.
    **options
        As of `Mixture`: `random_state`, `n_jobs`, `n_init`, `noise`, `membership`, `algorithm`,
        …; but no `checkpoint`.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from boltzmix import compare
    >>> from boltzmix.datasets import make_square
    >>> from boltzmix.families import Gaussian, StudentT
    >>> X, _ = make_square(random_state=0)
    >>> families = [Gaussian(), StudentT()]
    >>> comparison = compare(X, families=families, n_components=range(2, 6), random_state=0)
    >>> len(comparison), comparison.best_candidate().n_components
    (8, 4)
    """
    check_criterion(criterion)
    if options.get("checkpoint") is not None:
        raise ValueError(
            "compare keeps no checkpoint: leave it out, or fit a Mixture with several n_components,"
            " which does."
        )
    options["random_state"] = as_seed(options.get("random_state"))  # the same for all families
    numbers = [n_components] if isinstance(n_components, Integral) else n_components
    models = [
        Mixture(family, numbers, criterion=criterion, **options) for family in _families(families)
    ]
    X, y = _in_memory(models[0], X, y, sample_weight)
    given = [(X, y, sample_weight) for _ in models]
    if covariates is not None:
        given = [(*model._with_covariates(X, y, covariates), sample_weight) for model in models]
    if folds is not None:
        first = models[0]
        _check_folds(folds, len(observe(first._family(), *first._with_covariates(*given[0][:2]))))
    found = [model._compared(*own) for model, own in zip(models, given, strict=True)]
    candidates = [*chain.from_iterable(found)]
    agreement = {family: curve for one in found for family, curve in one.agreement.items()}
    comparison = Comparison(candidates, found[0].chosen_by, given[0], agreement)
    best = comparison.best_candidate()
    clusters = next(one.clusters for one in found if any(own is best for own in one))
    comparison = replace(comparison, clusters=clusters, noun=found[0].noun)
    if folds is not None:
        comparison = _validated(comparison, folds)
    for sentence in marked_problems(comparison.best):
        warnings.warn(warning(DegenerateMixtureWarning, sentence), stacklevel=2)
    return comparison


def _in_memory(
    model: Mixture, X: object, y: object, sample_weight: object
) -> tuple[object, object]:
    """Return a sample of a Dask collection, evenly spaced; other data as they are."""
    if model.membership is not None:
        return X, y
    data = observe(model._family(), X, y)
    if not isinstance(data, Remote):
        return X, y
    check_remote(data, sample_weight, None)
    return data.take(evenly_spaced(len(data), SAMPLE_SIZE)), None


def _families(families: Any) -> Sequence[Any]:
    if families is None or isinstance(families, Family | str):
        return [families]
    try:
        several = [] if isinstance(families, range) else list(families)
    except TypeError:
        several = []
    if not several:
        raise ValueError(
            f"families must be a family such as Gaussian(), or several of these, not"
            f" {shown(families)}."
        )
    return several


def _check_folds(folds: int, n: int) -> None:
    check_count("folds", folds)
    if folds < 2:
        raise InputError(
            f"{marked('folds')} must be at least 2, as one fold at a time is left out."
        )
    if folds > n:
        raise InputError(f"{marked('folds', folds)} is more than the {n} observations there are.")


def _validated(comparison: Comparison, folds: int) -> Comparison:
    """Return the comparison with the cross-validated log-likelihood of all candidates."""
    X, y, sample_weight = comparison.data
    validated = []
    for one in comparison:
        observations, weights, _ = weigh(one.model._observe(X, y), sample_weight)
        with one.model._workers() as workers:
            data = TrainingData(observations, weights)
            score = cross_validate(one.model._state, data, folds, workers, one.model.max_iter)
        validated.append(replace(one, cross_validated=score))
    return replace(comparison, candidates=validated)
