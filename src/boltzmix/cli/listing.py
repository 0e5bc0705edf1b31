"""`boltzmix families`: what a component can be."""

from typing import Annotated, Any

import typer
from rich.table import Table as Grid

from ..families import FAMILIES, Family
from .app import app
from .console import one_sentence_errors, out, print_json

KINDS = {"Sequences": "sequences", "Regression": "curves", "Columns": "mixed tables"}


@app.command()
def families(
    json: Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")] = False,
) -> None:
    """List the families of distributions, with a line on each.

    For example:

    boltzmix families

    boltzmix families --json
    """
    with one_sentence_errors():
        told = [_tell(name, kind) for name, kind in FAMILIES.items()]
        if json:
            print_json(told)
            return
        grid = Grid("family", "of", "what a component is", box=None, pad_edge=False)
        for one in told:
            grid.add_row(one["name"], one["of"], one["summary"])
        out.print(grid)


def _tell(name: str, kind: type[Family]) -> dict[str, Any]:
    summary = (kind.__doc__ or "").strip().splitlines()[0].replace("`", "")
    of = KINDS.get(kind.observes.__name__, "rows")
    return {"name": name, "class": kind.__name__, "of": of, "summary": summary}
