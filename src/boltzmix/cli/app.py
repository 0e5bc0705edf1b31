"""The command, to which other modules add subcommands, and groups of their options."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from importlib.metadata import version
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

import typer

from .errors import debugging

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
    debug: Annotated[
        bool, typer.Option("--debug", help="Print the traceback of an error, too.")
    ] = False,
) -> None:
    """Fit mixtures of any base distribution, without caring about initialisation.

    From a file to labels, a model to use again and a report:

    boltzmix fit flowers.csv --out labels.csv --save flowers.bmix --report flowers.html

    boltzmix predict flowers.bmix more.csv

    Every command explains its options with --help.

    It exits with 0 on success, with 1 and one sentence if files or values
    are wrong, with 2 if the command line cannot be understood, with 3 if it
    found a bug of boltzmix, and with 130 after Ctrl-C.
    """
    debugging.is_on = debug


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Let a subcommand have dataclasses as parameters, whose fields are options.

    A field is annotated like the parameter of a subcommand. A field that is a dataclass itself is
    a group within the group.
    """
    hints = get_type_hints(command, include_extras=True)
    given = signature(command).parameters.values()
    flat = [one for own in given for one in _flat(own.name, hints[own.name], own.default)]

    @wraps(command)
    def run(**values: object) -> None:
        command(**{own.name: _made(own.name, hints[own.name], values) for own in given})

    run.__annotations__ = {one.name: one.annotation for one in flat}
    vars(run)["__signature__"] = Signature(flat)
    return run


def _flat(name: str, kind: object, default: Any) -> list[Parameter]:
    """Return the options that a parameter stands for."""
    if not is_dataclass(kind):
        return [Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)]
    hints = get_type_hints(kind, include_extras=True)
    parts = [
        (one.name, hints[one.name], Parameter.empty if one.default is MISSING else one.default)
        for one in fields(kind)
    ]
    return [option for part in parts for option in _flat(*part)]


def _made(name: str, kind: object, values: Mapping[str, object]) -> Any:
    """Return the value of a parameter: an option, or a group of these."""
    if not is_dataclass(kind):
        return values[name]
    hints = get_type_hints(kind, include_extras=True)
    made = {one.name: _made(one.name, hints[one.name], values) for one in fields(kind)}
    make: Any = kind
    return make(**made)
