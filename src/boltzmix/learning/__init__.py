"""How a mixture is learned: one loop, the parts that recipes choose, and searches above it.

- `engine`: the one loop, `learn`, which yields a `State` per iteration;
- `parts`: assignment, temperature, weights, stopping rule, small components, starts;
- `search`: recipes that try moves of components between iterations;
- `recipes`: named algorithms, each a choice of parts; `auto`: every choice of the default.
"""

from .auto import AutoSettings, settings_of
from .engine.history import History, Trial
from .engine.loop import Run, learn
from .engine.randomness import Randomness
from .engine.state import MixtureState, Move, State, Step
from .engine.training_data import TrainingData
from .engine.workers import Workers
from .named import ALGORITHMS, as_recipes, polishing, tolerance_for
from .parts import Parts
from .parts.first_fit import fit_start
from .parts.starts import initialise
from .problems import (
    LEAST_FOUND,
    DegenerateMixtureWarning,
    Problem,
    count_members,
    find_problems,
    find_unstable,
)
from .recipe import Recipe
from .recipes import BEEM, CEM, DAEM, EM, SEM
from .search.agreement import AgreementCurve, HalfFits
from .search.alternatives import Alternatives
from .search.baseline import Baseline
from .search.choice import choose
from .search.curves.swaps import Swaps
from .search.curves.tracks import Tracks
from .search.driver import Found, Search, as_trial
from .search.halves import SPLITS, GrowingFit, Halves, responsibilities_of
from .search.moves.moves import Moves
from .search.moves.smem import SMEM
from .search.numbers import Numbers
from .search.restarts import (
    RestartRun,
    by_objective,
    go_on,
    recorded,
    run_restarts,
    sound_first,
)
from .search.wrapped import OnSample, WithPrior
from .stream import Stream

__all__ = [
    "ALGORITHMS",
    "BEEM",
    "CEM",
    "DAEM",
    "EM",
    "LEAST_FOUND",
    "SEM",
    "SMEM",
    "SPLITS",
    "AgreementCurve",
    "Alternatives",
    "AutoSettings",
    "Baseline",
    "DegenerateMixtureWarning",
    "Found",
    "GrowingFit",
    "HalfFits",
    "Halves",
    "History",
    "MixtureState",
    "Move",
    "Moves",
    "Numbers",
    "OnSample",
    "Parts",
    "Problem",
    "Randomness",
    "Recipe",
    "RestartRun",
    "Run",
    "Search",
    "State",
    "Step",
    "Stream",
    "Swaps",
    "Tracks",
    "TrainingData",
    "Trial",
    "WithPrior",
    "Workers",
    "as_recipes",
    "as_trial",
    "by_objective",
    "choose",
    "count_members",
    "find_problems",
    "find_unstable",
    "fit_start",
    "go_on",
    "initialise",
    "learn",
    "polishing",
    "recorded",
    "responsibilities_of",
    "run_restarts",
    "settings_of",
    "sound_first",
    "tolerance_for",
]
