"""The classes that files may name, by identifiers which stay the same when a class is renamed.

A class has an identifier in `IDENTIFIERS`, and files contain these. After a class was renamed, put
its new name there, and leave the identifier as it is; after a field was renamed, add a line to
`RENAMED_FIELDS`. A new family, recipe or record of a family needs a line of its own, for which a
test asks. A family of the user has the name of its class, which the user passes to `load`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from inspect import isabstract

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
KERNELS: Mapping[str, type] = {  # of scikit-learn
    "kernel-rbf": kernels.RBF,
    "kernel-constant": kernels.ConstantKernel,
    "kernel-dot-product": kernels.DotProduct,
    "kernel-exp-sine-squared": kernels.ExpSineSquared,
    "kernel-exponentiation": kernels.Exponentiation,
    "kernel-matern": kernels.Matern,
    "kernel-pairwise": kernels.PairwiseKernel,
    "kernel-product": kernels.Product,
    "kernel-rational-quadratic": kernels.RationalQuadratic,
    "kernel-sum": kernels.Sum,
    "kernel-white": kernels.WhiteKernel,
}
IDENTIFIERS: Mapping[str, str] = {  # of classes of boltzmix, with their present names
    # estimators
    "gaussian-mixture": "GaussianMixture",
    "mixture": "Mixture",
    # families
    "automatic": "Automatic",
    "bernoulli": "Bernoulli",
    "beta": "Beta",
    "box": "Box",
    "categorical": "Categorical",
    "dirichlet": "Dirichlet",
    "ellipsoid": "Ellipsoid",
    "exponential": "Exponential",
    "factor-analyser": "FactorAnalyser",
    "gamma": "Gamma",
    "gamma-regression": "GammaRegression",
    "gaussian": "Gaussian",
    "gaussian-process": "GaussianProcess",
    "generalised-linear": "GeneralisedLinear",
    "geometric": "Geometric",
    "growth-curve": "GrowthCurve",
    "hmm": "HMM",
    "laplace": "Laplace",
    "linear-regression": "LinearRegression",
    "log-normal": "LogNormal",
    "logarithms": "Logarithms",
    "logistic-regression": "LogisticRegression",
    "markov-chain": "MarkovChain",
    "multinomial": "Multinomial",
    "negative-binomial": "NegativeBinomial",
    "negative-binomial-regression": "NegativeBinomialRegression",
    "poisson": "Poisson",
    "poisson-regression": "PoissonRegression",
    "product": "Product",
    "robust-gaussian": "RobustGaussian",
    "scipy-family": "ScipyFamily",
    "student-t": "StudentT",
    "uniform": "Uniform",
    "von-mises": "VonMises",
    "von-mises-fisher": "VonMisesFisher",
    "weibull": "Weibull",
    "zero-inflated-log-normal": "ZeroInflatedLogNormal",
    # what families are made of
    "cell-moments": "CellMoments",
    "chains": "Chains",
    "choice": "ChainCandidate",
    "chosen": "Chosen",
    "chosen-columns": "ChosenColumns",
    "chosen-families": "ChosenFamilies",
    "coefficients": "Coefficients",
    "column-scales": "ColumnScales",
    "constraint": "Constraint",
    "dense-posterior": "DensePosterior",
    "effects": "Effects",
    "ends": "Ends",
    "events": "Events",
    "expected": "Expected",
    "factor-scales": "FactorScales",
    "forward-pass": "ForwardPass",
    "fourier-posterior": "FourierPosterior",
    "fourier-statistics": "FourierStatistics",
    "fourier-sums": "FourierSums",
    "frequencies": "Frequencies",
    "growth-scales": "GrowthScales",
    "hidden-chain": "HiddenChain",
    "inducing-posterior": "InducingPosterior",
    "kernel-curve": "KernelCurve",
    "learned": "Learned",
    "limits": "Limits",
    "moments": "Moments",
    "numeric-block": "NumericBlock",
    "outcomes": "Outcomes",
    "own": "Own",
    "paths": "Paths",
    "patterns": "Patterns",
    "points": "Points",
    "pooled-covariance": "PooledCovariance",
    "pooled-noise": "PooledNoise",
    "products": "Products",
    "projections": "Projections",
    "projector": "Projector",
    "pseudo-counts": "PseudoCounts",
    "regression-columns": "RegressionColumns",
    "regression-scales": "RegressionScales",
    "side-by-side": "SideBySide",
    "smoothed": "Smoothed",
    "spectrum": "Spectrum",
    "spline-basis": "SplineBasis",
    "state-space": "StateSpace",
    "state-space-posterior": "StateSpacePosterior",
    "steps": "Steps",
    "summary": "Summary",
    "tail-moments": "TailMoments",
    "tallies": "Tallies",
    "term": "Term",
    "terms": "Terms",
    "totals": "Totals",
    # recipes
    "alternatives": "Alternatives",
    "baseline": "Baseline",
    "beem": "BEEM",
    "cem": "CEM",
    "daem": "DAEM",
    "em": "EM",
    "moves": "Moves",
    "on-sample": "OnSample",
    "sem": "SEM",
    "smem": "SMEM",
    "swaps": "Swaps",
    "tracks": "Tracks",
    "with-prior": "WithPrior",
    # mixtures, and how they were learned
    "agreement-curve": "AgreementCurve",
    "auto-settings": "AutoSettings",
    "background": "Background",
    "candidate": "Candidate",
    "comparison": "Comparison",
    "design": "Design",
    "gate": "Gate",
    "history": "History",
    "mixture-state": "MixtureState",
    "move": "Move",
    "probe": "Probe",
    "problem": "Problem",
    "stream": "Stream",
    "summaries": "Summaries",
    "trial": "Trial",
    # checkpoints only: states of a fit
    "ended": "Ended",
    "found": "Found",
    "function-family": "FunctionFamily",
    "functions": "Functions",
    "progress": "CallRecord",
    "state": "State",
    "step-columns": "StepColumns",
    # checkpoints only: banks
    "bank": "Bank",
    "bernoulli-bank": "BernoulliBank",
    "categorical-bank": "CategoricalBank",
    "cell-bank": "CellBank",
    "columns-bank": "ColumnsBank",
    "elliptical-bank": "EllipticalBank",
    "exponential-bank": "ExponentialBank",
    "gaussian-bank": "GaussianBank",
    "generalised-linear-bank": "GeneralisedLinearBank",
    "growth-curve-bank": "GrowthCurveBank",
    "hmm-bank": "HMMBank",
    "joint-bank": "JointBank",
    "linear-regression-bank": "LinearRegressionBank",
    "logarithms-bank": "LogarithmsBank",
    "negative-binomial-bank": "NegativeBinomialBank",
    "poisson-bank": "PoissonBank",
    "pooled-noise-bank": "PooledNoiseBank",
    "product-bank": "ProductBank",
    "separate-hmm-bank": "SeparateHMMBank",
    "student-t-bank": "StudentTBank",
}
RENAMED_FIELDS: dict[tuple[str, str], str] = {}  # (identifier, field in old files): field now


HOMES = (columns, covariance, distributions, mixed, regression, shared)  # of families and records


def _is_record(kind: type) -> bool:
    """Return whether a class is a dataclass or a named tuple, which its fields determine."""
    return is_dataclass(kind) or (issubclass(kind, tuple) and hasattr(kind, "_fields"))


def saved_classes() -> Iterator[type]:
    """Yield the families, recipes and records of boltzmix, each of which has an identifier."""
    defined = (kind for package in HOMES for kind in classes_in(package))
    exported = (getattr(learning, name) for name in learning.__all__)
    recipes = (kind for kind in exported if isinstance(kind, type) and issubclass(kind, Recipe))
    for kind in (*defined, *families_in(adapters), *recipes, *MODEL_RECORDS):
        if kind in NOT_SAVED or isabstract(kind):
            continue
        if issubclass(kind, families.Family) or _is_record(kind):
            yield kind


def identified(kinds: Iterable[type]) -> dict[str, type]:
    """Return classes by their identifiers, without those that have none."""
    named: dict[str, type] = {}
    for kind in kinds:
        if named.setdefault(kind.__name__, kind) is not kind:
            raise TypeError(
                f"{kind.__module__} and {named[kind.__name__].__module__} both have a class"
                f" {kind.__name__}: rename one of them, as files can have only one of each name."
            )
    return {one: named[name] for one, name in IDENTIFIERS.items() if name in named}


CLASSES: Mapping[str, type] = {**identified(saved_classes()), **KERNELS}
NAMES: Mapping[type, str] = {kind: identifier for identifier, kind in CLASSES.items()}


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


def distribution_name(distribution: object) -> str:
    """Return the name of a distribution in scipy.stats."""
    for name in (getattr(distribution, "name", None), getattr(distribution, "__name__", None)):
        if name in stats.__all__ and getattr(stats, name) is distribution:
            return str(name)
    raise ValueError(
        "ScipyFamily cannot be saved: scipy.stats has no distribution of its own that is"
        f" {distribution!r}, and model files hold no code; use one that it has."
    )


def distribution_named(name: object) -> object:
    """Return the distribution of scipy.stats with this name."""
    found = getattr(stats, name) if name in stats.__all__ else None
    if not is_distribution(found):
        raise ValueError(f"scipy.stats has no distribution {name!r}")
    return found


def covariance_name(shape: Covariance) -> str:
    """Return the name of a shape of covariances."""
    return next(name for name, known in COVARIANCES.items() if known.letters == shape.letters)
