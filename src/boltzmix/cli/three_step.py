"""`boltzmix three-step`: columns outside a saved model, related to its components."""

import re
from typing import Annotated

import polars as pl
import typer

from .app import app, with_groups
from .errors import one_sentence_errors
from .facts import plain
from .saved_models import TableCommand


@app.command(name="three-step")
@with_groups
def three_step(
    *,
    command: TableCommand,
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
) -> None:
    """Relate the components of a saved model to other columns of a file.

    For example:

    boltzmix three-step voters.bmix voters.csv --outcome vote

    boltzmix three-step voters.bmix voters.csv --covariates age,income
    """
    with one_sentence_errors():
        command.check()
        with command.saved() as saved:
            frame = saved.read.content.frame
            found = saved.model.three_step(
                saved.X,
                covariates=_chosen(frame, "--covariates", covariates),
                outcome=_chosen(frame, "--outcome", outcome),
                kind=kind,
                correction=None if correction == "none" else correction,
                assignment=assignment,
                n_bootstrap=n_bootstrap,
            )
        rows = found.estimates.rows()
        facts = {"estimates": plain(rows), "notes": found.sentences()}
        command.show(rows, repr(found), facts)


def _chosen(frame: pl.DataFrame, option: str, names: str | None) -> pl.DataFrame | None:
    """Return the columns that an option names."""
    if names is None:
        return None
    wanted = [name.strip() for name in re.split(r"[,+]", names)]
    for name in wanted:
        if name not in frame.columns:
            raise ValueError(f"{option} names {name!r}, which is no column of the file.")
    return frame.select(wanted)
