"""The progress of a fit in words."""

from ..data import counted
from .moves import describe_step
from .progress import Progress


def progress_line(progress: Progress) -> str:
    """Return the line that `verbose` prints."""
    step = progress.step
    measured = [
        f"run {step.run}",
        f"components {progress.n_components:3}",
        f"{step.phase:5} iteration {step.iteration:4}",
        f"temperature {step.temperature:7.4f}",
        f"score {step.score:.6f}",
        f"after {describe_duration(progress.elapsed)}",
        *_pace(progress, step.phase),
    ]
    tried = [describe_step(step)] if step.trial else []
    return "  ".join(measured + tried)


def progress_sentence(progress: Progress, n_runs: int = 1) -> str:
    """Say what is done, at which iteration, the score outside trials, the pace and what is left.

    Parameters
    ----------
    progress : Progress
    n_runs : int, default=1
        Number of restarts, if it is known.
    """
    step = progress.step
    many = f" of {n_runs}" if n_runs > 1 else ""
    parts = [
        counted(progress.n_components, "component"),
        describe_step(step),
        *([f"run {step.run + 1}{many}"] if step.run or many else []),
        f"iteration {step.iteration}",
        *([] if progress.score is None else [f"score {progress.score:.4f}"]),
        *_pace(progress, describe_step(step)),
    ]
    return ", ".join(parts)


def ending_sentence(progress: Progress) -> str:
    """Say how long a fit took, when it has ended."""
    iterations = counted(progress.n_iter, "iteration")
    return f"fitted in {describe_duration(progress.elapsed)}, {iterations}"


def describe_duration(seconds: float, decimals: int = 1) -> str:
    """Write a time as "0.4 s", "12 s", "3 min" or "2 h 10 min".

    Parameters
    ----------
    seconds : float
    decimals : int, default=1
        Number of decimals below ten seconds.
    """
    if seconds < 99.5:
        return f"{seconds:.{decimals if seconds < 9.95 else 0}f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def _pace(progress: Progress, phase: str) -> list[str]:
    """Say how many observations are processed per second, and how long a phase still takes."""
    rate, left = progress.rate, progress.seconds_left
    words = [] if rate is None else [f"{_three_digits(rate)} {progress.noun}/s"]
    if left is not None and progress.step.n_left:
        time = "less than 1 s" if left < 1 else f"about {describe_duration(left, decimals=0)}"
        words.append(f"{time} of {phase} left")
    return words


def _three_digits(number: float) -> str:
    """Write a number with three digits that are not zero, such as "1,230,000" or "0.0123"."""
    return f"{float(f'{number:.3g}'):,.0f}" if number >= 100 else f"{number:.3g}"
