"""What a component is: the contract, and one file per base distribution."""

from .base import AdditiveFamily, Bank, Family
from .categorical import Categorical
from .dirichlet import Dirichlet
from .factor_analyser import FactorAnalyser
from .gaussian import Gaussian
from .gaussian_process import GaussianProcess
from .hmm import HMM
from .linear_regression import LinearRegression
from .markov_chain import MarkovChain
from .multinomial import Multinomial
from .poisson import Poisson
from .student_t import StudentT
from .von_mises_fisher import VonMisesFisher

FAMILIES: dict[str, type[Family]] = {
    "categorical": Categorical,
    "dirichlet": Dirichlet,
    "factor-analyser": FactorAnalyser,
    "gaussian": Gaussian,
    "gp": GaussianProcess,
    "hmm": HMM,
    "linear-regression": LinearRegression,
    "markov-chain": MarkovChain,
    "multinomial": Multinomial,
    "poisson": Poisson,
    "student-t": StudentT,
    "von-mises-fisher": VonMisesFisher,
}

__all__ = [
    "FAMILIES",
    "HMM",
    "AdditiveFamily",
    "Bank",
    "Categorical",
    "Dirichlet",
    "FactorAnalyser",
    "Family",
    "Gaussian",
    "GaussianProcess",
    "LinearRegression",
    "MarkovChain",
    "Multinomial",
    "Poisson",
    "StudentT",
    "VonMisesFisher",
]
