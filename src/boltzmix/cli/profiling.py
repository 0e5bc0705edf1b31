"""`boltzmix profiles`: what each column of a file is like in each component of a saved model."""

from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from ..files import STREAM, write_table
from ..inference import Profiles
from ..loading import load
from ..saving import write_whole
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
from .outputs import check_places, check_seed, print_written, write_outputs
from .prediction import MODEL, OWN, NewFile, matched


@app.command()
@with_groups
def profiles(
    model_file: MODEL,
    new: NewFile,
    level: Annotated[float, typer.Option(help="Confidence level of the intervals.")] = 0.95,
    bootstrap: Annotated[
        int,
        typer.Option(
            help="Number of bootstrap replicates to take the intervals from; 0 takes the"
            " components as known."
        ),
    ] = 0,
    seed: given.Seed = None,
    table_file: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Write the table here, as CSV, TSV or Parquet; - for standard output."
        ),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--plot", help="Draw the profiles here, as PNG, SVG or PDF.")
    ] = None,
    family: OWN = None,
    json: given.Json = False,
) -> None:
    """Show what each column is like in each component, and which columns tell them apart.

    For example:

    boltzmix profiles flowers.bmix flowers.csv

    boltzmix profiles flowers.bmix flowers.csv --out profiles.csv --plot profiles.png
    """
    with one_sentence_errors():
        outputs = {"--out": table_file, "--plot": picture}
        check_places({"model": model_file, "file": new.file}, outputs)
        if json and table_file == STREAM:
            raise ValueError("--json and --out - both print to standard output: leave one out.")
        check_seed(seed)
        model = load(model_file, families=[import_family(one) for one in family or []])
        read = new.read(model)
        X = matched(model, read, new.file)
        with warnings_as_sentences() as noted:
            found = model.profiles(
                X, level=level, bootstrap=bootstrap, random_state=seed, symbols=read.symbols
            )
        print_notes(noted)
        _show(found, outputs, json)


def _show(found: Profiles, outputs: dict[str, Path | None], json: bool) -> None:
    """Print a table of profiles, or JSON, and write the files that options ask for."""
    console = err if outputs["--out"] == STREAM else out

    def draw(path: Path) -> None:
        figure = found.plot().figure
        write_whole(path, lambda draft: figure.savefig(draft, dpi=130))

    writers = {"--out": lambda path: write_table(pl.DataFrame(found.rows()), path), "--plot": draw}
    written = write_outputs(writers, outputs, "Table")
    if json:
        print_json({"ranking": list(found.ranking), "profiles": plain(found.rows())})
    else:
        console.print(repr(found))
        print_written(written, console)
