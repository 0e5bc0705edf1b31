"""`boltzmix bootstrap`: standard errors and intervals of a saved model."""

from typing import Annotated

import typer

from ..inference.bootstrap.making import KINDS
from ..inference.estimates import describe_replicated
from . import options as given
from .app import app, with_groups
from .errors import one_sentence_errors
from .family_options import check_choice
from .saved_models import PlottedCommand


@app.command()
@with_groups
def bootstrap(
    *,
    command: PlottedCommand,
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
) -> None:
    """Show standard errors and intervals of the parameters of a saved model.

    For example:

    boltzmix bootstrap flowers.bmix flowers.csv

    boltzmix bootstrap flowers.bmix flowers.csv -n 1000 --level 0.9 --out intervals.csv
    """
    with one_sentence_errors():
        command.check(seed)
        check_choice("--kind", kind, KINDS)
        _check_numbers(replicates, level)
        with command.saved() as saved:
            found = saved.model.bootstrap(saved.X, n=replicates, kind=kind, random_state=seed)
        shown = found.differences() if differences else found
        rows = shown.rows(level)
        facts = {
            "kind": found.kind,
            "replicates": len(found.replicates),
            "left_out": dict(found.left_out),
            "level": level,
            "estimates": rows,
        }
        text = describe_replicated(rows, found.words(level))
        command.show(rows, text, facts, lambda: found.plot(level=level))


def _check_numbers(replicates: int, level: float) -> None:
    if replicates < 2:
        raise ValueError(f"--replicates must be a whole number of at least 2, not {replicates}.")
    if not 0 < level < 1:
        raise ValueError(f"--level must be a number between 0 and 1, such as 0.9, not {level}.")
