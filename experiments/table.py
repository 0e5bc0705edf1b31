"""The definition of a table: data, methods, and the figures that the paper reports."""

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
    """The result of one run of a method.

    Parameters
    ----------
    labels : array of int, shape (n,)
    em_steps, log_likelihood : number, optional
    probabilities : array, shape (n,), optional
        Probability of the second of two components.
    label_history : list of arrays of int, shape (n,)
        Labels after every update.
    figures : dict of name to number
        Other measurements of the run.
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
        The figures that the paper reports.
    why : str
        Explanation of a difference of more than two of the paper's standard deviations.
    """

    name: str
    init: str
    weights: str
    run: Callable[[Any, int], Found]
    paper: dict[str, Figure]
    why: str = ""

    @property
    def label(self) -> str:
        """Name of the row: method, initialisation and weights."""
        parts = [part for part in (self.init, self.weights) if part != "–"]
        return " ".join([self.name, "/".join(parts)]) if parts else self.name


@dataclass(frozen=True)
class PaperTable:
    """A table of the paper, or one of our own.

    Parameters
    ----------
    name, title : str
    make_data : function of a seed returning (X, labels)
    methods : tuple of Method
        The rows.
    metrics : tuple of str
        The columns.
    best_of : int, optional
        Number of runs of which the paper reports the best. The page then shows the run with the
        highest likelihood among as many, and the purity of every seed.
    repeats : int, optional
        Largest number of seeds, if runs are long.
    remark : str
        Remarks for the reader of the page.
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
    """Return the figures of a row: (mean, std) of ACC, Homo, NMI, ARI and EM steps, or None."""
    return {
        metric: Figure(*figure)
        for metric, figure in zip(METRICS, figures, strict=False)
        if figure is not None
    }
