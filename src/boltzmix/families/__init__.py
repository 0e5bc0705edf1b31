"""Components of mixtures: the contract of families, and one file per base distribution.

- `contract`: all that learning knows of a family, and the background and the gate of a mixture
- `distributions`: one file per base distribution, and packages for the large ones
- `covariance`, `regression`, `columns`: what several of these share, by subject
- `mixed`: products of these, and logarithms, for tables with columns of different kinds
- `adapters`: families made of functions, estimators and distributions of others
- `named`, `settings`: families by their names, and with other settings
- `shared`: functions that families of every kind use
"""

from .adapters import FunctionFamily, ScipyFamily, SklearnFamily
from .contract.bank import Bank, Evaluation
from .contract.base import Family
from .contract.capabilities import AdditiveFamily, JointFamily, RegressionFamily
from .contract.description import Chain, ColumnDescription, Curve, Description, Ellipse, Part
from .contract.search_hints import SearchHints
from .distributions.bernoulli import Bernoulli
from .distributions.beta import Beta
from .distributions.categorical import Categorical
from .distributions.dirichlet import Dirichlet
from .distributions.exponential import Exponential
from .distributions.factor_analyser import FactorAnalyser
from .distributions.gamma import Gamma
from .distributions.gaussian import Gaussian
from .distributions.gaussian_process.gaussian_process import GaussianProcess
from .distributions.geometric import Geometric
from .distributions.growth_curve.growth_curve import GrowthCurve
from .distributions.hmm.hmm import HMM
from .distributions.laplace import Laplace
from .distributions.log_normal import LogNormal
from .distributions.markov_chain import MarkovChain
from .distributions.multinomial import Multinomial
from .distributions.negative_binomial import NegativeBinomial
from .distributions.poisson import Poisson
from .distributions.regressions.gamma_regression import GammaRegression
from .distributions.regressions.linear_regression import LinearRegression
from .distributions.regressions.logistic_regression import LogisticRegression
from .distributions.regressions.negative_binomial_regression import NegativeBinomialRegression
from .distributions.regressions.poisson_regression import PoissonRegression
from .distributions.robust_gaussian import RobustGaussian
from .distributions.student_t import StudentT
from .distributions.uniform import Uniform
from .distributions.von_mises import VonMises
from .distributions.von_mises_fisher import VonMisesFisher
from .distributions.weibull import Weibull
from .distributions.zero_inflated_log_normal import ZeroInflatedLogNormal
from .mixed import Automatic, Logarithms, Product
from .named_families import FAMILIES
from .shared.copies import replaced

for _kind in FAMILIES.values():
    globals()[_kind.__name__] = _kind  # the imports above are for type checkers

__all__ = [
    "FAMILIES",
    "HMM",
    "AdditiveFamily",
    "Automatic",
    "Bank",
    "Bernoulli",
    "Beta",
    "Categorical",
    "Chain",
    "ColumnDescription",
    "Curve",
    "Description",
    "Dirichlet",
    "Ellipse",
    "Evaluation",
    "Exponential",
    "FactorAnalyser",
    "Family",
    "FunctionFamily",
    "Gamma",
    "GammaRegression",
    "Gaussian",
    "GaussianProcess",
    "Geometric",
    "GrowthCurve",
    "JointFamily",
    "Laplace",
    "LinearRegression",
    "LogNormal",
    "Logarithms",
    "LogisticRegression",
    "MarkovChain",
    "Multinomial",
    "NegativeBinomial",
    "NegativeBinomialRegression",
    "Part",
    "Poisson",
    "PoissonRegression",
    "Product",
    "RegressionFamily",
    "RobustGaussian",
    "ScipyFamily",
    "SearchHints",
    "SklearnFamily",
    "StudentT",
    "Uniform",
    "VonMises",
    "VonMisesFisher",
    "Weibull",
    "ZeroInflatedLogNormal",
    "replaced",
]
__all__ += sorted({_kind.__name__ for _kind in FAMILIES.values()} - set(__all__))
