"""What a component is: the contract, and one file per base distribution."""

from .base import AdditiveFamily, Bank, Family
from .bernoulli import Bernoulli
from .beta import Beta
from .categorical import Categorical
from .exponential import Exponential
from .gamma import Gamma
from .gaussian import Gaussian
from .gaussian_process import GaussianProcess
from .geometric import Geometric
from .hmm import HMM
from .laplace import Laplace
from .linear_regression import LinearRegression
from .log_normal import LogNormal
from .markov_chain import MarkovChain
from .negative_binomial import NegativeBinomial
from .poisson import Poisson
from .uniform import Uniform
from .von_mises import VonMises
from .weibull import Weibull

FAMILIES: dict[str, type[Family]] = {
    "bernoulli": Bernoulli,
    "beta": Beta,
    "categorical": Categorical,
    "exponential": Exponential,
    "gamma": Gamma,
    "gaussian": Gaussian,
    "geometric": Geometric,
    "gp": GaussianProcess,
    "hmm": HMM,
    "laplace": Laplace,
    "linear-regression": LinearRegression,
    "log-normal": LogNormal,
    "markov-chain": MarkovChain,
    "negative-binomial": NegativeBinomial,
    "poisson": Poisson,
    "uniform": Uniform,
    "von-mises": VonMises,
    "weibull": Weibull,
}

__all__ = [
    "FAMILIES",
    "HMM",
    "AdditiveFamily",
    "Bank",
    "Bernoulli",
    "Beta",
    "Categorical",
    "Exponential",
    "Family",
    "Gamma",
    "Gaussian",
    "GaussianProcess",
    "Geometric",
    "Laplace",
    "LinearRegression",
    "LogNormal",
    "MarkovChain",
    "NegativeBinomial",
    "Poisson",
    "Uniform",
    "VonMises",
    "Weibull",
]
