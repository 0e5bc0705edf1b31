"""`boltzmix predict`: labels of a new file by a saved model."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ..data import Columns, Regression, Sequences, Trajectories
from ..files import STREAM, Read, ReadOptions, shown, write_table
from ..loading import load
from ..views import listed
from . import options as given
from .app import app
from .console import note, one_sentence_errors, out, print_json, warnings_as_sentences
from .families import import_family
from .outputs import (
    LABELS,
    check_names,
    check_places,
    check_written,
    labelled,
    probability_names,
)
from .sources import check_columns

MODEL = Annotated[
    Path,
    typer.Argument(metavar="MODEL", help="A model file, which boltzmix fit --save has written."),
]
OWN = Annotated[
    list[str] | None,
    typer.Option("--family", help="Your own family, as module:Class, if the model has it."),
]

FILE = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A CSV or Parquet file with the same columns as the one fitted; - for CSV from"
        " standard input.",
    ),
]
SEQUENCE = Annotated[
    str | None,
    typer.Option(help="The column that says which sequence a row belongs to, if another."),
]
ORDER = Annotated[str | None, typer.Option(help="The column to sort the steps by, if another.")]
TARGET = Annotated[
    str | None, typer.Option(help="The column, or columns a,b, of targets, if others.")
]
COLUMNS = Annotated[
    str | None,
    typer.Option(help="Columns to use, as a,b,c, if the model has no column names."),
]


@app.command()
def predict(
    model_file: MODEL,
    file: FILE,
    proba: Annotated[
        bool,
        typer.Option("--proba", help="Add the probability of every component: p0, p1, …, p_noise."),
    ] = False,
    labels_file: Annotated[
        Path,
        typer.Option("--out", help="Write labels here, as CSV, TSV or Parquet; - to print them."),
    ] = STREAM,
    sequence: SEQUENCE = None,
    order: ORDER = None,
    target: TARGET = None,
    columns: COLUMNS = None,
    id_column: given.IdColumn = None,
    with_columns: given.WithColumns = False,
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
        check_places({"model": model_file, "file": file}, {"--out": labels_file})
        model: Any = load(model_file, families=[import_family(one) for one in family or []])
        names = probability_names(model) if proba else []
        options = read_options_for(model, columns, sequence, order, target, id_column)
        check_names("--out", options.sequence, [*LABELS, *names])
        read = options.read(file)
        check_written(read, with_columns, [*LABELS, *names])
        X = matched(model, read, file)
        with warnings_as_sentences() as noted:
            table = labelled(read, model.predict(X), model.predict_proba(X), names, with_columns)
        for sentence in (*(f"{one}." for one in read.notes), *noted):
            note(sentence)
        if json:
            print_json(table.to_dict(as_series=False))
        if labels_file != STREAM or not json:
            write_table(table, labels_file)
        if labels_file != STREAM and not json:
            out.print(f"Labels: {labels_file}")


def read_options_for(
    model: Any,
    columns: str | None,
    sequence: str | None,
    order: str | None,
    target: str | None,
    id_column: str | None = None,
) -> ReadOptions:
    """Return how to read a file for a model: as the fitted file, except for the options."""
    kept = dict(model.about_.get("way", {})) or _default_options(model)
    if columns and kept["columns"]:
        raise ValueError(
            f"The model was fitted to the columns {listed(kept['columns'])}, and needs these:"
            " leave --columns out, or rename those of the file."
        )
    named: dict[str, Any] = {"sequence": sequence, "order": order, "id_column": id_column}
    named |= {"columns": columns and columns.split(","), "targets": target and target.split(",")}
    options = ReadOptions(**{**kept, **{name: value for name, value in named.items() if value}})
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
    return options


def _default_options(model: Any) -> dict[str, Any]:
    """Return how to read a file for a model that the command did not fit."""
    names = getattr(model, "feature_names_in_", None)
    mixed = issubclass(model.components_[0].observes, Columns)
    membership = model.membership if isinstance(model.membership, str) else None
    return {
        "columns": None if names is None else list(map(str, names)),
        "mixed": mixed,
        "membership": membership,
    }


def matched(model: Any, read: Read, file: Path) -> Any:
    """Return the data that were read, with covariates, and without names if the model has none."""
    if hasattr(model, "feature_names_in_"):
        return read.with_covariates(model).X
    if len(read.columns) != model.n_features_in_:
        raise ValueError(
            f"{shown(file)} has {len(read.columns)} column(s) to use ({listed(read.columns)}), but"
            f" the model was fitted to {model.n_features_in_}: choose them with --columns."
        )
    plain = hasattr(read.X, "to_numpy")
    X = read.X.to_numpy() if plain else replace(read.X, feature_names=None)
    return read._replace(X=X).with_covariates(model).X
