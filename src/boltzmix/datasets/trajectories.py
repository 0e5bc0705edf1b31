"""Weights of chicks, and pen trajectories of handwritten letters, from a file or from UCI."""

import os
import tempfile
import warnings
from collections import Counter
from collections.abc import Sequence
from http.client import HTTPException
from importlib.resources import files
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.request import urlopen
from zipfile import ZipFile

import numpy as np
from scipy.io import loadmat

from ..data import FloatArray, IntArray, Trajectories, shown
from .sequences import LabelledSequences


def load_chick_weights() -> tuple[Trajectories, IntArray]:
    """Load the weights of 50 chicks on four diets, on up to 12 days each.

    Weights are in grams. The figures are those in M. Crowder and D. Hand, *Analysis of Repeated
    Measures* (1990), example 5.3.

    Returns
    -------
    X : Trajectories
        Their `ids` are the numbers of the chicks, and times are days since birth.
    diets : array of int, shape (50,)
        The diet of each chick, 0 to 3: those of the book less one.

    Examples
    --------
    >>> X, diets = load_chick_weights()
    >>> X, np.bincount(diets)
    (<50 trajectories of 2 to 12 points, 1 output, times from 0 to 21>, array([20, 10, 10, 10]))
    """
    text = (files(__package__) / "chick_weights.csv").read_text(encoding="utf-8")
    rows = np.array([line.split(",") for line in text.splitlines()[1:]], dtype=float)
    chicks, first, counts = np.unique(rows[:, 0], return_index=True, return_counts=True)
    X = Trajectories(
        rows[:, 2],
        rows[:, 3:],
        np.append(0, np.cumsum(counts)),
        ("weight",),
        "day",
        ids=chicks.astype(int),
    )
    return X, rows[first, 1].astype(int) - 1


FILE = "character_trajectories_a-e.npz"
UCI_ADDRESS = "https://archive.ics.uci.edu/static/public/175/character+trajectories.zip"
UCI_FILE = "mixoutALL_shifted.mat"
UCI_COUNTS = {"a": 171, "b": 141, "c": 142, "d": 157, "e": 186}
TIMEOUT = 30.0  # seconds to wait for an answer


def load_character_trajectories(
    letters: Sequence[str] = "abcde", folder: str | Path | None = None
) -> LabelledSequences:
    """Load pen trajectories of handwritten letters (UCI Character Trajectories, CC BY 4.0).

    Every step has the pen's velocity along x and y, and its force. Steps before and after the
    pen moves are cut off.

    Parameters
    ----------
    letters : str or list of letters
        Which of a, b, c, d and e to load. ``"ab"`` is the paper's smaller task.
    folder : path, optional
        The folder of `character_trajectories_a-e.npz`; by default the one that the environment
        variable ``BOLTZMIX_DATA`` names. Without either, the data are downloaded from UCI once, and
        kept in ``~/.cache/boltzmix`` (or in ``XDG_CACHE_HOME``).

    Returns
    -------
    X : list of arrays, shapes (T_i, 3)
    labels : array of int, shape (n,)
        Indices of `letters`.

    Raises
    ------
    FileNotFoundError
        When the folder does not contain the file, or UCI cannot be reached.
    ValueError
        When `letters` are not among a–e, or the file is not this data set.

    Notes
    -----
    UCI has 797 sequences of these letters, as has the paper. A file in `folder` is used as it is,
    and may hold fewer.
    """
    order = _check_letters(letters)
    found = _find_trajectories(folder or os.environ.get("BOLTZMIX_DATA"))
    arrays = np.split(found.values.astype(float), np.cumsum(found.lengths)[:-1])
    chosen = [i for i, letter in enumerate(found.labels) if letter in order]
    return [arrays[i] for i in chosen], np.array([order[found.labels[i]] for i in chosen], int)


class _Trajectories(NamedTuple):
    """Sequences end to end, as in the file: values (steps, 3), lengths (n,) and labels (n,)."""

    values: FloatArray
    lengths: IntArray
    labels: Any

    def check(self) -> None:
        if self.values.ndim != 2 or self.values.shape[1] != 3 or self.values.dtype.kind != "f":
            raise ValueError(
                f"values have shape {self.values.shape} and dtype {self.values.dtype}, in place of"
                " (steps, 3) and a float"
            )
        if not np.isfinite(self.values).all():
            raise ValueError("some values are not finite")
        if (
            self.lengths.ndim != 1
            or self.lengths.dtype.kind not in "iu"
            or (self.lengths < 1).any()
        ):
            raise ValueError("lengths are not whole numbers of at least 1")
        if self.lengths.sum() != len(self.values):
            raise ValueError("lengths do not add up to the number of steps")
        if self.labels.shape != self.lengths.shape:
            raise ValueError("there is not one label per sequence")


def _check_letters(letters: object) -> dict[str, int]:
    given = list(letters) if isinstance(letters, Sequence) else []
    known = all(isinstance(letter, str) and letter in UCI_COUNTS for letter in given)
    if not given or not known or len(set(given)) < len(given):
        raise ValueError(f"letters must be different ones of 'abcde', not {shown(letters)}.")
    return {letter: index for index, letter in enumerate(given)}


def _find_trajectories(folder: str | Path | None) -> _Trajectories:
    if folder:
        path = Path(folder).expanduser() / FILE
        if not path.is_file():
            raise FileNotFoundError(
                f"There is no {FILE} in {folder}: name the folder that has it with folder="
                f" or BOLTZMIX_DATA, or name none to load it from {UCI_ADDRESS}."
            )
        return _read(path)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "boltzmix"
    path = cache / FILE
    if path.is_file():
        return _read(path)
    trajectories = _parse_uci(_download())
    try:
        _keep(trajectories, path)
    except OSError as error:
        warnings.warn(
            f"{path} could not be written ({error}): the data will be downloaded again next time.",
            stacklevel=3,
        )
    return trajectories


def _read(path: Path) -> _Trajectories:
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            trajectories = _Trajectories(file["values"], file["lengths"], file["labels"])
        trajectories.check()
    except Exception as error:  # readers raise any kind of error on another kind of file
        raise ValueError(
            f"{path} does not hold the trajectories it should ({error}): remove or replace it."
        ) from error
    return trajectories


def _download() -> bytes:
    try:
        with urlopen(UCI_ADDRESS, timeout=TIMEOUT) as answer:
            return bytes(answer.read())
    except (OSError, HTTPException) as error:
        raise FileNotFoundError(
            f"The character trajectories need BOLTZMIX_DATA to name the folder with {FILE},"
            f" or a network to load them from {UCI_ADDRESS} ({error})."
        ) from error


def _parse_uci(archive: bytes) -> _Trajectories:
    """Read the archive from UCI, and check its content in place of a checksum."""
    try:
        arrays, letters = _read_matlab(archive)
        counts = dict(Counter(letters))
        if counts != UCI_COUNTS:
            raise ValueError(f"sequences per letter are {counts}, not {UCI_COUNTS}")
        lengths = np.array([len(array) for array in arrays])
        trajectories = _Trajectories(np.concatenate(arrays), lengths, np.array(letters))
        trajectories.check()
    except Exception as error:  # readers raise any kind of error on another kind of file
        raise ValueError(
            f"What {UCI_ADDRESS} sent is not the data set expected, and was not kept ({error})."
        ) from error
    return trajectories


def _read_matlab(archive: bytes) -> tuple[list[FloatArray], list[str]]:
    """Return the trajectories of a–e, shapes (T_i, 3), and their letters."""
    with ZipFile(BytesIO(archive)) as files:
        names = (name for name in files.namelist() if PurePosixPath(name).name == UCI_FILE)
        file: Any = BytesIO(files.read(next(names, UCI_FILE)))
    contents = loadmat(file)
    constants = contents["consts"][0, 0]
    key = [letter.item() for letter in constants["key"].ravel()]
    letters = [key[int(number) - 1] for number in constants["charlabels"].ravel()]
    pairs = zip(contents["mixout"].ravel(), letters, strict=True)
    kept = [(_trim(one.T), letter) for one, letter in pairs if letter in UCI_COUNTS]
    return [one for one, _ in kept], [letter for _, letter in kept]


def _trim(steps: FloatArray) -> FloatArray:
    """Cut off the steps (T, 3) before the first and after the last that is not all zero."""
    steps = steps.astype(np.float32, casting="same_kind")
    moving = np.flatnonzero(steps.any(axis=1))
    return steps[moving[0] : moving[-1] + 1] if len(moving) else steps[:0]


def _keep(trajectories: _Trajectories, path: Path) -> None:
    """Write the file under another name, then rename it, so that it is never half-written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".boltzmix-") as folder:
        draft = Path(folder) / path.name
        np.savez_compressed(draft, **trajectories._asdict())
        draft.replace(path)
