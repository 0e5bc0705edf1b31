"""The command, to which the other modules of this package add subcommands."""

from importlib.metadata import version
from typing import Annotated

import typer

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"boltzmix {version('boltzmix')}")
        raise typer.Exit


@app.callback()
def main(
    _: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Fit mixtures of any base distribution, without caring about initialisation.

    From a file to labels, a model to use again and a report:

    boltzmix fit flowers.csv --out labels.csv --save flowers.bmix --report flowers.html

    boltzmix predict flowers.bmix more.csv

    Every command explains its options with --help.

    It exits with 0 on success, with 1 and one sentence if files or values
    are wrong, with 2 if the command line cannot be understood, and with 130
    after Ctrl-C.
    """
