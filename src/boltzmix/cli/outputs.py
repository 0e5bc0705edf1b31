"""Files that the command writes: labels, pictures, models, reports."""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os.path import realpath  # which raises nothing if links lead in a circle
from pathlib import Path
from typing import Any

import polars as pl
import typer
from rich.console import Console

from .. import plots
from ..comparison import Comparison
from ..data import FloatArray, IntArray
from ..files import (
    CSV_SEPARATORS,
    PARQUET,
    STREAM,
    Read,
    check_writable,
    without_formulas,
    write_table,
)
from ..fitted import FittedMixture
from ..learning import ALGORITHMS
from ..saving import write_whole
from ..views import Symbols, are_merged
from .console import forgive_output, print_notes
from .family_options import check_choice
from .options import STARTS, Learning

PICTURES = (".png", ".svg", ".pdf")
ENDINGS = {
    "--out": (*CSV_SEPARATORS, *PARQUET),
    "--plot": PICTURES,
    "--save": (".bmix",),
    "--report": (".html",),
    "--checkpoint": (".bmix",),
}
NOUNS = {"--plot": "Picture", "--save": "Model", "--report": "Report"}
LABELS = ("label", "probability")
COMPONENT = "component"  # a further column, where components are merged and labels are clusters


def check_places(inputs: Mapping[str, Path], outputs: Mapping[str, Path | None]) -> None:
    """Raise an error if an output cannot be written, or would overwrite another file of the call.

    Parameters
    ----------
    inputs : mapping of the name of a file to its path
    outputs : mapping of option to path
    """
    taken = {realpath(path): path for path in inputs.values() if path != STREAM}
    for option, path in outputs.items():
        if path is None or (path == STREAM and option == "--out"):
            continue
        check_writable(option, path, ENDINGS[option])
        if realpath(path) in taken:
            raise ValueError(f"{option} would overwrite {path}: choose another name.")
        taken[realpath(path)] = path


def check_call(
    file: Path, outputs: Mapping[str, Path | None], json: bool, learning: Learning
) -> None:
    """Raise an error, before anything is read, if files or values of options are wrong."""
    check_places({"file": file}, outputs)
    check_streams(outputs, json)
    check_seed(learning.seed)
    check_choice("--algorithm", learning.algorithm, ALGORITHMS)
    check_choice("--init", learning.init, STARTS)


def check_streams(outputs: Mapping[str, Path | None], json: bool) -> None:
    """Raise an error if two results are to be printed to standard output."""
    if json and outputs["--out"] == STREAM:
        raise ValueError("--json and --out - both print to standard output: leave one out.")


def check_seed(seed: int | None) -> None:
    """Raise an error if the seed is below zero."""
    if seed is not None and seed < 0:
        raise ValueError(f"--seed must be a whole number of zero or more, not {seed}.")


def check_names(option: str, sequence: str | None, names: list[str]) -> None:
    """Raise an error if the column of sequences is named like a column that is written."""
    if sequence in names:
        raise ValueError(f"{option} has a column {sequence!r} itself: rename that of --sequence.")


def check_written(read: Read, with_columns: bool, names: list[str]) -> None:
    """Raise an error if the columns of a file cannot be written beside labels.

    Parameters
    ----------
    read : Read
    with_columns : bool
        Whether all columns of the file are written.
    names : list of str
        Names of the other columns that are written.
    """
    if with_columns and read.rows is None:
        raise ValueError(
            "--with-columns is for files in which each row is an observation: leave it out, as"
            " labels of sequences and trajectories have their names anyway."
        )
    both = [name for name in _columns(read, with_columns) if name in names]
    if both:
        raise ValueError(
            f"--out has a column {both[0]!r} itself, and so has the file: rename that of the file,"
            " or leave --with-columns or --id out."
        )


def _columns(read: Read, with_columns: bool) -> dict[str, pl.Series]:
    """Return the columns of the file that are written beside labels, the name of the row first."""
    named = {} if read.ids is None else {read.ids.name: read.ids}
    every = {} if read.rows is None or not with_columns else dict(read.rows.to_dict())
    return {**named, **every}


def labelled(
    read: Read,
    labels: IntArray,
    probabilities: FloatArray,
    names: list[str] | None = None,
    with_columns: bool = False,
    components: IntArray | None = None,
) -> pl.DataFrame:
    """Return the label and the probability of each observation, and its name if it has one.

    Parameters
    ----------
    read : Read
    labels : array, shape (n,)
    probabilities : array, shape (n, K)
        Probabilities of all components, or of clusters of merged ones.
    names : list of K str, optional
        Names of the columns of these probabilities, if they are wanted.
    with_columns : bool
        Whether all columns of the file are in the result.
    components : array, shape (n,), optional
        The component of each observation, where labels are clusters of several.
    """
    own = _columns(read, with_columns).values()
    best: list[pl.Series] = list(map(pl.Series, LABELS, (labels, probabilities.max(axis=1))))
    if components is not None:
        best.append(pl.Series(COMPONENT, components))
    every = zip(names or (), probabilities.T, strict=False)
    return pl.DataFrame([*own, *best, *(pl.Series(name, column) for name, column in every)])


def probability_names(model: FittedMixture) -> list[str]:
    """Return the names of the columns of probabilities of all clusters and of noise."""
    names = [f"p{k}" for k in range(model.n_clusters_)]
    return [*names, "p_noise"] if model.noise else names


@dataclass(frozen=True)
class Reporting:
    """The origin of a report.

    Parameters
    ----------
    file : Path
        The file that was read.
    command : str
        The command to repeat the report.
    classes : Series, optional
        Known classes.
    """

    file: Path
    command: str
    classes: pl.Series | None = None

    def write(self, model: FittedMixture, read: Read, path: Path) -> None:
        """Write the report on a fitted mixture."""
        report = model.report(
            read.X,
            symbols=read.symbols,
            compare_with=self.classes,
            source=None if self.file == STREAM else self.file,
            command=self.command,
        )
        report.save(path)


def labels_writers(
    model: FittedMixture,
    read: Read,
    about: Mapping[str, object],
    reporting: Reporting,
    with_columns: bool = False,
    escape: bool = False,
) -> Mapping[str, Callable[[Path], None]]:
    """Return what writes each output of a fit, by option.

    Parameters
    ----------
    model : fitted mixture
    read : Read
        The data that it was fitted to.
    about : mapping
        Facts to save with the model.
    reporting : Reporting
        Facts for the report.
    with_columns : bool
        Whether labels are written beside all columns of the file.
    escape : bool
        Whether texts like formulas of spreadsheets are escaped.
    """

    def labels() -> pl.DataFrame:
        found = model.predict_proba(read.X)
        components = model.component_labels_ if are_merged(model) else None
        frame = labelled(read, model.labels_, found, None, with_columns, components)
        return without_formulas(frame) if escape else frame

    return {
        "--out": lambda path: write_table(labels(), path),
        "--plot": lambda path: write_picture(model, read.X, path, read.symbols),
        **_model_writers(model, read, about, reporting),
    }


def comparison_writers(
    comparison: Comparison, read: Read, about: Mapping[str, object], reporting: Reporting
) -> Mapping[str, Callable[[Path], None]]:
    """Return what writes each output of a comparison, by option; the model is the best one."""
    best = comparison.best
    best.comparison_ = comparison  # as a mixture that chose by itself has it
    return {
        "--out": lambda path: write_table(pl.DataFrame(comparison.rows()), path),
        "--plot": lambda path: write_figure(comparison.plot().figure, path),
        **_model_writers(best, read, about, reporting),
    }


def _model_writers(
    model: FittedMixture, read: Read, about: Mapping[str, object], reporting: Reporting
) -> dict[str, Callable[[Path], None]]:
    return {
        "--save": lambda path: model.save(path, about=about),
        "--report": lambda path: reporting.write(model, read, path),
    }


def write_outputs(
    writers: Mapping[str, Callable[[Path], None]], outputs: Mapping[str, Path | None], noun: str
) -> dict[str, Path]:
    """Write the files that options ask for; return the path of each, by what it is.

    If one cannot be written, the others are. Standard output comes last.

    Parameters
    ----------
    writers : mapping of option to function of a path
    outputs : mapping of option to path
    noun : str
        What `--out` writes.
    """
    asked = {option: path for option, path in outputs.items() if path is not None}
    failed: list[Exception] = []
    for option, path in sorted(asked.items(), key=lambda one: one[1] == STREAM):
        try:
            writers[option](path)
        except Exception as error:  # the other files are results, too
            failed.append(error)
            del asked[option]
    written = {NOUNS.get(option, noun): path for option, path in asked.items()}
    if failed:
        print_notes(f"{path} was written." for path in written.values() if path != STREAM)
        raise failed[0]
    return written


def print_written(written: Mapping[str, Path], console: Console) -> None:
    """Print where the files are that were written; that it cannot be printed is then no error."""
    files = {what: path for what, path in written.items() if path != STREAM}
    for what, path in files.items():
        console.print(f"{what}: {path}")
    if files:
        forgive_output()


def write_picture(
    model: FittedMixture, X: object, path: Path, symbols: Symbols | None = None
) -> None:
    """Write the overview of a fit to a file."""
    write_figure(plots.overview(model, X, symbols=symbols), path)


def write_figure(figure: Any, path: Path) -> None:
    """Write a figure of matplotlib to a file."""
    write_whole(path, lambda draft: figure.savefig(draft, dpi=130))


def repeated_command(context: typer.Context, seed: int) -> str:
    """Return the command at work, with the options that were given and the seed that was used."""
    arguments, options = [], []
    for parameter in context.command.params:
        name = str(parameter.name)
        source, value = context.get_parameter_source(name), context.params[name]
        if parameter.param_type_name == "argument":
            arguments.append(str(value))
        elif source is not None and source.name != "DEFAULT" and name != "seed":
            options += _written(parameter, value)
    return shlex.join(
        ["boltzmix", str(context.info_name), *arguments, *options, "--seed", str(seed)]
    )


def _written(option: Any, value: object) -> list[str]:
    """Return an option with its value, as it is typed."""
    name = max(option.opts, key=len)
    if value is True:
        return [name]
    if value is False:
        return list(option.secondary_opts[:1])
    values = value if isinstance(value, list | tuple) else [value]
    return [word for one in values for word in (name, str(one))]
