"""The methods that choose a number of clusters."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.mixture import GaussianMixture

from boltzmix import Mixture, compare
from boltzmix.families import Gaussian

from . import mclust
from .choice_sets import TIMED_SETS, UP_TO, most_components
from .contenders import time_of
from .labelled_sets import Labelled

OWN, SHAPES_BY_BIC = "boltzmix", "14 shapes by effective BIC"
PEER, MCLUST = "scikit-learn by BIC", "mclust"
SHAPES = (
    *("VVV", "EII", "VII", "EEI", "VEI", "EVI", "VVI"),
    *("EEE", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV"),
)
PEER_RUNS = 10


class Choice(NamedTuple):
    """The seconds, the number of components chosen, and labels of shape (n,)."""

    seconds: float
    k: int
    labels: Any


@dataclass(frozen=True)
class Chooser:
    """A function that chooses a number of clusters.

    Parameters
    ----------
    choose : function
        Its arguments are the rows, the largest number, the seed and the number of threads.
    times_only : bool
        Whether it fits the timed sets, or all others.
    largest : int, optional
        It fits only sets of at most so many clusters.
    is_installed : function
    source : str
        How to install it.
    """

    choose: Callable[[Any, int, int, int], Choice]
    times_only: bool = False
    largest: int | None = None
    is_installed: Callable[[], bool] = lambda: True
    source: str = ""
    random: bool = True

    @property
    def installed(self) -> bool:
        """Whether what it needs is installed."""
        return self.is_installed()

    def suits(self, problem: Labelled) -> bool:
        """Whether it is to fit these data."""
        is_timed = len(problem.rows) in TIMED_SETS.values() and problem.rows.shape[1] == 8
        return is_timed == self.times_only and (self.largest is None or problem.k <= self.largest)

    def solve(self, problem: Labelled, seed: int, threads: int) -> Choice:
        """Choose a number of clusters of a set."""
        most = UP_TO if self.times_only else most_components(problem.k)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.choose(problem.rows, most, seed, threads)


def auto(
    rows: Any,
    most: int,
    seed: int,
    threads: int,
    criterion: str | None = None,
    is_open: bool = True,
) -> Choice:
    """Choose by `Mixture`, from one component on, or up to a largest number."""
    numbers = "auto" if is_open else range(1, most + 1)
    model = Mixture(n_components=numbers, random_state=seed, n_jobs=threads)
    if criterion is not None:
        model.set_params(criterion=criterion)
    seconds = time_of(lambda: model.fit(rows))
    return Choice(seconds, model.n_components_, model.labels_)


def shapes(rows: Any, most: int, seed: int, threads: int, criterion: str) -> Choice:
    """Choose among the 14 shapes of covariance, too."""
    families, found = [Gaussian(shape) for shape in SHAPES], []
    given: dict[str, Any] = {
        "n_components": range(1, most + 1),
        "criterion": criterion,
        "random_state": seed,
    }

    def run() -> None:
        found.append(compare(rows, families=families, n_jobs=threads, **given))

    seconds = time_of(run)
    best = found[0].best
    return Choice(seconds, best.n_components_, best.labels_)


def scikit_learn(rows: Any, most: int, seed: int, threads: int, n_init: int) -> Choice:
    """Choose by the BIC of one `GaussianMixture` for each number."""
    models = [
        GaussianMixture(k, n_init=n_init, random_state=seed)
        for k in range(1, min(most, len(rows)) + 1)
    ]
    seconds = time_of(lambda: [model.fit(rows) for model in models])
    best = models[int(np.argmin([model.bic(rows) for model in models]))]
    return Choice(seconds, best.n_components, best.predict(rows))


def by_mclust(rows: Any, most: int, seed: int, threads: int) -> Choice:
    """Choose by `Mclust`: 14 shapes, by BIC."""
    found = mclust.run_mclust(rows, f"1:{most}", seed, threads)
    return Choice(found.seconds, len(np.unique(found.labels)), found.labels)


R_SOURCE = "Debian: apt-get install r-base r-cran-mclust"
CHOOSERS: dict[str, Chooser] = {
    OWN: Chooser(auto),
    "effective BIC": Chooser(partial(auto, criterion="effective_bic")),
    "BIC": Chooser(partial(auto, criterion="bic")),
    "ICL": Chooser(partial(auto, criterion="icl")),
    "cross-validation": Chooser(partial(auto, criterion="cv"), largest=10),
    SHAPES_BY_BIC: Chooser(partial(shapes, criterion="effective_bic"), largest=10),
    PEER: Chooser(partial(scikit_learn, n_init=PEER_RUNS), largest=10),
    MCLUST: Chooser(by_mclust, largest=10, is_installed=mclust.installed, source=R_SOURCE),
    "up to 9": Chooser(partial(auto, is_open=False), times_only=True),
    "scikit-learn up to 9": Chooser(partial(scikit_learn, n_init=1), times_only=True),
    "14 shapes up to 9": Chooser(partial(shapes, criterion="bic"), times_only=True),
    "mclust up to 9": Chooser(
        by_mclust, times_only=True, is_installed=mclust.installed, source=R_SOURCE
    ),
}
