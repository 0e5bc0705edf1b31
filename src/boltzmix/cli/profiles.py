"""`boltzmix profiles`: what each column of a file is like in each component of a saved model."""

from typing import Annotated

import typer

from . import options as given
from .app import app, with_groups
from .errors import one_sentence_errors
from .facts import plain
from .saved_models import PlottedCommand


@app.command()
@with_groups
def profiles(
    *,
    command: PlottedCommand,
    level: Annotated[float, typer.Option(help="Confidence level of the intervals.")] = 0.95,
    bootstrap: Annotated[
        int,
        typer.Option(
            help="Number of bootstrap replicates to take the intervals from; 0 takes the"
            " components as known."
        ),
    ] = 0,
    seed: given.Seed = None,
) -> None:
    """Show what each column is like in each component, and which columns tell them apart.

    For example:

    boltzmix profiles flowers.bmix flowers.csv

    boltzmix profiles flowers.bmix flowers.csv --out profiles.csv --plot profiles.png
    """
    with one_sentence_errors():
        command.check(seed)
        with command.saved() as saved:
            found = saved.model.profiles(
                saved.X,
                level=level,
                bootstrap=bootstrap,
                random_state=seed,
                symbols=saved.read.symbols,
            )
        rows = found.rows()
        facts = {"ranking": list(found.ranking), "profiles": plain(rows)}
        command.show(rows, repr(found), facts, found.plot)
