"""Sequences with known classes: series of the UCR archive, spoken vowels and pen strokes."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from boltzmix import Sequences
from boltzmix.datasets import load_character_trajectories
from experiments.sequences import load_japanese_vowels

from .optimum_sets import data_path

SERIES, SEVERAL = "UCR", "multivariate"  # the two groups of sets
FOLDER, LETTERS_FILE = "ucr", "character_trajectories_a-e.npz"  # in BOLTZMIX_DATA
VOWELS, LETTERS, TURNED = "JapaneseVowels", "letters a-e", "turned letters"

# ARI of k-Shape as published with tsml-eval (github.com/time-series-machine-learning/tsml-eval),
# the mean of ten seeds; CBF, Chinatown and Coffee have none here.
PUBLISHED_K_SHAPE = {
    "ArrowHead": 0.193,
    "BME": 0.188,
    "ECG200": 0.223,
    "GunPoint": -0.005,
    "ItalyPowerDemand": 0.228,
    "Plane": 0.784,
    "SmoothSubspace": 0.113,
    "SonyAIBORobotSurface1": 0.364,
    "SyntheticControl": 0.571,
    "Trace": 0.572,
    "TwoLeadECG": 0.088,
    "UMD": 0.145,
}
# Means of the same source over 27 sets of the archive, of which these are some.
PUBLISHED_MEANS = {"k-Shape": 0.341, "KASBA": 0.326}


@dataclass(frozen=True)
class LabelledSequences:
    """Sequences to cluster, and their classes.

    Parameters
    ----------
    sequences : Sequences
    labels : array of int, shape (n,)
    """

    sequences: Sequences
    labels: Any

    @property
    def k(self) -> int:
        """Number of classes."""
        return len(np.unique(self.labels))

    @cached_property
    def with_slopes(self) -> Sequences:
        """The sequences, with the slopes of their columns."""
        return self.sequences.with_slopes()

    @cached_property
    def resampled(self) -> Any:
        """Sequences of one length, (n, T, d), for methods that need it.

        Where lengths differ, sequences are interpolated at as many steps as their median has. Where
        there are several columns, these are standardised.
        """
        X = self.sequences
        length = int(np.median(X.lengths))
        found = np.stack([_resample(one, length) for one in X])
        if X.n_features > 1:
            found = (found - X.values.mean(axis=0)) / X.values.std(axis=0)
        return found

    @property
    def rows(self) -> Any:
        """The same as one row for each sequence, (n, T d)."""
        return self.resampled.reshape(len(self.labels), -1)


@dataclass(frozen=True)
class SequencesSet:
    """A data set: `make` returns its data, which are the same for every seed."""

    make: Callable[[int], LabelledSequences]
    group: str
    drawn: bool = False


def read_series(path: Path, seed: int = 0) -> LabelledSequences:
    """Read series (n, T) of the archive, normalised one by one, and their classes."""
    with np.load(path) as found:
        series = Sequences.from_padded(found["X"].astype(float)[:, :, None])
        return LabelledSequences(series.normalised(), _numbered(found["y"]))


def read_letters(seed: int = 0) -> LabelledSequences:
    """Read the letters a to e."""
    X, labels = load_character_trajectories("abcde")
    return LabelledSequences(Sequences.of(X), _numbered(labels))


def read_turned_letters(seed: int = 0) -> LabelledSequences:
    """Read the letters as written, mirrored, upside down and written backwards: 20 classes.

    They stand for a whole alphabet. Columns are the velocities of the pen and its force, so a
    letter that is written backwards has its steps in reverse order, with the opposite velocities.
    """
    letters = read_letters()
    ways = [
        list(letters.sequences),
        [one * (-1, 1, 1) for one in letters.sequences],
        [one * (1, -1, 1) for one in letters.sequences],
        [(one * (-1, -1, 1))[::-1] for one in letters.sequences],
    ]
    labels = [letters.labels + place * letters.k for place in range(len(ways))]
    return LabelledSequences(Sequences.of([*chain(*ways)]), np.concatenate(labels))


def read_vowels(seed: int = 0) -> LabelledSequences:
    """Read the vowels of nine speakers."""
    X, labels = load_japanese_vowels()
    return LabelledSequences(Sequences.of(X), _numbered(labels))


def find_sets() -> tuple[dict[str, SequencesSet], list[str]]:
    """Return the sets, and the names of those whose files are not in BOLTZMIX_DATA."""
    folder = data_path(FOLDER)
    files = sorted(folder.glob("*.npz")) if folder else []
    sets = {path.stem: SequencesSet(partial(read_series, path), SERIES) for path in files}
    sets[VOWELS] = SequencesSet(read_vowels, SEVERAL)
    absent = [] if files else [f"{FOLDER}/*.npz"]
    if data_path(LETTERS_FILE) is None:
        return sets, [*absent, LETTERS_FILE]
    sets[LETTERS] = SequencesSet(read_letters, SEVERAL)
    sets[TURNED] = SequencesSet(read_turned_letters, SEVERAL)
    return sets, absent


def warm_up_data() -> list[LabelledSequences]:
    """Return small sets that compile all kernels before any fit is timed."""
    rng, labels = np.random.default_rng(0), np.repeat([0, 1], 10)
    several = [level + rng.normal(size=(12 + place, 2)) for place, level in enumerate(labels)]
    series = [one[:12, :1] for one in several]
    return [LabelledSequences(Sequences.of(one), labels) for one in (series, several)]


def _resample(sequence: Any, length: int) -> Any:
    """Interpolate a sequence (T, d) linearly at `length` evenly spaced places."""
    if len(sequence) == length:
        return sequence
    places = np.linspace(0, len(sequence) - 1, length)
    steps = np.arange(len(sequence))
    return np.stack([np.interp(places, steps, column) for column in sequence.T], axis=1)


def _numbered(labels: Any) -> Any:
    return np.unique(labels, return_inverse=True)[1]
