"""Every choice that the default algorithm makes, with the measurement that set it.

The rows named here are those of ``python -m benchmarks optimum`` (benchmarks/results/optimum.md):
the fraction of 20 seeds that reach the best known likelihood of a set.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class AutoSettings:
    """The choices of ``algorithm="auto"``. `named.auto` makes recipes of them."""

    # Exploration: BEEM, whose temperature follows an entropy that falls to zero.
    entropy: float = 0.4
    explore_length: int = 40
    curve_entropy: float = 0.95

    # Search: when it begins, how many changes are tried, and for how long.
    search_tolerance: float = 1e-3
    tries: int = 6
    trial_length: int = 20
    draws: int = 4
    restarts: int = 1
    costly_tries: int = 3
    costly_trial_length: int = 6
    costly_draws: int = 1
    costly_restarts: int = 0

    # What trials look at, and when one is accepted.
    observations_in_trials: int = 20_000
    members_in_proposals: int = 500
    least_gain: float = 1e-4
    negligible: float = 1e-3
    sound_within: int = 3

    # Which changes are proposed.
    alike: float = 6.0
    loss_moved: float = 3e-3
    loss_resplit: float = 5e-4
    tail: float = 0.1
    split_explore: int = 12
    split_polish: int = 8

    # Polish: EM at the end.
    polish_tolerance: float = 1e-5


AUTO = AutoSettings()
