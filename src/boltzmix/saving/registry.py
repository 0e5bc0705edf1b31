"""The classes that model files may name: boltzmix's own, kernels, and whatever load was handed."""

from collections.abc import Iterable, Mapping
from typing import Any

from scipy import stats
from sklearn.gaussian_process import kernels

from .. import families
from ..families import (
    adapters,
    exponential_family,
    factor_analyser,
    gaussian_holes,
    gaussian_process,
    hmm,
    linear_regression,
    moments,
    poisson,
    product,
    student_t,
    uniform,
)
from ..families.box import Box
from ..families.covariance import COVARIANCES, Covariance
from ..learning import (
    BEEM,
    CEM,
    DAEM,
    EM,
    SEM,
    SMEM,
    Baseline,
    History,
    Move,
    Moves,
    Stream,
    Swaps,
    Trial,
)
from .probe import Probe

REFUSED: Mapping[type, str] = {
    adapters.SklearnFamily: (
        "it holds an estimator of scikit-learn, which only a pickle could keep, and model files"
        " hold no code: use joblib.dump for yourself, or another family"
    ),
    adapters.FunctionFamily: (
        "it holds functions, and model files hold no code: write the family as a class derived"
        " from boltzmix.families.Family, and hand the class to load"
    ),
}
FAMILIES: tuple[type[families.Family], ...] = (
    *families.FAMILIES.values(),
    families.Product,
    families.ScipyFamily,
    Box,
)
RECORDS: Mapping[str, type] = {
    "CellMoments": gaussian_holes.CellMoments,
    "Ends": uniform.Ends,
    "Events": poisson.Events,
    "FactorScales": factor_analyser.Scales,
    "History": History,
    "Moments": moments.Moments,
    "Move": Move,
    "Paths": hmm.Paths,
    "Points": gaussian_process.Points,
    "Posterior": gaussian_process.Posterior,
    "Probe": Probe,
    "Projections": factor_analyser.Projections,
    "RegressionScales": linear_regression.Scales,
    "Stream": Stream,
    "Tails": student_t.Tails,
    "Together": product.Together,
    "Totals": exponential_family.Totals,
    "Trial": Trial,
}
RECIPES: tuple[type, ...] = (BEEM, CEM, DAEM, EM, SEM, SMEM, Baseline, Moves, Swaps)
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
CLASSES: Mapping[str, type] = {
    **{one.__name__: one for one in (*FAMILIES, *RECIPES)},
    **RECORDS,
    **{f"kernel {one.__name__}": one for one in KERNELS},
}
NAMES: Mapping[type, str] = {kind: name for name, kind in CLASSES.items()}


def own_name(kind: type) -> str:
    """Return what model files call a class of the user's."""
    return f"own {kind.__name__}"


def known_classes(handed_over: Iterable[type]) -> dict[str, type]:
    """Return the classes that a file may name, with those that the user has handed over."""
    own = {}
    for kind in handed_over:
        if not isinstance(kind, type) or not issubclass(kind, families.Family):
            raise ValueError(
                "families must be classes derived from boltzmix.families.Family, as in"
                f" families=[MyFamily], not {kind!r}."
            )
        own[own_name(kind)] = kind
    return {**CLASSES, **own}


def is_distribution(value: Any) -> bool:
    """Tell a distribution of scipy.stats, of either kind, or of a user's in the same manner."""
    methods = ("logpdf", "logpmf", "icdf", "support", "sample")
    return isinstance(value, stats.rv_continuous | stats.rv_discrete) or (
        isinstance(value, type) and all(hasattr(value, one) for one in methods)
    )


def distribution_name(distribution: Any) -> str:
    """Return the name by which scipy.stats knows a distribution."""
    for name in (getattr(distribution, "name", None), getattr(distribution, "__name__", None)):
        if name in stats.__all__ and getattr(stats, name) is distribution:
            return str(name)
    raise ValueError(
        "ScipyFamily cannot be saved: scipy.stats has no distribution of its own that is"
        f" {distribution!r}, and model files hold no code; use one that it has."
    )


def distribution_named(name: Any) -> Any:
    """Return a distribution of scipy.stats."""
    found = getattr(stats, name) if name in stats.__all__ else None
    if not is_distribution(found):
        raise ValueError(f"scipy.stats has no distribution {name!r}")
    return found


def covariance_name(shape: Covariance) -> str:
    """Return the name of a shape of covariances."""
    return next(name for name, known in COVARIANCES.items() if known is shape)
