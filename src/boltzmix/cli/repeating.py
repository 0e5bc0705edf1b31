"""The command that was called, as text that can be called again."""

import shlex
from typing import Any

import typer


def repeated_command(context: typer.Context, seed: int) -> str:
    """Return the command at work, with the options that were given and the seed that was used."""
    arguments, options = [], []
    for parameter in context.command.params:
        name = str(parameter.name)
        source, value = context.get_parameter_source(name), context.params[name]
        if parameter.param_type_name == "argument":
            arguments.append(str(value))
        elif source is not None and source.name != "DEFAULT" and name != "seed":
            options += _written(parameter, value)
    return shlex.join(
        ["boltzmix", str(context.info_name), *arguments, *options, "--seed", str(seed)]
    )


def _written(option: Any, value: Any) -> list[str]:
    """Return an option with its value, as it is typed."""
    name = max(option.opts, key=len)
    if value is True:
        return [name]
    if value is False:
        return list(option.secondary_opts[:1])
    values = value if isinstance(value, list | tuple) else [value]
    return [word for one in values for word in (name, str(one))]
