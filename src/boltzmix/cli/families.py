"""`boltzmix families`: the families of distributions."""

from typing import Annotated

import typer
from rich.table import Table as Grid

from ..families import FAMILIES, Family
from .app import app
from .console import out, print_json
from .errors import one_sentence_errors

KINDS = {
    "Sequences": "sequences",
    "Trajectories": "trajectories",
    "Regression": "curves",
    "Columns": "mixed tables",
}


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
        listed = [_entry(name, kind) for name, kind in FAMILIES.items()]
        if json:
            print_json(listed)
            return
        grid = Grid("family", "of", "description", box=None, pad_edge=False)
        for one in listed:
            grid.add_row(one["name"], one["of"], one["summary"])
        out.print(grid)


def _entry(name: str, kind: type[Family]) -> dict[str, str]:
    summary = (kind.__doc__ or "").strip().splitlines()[0].replace("`", "")
    of = KINDS.get(kind.observes.__name__, "rows")
    return {"name": name, "class": kind.__name__, "of": of, "summary": summary}
