"""`boltzmix bootstrap`: standard errors and intervals of a saved model."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

from ..files import STREAM, write_table
from ..inference import Bootstrap, ReplicatedEstimates
from ..inference.bootstrap.sets import KINDS
from ..loading import load
from ..saving import write_whole
from ..views import describe_replicated
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
from .families import check_choice, import_family
from .groups import with_groups
from .outputs import check_places, check_seed, print_written, write_outputs
from .prediction import MODEL, OWN, NewFile, matched


@app.command()
@with_groups
def bootstrap(
    model_file: MODEL,
    new: NewFile,
    replicates: Annotated[
        int, typer.Option("-n", "--replicates", help="Number of replicates.")
    ] = 200,
    kind: Annotated[
        str | None,
        typer.Option(help=f"{', '.join(KINDS)}; weighted if absent, where the family can."),
    ] = None,
    level: Annotated[float, typer.Option(help="Level of the intervals.")] = 0.95,
    differences: Annotated[
        bool,
        typer.Option("--differences", help="Show differences between components instead."),
    ] = False,
    seed: given.Seed = None,
    table: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Write the table here, as CSV, TSV or Parquet; - for standard output."
        ),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--plot", help="Draw intervals here, as PNG, SVG or PDF.")
    ] = None,
    family: OWN = None,
    json: given.Json = False,
) -> None:
    """Show standard errors and intervals of the parameters of a saved model.

    For example:

    boltzmix bootstrap flowers.bmix flowers.csv

    boltzmix bootstrap flowers.bmix flowers.csv -n 1000 --level 0.9 --out intervals.csv
    """
    with one_sentence_errors():
        outputs = {"--out": table, "--plot": picture}
        check_places({"model": model_file, "file": new.file}, outputs)
        if json and table == STREAM:
            raise ValueError("--json and --out - both print to standard output: leave one out.")
        check_seed(seed)
        check_choice("--kind", kind, KINDS)
        _check_numbers(replicates, level)
        model = load(model_file, families=[import_family(one) for one in family or []])
        read = new.read(model)
        X = matched(model, read, new.file)
        with warnings_as_sentences() as noted:
            found = model.bootstrap(X, n=replicates, kind=kind, random_state=seed)
        print_notes(noted)
        shown = found.differences() if differences else found
        written = write_outputs(_writers(found, shown, level), outputs, "Table")
        if json:
            print_json(_facts(found, shown, level))
            return
        console = err if table == STREAM else out
        console.print(describe_replicated(shown.rows(level), found.words(level)))
        print_written(written, console)


def _check_numbers(replicates: int, level: float) -> None:
    if replicates < 2:
        raise ValueError(f"--replicates must be a whole number of at least 2, not {replicates}.")
    if not 0 < level < 1:
        raise ValueError(f"--level must be a number between 0 and 1, such as 0.9, not {level}.")


def _writers(
    found: Bootstrap, shown: ReplicatedEstimates, level: float
) -> Mapping[str, Callable[[Path], None]]:
    def draw(path: Path) -> None:
        figure = found.plot(level=level).figure
        write_whole(path, lambda draft: figure.savefig(draft, dpi=130))

    return {
        "--out": lambda path: write_table(pl.DataFrame(shown.rows(level)), path),
        "--plot": draw,
    }


def _facts(found: Bootstrap, shown: ReplicatedEstimates, level: float) -> dict[str, Any]:
    return {
        "kind": found.kind,
        "replicates": len(found.replicates),
        "left_out": dict(found.left_out),
        "level": level,
        "estimates": shown.rows(level),
    }
