"""Named algorithms: each only chooses the parts of the one loop.

====== ========== =============== ================== ========================== =======
recipe assignment temperature     weights            stops                      returns
====== ========== =============== ================== ========================== =======
EM     soft       1               learned            score within tolerance     last
DAEM   soft       β from low to 1 learned            β is 1, then as EM         last
SEM    sampled    1               learned            after a fixed length       best
CEM    argmax     –               learned            labels fixed               last
BEEM   sampled    geometric       uniform or learned score improves no more     best
====== ========== =============== ================== ========================== =======

BEEM with temperature "auto" solves for a temperature at every step, and ends after so many. The
recipes in `search` run the same loop, and try moves of components between its iterations.
"""

from dataclasses import dataclass, replace

from ..data import check_choice, check_count, check_flag, check_number, check_tolerance
from .parts import (
    POLICIES,
    WEIGHTINGS,
    Parts,
    argmax,
    constant,
    either,
    falling_entropy,
    geometric,
    labels_fixed,
    learned,
    length,
    patience,
    rising_beta,
    sampled,
    small_gain,
    soft,
    tolerance,
)
from .parts.assignment import best_log_prob, log_likelihood
from .parts.small_components import keep
from .recipe import Recipe


@dataclass(frozen=True)
class EM(Recipe):
    """Expectation–maximisation (Dempster, Laird & Rubin 1977).

    Parameters
    ----------
    tolerance : float, default=1e-3
        The run ends when the objective per observation, which is the mean log-likelihood unless
        the family has a prior, changes by less; for sequences, the objective per step.
    extra_step : bool, default=True
        Whether one more step is then taken, as scikit-learn does. Without it, EM that begins where
        another recipe has converged ends at once.
    """

    tolerance: float = 1e-3
    extra_step: bool = True

    def __post_init__(self) -> None:
        check_tolerance(self.tolerance)
        check_flag("extra_step", self.extra_step)

    @property
    def parts(self) -> Parts:
        return Parts(
            assignment=soft,
            temperature=constant(1.0),
            weights=learned,
            stopping=(tolerance if self.extra_step else small_gain)(self.tolerance),
            small=keep,
            returns_best=False,
        )


@dataclass(frozen=True)
class DAEM(Recipe):
    """Deterministic annealing EM (Ueda & Nakano 1998).

    Parameters
    ----------
    beta : float, default=0.5
        Inverse temperature at the start.
    growth : float, default=1.05
        Factor by which it rises at each step until it is one.
    tolerance : float, default=1e-5
        From then on, the run ends when the mean log-likelihood changes by less. Annealing leaves
        components close together, from where EM moves slowly at first: a looser tolerance would
        stop it there.
    """

    beta: float = 0.5
    growth: float = 1.05
    tolerance: float = 1e-5

    def __post_init__(self) -> None:
        check_number("beta", self.beta, "a number above 0 and at most 1", lambda v: 0 < v <= 1)
        check_number("growth", self.growth, "a number above 1", lambda v: v > 1)
        check_tolerance(self.tolerance)

    @property
    def parts(self) -> Parts:
        return replace(EM(self.tolerance).parts, temperature=rising_beta(self.beta, self.growth))


@dataclass(frozen=True)
class SEM(Recipe):
    """Stochastic EM (Celeux & Diebolt 1985).

    Parameters
    ----------
    length : int, default=100
        Number of steps.
    small : {"reseed", "keep", "error"}, default="reseed"
        The policy for a component with too few observations.
    """

    length: int = 100
    small: str = "reseed"

    def __post_init__(self) -> None:
        check_count("length", self.length)
        check_choice("small", self.small, POLICIES)

    @property
    def parts(self) -> Parts:
        return Parts(
            assignment=sampled(log_likelihood),
            temperature=constant(1.0),
            weights=learned,
            stopping=length(self.length),
            small=POLICIES[self.small],
            returns_best=True,
        )


@dataclass(frozen=True)
class CEM(Recipe):
    """Classification EM (Celeux & Govaert 1992).

    It ends when no label changes; or, for families whose M-step does not always raise the score,
    when that has not risen for ten steps.

    Parameters
    ----------
    small : {"reseed", "keep", "error"}, default="reseed"
        The policy for a component with too few observations.
    """

    small: str = "reseed"

    def __post_init__(self) -> None:
        check_choice("small", self.small, POLICIES)

    @property
    def parts(self) -> Parts:
        return Parts(
            assignment=argmax,
            temperature=constant(1.0),
            weights=learned,
            stopping=either(labels_fixed, patience(10, least=0.0)),
            small=POLICIES[self.small],
            returns_best=False,
        )


@dataclass(frozen=True)
class BEEM(Recipe):
    """Boltzmann exploration EM (Edman & Dhir 2019). The defaults are the paper's.

    Parameters
    ----------
    temperature : float or "auto", default=1.5
        Temperature at the start. It has the units of log-likelihood, so a temperature that is hot
        for points may be cold for long sequences, whose log-likelihoods lie further apart. "auto"
        needs no units: at every step it is the temperature at which r' has a given entropy, and
        that entropy falls evenly to zero. Cooling, floor and patience are not used then.
    cooling : float, default=0.97
        Factor by which it falls at each step.
    floor : float, default=0.1
        Temperature below which it does not fall.
    weights : {"uniform", "learned"}, default="uniform"
        The paper's weights I and II. With learned weights, large clusters absorb small ones.
    patience : int, default=10
        The run ends when the score has not improved for so many steps.
    small : {"keep", "reseed", "error"}, default="keep"
        The policy for a component with too few observations: it keeps its parameters, as in
        the paper; it is given about half of the largest component's
        members, 10,000 at most; or an error is raised.
    frozen : bool, default=False
        Whether hyper-parameters, where a family has them, stay as they began. Curves that learn
        them while they explore bend so as to jump from one true curve to another.
    entropy : float, default=0.4
        With temperature "auto", entropy of r' at the start, as a fraction of the largest possible.
    length : int, default=40
        With temperature "auto", number of steps.
    """

    temperature: float | str = 1.5
    cooling: float = 0.97
    floor: float = 0.1
    weights: str = "uniform"
    patience: int = 10
    small: str = "keep"
    frozen: bool = False
    entropy: float = 0.4
    length: int = 40

    def __post_init__(self) -> None:
        check_flag("frozen", self.frozen)
        if not isinstance(self.temperature, str) or self.temperature != "auto":
            wanted = "a number above 0, or 'auto'"
            check_number("temperature", self.temperature, wanted, lambda v: v > 0)
        check_number(
            "cooling", self.cooling, "a number above 0 and at most 1", lambda v: 0 < v <= 1
        )
        check_number("floor", self.floor, "a number above 0", lambda v: v > 0)
        check_count("patience", self.patience)
        check_number("entropy", self.entropy, "a number above 0 and below 1", lambda v: 0 < v < 1)
        check_count("length", self.length)
        check_choice("weights", self.weights, WEIGHTINGS)
        check_choice("small", self.small, POLICIES)

    @property
    def parts(self) -> Parts:
        if isinstance(self.temperature, str):
            temperature = falling_entropy(self.entropy, self.length)
            stopping = length(self.length)
        else:
            temperature = geometric(self.temperature, self.cooling, self.floor)
            stopping = patience(self.patience)
        return Parts(
            assignment=sampled(best_log_prob),
            temperature=temperature,
            weights=WEIGHTINGS[self.weights],
            stopping=stopping,
            small=POLICIES[self.small],
            returns_best=True,
            frozen=self.frozen,
        )
