"""Checks of what users pass in: sample weights, labels, seeds, counts and columns."""

import warnings
from collections.abc import Sequence
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np

from .data import (
    DATA,
    MOST_COUNT,
    MOST_SAMPLES,
    BoolArray,
    ColumnSource,
    Data,
    Design,
    FloatArray,
    InputError,
    IntArray,
    Regression,
    Remote,
    Sequences,
    WithCovariates,
    are_dependent,
    as_array,
    as_known,
    counted,
    is_whole,
    marked,
    shown,
    without_covariates,
)
from .families import Family

MOST_NUMBERS = 10_000  # of components to choose from
NEGLIGIBLE_WEIGHT = 1e-30  # relative to the largest, below which an observation is left out


def observe(family: Family, X: object, y: object = None) -> Data:
    """Read what a user passed as the data of a family, wherever they are.

    Dask collections and folders of Parquet files stay where they are.
    """
    if isinstance(X, WithCovariates):
        return X
    if isinstance(X, Remote):
        return family.observe(X, y)
    if not hasattr(X, "__dask_graph__") and not isinstance(X, str | Path):
        data = family.observe(as_known(X), y)
        return data.in_blocks(X.block_sizes) if isinstance(X, Data) else data
    try:
        from .distributed import read_collection
    except ImportError:
        raise ImportError(
            "X is a Dask collection or a path, which needs Dask: pip install"
            " 'dask[array,dataframe]' distributed pyarrow."
        ) from None
    return read_collection(X, y, family)


def design_of(membership: object, X: object, covariates: object) -> Design:
    """Read which covariates membership depends on, and the categories in them."""
    if hasattr(X, "__dask_graph__") or isinstance(X, str | Path | Remote):
        raise InputError(
            "membership was given, but cannot be used with a Dask collection or a path: pass"
            f" {DATA} as a"
            " frame in memory."
        )
    if isinstance(membership, range | list | tuple) and len(membership) > MOST_NUMBERS:
        raise ValueError(
            f"membership is {shown(membership)}, and must name columns, as in 'age + sex'."
        )
    if covariates is not None:
        return Design.of(membership, covariates, "covariates")
    X = as_known(X)
    if not hasattr(X, "shape") or len(X.shape) != 2:
        raise InputError(
            f"membership names covariates, but {DATA} is no frame or array that has them: pass them"
            " apart, one row for each observation, as in fit(X, covariates=frame)."
        )
    return Design.of(membership, X)


def observe_with_covariates(
    family: Family, X: object, y: object, design: Design, covariates: object = None
) -> WithCovariates:
    """Read observations and the covariates of their membership.

    Covariates that are columns of X are no features, unless X has the inputs of a regression.
    """
    if isinstance(X, WithCovariates):
        return X
    if covariates is not None:
        return WithCovariates.of(observe(family, X, y), design, covariates, "covariates")
    X = as_known(X)
    is_regression = issubclass(family.observes, Regression)
    features = X if is_regression else ColumnSource.of(X).without(design.columns)
    return WithCovariates.of(observe(family, features, y), design, X)


def check_covariates(data: Any, n_components: int) -> None:
    """Raise if covariates are constant, or have more coefficients than there are observations."""
    n, q = data.covariates.shape
    spreads = np.ptp(data.covariates[:, 1:], axis=0)
    if (spreads == 0).any():
        name = data.design.names[int(np.argmin(spreads))]
        raise ValueError(
            f"The covariate {shown(name)} of membership has the same value in every row, so it"
            " tells"
            " nothing about components: leave it out."
        )
    if q * (n_components - 1) >= n:
        raise ValueError(
            f"membership has {q * (n_components - 1)} coefficients for {n_components} components,"
            f" but there are only {n} {data.noun}: use fewer covariates or components."
        )


def check_remote(data: Data, sample_weight: object, labels: object) -> None:
    """Raise if remote data come with sample weights or known labels."""
    for name, given in (("sample_weight", sample_weight), ("labels", labels)):
        if given is not None and isinstance(data, Remote):
            raise InputError(
                f"{name} was given, but cannot be used with a Dask collection or a path: leave it"
                f" out, or pass {DATA} as an array in memory."
            )


def weigh(data: Data, sample_weight: object) -> tuple[Data, FloatArray | None, BoolArray | slice]:
    """Check sample weights, scale them to a mean of one, and leave out observations without any.

    Returns
    -------
    data : the observations with weight
    weights : array, or None if all weigh the same
    has_weight : which of all observations these are, as a mask or slice
    """
    if sample_weight is None:
        return data, None, slice(None)
    weights = read_weights(sample_weight, len(data))
    weights = weights / weights.max()
    positive = weights > NEGLIGIBLE_WEIGHT
    if positive.all():
        return data, weights / weights.mean(), slice(None)
    return data.take(positive), weights[positive] / weights[positive].mean(), positive


def read_weights(sample_weight: object, n: int) -> FloatArray:
    """Check sample weights, one for each of n observations, or one number for all of them."""
    given = as_array(sample_weight, "sample_weight", "an array of numbers")
    if given.shape not in ((), (n,)):
        raise ValueError(
            f"sample_weight must have one weight per observation (shape ({n},)), not shape"
            f" {given.shape}."
        )
    try:
        with np.errstate(over="ignore"):
            weights = given.astype(float) if given.dtype.kind in "biufO" else None
    except (TypeError, ValueError, OverflowError):
        weights = None
    if weights is None:
        raise ValueError("sample_weight must hold numbers only.")
    if weights.ndim == 0:
        weights = np.full(n, float(weights))
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError("sample_weight must be finite and not negative.")
    if not weights.any():
        raise ValueError("sample_weight is zero for every observation: some weight is needed.")
    return weights


def read_labels(labels: object, n: int, n_components: int) -> IntArray | None:
    """Check known labels, one for each of n observations: a component, or -1 where unknown.

    Returns None where nothing is known.
    """
    if labels is None:
        return None
    given = as_array(labels, "labels", "an array of whole numbers")
    if given.shape != (n,):
        raise ValueError(
            f"labels must have one label per observation (shape ({n},)), not shape {given.shape}."
        )
    if given.dtype.kind not in "iuf" or not np.isfinite(given).all() or (given % 1).any():
        raise ValueError(
            "labels must be whole numbers: the component of each observation, or -1 where it is"
            " not known."
        )
    if given.min() < -1 or given.max() >= n_components:
        raise InputError(
            f"labels must lie between 0 and {n_components - 1}, or be -1 where not known, but go"
            f" from {given.min():.0f} to {given.max():.0f}"
            f" ({marked('n_components', n_components)})."
        )
    return given.astype(np.int32) if (given >= 0).any() else None


def check_enough_unknown(known: IntArray | None, family: Family, n_components: int) -> None:
    """Raise if known labels leave some component too few observations to be fitted."""
    if known is None:
        return
    possible = np.bincount(known[known >= 0], minlength=n_components) + (known < 0).sum()
    fewest = int(possible.argmin())
    if possible[fewest] < family.min_observations:
        raise ValueError(
            f"labels leave component {fewest} at most {possible[fewest]} observation(s), but"
            f" {family.name} needs {family.min_observations}: use fewer components, or leave more"
            " labels unknown (-1)."
        )


def check_options(n_jobs: object, verbose: object, noise: object) -> None:
    """Raise unless these are as `Mixture` has them."""
    if n_jobs is not None and not (is_whole(n_jobs, -MOST_COUNT) and n_jobs != 0):
        raise ValueError(
            f"n_jobs must be None or a whole number other than zero, not {shown(n_jobs)}."
        )
    is_function = callable(verbose) and not isinstance(verbose, type)
    if not isinstance(verbose, Integral) and not is_function:
        raise ValueError(f"verbose must be a whole number or a function, not {shown(verbose)}.")
    if not isinstance(noise, bool | np.bool_):
        raise ValueError(
            f"noise must be True or False, not {shown(noise)}: how much noise there is, is learned."
        )


def check_size(data: Data, n_components: int) -> None:
    """Raise if there are no observations, or fewer than components."""
    n = len(data)
    if n == 0:
        raise InputError(f"{DATA} is empty: there is nothing to learn from.")
    if n_components > n:
        raise InputError(
            f"{marked('n_components', n_components)} is more than the"
            f" {marked('n_samples = ' + counted(n, 'observation'))} of {DATA}: use at most"
            f" {n}{_on_one_sequence(data)}."
        )


def _on_one_sequence(data: Data) -> str:
    """Say how to pass several sequences, if there is one, which may have been several rows."""
    if not isinstance(data, Sequences) or len(data) > 1:
        return ""
    return (
        ", or pass several sequences as a list of arrays; one array is one sequence (if its rows"
        " are series, use Sequences.from_padded(X[:, :, None]))"
    )


def check_n_samples(n_samples: Any) -> None:
    """Raise unless at least one observation is to be drawn, with scikit-learn's first words."""
    if not is_whole(n_samples, most=MOST_SAMPLES):
        raise ValueError(
            f"Invalid value for 'n_samples': it must be a whole number of at least 1, and at most"
            f" {MOST_SAMPLES:,}, not {shown(n_samples)}."
        )


def read_numbers(n_components: Any) -> tuple[int, ...] | None:
    """Read one or several numbers of components, in ascending order; None where any is possible."""
    if isinstance(n_components, str) and n_components == "auto":
        return None
    given: Any = n_components
    if isinstance(given, Integral):
        given = (given,)
    is_list = isinstance(given, list | tuple | set | range | np.ndarray)
    is_list = is_list and getattr(given, "ndim", 1) == 1
    numbers = [*given] if is_list and len(given) <= MOST_NUMBERS else []
    if not numbers or not all(map(is_whole, numbers)):
        raise InputError(
            f"{marked('n_components')} must be a whole number of at least 1, several of these such"
            f" as range(1, 10), or 'auto', not {shown(n_components)}."
        )
    return tuple(sorted({*map(int, numbers)}))


def as_seed(random_state: object) -> int:
    """Read a random state as a seed; None takes one from the system."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, Integral) and int(random_state) >= 0:
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    raise InputError(
        f"{marked('random_state')} must be None, a whole number of zero or more, or a NumPy"
        f" generator, not {shown(random_state)}."
    )


def check_log_densities(log_probs: FloatArray, first: int) -> None:
    """Raise if a log density (n, K) could not be computed; minus infinity is valid.

    Parameters
    ----------
    log_probs : array, shape (n, K)
    first : int
        Number of the first observation.
    """
    computed = log_probs < np.inf
    if not computed.all():
        number = first + int(np.argmin(computed.all(axis=1)))
        raise InputError(
            f"The log density of observation {number} of {DATA} cannot be computed in double"
            " precision, because it lies too far from all observations of the fit: leave it out."
        )


def check_predictions(predictions: FloatArray) -> None:
    """Raise if a prediction (n, ...) could not be computed."""
    computed = np.isfinite(predictions).all(axis=tuple(range(1, predictions.ndim)))
    if not computed.all():
        raise InputError(
            f"The prediction of observation {int(np.argmin(computed))} of {DATA} cannot be computed"
            " in"
            " double precision, because it lies too far from all observations of the fit: leave it"
            " out."
        )


def remember_features(estimator: Any, data: Data) -> None:
    """Note the number and names of the columns an estimator is fitted to."""
    estimator.n_features_in_ = data.n_features
    if data.feature_names is not None:
        estimator.feature_names_in_ = np.array(data.feature_names, dtype=object)
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_


def check_features(estimator: Any, data: Data) -> None:
    """Check that data have the columns of the fit, with scikit-learn's messages."""
    fitted_names = getattr(estimator, "feature_names_in_", None)
    if fitted_names is not None and data.feature_names is None:
        warnings.warn(
            f"X does not have valid feature names, but {type(estimator).__name__} was fitted with"
            " feature names",
            UserWarning,
            stacklevel=3,
        )
    elif fitted_names is None and data.feature_names is not None:
        warnings.warn(
            f"X has feature names, but {type(estimator).__name__} was fitted without feature names",
            UserWarning,
            stacklevel=3,
        )
    elif fitted_names is not None and list(fitted_names) != list(data.feature_names or ()):
        raise ValueError(_describe_name_mismatch(fitted_names, data.feature_names or ()))
    if data.n_features != estimator.n_features_in_:
        expected = estimator.n_features_in_
        raise InputError(  # "1 features" is what scikit-learn's checks of estimators ask for
            f"{DATA} has {data.n_features} features, but {type(estimator).__name__} is expecting"
            f" {expected} feature{'s' * (expected != 1)} as input."
        )


def _describe_name_mismatch(fitted: Sequence[str], given: Sequence[str]) -> str:
    message = "The feature names should match those that were passed during fit.\n"
    unseen = sorted(set(given) - set(fitted))
    missing = sorted(set(fitted) - set(given))
    if unseen:
        message += "Feature names unseen at fit time:\n" + "".join(f"- {n}\n" for n in unseen)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + "".join(
            f"- {name}\n" for name in missing
        )
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message


def check_distinct(data: Data, n_components: int) -> None:
    """Raise if fewer observations are distinct than there are components."""
    distinct = data.count_distinct(n_components)
    if distinct < n_components:
        raise InputError(
            f"{marked('n_components', n_components)}, but only {distinct} of the {len(data)}"
            f" observations are distinct: use at most {distinct}."
        )


def explained(error: np.linalg.LinAlgError, data: Data) -> Exception:
    """Return an error of linear algebra with what to do; it names X only if that is why."""
    if are_dependent(without_covariates(data).numbers()):
        return InputError(
            f"A matrix that is fitted to {DATA} is singular in double precision, because columns of"
            f" {DATA} depend on each other or differ too much in scale: drop or rescale columns,"
            " raise the prior, ridge or floor of the family, or use fewer components."
        )
    return np.linalg.LinAlgError(
        f"{error}, while the mixture was learned, though columns of X do not depend on each"
        " other. Raise the prior, ridge or floor of the family, or use fewer components; if"
        " that does not help, this is a bug of the family."
    )
