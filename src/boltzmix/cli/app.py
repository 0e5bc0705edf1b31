"""The command itself, which the modules of this package add to."""

from importlib.metadata import version
from typing import Annotated

import typer

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Fit mixtures of any base distribution, without caring about initialisation.",
)


def _tell_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"boltzmix {version('boltzmix')}")
        raise typer.Exit


@app.callback()
def main(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_tell_version, is_eager=True, help="Tell the version."),
    ] = False,
) -> None:
    """Fit mixtures of any base distribution, without caring about initialisation.

    From a file to labels, a picture and a model:

    boltzmix fit flowers.csv -k 3 --out labels.csv --plot clusters.png --save flowers.bmix

    boltzmix predict flowers.bmix more.csv

    Every command tells more with --help. Exit codes: 0 if all went well, 1 if something is wrong
    with files or values, which is told in one sentence, 2 if a command is not written right.
    """
