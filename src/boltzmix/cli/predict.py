"""`boltzmix predict`: labels of a new file by a saved model."""

from pathlib import Path
from typing import Annotated

import typer

from ..files import STREAM, without_formulas, write_table
from ..views import are_merged
from . import options as given
from .app import app, with_groups
from .console import out, print_json, print_notes
from .errors import one_sentence_errors, warnings_as_sentences
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
from .saved_models import MODEL, OWN, NewFile, load_saved, matched


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
        model = load_saved(model_file, family)
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
