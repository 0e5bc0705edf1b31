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

BEEM with temperature "auto" solves for a temperature at every step, and ends after so many. Moves,
Swaps, SMEM and Challenged are EM, or CEM, that also make moves between steps.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any

from ..families.base import Family
from . import assignment, small_components, weights
from .assignment import Assignment
from .challenge import Challenge
from .moves import Move, Rearrange, stay
from .small_components import Policy
from .smem import SplitAndMerge
from .stopping import (
    Either,
    LabelsFixed,
    Length,
    MoveOrNone,
    NoMove,
    Patience,
    Stopping,
    Tolerance,
)
from .swaps import Swap
from .temperature import Constant, FallingEntropy, Geometric, RisingBeta, Temperature
from .weights import Weighting

WEIGHTINGS: dict[str, Weighting] = {
    "uniform": weights.uniform,
    "learned": weights.learned,
}


@dataclass(frozen=True)
class Parts:
    """What the loop is made of."""

    assignment: Assignment
    temperature: Temperature
    weights: Weighting
    stopping: Stopping
    small: Policy
    returns_best: bool
    move: Move = stay
    settled: bool = False


class Recipe(ABC):
    """A way to learn a mixture."""

    @property
    def name(self) -> str:
        """What messages and histories call this recipe."""
        return type(self).__name__

    @property
    @abstractmethod
    def parts(self) -> Parts:
        """The parts this recipe chooses."""

    @property
    def needs_weights(self) -> bool:
        """Whether the family's fit must honour weights."""
        return self.parts.assignment is assignment.soft


@dataclass(frozen=True)
class EM(Recipe):
    """Expectation–maximisation (Dempster, Laird & Rubin 1977).

    Parameters
    ----------
    tolerance : float, default=1e-3
        The run ends when the mean log-likelihood of an observation changes by less; for
        sequences, that of a step.
    """

    tolerance: float = 1e-3

    def __post_init__(self) -> None:
        _check("tolerance", self.tolerance, "a number of zero or more", lambda v: v >= 0)

    @property
    def parts(self) -> Parts:
        return Parts(
            assignment=assignment.soft,
            temperature=Constant(1.0),
            weights=weights.learned,
            stopping=Tolerance(self.tolerance),
            small=small_components.keep,
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
        From then on, the run ends when the mean log-likelihood changes by less. Annealing
        leaves components close together, from where EM sets out slowly: a loose tolerance
        would stop it there.
    """

    beta: float = 0.5
    growth: float = 1.05
    tolerance: float = 1e-5

    def __post_init__(self) -> None:
        _check("beta", self.beta, "a number above 0 and at most 1", lambda v: 0 < v <= 1)
        _check("growth", self.growth, "a number above 1", lambda v: v > 1)
        _check("tolerance", self.tolerance, "a number of zero or more", lambda v: v >= 0)

    @property
    def parts(self) -> Parts:
        return replace(EM(self.tolerance).parts, temperature=RisingBeta(self.beta, self.growth))


@dataclass(frozen=True)
class SEM(Recipe):
    """Stochastic EM (Celeux & Diebolt 1985).

    Parameters
    ----------
    length : int, default=100
        Number of steps.
    small : {"reseed", "keep", "error"}, default="reseed"
        What is done about a component with too few observations.
    """

    length: int = 100
    small: str = "reseed"

    def __post_init__(self) -> None:
        _check("length", self.length, "a whole number of at least 1", _is_count)
        _check_choice(self.small, "small", small_components.POLICIES)

    @property
    def parts(self) -> Parts:
        return Parts(
            assignment=assignment.sampled(assignment.log_likelihood),
            temperature=Constant(1.0),
            weights=weights.learned,
            stopping=Length(self.length),
            small=small_components.POLICIES[self.small],
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
        What is done about a component with too few observations.
    """

    small: str = "reseed"

    def __post_init__(self) -> None:
        _check_choice(self.small, "small", small_components.POLICIES)

    @property
    def parts(self) -> Parts:
        return Parts(
            assignment=assignment.argmax,
            temperature=Constant(1.0),
            weights=weights.learned,
            stopping=Either(LabelsFixed(), Patience(10, least=0.0)),
            small=small_components.POLICIES[self.small],
            returns_best=False,
        )


@dataclass(frozen=True)
class Swaps(Recipe):
    """CEM, or EM, that also exchanges what two components have beyond a cut of the input.

    For curves that cross: see `Swap`. It needs observations with one input column.

    Parameters
    ----------
    n_cuts : int, default=12
        How many cuts are tried along the input.
    rounds : int, default=10
        Number of steps at most: what is best for each observation need not be best for all of
        them together, so labels may come and go.
    soft : bool, default=False
        Whether observations are shared out, as by EM, or labelled, as by CEM. Labels are enough
        where curves are thin; where noise is wide, they keep curves apart that should cross, as
        every point chooses the nearer one.
    small : {"reseed", "keep", "error"}, default="reseed"
        What is done about a component with too few observations.
    """

    n_cuts: int = 12
    rounds: int = 10
    soft: bool = False
    small: str = "reseed"

    def __post_init__(self) -> None:
        _check("n_cuts", self.n_cuts, "a whole number of at least 1", _is_count)
        _check("rounds", self.rounds, "a whole number of at least 1", _is_count)
        _check_choice(self.small, "small", small_components.POLICIES)

    @property
    def parts(self) -> Parts:
        parts = EM().parts if self.soft else CEM(self.small).parts
        settled = parts.stopping if self.soft else LabelsFixed()
        stopping = Either(settled, Length(self.rounds))
        return replace(parts, move=Swap(self.n_cuts, self.soft), stopping=stopping)


@dataclass(frozen=True)
class Moves(Recipe):
    """EM, or CEM, that also takes components to where they are needed most.

    Two components that share a cluster while another covers two are put right: see `Rearrange`,
    which says what it costs. It ends when no move is worth it. Where some were tried, it ends no
    lower than the paper's BEEM followed by EM does from where the fit began.

    Parameters
    ----------
    tolerance : float, default=1e-3
        A move is looked for when the mean score of an observation changes by less; for sequences,
        that of a step.
    tries : int, default=6
        How many moves of each kind are tried before the search is given up.
    length : int, default=20
        In how many steps.
    draws : int, default=4
        How often a component is split at random.
    restarts : int, default=1
        How often all components explore afresh once no move is worth it, unless none even seemed
        to be.
    soft : bool, default=True
        Whether observations are shared out, as by EM, or labelled, as by CEM. Families that take
        no weights need False: moves are then judged by the likelihood of observations and labels
        together.
    """

    tolerance: float = 1e-3
    tries: int = 6
    length: int = 20
    draws: int = 4
    restarts: int = 1
    soft: bool = True

    def __post_init__(self) -> None:
        _check("tolerance", self.tolerance, "a number of zero or more", lambda v: v >= 0)
        _check("tries", self.tries, "a whole number of at least 1", _is_count)
        _check("length", self.length, "a whole number of at least 1", _is_count)
        _check("draws", self.draws, "a whole number of at least 1", _is_count)
        _check("restarts", self.restarts, "a whole number of zero or more", _is_count_or_none)

    @property
    def parts(self) -> Parts:
        settle: Recipe = EM(0.0) if self.soft else CEM("keep")
        move = Rearrange(
            settle, BEEM("auto"), _as_in_the_paper(self.soft),
            self.tolerance, self.tries, self.length, self.draws, self.restarts,
        )  # fmt: skip
        return replace(settle.parts, move=move, stopping=NoMove())


@dataclass(frozen=True)
class SMEM(Recipe):
    """Split-and-merge EM (Ueda, Nakano, Ghahramani & Hinton 2000): see `SplitAndMerge`.

    Parameters
    ----------
    tolerance : float, default=1e-3
        A split and merge is looked for when the mean log-likelihood of an observation changes by
        less.
    candidates : int, default=5
        How many are tried before the search is given up.
    """

    tolerance: float = 1e-3
    candidates: int = 5

    def __post_init__(self) -> None:
        _check("tolerance", self.tolerance, "a number of zero or more", lambda v: v >= 0)
        _check("candidates", self.candidates, "a whole number of at least 1", _is_count)

    @property
    def parts(self) -> Parts:
        settle = EM(self.tolerance)
        move = SplitAndMerge(BEEM("auto", length=20), settle, self.tolerance, self.candidates)
        return replace(settle.parts, move=move, stopping=NoMove())


@dataclass(frozen=True)
class BEEM(Recipe):
    """Boltzmann exploration EM (Edman & Dhir 2019).

    Parameters
    ----------
    temperature : float or "auto", default=1.5
        Temperature at the start. It is in units of log-likelihood, so what is hot for points may
        be cold for long sequences, whose likelihoods lie further apart. "auto" regulates itself:
        at every step it is the temperature at which r' has a given entropy, and that falls evenly
        to nothing. Cooling, floor and patience are not needed then.
    cooling : float, default=0.97
        Factor by which it falls at each step.
    floor : float, default=0.1
        Temperature below which it does not fall.
    weights : {"uniform", "learned"}, default="uniform"
        The paper's weights I and II. Learned weights let large clusters swallow small ones.
    patience : int, default=10
        The run ends when the score has not improved for so many steps.
    small : {"reseed", "keep", "error"}, default="reseed"
        What is done about a component with too few observations. The paper keeps its
        parameters, and so does ``algorithm="beem"``.
    settled : bool, default=False
        Whether hyper-parameters, where a family has them, are those it began with. Curves that
        learn them while they explore bend so as to jump from one true curve to another.
    entropy : float, default=0.4
        With temperature "auto", entropy of r' at the start, as a share of the largest there is.
    length : int, default=40
        With temperature "auto", number of steps.
    """

    temperature: float | str = 1.5
    cooling: float = 0.97
    floor: float = 0.1
    weights: str = "uniform"
    patience: int = 10
    small: str = "reseed"
    settled: bool = False
    entropy: float = 0.4
    length: int = 40

    def __post_init__(self) -> None:
        if self.temperature != "auto":
            _check("temperature", self.temperature, "a number above 0, or 'auto'", lambda v: v > 0)
        _check("cooling", self.cooling, "a number above 0 and at most 1", lambda v: 0 < v <= 1)
        _check("floor", self.floor, "a number above 0", lambda v: v > 0)
        _check("patience", self.patience, "a whole number of at least 1", _is_count)
        _check("entropy", self.entropy, "a number above 0 and below 1", lambda v: 0 < v < 1)
        _check("length", self.length, "a whole number of at least 1", _is_count)
        _check_choice(self.weights, "weights", WEIGHTINGS)
        _check_choice(self.small, "small", small_components.POLICIES)

    @property
    def parts(self) -> Parts:
        if isinstance(self.temperature, str):
            temperature: Temperature = FallingEntropy(self.entropy, self.length)
            stopping: Stopping = Length(self.length)
        else:
            temperature = Geometric(self.temperature, self.cooling, self.floor)
            stopping = Patience(self.patience)
        return Parts(
            assignment=assignment.sampled(assignment.best_value),
            temperature=temperature,
            weights=WEIGHTINGS[self.weights],
            stopping=stopping,
            small=small_components.POLICIES[self.small],
            returns_best=True,
            settled=self.settled,
        )


@dataclass(frozen=True)
class Challenged(Recipe):
    """EM, or CEM, that ends no lower than the paper's BEEM followed by the same: see `Challenge`.

    The paper's way begins where the fit began, with the same random numbers. It is asked at the
    end, and what it comes to is returned if that is likelier and no component is there twice.

    Parameters
    ----------
    tolerance : float, default=1e-5
        EM is over when the mean log-likelihood of an observation changes by less; for sequences,
        that of a step.
    soft : bool, default=True
        Whether observations are shared out, as by EM, or labelled, as by CEM.
    """

    tolerance: float = 1e-5
    soft: bool = True

    def __post_init__(self) -> None:
        _check("tolerance", self.tolerance, "a number of zero or more", lambda v: v >= 0)

    @property
    def parts(self) -> Parts:
        rival = _as_in_the_paper(self.soft, self.tolerance)
        parts = rival[-1].parts
        return replace(parts, move=Challenge(parts.stopping, rival), stopping=MoveOrNone())


def _as_in_the_paper(soft: bool, tolerance: float = 1e-5) -> tuple[Recipe, ...]:
    """Return the paper's BEEM, followed by EM or CEM."""
    return BEEM(small="keep"), EM(tolerance) if soft else CEM()


def _auto(family: Family, data: Any) -> tuple[Recipe, ...]:
    """Explore, move components, polish.

    The search for moves is shorter for families that are not additive, as every fit is dear. Curves
    keep their hyper-parameters while they explore, then learn them, and exchange what they
    have beyond a crossing. They begin much alike, so they explore from close to the largest
    entropy: a lower one would have each stretch choose between them by chance. What the paper's way
    comes to is asked at their end, as moves do not ask it.
    """
    if not family.joint:
        polish: Recipe = EM(tolerance=1e-5) if family.weighted else CEM()
        moves = Moves(soft=family.weighted)
        if not family.additive:
            moves = replace(moves, tries=3, length=6, draws=1, restarts=0)
        return BEEM("auto"), moves, polish
    explore = BEEM("auto", settled=True, entropy=0.95)
    challenged = Challenged(soft=family.weighted)
    if getattr(data, "positions", None) is None:
        return explore, challenged
    return explore, Swaps(soft=family.weighted), challenged


ALGORITHMS: dict[str, Callable[[Family, Any], tuple[Recipe, ...]]] = {
    "auto": _auto,
    "beem": lambda family, data: (BEEM(small="keep"),),
    "em": lambda family, data: (EM(),),
    "daem": lambda family, data: (DAEM(),),
    "sem": lambda family, data: (SEM(),),
    "cem": lambda family, data: (CEM(),),
}


def as_recipes(algorithm: Any, family: Family, data: Any) -> tuple[Recipe, ...]:
    """Read an algorithm: a name, a recipe, or a sequence of recipes and names.

    Raises
    ------
    ValueError
        When there is no such algorithm, or the family lacks what it needs.
    """
    if isinstance(algorithm, str) and algorithm in ALGORITHMS:
        recipes = ALGORITHMS[algorithm](family, data)
    elif isinstance(algorithm, Recipe):
        recipes = (algorithm,)
    elif isinstance(algorithm, Sequence) and not isinstance(algorithm, str) and algorithm:
        recipes = tuple(recipe for one in algorithm for recipe in as_recipes(one, family, data))
    else:
        raise ValueError(
            f"algorithm must be one of {', '.join(map(repr, ALGORITHMS))}, a recipe such as"
            f" BEEM(), or a list of recipes, not {algorithm!r}."
        )
    for recipe in recipes:
        if recipe.needs_weights and not family.weighted:
            raise ValueError(
                f"{recipe.name} shares observations out by weight, but fit of {family.name} takes"
                " no weights: use algorithm 'beem', 'sem' or 'cem', or declare weighted = True"
                " on a family whose fit honours them."
            )
    return recipes


def _check(name: str, got: Any, wanted: str, holds: Callable[[Any], bool]) -> None:
    if not isinstance(got, Real) or not holds(got):
        raise ValueError(f"{name} must be {wanted}, not {got!r}.")


def _is_count(value: Any) -> bool:
    return isinstance(value, Integral) and int(value) >= 1


def _is_count_or_none(value: Any) -> bool:
    return isinstance(value, Integral) and int(value) >= 0


def _check_choice(got: Any, name: str, choices: dict[str, Any]) -> None:
    if got not in list(choices):
        wanted = ", ".join(map(repr, choices))
        raise ValueError(f"{name} must be one of {wanted}, not {got!r}.")
