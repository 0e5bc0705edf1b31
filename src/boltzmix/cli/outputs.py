"""Files that the command writes: labels, pictures, models, reports."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from .. import plots
from ..data import FloatArray, IntArray
from ..files import CSV_SEPARATORS, PARQUET, STREAM, Read, check_writable, write_table
from ..saving import write_whole

PICTURES = (".png", ".svg", ".pdf")
ENDINGS = {
    "--out": (*CSV_SEPARATORS, *PARQUET),
    "--plot": PICTURES,
    "--save": (".bmix",),
    "--report": (".html",),
}
NOUNS = {"--out": "Labels", "--plot": "Picture", "--save": "Model", "--report": "Report"}
LABELS = ("label", "probability")


def check_places(inputs: Mapping[str, Path], outputs: Mapping[str, Path | None]) -> None:
    """Raise an error if an output cannot be written, or would overwrite another file of the call.

    Parameters
    ----------
    inputs : mapping of the name of a file to its path
    outputs : mapping of option to path
    """
    taken = {path.resolve(): path for path in inputs.values() if path != STREAM}
    for option, path in outputs.items():
        if path is None or (path == STREAM and option == "--out"):
            continue
        check_writable(option, path, ENDINGS[option])
        if path.resolve() in taken:
            raise ValueError(f"{option} would overwrite {path}: choose another name.")
        taken[path.resolve()] = path


def check_seed(seed: int | None) -> None:
    """Raise an error if the seed is below zero."""
    if seed is not None and seed < 0:
        raise ValueError(f"--seed must be a whole number of zero or more, not {seed}.")


def check_names(option: str, sequence: str | None, names: list[str]) -> None:
    """Raise an error if the column of sequences is named like a column that is written."""
    if sequence in names:
        raise ValueError(f"{option} has a column {sequence!r} itself: rename that of --sequence.")


def labelled(
    read: Read, labels: IntArray, probabilities: FloatArray, names: list[str] | None = None
) -> pl.DataFrame:
    """Return the label and the probability of each observation, and its name if it has one.

    Parameters
    ----------
    read : Read
    labels : array, shape (n,)
    probabilities : array, shape (n, K)
        Probabilities of all components.
    names : list of K str, optional
        Names of the columns of these probabilities, if they are wanted.
    """
    named = [] if read.ids is None else [read.ids]
    best: list[Any] = list(map(pl.Series, LABELS, (labels, probabilities.max(axis=1))))
    every = zip(names or (), probabilities.T, strict=False)
    return pl.DataFrame([*named, *best, *(pl.Series(name, column) for name, column in every)])


def probability_names(model: Any) -> list[str]:
    """Return the names of the columns of probabilities of all components and of noise."""
    names = [f"p{k}" for k in range(len(model.components_))]
    return [*names, "p_noise"] if model.noise else names


def write_outputs(
    model: Any, read: Read, about: Mapping[str, Any], outputs: Mapping[str, Path | None]
) -> dict[str, Path]:
    """Write the files that options ask for; return the path of each.

    Parameters
    ----------
    model : fitted mixture
    read : Read
        The data that it was fitted to.
    about : mapping
        Facts to save with the model.
    outputs : mapping of option to path
    """

    def labels() -> pl.DataFrame:
        return labelled(read, model.labels_, model.predict_proba(read.X))

    writers: dict[str, Callable[[Path], None]] = {
        "--out": lambda path: write_table(labels(), path),
        "--plot": lambda path: write_picture(model, read.X, path),
        "--save": lambda path: model.save(path, about=about),
        "--report": lambda path: model.report(read.X, symbols=read.symbols).save(path),
    }
    asked = {option: path for option, path in outputs.items() if path is not None}
    for option, path in asked.items():
        writers[option](path)
    return {NOUNS[option]: path for option, path in asked.items()}


def write_picture(model: Any, X: Any, path: Path) -> None:
    """Write the overview of a fit to a file."""
    figure = plots.overview(model, X)
    write_whole(path, lambda draft: figure.savefig(draft, dpi=130))
