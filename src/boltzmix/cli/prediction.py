"""`boltzmix predict`: labels of a new file by a saved model."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ..data import Columns, Regression, Sequences, Trajectories, counted
from ..files import STREAM, Read, ReadOptions, shown, without_formulas, write_table
from ..fitted import FittedMixture
from ..loading import load
from ..views import are_merged, listed
from . import options as given
from .app import app
from .console import one_sentence_errors, out, print_json, print_notes, warnings_as_sentences
from .families import import_family
from .groups import with_groups
from .names import split_names
from .outputs import (
    COMPONENT,
    LABELS,
    check_names,
    check_places,
    check_written,
    labelled,
    print_written,
    probability_names,
)
from .sources import ID_COLUMN, Reading, check_columns

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
        kept = dict(model.about_.get("way", {})) or _default_options(model)
        if self.columns and kept["columns"]:
            raise ValueError(
                f"The model was fitted to the columns {listed(kept['columns'])}, and needs these:"
                " leave --columns out, or rename those of the file."
            )
        named = {"columns": self.columns, "targets": self.target}
        given: dict[str, Any] = {
            "sequence": self.sequence,
            "order": self.order,
            "id_column": self.id_column,
            **{key: text and split_names(text) for key, text in named.items()},
        }
        changed = {key: value for key, value in given.items() if value}
        options = ReadOptions.from_dict({**kept, **changed})
        options = replace(options, written=self.reading.applied_to(options.written))
        _check_kind(model, options)
        return options

    def read(self, model: FittedMixture) -> Read:
        """Read the file for a model, and print notes on it."""
        read = self.options(model).read(self.file)
        print_notes(f"{sentence}." for sentence in read.notes)
        return read


@app.command()
@with_groups
def predict(
    model_file: MODEL,
    new: NewFile,
    proba: Annotated[
        bool,
        typer.Option("--proba", help="Add the probability of every cluster: p0, p1, …, p_noise."),
    ] = False,
    labels_file: Annotated[
        Path,
        typer.Option("--out", help="Write labels here, as CSV, TSV or Parquet; - to print them."),
    ] = STREAM,
    with_columns: given.WithColumns = False,
    escape_formulas: given.EscapeFormulas = False,
    family: OWN = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")] = False,
) -> None:
    """Apply a saved model to a new file.

    The file is read as the fitted file was: the same columns, and the same codes for text.

    For example:

    boltzmix predict flowers.bmix more.csv

    boltzmix predict flowers.bmix more.csv --proba --out labels.parquet

    cat more.csv | boltzmix predict flowers.bmix - | sort | uniq -c
    """
    with one_sentence_errors():
        check_places({"model": model_file, "file": new.file}, {"--out": labels_file})
        model = load(model_file, families=[import_family(one) for one in family or []])
        names = probability_names(model) if proba else []
        written = [*LABELS, *([COMPONENT] if are_merged(model) else []), *names]
        check_names("--out", new.options(model).sequence, written)
        read = new.read(model)
        check_written(read, with_columns, written)
        X = matched(model, read, new.file)
        with warnings_as_sentences() as noted:
            components = model.predict_components(X) if are_merged(model) else None
            labels, found = model.predict(X), model.predict_proba(X)
            table = labelled(read, labels, found, names, with_columns, components)
        print_notes(noted)
        if labels_file != STREAM or not json:
            write_table(without_formulas(table) if escape_formulas else table, labels_file)
        if json:
            print_json(table.to_dict(as_series=False))
        else:
            print_written({"Labels": labels_file}, out)


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


def _default_options(model: FittedMixture) -> dict[str, Any]:
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
