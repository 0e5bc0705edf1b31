"""What a table of the paper is: data, methods, and the figures it reports."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

METRICS = ("ACC", "Homo", "NMI", "ARI", "EM steps")


class Figure(NamedTuple):
    """A mean and a standard deviation."""

    mean: float
    std: float


class Found(NamedTuple):
    """What one run of a method found.

    Parameters
    ----------
    labels : array of int, shape (n,)
    em_steps, log_likelihood : number, optional
    probabilities : array, shape (n,), optional
        Of the second of two components.
    label_history : list of arrays of int, shape (n,)
        Labels at every update.
    figures : dict of name to number
        What else the method tells of itself.
    """

    labels: Any
    em_steps: int | None = None
    log_likelihood: float | None = None
    probabilities: Any = None
    label_history: Any = ()
    figures: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Method:
    """A row of a table.

    Parameters
    ----------
    name, init, weights : str
        As in the paper; a dash where a column does not apply.
    run : function of (X, seed) returning Found
    paper : dict of metric to Figure
        What the paper reports.
    why : str
        What explains a difference of more than two of the paper's standard deviations.
    """

    name: str
    init: str
    weights: str
    run: Callable[[Any, int], Found]
    paper: dict[str, Figure]
    why: str = ""

    @property
    def label(self) -> str:
        """The row's name in one line."""
        parts = [part for part in (self.init, self.weights) if part != "–"]
        return " ".join([self.name, "/".join(parts)]) if parts else self.name


@dataclass(frozen=True)
class PaperTable:
    """A table of the paper, or one beside it.

    Parameters
    ----------
    name, title : str
    make_data : function of a seed returning (X, labels)
    methods : tuple of Method
        The rows.
    metrics : tuple of str
        The columns.
    best_of : int, optional
        The paper reports the best of so many runs: the page shows the likeliest of as many, and
        the purity of every seed.
    repeats : int, optional
        Number of seeds at most, where runs are long.
    remark : str
        What else is to be known.
    """

    name: str
    title: str
    make_data: Callable[[int], tuple[Any, Any]]
    methods: tuple[Method, ...]
    metrics: tuple[str, ...] = METRICS
    best_of: int | None = None
    repeats: int | None = None
    remark: str = ""


def paper(*figures: tuple[float, float] | None) -> dict[str, Figure]:
    """Read a row of the paper: (mean, std) of ACC, Homo, NMI, ARI and EM steps, as far as given."""
    return {
        metric: Figure(*figure)
        for metric, figure in zip(METRICS, figures, strict=False)
        if figure is not None
    }
