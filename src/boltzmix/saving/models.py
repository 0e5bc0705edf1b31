"""Saving a fitted mixture to a file, and loading it."""

import warnings
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..comparison import Comparison
from ..data import read_path, read_terms, shortened, shown, split_sides
from ..families import Family
from ..families.named_families import settings_of
from ..fitted import FittedMixture
from ..learning import History, MixtureState, Problem, Stream
from .container import Container, ModelFileError, UnknownFamilyError, pack, unpack, write_whole
from .decoding import Decoder, UnknownClassError, matches
from .encoding import Encoder
from .probe import Probe
from .registry import identified

ATTRIBUTES: Mapping[str, Any] = {
    "history_": History,
    "n_iter_": int,
    "converged_": bool,
    "lower_bound_": float,
    "fit_time_": float | None,
    "seed_": int | None,
    "fit_arguments_": tuple[str, ...] | None,
    "labels_": np.ndarray,
    "component_labels_": np.ndarray,
    "clusters_": np.ndarray,
    "problems_": tuple[Problem, ...] | None,
    "n_features_in_": int,
    "feature_names_in_": np.ndarray | None,
    "comparison_": Comparison | None,
    "is_single": bool | None,
    "stream": Stream | None,
}
PRIVATE = {"is_single": "_is_single", "stream": "_stream"}  # attributes with other names than here
FITTED: Mapping[str, Any] = {"mixture": MixtureState, **ATTRIBUTES}
PACKAGES = ("boltzmix", "numpy", "scipy", "scikit-learn")


def save_model(
    model: FittedMixture, path: str | PathLike[str], about: Mapping[str, object] | None
) -> None:
    """Write a fitted mixture to a file, with notes."""
    check_is_fitted(model)
    _save(model, read_path("path", path), _read_about(about))


def _read_about(about: object) -> dict[str, object]:
    """Return what is saved beside a model."""
    if about is None:
        return {}
    if not isinstance(about, Mapping):
        raise TypeError(f"about must be a dict, such as {{'source': 'x.csv'}}, not {shown(about)}.")
    return dict(about)


def _read_families(families: Any) -> list[Any]:
    """Return the classes that a user passed to `load`; `Decoder` validates them."""
    is_list = isinstance(families, list | tuple | set | frozenset)
    return list(families) if is_list else [families]


def check_can_be_saved(family: Family) -> None:
    """Raise, before anything is fitted, if a model file cannot hold a family."""
    Encoder().encode(family, family.name)


def load_model(
    path: str | PathLike[str], estimators: Iterable[type], families: Iterable[type] = ()
) -> Any:
    """Read a model file; raise a `ModelFileError` if it is damaged, forged or too new.

    Parameters
    ----------
    path : str or path
    estimators : iterable of type
        The classes of estimators.
    families : iterable of type
        Families of the user, which the file may contain.
    """
    place, handed_over = read_path("path", path), _read_families(families)
    Decoder([], handed_over)
    if not place.is_file():
        raise ModelFileError(f"There is no file {shortened(repr(str(place))[1:-1], 300)}.")
    try:
        return _load(place, identified(estimators), handed_over)
    except ModelFileError:
        raise
    except UnknownClassError as error:
        raise UnknownFamilyError(place, str(error)) from None
    except PermissionError as error:
        raise ModelFileError(f"{place} could not be read: {error.strerror}.") from None
    except Exception as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise ModelFileError(
            f"{place} is damaged, or was not written by boltzmix: {reason:.200}."
        ) from None


def _save(model: FittedMixture, path: Path, about: dict[str, object]) -> None:
    kind, encoder = type(model), Encoder()
    known = identified([kind])
    if kind.__module__.partition(".")[0] != "boltzmix" or not known:
        raise ValueError(
            f"A {kind.__name__} cannot be saved, since load would not know the class: use"
            " Mixture or GaussianMixture itself."
        )
    content = {
        "estimator": next(iter(known)),
        "parameters": _parameters(model),
        "fitted": _fitted(model),
        "probe": Probe.of(model._mixture, model.n_features_in_),
        "about": about,
    }
    document = {"dict": [[key, encoder.encode(one, key)] for key, one in content.items()]}

    def write(draft: Path) -> None:
        pack(draft, Container(document, encoder.arrays, versions()))
        try:
            _load(draft, known, list(encoder.own))
        except Exception as error:
            raise ValueError(
                f"The model cannot be saved, because it could not be read back: {error}"
            ) from None

    write_whole(path, write)


def _load(path: Path, estimators: Mapping[str, type], families: list[type]) -> Any:
    file = unpack(path)
    decoder = Decoder(file.arrays, families)
    content = decoder.decode(file.model)
    if content["estimator"] not in estimators:
        raise ValueError(f"boltzmix has no estimator {content['estimator']!r}")
    _check_parameters(content["parameters"])
    model = estimators[content["estimator"]](**content["parameters"])
    model._check_parameters()
    fitted = {**dict.fromkeys(FITTED), **content["fitted"]}
    _check_fitted(fitted)
    mixture, n_features = fitted["mixture"], fitted["n_features_in_"]
    _check_formulas(model, mixture, fitted["feature_names_in_"])
    if content["probe"] is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            content["probe"].check(mixture, n_features)
    elif not families:
        raise ValueError("it has nothing by which to prove that it predicts as it did")
    known = {PRIVATE.get(name, name): fitted[name] for name in ATTRIBUTES}
    vars(model).update({name: value for name, value in known.items() if value is not None})
    model._set_mixture(mixture)
    model._set_clusters(fitted["clusters_"])
    model.about_ = dict(content["about"])
    model.written_by_ = decoder.decode({"dict": list(file.written_by.items())})
    return model


def _check_parameters(parameters: Mapping[str, object]) -> None:
    """Raise if a setting would let a later fit write a file, or call something."""
    if parameters.get("checkpoint") is not None:
        raise ValueError("it names a file that a fit would write, which no model file does")
    for name, value in parameters.items():
        if callable(value):
            raise ValueError(f"{name} cannot be something that is called")


def _check_formulas(model: FittedMixture, mixture: MixtureState, feature_names: Any) -> None:
    """Raise if a formula among the settings is not one that boltzmix can read."""
    names = [] if feature_names is None else [*feature_names]
    if mixture.gate is not None:
        names += mixture.gate.design.columns
    template = model.get_params(deep=False).get("family")
    families = [one for one in (template, *mixture.components) if isinstance(one, Family)]
    settings = [pair for one in families for pair in settings_of(one).items()]
    texts = [value for name, value in settings if name.rpartition("__")[2] == "formula"]
    for text in (*texts, model.membership):
        if isinstance(text, str) and (right := split_sides(text)[1].strip()) != ".":
            read_terms(right, names)


def _check_fitted(fitted: Mapping[str, Any]) -> None:
    """Raise if a fitted attribute has another type or shape than that of a mixture."""
    for name, hint in FITTED.items():
        if not matches(fitted[name], hint, object):
            raise ValueError(f"{name} cannot be {fitted[name]!r:.60}")
    mixture = fitted["mixture"]
    n_components, weights = len(mixture.bank), mixture.joint_weights
    is_whole = mixture.weights.shape == (n_components,) and abs(weights.sum() - 1) < 1e-6
    if not is_whole or not (weights >= 0).all():
        raise ValueError("its weights are not probabilities that sum to one")
    clusters = fitted["clusters_"]
    if clusters.shape != (n_components,) or clusters.dtype.kind != "i":
        raise ValueError("its clusters are not those of its components")
    n_clusters = len(np.unique(clusters))
    if clusters.min() != 0 or clusters.max() != n_clusters - 1:
        raise ValueError("its clusters are not numbered in turn")
    _check_labels(fitted["labels_"], n_clusters)
    _check_labels(fitted["component_labels_"], n_components)
    names, width = fitted["feature_names_in_"], fitted["n_features_in_"]
    if names is not None and (names.shape != (width,) or names.dtype != object):
        raise ValueError("its names of columns are too many or too few")
    if names is not None and not all(isinstance(one, str) for one in names):
        raise ValueError("its names of columns are no text")
    if fitted["comparison_"] is not None:
        _check_comparison(fitted["comparison_"], n_components)


def _check_labels(labels: np.ndarray, n_different: int) -> None:
    """Raise unless labels are whole numbers of clusters or components that there are."""
    if labels.ndim != 1 or labels.dtype.kind != "i" or len(labels) == 0:
        raise ValueError("its labels are no labels")
    if labels.min() < -1 or labels.max() >= n_different:
        raise ValueError("its labels are those of components that it does not have")


def _check_comparison(comparison: Comparison, n_components: int) -> None:
    """Raise unless a comparison is one without models and data that chose so many components."""
    if comparison.data is not None or any(one.model is not None for one in comparison):
        raise ValueError("its comparison holds models or data")
    numbers = [one.n_components for one in comparison]
    if n_components not in numbers or comparison.best_candidate().n_components != n_components:
        raise ValueError("its comparison chose another number of components")
    repr(comparison)  # which raises if its parts do not fit together


def _fitted(model: FittedMixture) -> dict[str, object]:
    comparison = model._comparison
    return {
        "mixture": model._mixture,
        **{name: getattr(model, PRIVATE.get(name, name), None) for name in ATTRIBUTES},
        "comparison_": None if comparison is None else comparison.without_models(),
    }


def _parameters(model: FittedMixture) -> dict[str, object]:
    """Return the parameters of the constructor; the name of those that cannot be stored."""
    return {name: _kept(name, value) for name, value in model.get_params(deep=False).items()}


def _kept(name: str, value: object) -> object:
    if name == "verbose" and callable(value):
        return 0
    if name == "checkpoint":  # the file is that of a fit, not of the model
        return None
    if isinstance(value, range | set | frozenset):
        value = sorted(value)
    if hasattr(value, "__array__") and not isinstance(value, np.generic | np.ndarray):
        value = np.asarray(value)
    try:
        Encoder().encode(value, name)
    except ValueError:
        if isinstance(value, Family):
            raise
        return f"{getattr(value, '__name__', None) or type(value).__name__} (not saved)"
    return value


def versions() -> dict[str, str]:
    """Return the versions of the packages that write files."""
    return {package: _version(package) for package in PACKAGES}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "unknown"
