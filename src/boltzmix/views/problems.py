"""Problems of a fit, with one sentence for each that says what to do."""

from collections.abc import Sequence
from math import ceil

from ..data import counted, joined, marked, plain
from ..fitted import FittedMixture
from ..learning import Problem
from .facts import are_merged, members_of

MOST_NUMBERS = 5  # components that a sentence names


def describe_problems(model: FittedMixture) -> list[str]:
    """Put each problem of a fitted mixture into one sentence; empty if there are none."""
    return [*map(plain, marked_problems(model))]


def marked_problems(model: FittedMixture) -> list[str]:
    """Put each problem of a fitted mixture into one sentence, with marks around arguments."""
    n_components, problems = len(model.components_), getattr(model, "problems_", ())
    return [
        _describe_unstable(problem, model)
        if problem.kind == "halves"
        else _describe(problem, n_components, model.n_init)
        for problem in problems
    ]


def _describe_unstable(problem: Problem, model: FittedMixture) -> str:
    """Say which clusters are not found again in halves of the observations."""
    is_one = len(problem.components) == 1
    by = f"agreement {problem.value:.2f}" if is_one else f"agreement down to {problem.value:.2f}"
    fewer = "fewer clusters" if are_merged(model) else "fewer components"
    return (
        f"{_subject(problem.components, model.n_clusters_, 'cluster')} {'is' if is_one else 'are'}"
        f" hardly found again in halves of the {members_of(model)} ({by}): another sample may not"
        f" have {'it' if is_one else 'them'}, so use {fewer}, or do not rely on"
        f" {'this one' if is_one else 'these'}."
    )


def _describe(problem: Problem, n_components: int, n_runs: int) -> str:
    if problem.kind == "runs":
        return (
            f"The two best of {n_runs} runs are about equally likely, but their labels differ much"
            f" (adjusted Rand index {problem.value:.2f}): use fewer components, or more runs"
            f" ({marked('n_init', 2 * n_runs)})."
        )
    who, sizes = _subject(problem.components, n_components), _sizes(problem.sizes)
    is_one = len(problem.components) == 1
    fewer = "" if n_components == 1 else "fewer components, "
    if problem.kind == "empty":
        if len(problem.components) == n_components:
            return "Every observation is most probably noise: fit without noise (noise=False)."
        return (
            f"{who} {'is' if is_one else 'are'} the most probable component of no observation: use"
            f" fewer components ({marked('n_components', n_components - len(problem.components))}),"
            " unless only the density matters."
        )
    if problem.kind == "few":
        return (
            f"{who} {'has' if is_one else 'have'} {sizes}, fewer than the {ceil(problem.value)}"
            f" that {'its parameters' if is_one else 'the parameters of each'} need: use"
            f" {fewer and 'fewer components, or '}a family with fewer parameters."
        )
    return (
        f"{who} {'is' if is_one else 'are'} at the variance floor with {sizes}, so"
        f" {'its' if is_one else 'their'} likelihood means little: use {fewer}a simpler"
        " covariance, or a family with a prior, such as RobustGaussian."
    )


def _subject(components: Sequence[int], n_components: int, noun: str = "component") -> str:
    """Name components, or clusters, the first few of many."""
    if len(components) == 1:
        return f"{noun.capitalize()} {components[0]}"
    if len(components) <= MOST_NUMBERS:
        return f"{noun.capitalize()}s {joined(components)}"
    shown = ", ".join(map(str, components[:MOST_NUMBERS]))
    more = len(components) - MOST_NUMBERS
    return f"{len(components)} of {n_components} {noun}s ({shown} and {more} more)"


def _sizes(sizes: tuple[int, ...]) -> str:
    """Write numbers of observations, or of many the smallest and the largest."""
    if len(sizes) == 1:
        return counted(sizes[0], "observation")
    if len(sizes) <= MOST_NUMBERS:
        return f"{joined(sizes)} observations"
    none = f" ({sizes.count(0)} of them none)" if 0 in sizes else ""
    return f"{min(sizes)} to {max(sizes)} observations{none}"
