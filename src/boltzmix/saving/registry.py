"""The classes that model files may name: those of boltzmix, kernels, and those handed to load.

A family, or a record that a family holds, needs no entry here: a model file may have every public
class in the modules of families that is a family, a dataclass or a named tuple, by its name, and
every recipe that `boltzmix.learning` exports.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from inspect import isabstract
from typing import Any

from scipy import stats
from sklearn.gaussian_process import kernels

from .. import families, learning
from ..comparison import Candidate, Comparison
from ..data import Design, shown
from ..families import adapters, columns, covariance, distributions, mixed, regression, shared
from ..families.catalogue import classes_in, families_in
from ..families.contract.background import Background
from ..families.contract.bank import Summaries
from ..families.contract.gate import Gate
from ..families.covariance.covariance import COVARIANCES, Covariance
from ..learning import (
    AgreementCurve,
    AutoSettings,
    History,
    MixtureState,
    Move,
    Problem,
    Recipe,
    Stream,
    Trial,
)
from .probe import Probe

NOT_SAVED: Mapping[type, str] = {
    families.SklearnFamily: (
        "it holds an estimator of scikit-learn, which only a pickle could keep, and model files"
        " hold no code: use joblib.dump for yourself, or another family"
    ),
    families.FunctionFamily: (
        "it holds functions, and model files hold no code: write the family as a class derived"
        " from boltzmix.families.Family, and hand the class to load"
    ),
}
LEARNING_RECORDS = (
    *(AgreementCurve, AutoSettings, History, MixtureState, Move, Problem, Stream, Trial),
)
MODEL_RECORDS = (
    *LEARNING_RECORDS,
    *(Background, Candidate, Comparison, Design, Gate, Probe, Summaries),
)
KERNELS = (
    kernels.RBF,
    kernels.ConstantKernel,
    kernels.DotProduct,
    kernels.ExpSineSquared,
    kernels.Exponentiation,
    kernels.Matern,
    kernels.PairwiseKernel,
    kernels.Product,
    kernels.RationalQuadratic,
    kernels.Sum,
    kernels.WhiteKernel,
)


HOMES = (columns, covariance, distributions, mixed, regression, shared)  # of families and records


def _is_record(kind: type) -> bool:
    """Return whether a class is a dataclass or a named tuple, which its fields determine."""
    return is_dataclass(kind) or (issubclass(kind, tuple) and hasattr(kind, "_fields"))


def _own_classes() -> Iterator[type]:
    """Yield the families and records of boltzmix."""
    defined = (kind for package in HOMES for kind in classes_in(package))
    exported = (getattr(learning, name) for name in learning.__all__)
    recipes = (kind for kind in exported if isinstance(kind, type) and issubclass(kind, Recipe))
    for kind in (*defined, *families_in(adapters), *recipes, *MODEL_RECORDS):
        if kind in NOT_SAVED or isabstract(kind):
            continue
        if issubclass(kind, families.Family) or _is_record(kind):
            yield kind


def _by_name(kinds: Iterable[type]) -> dict[str, type]:
    """Return classes by their names, of which no two may be the same."""
    named: dict[str, type] = {}
    for kind in kinds:
        if named.setdefault(kind.__name__, kind) is not kind:
            raise TypeError(
                f"{kind.__module__} and {named[kind.__name__].__module__} both have a class"
                f" {kind.__name__}, and model files name classes: rename one of them."
            )
    return named


CLASSES: Mapping[str, type] = {
    **_by_name(_own_classes()),
    **{f"kernel {one.__name__}": one for one in KERNELS},
}
NAMES: Mapping[type, str] = {kind: name for name, kind in CLASSES.items()}


def own_name(kind: type) -> str:
    """Return the name in model files of a class of the user's."""
    return f"own {kind.__name__}"


def known_classes(handed_over: Iterable[type]) -> dict[str, type]:
    """Return the classes that a file may name, with those that the user has handed over."""
    own = {}
    for kind in handed_over:
        if not isinstance(kind, type) or not issubclass(kind, families.Family):
            raise ValueError(
                "families must be classes derived from boltzmix.families.Family, as in"
                f" families=[MyFamily], not {shown(kind)}."
            )
        own[own_name(kind)] = kind
    return {**CLASSES, **own}


def is_distribution(value: object) -> bool:
    """Return whether a value is a distribution of scipy.stats, or a class like its newer ones."""
    methods = ("logpdf", "logpmf", "icdf", "support", "sample")
    return isinstance(value, stats.rv_continuous | stats.rv_discrete) or (
        isinstance(value, type) and all(hasattr(value, one) for one in methods)
    )


def distribution_name(distribution: Any) -> str:
    """Return the name of a distribution in scipy.stats."""
    for name in (getattr(distribution, "name", None), getattr(distribution, "__name__", None)):
        if name in stats.__all__ and getattr(stats, name) is distribution:
            return str(name)
    raise ValueError(
        "ScipyFamily cannot be saved: scipy.stats has no distribution of its own that is"
        f" {distribution!r}, and model files hold no code; use one that it has."
    )


def distribution_named(name: object) -> Any:
    """Return the distribution of scipy.stats with this name."""
    found = getattr(stats, name) if name in stats.__all__ else None
    if not is_distribution(found):
        raise ValueError(f"scipy.stats has no distribution {name!r}")
    return found


def covariance_name(shape: Covariance) -> str:
    """Return the name of a shape of covariances."""
    return next(name for name, known in COVARIANCES.items() if known.letters == shape.letters)
