"""What a component is: the contract, and one file per base distribution."""

from .adapters import FunctionFamily, ScipyFamily, SklearnFamily
from .base import AdditiveFamily, Bank, Family
from .bernoulli import Bernoulli
from .beta import Beta
from .categorical import Categorical
from .description import Chain, ColumnDescription, Curve, Description, Ellipse, Part
from .dirichlet import Dirichlet
from .exponential import Exponential
from .factor_analyser import FactorAnalyser
from .gamma import Gamma
from .gaussian import Gaussian
from .gaussian_process import GaussianProcess
from .geometric import Geometric
from .hmm import HMM
from .laplace import Laplace
from .linear_regression import LinearRegression
from .log_normal import LogNormal
from .markov_chain import MarkovChain
from .multinomial import Multinomial
from .negative_binomial import NegativeBinomial
from .poisson import Poisson
from .product import Automatic, Product
from .student_t import StudentT
from .uniform import Uniform
from .von_mises import VonMises
from .von_mises_fisher import VonMisesFisher
from .weibull import Weibull

FAMILIES: dict[str, type[Family]] = {
    "auto": Automatic,
    "bernoulli": Bernoulli,
    "beta": Beta,
    "categorical": Categorical,
    "dirichlet": Dirichlet,
    "exponential": Exponential,
    "factor-analyser": FactorAnalyser,
    "gamma": Gamma,
    "gaussian": Gaussian,
    "geometric": Geometric,
    "gp": GaussianProcess,
    "hmm": HMM,
    "laplace": Laplace,
    "linear-regression": LinearRegression,
    "log-normal": LogNormal,
    "markov-chain": MarkovChain,
    "multinomial": Multinomial,
    "negative-binomial": NegativeBinomial,
    "poisson": Poisson,
    "student-t": StudentT,
    "uniform": Uniform,
    "von-mises": VonMises,
    "von-mises-fisher": VonMisesFisher,
    "weibull": Weibull,
}

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
    "Exponential",
    "FactorAnalyser",
    "Family",
    "FunctionFamily",
    "Gamma",
    "Gaussian",
    "GaussianProcess",
    "Geometric",
    "Laplace",
    "LinearRegression",
    "LogNormal",
    "MarkovChain",
    "Multinomial",
    "NegativeBinomial",
    "Part",
    "Poisson",
    "Product",
    "ScipyFamily",
    "SklearnFamily",
    "StudentT",
    "Uniform",
    "VonMises",
    "VonMisesFisher",
    "Weibull",
]
