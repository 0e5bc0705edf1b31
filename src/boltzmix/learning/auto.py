"""Every choice that the default algorithm makes, with the measurement behind it.

Two benchmarks set these numbers. ``python -m benchmarks optimum`` compares the default with parts
of it left out, and with other libraries (benchmarks/results/optimum.md). ``python -m benchmarks
settings`` halves and doubles one number of the search at a time (benchmarks/results/settings.md,
a row for each number).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class AutoSettings:
    """The numbers of ``algorithm="auto"``, from which `named.auto` makes recipes.

    Parameters
    ----------
    entropy, explore_length : float, int
        BEEM explores from this entropy, as a fraction of the largest possible, in so many steps.
    curve_entropy : float
        The same for curves, which begin much alike.
    search_tolerance : float
        Mean change of the score below which a search begins.
    tries, trial_length, draws, restarts : int
        As of `Moves`, for additive families.
    costly_tries, costly_trial_length, costly_draws, costly_restarts : int
        The same for families that are not additive, of which every fit is costly.
    observations_in_trials : int
        At most so many observations judge a trial.
    members_in_proposals : int
        At most so many members of a component price changes of it.
    least_gain : float
        Of the mean score, for a trial to be accepted.
    negligible : float
        Fraction of `least_gain` that a trial must still hope to gain to go on.
    sound_within : int
        How often a restart explores, until no component is degenerate or too small.
    alike : float
        Nats for each parameter of a component: a merge that loses less is of two components that
        are worth little more than one.
    loss_moved, loss_resplit : float
        Nats for each observation, beyond one for each parameter of a component, by which a change
        may lower the likelihood at once and still be tried.
    tail : float
        A component is also split into this fraction of its least likely members and the others.
    split_explore, split_polish : int
        Iterations of BEEM and EM that split a component; in four columns, one more of BEEM.
    split_heat : float
        Temperature at which splits begin, in units of the mean margin of a group's members.
    same_split : float
        Fraction of a group's members that stay in their component where a split changes nothing.
    least_responsibility : float
        For an observation to be a member of a group, unless no group has more of it.
    least_overlap : float
        Of the responsibilities of two components, for these to be neighbours.
    same_component : float
        Cosine of the responsibilities of two curves that are one curve drawn twice.
    swap_cuts, swap_rounds, swap_judged : int
        As `n_cuts`, `rounds` and `judged` of `Swaps`, for curves.
    swap_loss : float
        Nats: an exchange of observations that loses more at once is not fitted.
    observations_in_schedule : int
        At most so many observations set the temperature at which r' has a given entropy.
    polish_tolerance : float
        Mean change of the log-likelihood at which EM ends.
    """

    entropy: float = 0.4
    explore_length: int = 40
    curve_entropy: float = 0.95

    search_tolerance: float = 1e-3
    tries: int = 6
    trial_length: int = 20
    draws: int = 4
    restarts: int = 1
    costly_tries: int = 3
    costly_trial_length: int = 6
    costly_draws: int = 1
    costly_restarts: int = 0

    observations_in_trials: int = 20_000
    members_in_proposals: int = 500
    least_gain: float = 1e-4
    negligible: float = 1e-3
    sound_within: int = 3

    alike: float = 6.0
    loss_moved: float = 3e-3
    loss_resplit: float = 5e-4
    tail: float = 0.1
    split_explore: int = 12
    split_polish: int = 8
    split_heat: float = 0.5
    same_split: float = 0.99
    least_responsibility: float = 0.2
    least_overlap: float = 0.01
    same_component: float = 0.95
    swap_cuts: int = 12
    swap_rounds: int = 10
    swap_judged: int = 500
    swap_loss: float = 10.0
    observations_in_schedule: int = 500

    polish_tolerance: float = 1e-5


AUTO = AutoSettings()
