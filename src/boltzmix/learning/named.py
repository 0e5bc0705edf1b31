"""Algorithms by name."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from ..data import Data, InputError, Rows, Sequences, marked, shown
from ..families.contract.base import Family
from .auto import AutoSettings
from .recipe import Recipe
from .recipes import BEEM, CEM, DAEM, EM, SEM
from .search.alternatives import Alternatives
from .search.baseline import Baseline
from .search.coarse import Coarse
from .search.curves.swaps import Swaps
from .search.curves.tracks import Tracks
from .search.moves.moves import Moves
from .search.wrapped import OnSample, WithPrior


def auto(
    family: Family,
    data: Data,
    noise: bool,
    by_distance: bool,
    n_components: int | None,
    settings: AutoSettings,
) -> tuple[Recipe, ...]:
    """Return the recipes of the default algorithm: a search in a sample, then all observations."""
    if n_components == 1 and family.search_hints.alternatives is not None:
        return _for_one(family, settings)
    if family.joint:
        return _for_curves(family, data, noise, settings)
    *search, polish = _for_independent(family, data, settings)
    if by_distance:
        search = search[1:] if data.mean_size == 1 else [_few_moves(family, settings)]
        if isinstance(data, Sequences) and family.weighted:
            polish = _polish(settings.sequence_tolerance)
        if _is_wide(data, settings) and family.search_hints.coarse_family is not None:
            *search, polish = _for_many_columns(data.n_features, settings)
    return *(OnSample(WithPrior(one)) for one in search), polish


def _for_one(family: Family, settings: AutoSettings) -> tuple[Recipe, ...]:
    """Try other versions of a single component, polish."""
    soft = family.weighted
    polish: Recipe = _polish(settings.single_tolerance) if soft else CEM()
    return OnSample(WithPrior(Alternatives(soft=soft))), polish


def _is_wide(data: Data, settings: AutoSettings) -> bool:
    return isinstance(data, Rows) and data.n_features > settings.columns_in_search


def _for_independent(
    family: Family, data: Data, settings: AutoSettings
) -> tuple[Recipe, Moves, Recipe]:
    """Explore, move components, polish.

    A start by distance is not explored first: the search explores from elsewhere, if it finds
    anything to change.

    The search is shorter for families whose fits are costly. That no change seems promising says
    little where few changes are proposed, or where splits converge slowly, as those of sequences
    and of families that are not additive do: the fit is then always compared with its baseline.
    """
    explore = BEEM("auto", small="reseed", entropy=settings.entropy, length=settings.explore_length)
    polish: Recipe = (
        _polish(tolerance_for(data, settings.polish_tolerance, settings))
        if family.weighted
        else CEM()
    )
    if not family.search_hints.costly:
        slow = data.mean_size > 1 or not family.additive
        return explore, Moves(soft=family.weighted, always_compare=slow), polish
    return explore, replace(_few_moves(family, settings), always_compare=True), polish


def _polish(tolerance: float) -> EM:
    """Return EM that goes on from what a search has found, if that has not converged."""
    return EM(tolerance, extra_step=False)


def tolerance_for(data: Data, tolerance: float, settings: AutoSettings) -> float:
    """Return the change of the objective at which EM ends; it grows with the number of columns."""
    columns = data.n_features / settings.columns_of_gain if isinstance(data, Rows) else 1.0
    return tolerance * max(1.0, columns)


def _few_moves(family: Family, settings: AutoSettings) -> Moves:
    """Return a short search, for families whose fits are costly, and for sequences.

    Sequences start by distance. A longer search, the baseline and restarts find mixtures of
    simulated chains (8 sets) that are as good. Exploration, as in a restart, finds mixtures of
    letters and CBF that are likelier, but worse.
    """
    return Moves(
        tries=settings.costly_tries,
        length=settings.costly_trial_length,
        draws=settings.costly_draws,
        restarts=settings.costly_restarts,
        soft=family.weighted,
    )


def _for_many_columns(n_columns: int, settings: AutoSettings) -> tuple[Recipe, ...]:
    """Search a few principal columns, polish in all.

    The log-likelihood of a row grows with the number of its columns, and so does the tolerance.
    """
    return Coarse(), _polish(settings.polish_tolerance * n_columns)


def _for_curves(
    family: Family, data: Data, noise: bool, settings: AutoSettings
) -> tuple[Recipe, ...]:
    """Follow curves along the input from several starts, exchange observations, polish.

    Curves of several inputs cannot be followed, and where there may be noise, curves through the
    outliers would be likelier. They explore with frozen hyper-parameters, and because they begin
    much alike, from close to the largest entropy: a lower one would let each region choose between
    them by chance. Without noise, they are compared with their baseline at the end. Where points
    are many, some of them are searched, and the last recipe goes on with all.
    """
    soft, has_order = family.weighted, getattr(data, "positions", None) is not None
    polish: Recipe = _polish(settings.polish_tolerance) if soft else CEM()
    explore = BEEM(
        "auto",
        small="reseed",
        frozen=True,
        entropy=settings.curve_entropy,
        length=settings.explore_length,
    )
    search: tuple[Recipe, ...]
    if has_order:
        search = (explore, Swaps(soft=soft)) if noise else (Tracks(soft=soft),)
    else:
        search = (explore,) if noise else (explore, Baseline(settings.polish_tolerance, soft=soft))
    return *(OnSample(one, settings.curve_points) for one in search), polish


PRESETS: dict[str, Recipe] = {
    "beem": BEEM(),
    "em": EM(),
    "daem": DAEM(),
    "sem": SEM(),
    "cem": CEM(),
}
ALGORITHMS = ("auto", *PRESETS)


def as_recipes(
    algorithm: Any,
    family: Family,
    data: Data,
    noise: bool = False,
    by_distance: bool = False,
    n_components: int | None = None,
    settings: AutoSettings | None = None,
) -> tuple[Recipe, ...]:
    """Read an algorithm: a name, a recipe, or a sequence of recipes and names.

    Parameters
    ----------
    algorithm : str, Recipe or sequence of these
    family : Family
    data : Data
    noise : bool
        Whether there may be noise.
    by_distance : bool
        Whether the start is made by distance, so that "auto" need not explore first.
    n_components : int, optional
        Where it is one, "auto" searches within the component.
    settings : AutoSettings, optional
        The numbers of "auto".

    Raises
    ------
    ValueError
        When there is no such algorithm, or the family lacks what it needs.
    """
    settings = settings or AutoSettings()
    recipes: tuple[Recipe, ...]
    if isinstance(algorithm, str) and algorithm == "auto":
        recipes = auto(family, data, noise, by_distance, n_components, settings)
    elif isinstance(algorithm, str) and algorithm in PRESETS:
        recipes = (PRESETS[algorithm],)
    elif isinstance(algorithm, Recipe):
        recipes = (algorithm,)
    elif _are_recipes(algorithm):
        each = (
            as_recipes(one, family, data, noise, by_distance, n_components, settings)
            for one in algorithm
        )
        recipes = tuple(chain.from_iterable(each))
    else:
        raise InputError(
            f"{marked('algorithm')} must be one of {', '.join(map(repr, ALGORITHMS))}, a recipe"
            f" such as BEEM(), or a list of recipes, not {shown(algorithm)}."
        )
    for recipe in recipes:
        _check_weights(recipe, family)
    return recipes


def _are_recipes(algorithm: Any) -> bool:
    """Return whether an algorithm is a list of recipes or their names, and not empty."""
    is_list = isinstance(algorithm, list | tuple) and len(algorithm) > 0
    return is_list and all(isinstance(one, str | Recipe) for one in algorithm)


def polishing(recipes: Sequence[Recipe], family: Family, settings: AutoSettings) -> Recipe:
    """Return the last recipe if it climbs from where it begins, else one that does."""
    if isinstance(recipes[-1], EM | CEM):
        return recipes[-1]
    return _polish(settings.polish_tolerance) if family.weighted else CEM("keep")


def _check_weights(recipe: Recipe, family: Family) -> None:
    if recipe.needs_weights and not family.weighted:
        raise InputError(
            f"{recipe.name} has soft responsibilities, but fit of {family.name} takes no weights:"
            f" use {marked('algorithm')} 'beem', 'sem' or 'cem', or declare weighted = True on a"
            " family whose fit honours them."
        )
