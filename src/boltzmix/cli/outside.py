"""`boltzmix three-step`: columns outside a saved model, related to its components."""

import re
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

from ..files import STREAM, write_table
from ..loading import load
from . import options as given
from .app import app
from .console import (
    err,
    one_sentence_errors,
    out,
    print_json,
    print_notes,
    warnings_as_sentences,
)
from .facts import plain
from .families import import_family
from .groups import with_groups
from .outputs import check_places, print_written, write_outputs
from .prediction import MODEL, OWN, NewFile, matched


@app.command(name="three-step")
@with_groups
def three_step(
    model_file: MODEL,
    new: NewFile,
    outcome: Annotated[
        str | None, typer.Option(help="The column that depends on the component.")
    ] = None,
    covariates: Annotated[
        str | None,
        typer.Option(help="Columns on which components depend, as a,b,c or 'a + b + c'."),
    ] = None,
    kind: Annotated[str, typer.Option(help="Of the outcome: number, category or count.")] = "auto",
    correction: Annotated[
        str, typer.Option(help="For wrong assignments: ml, bch or none.")
    ] = "auto",
    assignment: Annotated[str, typer.Option(help="modal or soft.")] = "modal",
    n_bootstrap: Annotated[
        int, typer.Option("--bootstrap", help="Number of replicates for standard errors.")
    ] = 0,
    table_file: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Write the table here, as CSV, TSV or Parquet; - for standard output."
        ),
    ] = None,
    family: OWN = None,
    json: given.Json = False,
) -> None:
    """Relate the components of a saved model to other columns of a file.

    For example:

    boltzmix three-step voters.bmix voters.csv --outcome vote

    boltzmix three-step voters.bmix voters.csv --covariates age,income
    """
    with one_sentence_errors():
        outputs = {"--out": table_file}
        check_places({"model": model_file, "file": new.file}, outputs)
        model = load(model_file, families=[import_family(one) for one in family or []])
        read = new.read(model)
        frame = read.content.frame
        with warnings_as_sentences() as noted:
            found = model.three_step(
                matched(model, read, new.file),
                covariates=_chosen(frame, "--covariates", covariates),
                outcome=_chosen(frame, "--outcome", outcome),
                kind=kind,
                correction=None if correction == "none" else correction,
                assignment=assignment,
                n_bootstrap=n_bootstrap,
            )
        print_notes(noted)
        _show(found, outputs, json)


def _chosen(frame: pl.DataFrame, option: str, names: str | None) -> pl.DataFrame | None:
    """Return the columns that an option names."""
    if names is None:
        return None
    wanted = [name.strip() for name in re.split(r"[,+]", names)]
    for name in wanted:
        if name not in frame.columns:
            raise ValueError(f"{option} names {name!r}, which is no column of the file.")
    return frame.select(wanted)


def _show(found: Any, outputs: dict[str, Path | None], json: bool) -> None:
    """Print what was found as text or JSON, and write its table if that is wanted."""
    console = err if outputs["--out"] == STREAM else out
    rows = found.estimates.rows()
    writers = {"--out": lambda path: write_table(pl.DataFrame(rows), path)}
    written = write_outputs(writers, outputs, "Table")
    if json:
        print_json({"estimates": plain(rows), "notes": found.sentences()})
    else:
        console.print(repr(found))
        print_written(written, console)
