"""Commands on a saved model read it and a file for it, and show a table, by this module."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import polars as pl
import typer

from ..data import Columns, Regression, Sequences, Trajectories, counted
from ..files import STREAM, Read, ReadOptions, shown, write_table
from ..fitted import FittedMixture
from ..gaussian_mixture import GaussianMixture
from ..loading import load
from ..mixture import Mixture
from ..saving import UnknownFamilyError
from ..views import listed
from . import options as given
from .console import err, out, print_json, print_notes
from .errors import warnings_as_sentences
from .family_options import import_family
from .outputs import (
    check_places,
    check_seed,
    check_streams,
    print_written,
    write_figure,
    write_outputs,
)
from .sources import ID_COLUMN, Reading, check_columns
from .values import split_names

MODEL = Annotated[
    Path,
    typer.Argument(metavar="MODEL", help="A model file, which boltzmix fit --save has written."),
]
OWN = Annotated[
    list[str] | None,
    typer.Option("--family", help="Your own family, as module:Class, if the model has it."),
]


@dataclass(frozen=True, kw_only=True)
class NewFile:
    """A file that is read like the one that a saved model was fitted to, except for options.

    Parameters
    ----------
    file : Path
    sequence, order, target, columns, id_column : str, optional
        Names of columns, where these are others than in the fitted file.
    reading : Reading
    """

    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A file with the same columns as the one fitted, in any format that fit reads; -"
            " for standard input.",
        ),
    ]
    sequence: Annotated[
        str | None,
        typer.Option(help="The column that says which sequence a row belongs to, if another."),
    ] = None
    order: Annotated[
        str | None, typer.Option(help="The column to sort the steps by, if another.")
    ] = None
    target: Annotated[
        str | None, typer.Option(help="The column, or columns a,b, of targets, if others.")
    ] = None
    columns: Annotated[
        str | None,
        typer.Option(help="Columns to use, as a,b,c, if the model has no column names."),
    ] = None
    id_column: ID_COLUMN = None
    reading: Reading

    def options(self, model: FittedMixture) -> ReadOptions:
        """Return how to read the file for a model."""
        kept: dict[str, Any] = dict(model.about_.get("way", {})) or _default_options(model)
        if self.columns and kept["columns"]:
            raise ValueError(
                f"The model was fitted to the columns {listed(kept['columns'])}, and needs these:"
                " leave --columns out, or rename those of the file."
            )
        named = {"columns": self.columns, "targets": self.target}
        named_now: dict[str, object] = {
            "sequence": self.sequence,
            "order": self.order,
            "id_column": self.id_column,
            **{key: text and split_names(text) for key, text in named.items()},
        }
        changed = {key: value for key, value in named_now.items() if value}
        options = ReadOptions.from_dict({**kept, **changed})
        options = replace(options, written=self.reading.applied_to(options.written))
        _check_kind(model, options)
        return options

    def read(self, model: FittedMixture) -> Read:
        """Read the file for a model, and print notes on it."""
        read = self.options(model).read(self.file)
        print_notes(f"{sentence}." for sentence in read.notes)
        return read


def load_saved(path: Path, own: list[str] | None) -> Mixture | GaussianMixture:
    """Load a model, with the user's own families, named as module:Class."""
    try:
        return load(path, families=[import_family(one) for one in own or []])
    except UnknownFamilyError as error:
        raise ValueError(
            f"{path} has components of the family {error.family}, which is not boltzmix's own:"
            f" hand its class over, as in --family module:{error.family}."
        ) from None


class Saved(NamedTuple):
    """A saved model, what was read of a file, and the observations in it."""

    model: Mixture | GaussianMixture
    read: Read
    X: Any


@dataclass(frozen=True, kw_only=True)
class TableCommand:
    """The options of a command that shows a table of what a saved model says of a file.

    Parameters
    ----------
    model_file : Path
    new : NewFile
    family : list of str, optional
        The user's own families.
    table : Path, optional
        Where the table is written.
    json : bool
        Whether JSON is printed in place of the table.
    """

    model_file: MODEL
    new: NewFile
    family: OWN = None
    table: given.TableFile = None
    json: given.Json = False

    @property
    def outputs(self) -> dict[str, Path | None]:
        """Where files are written, by option."""
        return {"--out": self.table}

    def check(self, seed: int | None = None) -> None:
        """Raise an error, before anything is read, if files or the seed are wrong."""
        check_places({"model": self.model_file, "file": self.new.file}, self.outputs)
        check_streams(self.outputs, self.json)
        check_seed(seed)

    @contextmanager
    def saved(self) -> Iterator[Saved]:
        """Read model and file, and print the warnings of what is computed of them."""
        model = load_saved(self.model_file, self.family)
        read = self.new.read(model)
        X = matched(model, read, self.new.file)
        with warnings_as_sentences() as noted:
            yield Saved(model, read, X)
        print_notes(noted)

    def show(
        self,
        rows: list[dict[str, object]],
        text: str,
        facts: Mapping[str, object],
        plot: Callable[[], Any] | None = None,
    ) -> None:
        """Print a table as text, or as JSON; write its rows and its picture if that is wanted.

        Parameters
        ----------
        rows : list of dict
            What `--out` writes.
        text : str
        facts : mapping
            What `--json` prints.
        plot : function, optional
            Draws the picture, and returns its axes.
        """
        writers: dict[str, Callable[[Path], None]] = {
            "--out": lambda path: write_table(pl.DataFrame(rows), path)
        }
        if plot is not None:
            writers["--plot"] = lambda path: write_figure(plot().figure, path)
        written = write_outputs(writers, self.outputs, "Table")
        if self.json:
            print_json(facts)
            return
        console = err if self.outputs["--out"] == STREAM else out
        console.print(text)
        print_written(written, console)


@dataclass(frozen=True, kw_only=True)
class PlottedCommand(TableCommand):
    """The options of a command that can also draw its table.

    Parameters
    ----------
    picture : Path, optional
        Where the picture is written.
    """

    picture: Annotated[
        Path | None, typer.Option("--plot", help="Draw the table here, as PNG, SVG or PDF.")
    ] = None

    @property
    def outputs(self) -> dict[str, Path | None]:
        """Where files are written, by option."""
        return {"--out": self.table, "--plot": self.picture}


def _check_kind(model: FittedMixture, options: ReadOptions) -> None:
    """Raise an error if options lack the columns that the observations of a model have."""
    observes = model.components_[0].observes
    if issubclass(observes, Sequences) and options.sequence is None:
        raise ValueError(
            "The model is of sequences: name the column that says which sequence a row belongs to"
            " with --sequence."
        )
    if issubclass(observes, Trajectories) and options.time is None:
        raise ValueError(
            "The model is of trajectories, and was not fitted by this command, so the columns of"
            " trajectories and times are not known: use load and predict in Python."
        )
    if issubclass(observes, Regression) and not options.targets:
        raise ValueError("The model is of curves: name the column of their values with --target.")
    check_columns(options.sequence, options.order, list(options.columns or ()))


def _default_options(model: FittedMixture) -> dict[str, object]:
    """Return how to read a file for a model that the command did not fit."""
    names = getattr(model, "feature_names_in_", None)
    mixed = issubclass(model.components_[0].observes, Columns)
    membership = model.membership if isinstance(model.membership, str) else None
    return {
        "columns": None if names is None else list(map(str, names)),
        "every": True,
        "mixed": mixed,
        "membership": membership,
    }


def matched(model: FittedMixture, read: Read, file: Path) -> Any:
    """Return the data that were read, with covariates, and without names if the model has none."""
    if hasattr(model, "feature_names_in_"):
        return read.with_covariates(model).X
    if len(read.columns) != model.n_features_in_:
        raise ValueError(
            f"{shown(file)} has {counted(len(read.columns), 'column')} to use"
            f" ({listed(read.columns)}), but"
            f" the model was fitted to {model.n_features_in_}: choose them with --columns."
        )
    plain = hasattr(read.X, "to_numpy")
    X = read.X.to_numpy() if plain else replace(read.X, feature_names=None)
    return read._replace(X=X).with_covariates(model).X
