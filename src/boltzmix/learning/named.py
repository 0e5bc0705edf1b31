"""Algorithms by name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..data import Data
from ..families.base import Family
from .auto import AUTO
from .recipes import BEEM, CEM, DAEM, EM, SEM, Recipe
from .search.baseline import Baseline
from .search.moves import Moves
from .search.swaps import Swaps


@dataclass(frozen=True)
class Problem:
    """What an algorithm is chosen for: a family, its data, and whether there may be noise."""

    family: Family
    data: Data
    noise: bool = False


def auto(problem: Problem) -> tuple[Recipe, ...]:
    """Return the recipes of the default algorithm."""
    return _for_curves(problem) if problem.family.joint else _for_independent(problem)


def _for_independent(problem: Problem) -> tuple[Recipe, ...]:
    """Explore, move components, polish.

    The search is shorter for families that are not additive, as every fit is costly. No change may
    seem worth trying where few are proposed, or where splits converge slowly, as those of sequences
    do; that says little, so the fit is then compared with its baseline in any case.
    """
    family = problem.family
    explore = BEEM("auto", small="reseed", entropy=AUTO.entropy, length=AUTO.explore_length)
    polish: Recipe = EM(AUTO.polish_tolerance) if family.weighted else CEM()
    if family.additive:
        is_sequence = problem.data.mean_size > 1
        return explore, Moves(soft=family.weighted, always_compare=is_sequence), polish
    moves = Moves(
        tries=AUTO.costly_tries,
        length=AUTO.costly_trial_length,
        draws=AUTO.costly_draws,
        restarts=AUTO.costly_restarts,
        soft=family.weighted,
        always_compare=True,
    )
    return explore, moves, polish


def _for_curves(problem: Problem) -> tuple[Recipe, ...]:
    """Explore with frozen hyper-parameters, exchange observations beyond crossings, polish.

    Curves begin much alike, so they explore from close to the largest entropy: a lower one would
    let each stretch choose between them by chance. They are compared with their baseline at the
    end, unless there may be noise: curves through the outliers would be likelier.
    """
    soft = problem.family.weighted
    explore = BEEM(
        "auto", small="reseed", frozen=True, entropy=AUTO.curve_entropy, length=AUTO.explore_length
    )
    polish: Recipe = EM(AUTO.polish_tolerance) if soft else CEM()
    end = polish if problem.noise else Baseline(AUTO.polish_tolerance, soft=soft)
    if getattr(problem.data, "positions", None) is None:
        return explore, end
    return explore, Swaps(soft=soft), end


ALGORITHMS: dict[str, Callable[[Problem], tuple[Recipe, ...]]] = {
    "auto": auto,
    "beem": lambda problem: (BEEM(),),
    "em": lambda problem: (EM(),),
    "daem": lambda problem: (DAEM(),),
    "sem": lambda problem: (SEM(),),
    "cem": lambda problem: (CEM(),),
}


def as_recipes(algorithm: Any, problem: Problem) -> tuple[Recipe, ...]:
    """Read an algorithm: a name, a recipe, or a sequence of recipes and names.

    Raises
    ------
    ValueError
        When there is no such algorithm, or the family lacks what it needs.
    """
    if isinstance(algorithm, str) and algorithm in ALGORITHMS:
        recipes = ALGORITHMS[algorithm](problem)
    elif isinstance(algorithm, Recipe):
        recipes = (algorithm,)
    elif isinstance(algorithm, Sequence) and not isinstance(algorithm, str) and algorithm:
        recipes = tuple(recipe for one in algorithm for recipe in as_recipes(one, problem))
    else:
        raise ValueError(
            f"algorithm must be one of {', '.join(map(repr, ALGORITHMS))}, a recipe such as"
            f" BEEM(), or a list of recipes, not {algorithm!r}."
        )
    for recipe in recipes:
        if recipe.needs_weights and not problem.family.weighted:
            raise ValueError(
                f"{recipe.name} has soft responsibilities, but fit of {problem.family.name} takes"
                " no weights: use algorithm 'beem', 'sem' or 'cem', or declare weighted = True"
                " on a family whose fit honours them."
            )
    return recipes
