"""Families with random settings, and which data suit each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import stats
from sklearn.gaussian_process.kernels import RBF, ExpSineSquared, Matern, WhiteKernel
from sklearn.mixture import GaussianMixture as PlainGaussianMixture
from sklearn.neighbors import KernelDensity

from boltzmix import GaussianMixture, Mixture, families

from .dice import Dice

SHAPES = (
    "full", "tied", "diag", "spherical", "EII", "EEI", "VEI", "EVI", "VEE", "EVE", "VVE", "EEV",
    "VEV", "EVV",
)  # fmt: skip
RIDGES = (1e-4, 1e-12, 0.1, 1.0, 0.0)
PRIORS = (0, 0.0, 1.0, 20.0, 1e6, 1e-9)
FLOORS = (1e-4, 0.01, 0.5, 1.0, 1e-9)
INVALID = (-1.0, float("nan"), float("inf"), "x", None, [1.0], 0)
ELLIPTICAL = {
    "covariance": SHAPES,
    "ridge": RIDGES,
    "prior": PRIORS,
    "resolution": ("auto", None, 0.5, 0.0),
}
GENERALISED = {"degree": (1, 2, 3), "ridge": (1e-6, 1.0, 0.0)}
HARDLY = 0.3  # probability that a setting is given


def weighted_mean(rows: Any, weights: Any) -> Any:
    """Return the mean of rows, for a family made of functions."""
    return np.average(rows, axis=0, weights=weights)


def unit_log_prob(rows: Any, mean: Any) -> Any:
    """Return the log density of a Gaussian of unit variance."""
    return (-((rows - mean) ** 2) / 2 - np.log(2 * np.pi) / 2).sum(axis=1)


@dataclass(frozen=True)
class Template:
    """A family whose settings are drawn at random.

    Parameters
    ----------
    make : class or function
        Returns the family, given settings by name.
    draw : str
        Which numbers suit it: a name in `values.DRAWS`.
    kind : {"table", "frame", "sequences", "regression", "trajectories"}
    settings : mapping of name to sequence
        Valid values of each setting.
    fixed : mapping
        Settings that are always given.
    columns : sequence of int
        How many columns the data may have.
    is_estimator : bool
        Whether it makes the whole mixture, and not only its family.
    """

    make: Any
    draw: str = "real"
    kind: str = "table"
    settings: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    columns: Sequence[int] = (1, 1, 2, 2, 3, 5)
    is_estimator: bool = False

    def settings_of(self, dice: Dice) -> dict[str, Any]:
        """Draw settings."""
        found = {**self.fixed, **dice.some(self.settings, HARDLY)}
        if self.settings and dice.hostile_chance(0.03):
            found[dice.pick(list(self.settings))] = dice.pick(INVALID)
        return found


def scipy_template(draw: str, distribution: Any, **fixed: Any) -> Template:
    """Return the template of a distribution of scipy.stats, which has one column."""
    given = {"distribution": distribution, "fixed": fixed}
    return Template(families.ScipyFamily, draw, fixed=given, columns=(1, 1, 1, 1, 2))


def sklearn_template(estimator: Any) -> Template:
    """Return the template of an estimator of scikit-learn."""
    return Template(families.SklearnFamily, fixed={"estimator": estimator})


def hmm_template(draw: str, emission: Any) -> Template:
    """Return the template of a hidden Markov model."""
    settings = {
        "n_states": (1, 2, 3, None),
        "topology": (None, "ergodic", "left-right"),
        "n_steps": (1, 3),
        "prior": PRIORS,
    }
    return Template(families.HMM, draw, "sequences", settings, {"emission": emission})


TEMPLATES: dict[str, Template] = {
    "Default": Template(lambda: None),
    "GaussianMixture": Template(
        GaussianMixture,
        settings={
            "covariance_type": SHAPES,
            "reg_covar": (0.0, 1e-6, 1.0),
            "init_params": ("kmeans", "k-means++", "random", "random_from_data"),
            "max_iter": (1, 20),
            "tol": (0.0, 1e-3, 10.0),
            "n_components": (1, 2, 3, 4),
        },
        is_estimator=True,
    ),
    "Gaussian": Template(families.Gaussian, settings=ELLIPTICAL),
    "StudentT": Template(
        families.StudentT, settings={**ELLIPTICAL, "degrees": (None, 0.5, 3.0, 200.0, 1e9)}
    ),
    "RobustGaussian": Template(
        families.RobustGaussian, settings={**ELLIPTICAL, "outliers": (0.0, 0.01, 0.3)}
    ),
    "FactorAnalyser": Template(
        families.FactorAnalyser,
        settings={"n_factors": (1, 2, 4), "floor": FLOORS, "prior": PRIORS},
        columns=(2, 3, 5, 8),
    ),
    "Bernoulli": Template(families.Bernoulli, "binary", settings={"prior": PRIORS}),
    "Beta": Template(families.Beta, "fractions", settings={"floor": FLOORS}),
    "Categorical": Template(
        families.Categorical, "codes", settings={"prior": PRIORS, "n_categories": (4, 5, 2)}
    ),
    "Dirichlet": Template(families.Dirichlet, "compositions", settings={"floor": FLOORS}),
    "Exponential": Template(families.Exponential, "positive", settings={"floor": FLOORS}),
    "Gamma": Template(families.Gamma, "positive", settings={"floor": FLOORS}),
    "Geometric": Template(
        families.Geometric, "trials", settings={"floor": FLOORS, "prior": PRIORS}
    ),
    "Laplace": Template(families.Laplace, settings={"floor": FLOORS}),
    "LogNormal": Template(families.LogNormal, "positive", settings={"floor": FLOORS}),
    "Multinomial": Template(
        families.Multinomial, "counts", settings={"prior": PRIORS}, columns=(2, 2, 3, 5, 1)
    ),
    "NegativeBinomial": Template(families.NegativeBinomial, "counts", settings={"floor": FLOORS}),
    "Poisson": Template(families.Poisson, "counts", settings={"floor": FLOORS, "prior": PRIORS}),
    "Uniform": Template(families.Uniform, settings={"floor": FLOORS}),
    "VonMises": Template(families.VonMises, "angles", settings={"floor": FLOORS}),
    "VonMisesFisher": Template(families.VonMisesFisher, "directions", settings={"floor": FLOORS}),
    "Weibull": Template(families.Weibull, "positive", settings={"floor": FLOORS}),
    "Automatic": Template(lambda: "auto", kind="frame"),
    "Automatic of counts": Template(lambda: "auto", "counts"),
    "Product": Template(
        lambda: families.Product({0: families.Gaussian(), (1, 2): families.Poisson()}),
        "counts",
        columns=(3,),
    ),
    "Product of names": Template(
        lambda: families.Product({"column 0": families.Gamma(), "groups": families.Categorical()}),
        "positive",
        "frame",
    ),
    "HMM": hmm_template("real", None),
    "HMM of Gaussian": hmm_template("real", families.Gaussian("diag")),
    "HMM of Categorical": hmm_template("codes", families.Categorical()),
    "HMM of Poisson": hmm_template("counts", families.Poisson()),
    "HMM of Gamma": hmm_template("positive", families.Gamma()),
    "HMM of Student": hmm_template("real", families.StudentT()),
    "MarkovChain": Template(
        families.MarkovChain,
        "codes",
        "sequences",
        {"n_symbols": (4, 5, 2), "prior": PRIORS},
        columns=(1, 1, 1, 2),
    ),
    "GrowthCurve": Template(
        families.GrowthCurve,
        kind="trajectories",
        settings={
            "n_basis": (1, 2, 4, 6),
            "n_effects": (1, 2, 3),
            "prior": PRIORS,
            "floor": FLOORS,
            "n_steps": (1, 5),
        },
        columns=(1, 1, 2),
    ),
    "GaussianProcess": Template(
        families.GaussianProcess,
        kind="regression",
        settings={
            "kernel": (None, RBF(), Matern(), RBF() + WhiteKernel(), ExpSineSquared()),
            "noise": (0.1, 1e-12, 1e12),
            "n_steps": (0, 3),
            "held_out": (True, False),
            "learn_noise": (False,),
        },
        columns=(1, 1, 1, 2),
    ),
    "LinearRegression": Template(
        families.LinearRegression,
        kind="regression",
        settings={**GENERALISED, "floor": FLOORS, "prior": PRIORS},
    ),
    "LogisticRegression": Template(
        families.LogisticRegression, "binary", "regression", GENERALISED
    ),
    "PoissonRegression": Template(families.PoissonRegression, "counts", "regression", GENERALISED),
    "NegativeBinomialRegression": Template(
        families.NegativeBinomialRegression, "counts", "regression", GENERALISED
    ),
    "GammaRegression": Template(
        families.GammaRegression, "positive", "regression", {**GENERALISED, "floor": FLOORS}
    ),
    "scipy logistic": scipy_template("real", stats.logistic),
    "scipy t": scipy_template("real", stats.t),
    "scipy uniform": scipy_template("real", stats.uniform),
    "scipy gamma": scipy_template("positive", stats.gamma, loc=0),
    "scipy beta": scipy_template("fractions", stats.beta, loc=0, scale=1),
    "scipy nbinom": scipy_template("counts", stats.nbinom),
    "scipy binom": scipy_template("counts", stats.binom, n=40),
    "sklearn KernelDensity": sklearn_template(KernelDensity()),
    "sklearn GaussianMixture": sklearn_template(PlainGaussianMixture(2)),
    "sklearn Mixture": sklearn_template(Mixture(families.Gaussian("diag"), 2, algorithm="cem")),
    "Functions": Template(
        families.FunctionFamily,
        fixed={"fit": weighted_mean, "log_prob": unit_log_prob, "n_parameters": 2},
    ),
}


KINDS_OF_DATA = {
    "Sequences": "sequences",
    "Regression": "regression",
    "Trajectories": "trajectories",
}


def add_other_families(templates: dict[str, Template]) -> None:
    """Add a template of every family that has none, with whole numbers from one on as data."""
    known = {template.make for template in templates.values()}
    for kind in families.FAMILIES.values():
        if kind not in known and kind is not families.Automatic:
            data = KINDS_OF_DATA.get(getattr(kind.observes, "__name__", ""), "table")
            templates[kind.__name__] = Template(kind, "trials", data)


add_other_families(TEMPLATES)
