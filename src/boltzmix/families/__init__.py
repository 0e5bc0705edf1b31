"""What a component is: the contract, and one file per base distribution."""

from .adapters import FunctionFamily, ScipyFamily, SklearnFamily
from .base import AdditiveFamily, Bank, Family
from .categorical import Categorical
from .gaussian import Gaussian
from .gaussian_process import GaussianProcess
from .hmm import HMM
from .linear_regression import LinearRegression
from .markov_chain import MarkovChain
from .poisson import Poisson

FAMILIES: dict[str, type[Family]] = {
    "categorical": Categorical,
    "gaussian": Gaussian,
    "gp": GaussianProcess,
    "hmm": HMM,
    "linear-regression": LinearRegression,
    "markov-chain": MarkovChain,
    "poisson": Poisson,
}

__all__ = [
    "FAMILIES",
    "HMM",
    "AdditiveFamily",
    "Bank",
    "Categorical",
    "Family",
    "FunctionFamily",
    "Gaussian",
    "GaussianProcess",
    "LinearRegression",
    "MarkovChain",
    "Poisson",
    "ScipyFamily",
    "SklearnFamily",
]
