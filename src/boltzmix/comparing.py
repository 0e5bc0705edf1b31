"""compare: mixtures of several families and numbers of components, fitted to the same data."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from numbers import Integral
from typing import Any

from .comparison import DEFAULT_CRITERION, Candidate, Comparison, check_criterion, cross_validate
from .data import Remote, check_count, evenly_spaced, shown
from .families import Family
from .inputs import as_seed, check_remote, observe, weigh
from .learning import DegenerateMixtureWarning, TrainingData
from .mixture import Mixture
from .views import describe_problems

SAMPLE_SIZE = 20_000  # observations of a Dask collection that are compared


def compare(
    X: Any,
    y: Any = None,
    *,
    families: Any = None,
    n_components: Any = "auto",
    criterion: str = DEFAULT_CRITERION,
    folds: int | None = None,
    sample_weight: Any = None,
    covariates: Any = None,
    **options: Any,
) -> Comparison:
    """Fit mixtures of several families and numbers of components, and compare them.

    The first family is fitted along a path over the numbers of components. The others begin with
    its responsibilities. The family that is best is then fitted along a path of its own, with a
    search at its best number, until the best candidate was found so.

    Parameters
    ----------
    X : array, frame or whatever the families take
        The observations. Of a Dask collection, a sample of 20,000, evenly spaced, is compared.
    y : array, optional
        The targets of families that have them.
    families : family, sequence of families or "auto", optional
        What components may be; `RobustGaussian()` unless given. A name such as "auto" is as of
        `Mixture`. For example, ``[Gaussian("full"), StudentT(), Gaussian("VEV")]``, or
        ``[HMM(2), HMM(3)]``.
    n_components : int, "auto" or several of int, default="auto"
        Numbers of components to compare for each family; "auto" goes on from one until more of
        them are no better.
    criterion : str, default="effective_icl"
        What `Comparison.best` goes by, and what decides which fit is searched most.
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
    found = [models[0]._candidates(*given[0], is_searched=len(models) == 1)]
    if len(models) > 1:
        begun = {one.n_components: one.model.predict_proba(*given[0][:2]) for one in found[0]}
        found += [
            model._candidates(*own, is_searched=False, begun=begun)
            for model, own in zip(models[1:], given[1:], strict=True)
        ]
        _search_best(models, found, given, criterion)
    comparison = Comparison(list(chain.from_iterable(found)), criterion, given[0])
    if folds is not None:
        comparison = _validated(comparison, folds)
    for sentence in describe_problems(comparison.best):
        warnings.warn(sentence, DegenerateMixtureWarning, stacklevel=2)
    return comparison


def _in_memory(model: Mixture, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any]:
    """Return a sample of a Dask collection, evenly spaced; other data as they are."""
    if model.membership is not None:
        return X, y
    data = observe(model._family(), X, y)
    if not isinstance(data, Remote):
        return X, y
    check_remote(data, sample_weight, None)
    return data.take(evenly_spaced(len(data), SAMPLE_SIZE)), None


def _search_best(
    models: Sequence[Mixture], found: list[list[Candidate]], given: Sequence[Any], criterion: str
) -> None:
    """Fit the best family again with a search, until the best one was searched."""
    searched: set[int] = set()

    def lowest(place: int) -> float:
        return min(one.criterion(criterion) for one in found[place])

    while (best := min(range(len(models)), key=lowest)) not in searched:
        searched.add(best)
        found[best] = _better(found[best], models[best]._candidates(*given[best]))


def _better(before: Sequence[Candidate], after: Sequence[Candidate]) -> list[Candidate]:
    """Return, for each number of components, the candidate with the higher objective."""
    best: dict[int, Candidate] = {}
    for one in (*after, *before):
        k = one.n_components
        if k not in best or one.model.lower_bound_ > best[k].model.lower_bound_:
            best[k] = one
    return [best[k] for k in sorted(best)]


def _families(families: Any) -> Sequence[Any]:
    if families is None or isinstance(families, Family | str):
        return [families]
    try:
        several = list(families)
    except TypeError:
        several = []
    if not several:
        raise ValueError(
            f"families must be a family such as Gaussian(), or several of these, not"
            f" {shown(families)}."
        )
    return several


def _check_folds(folds: Any, n: int) -> None:
    check_count("folds", folds)
    if folds < 2:
        raise ValueError("folds must be at least 2, as one fold at a time is left out.")
    if folds > n:
        raise ValueError(f"folds={folds} is more than the {n} observations there are.")


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
