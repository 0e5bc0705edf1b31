"""The settings of a family: the arguments of its constructor, by which searches can change it."""

from collections.abc import Mapping
from inspect import Parameter, signature
from typing import Any

from ..data import shown
from .contract.base import Family
from .shared.validation import suggestion

NAMED = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


def settings_of(family: Family) -> dict[str, object]:
    """Return the arguments of a family's constructor, with those of families among them.

    Those of a family that is an argument itself have both names, joined by two underscores.

    Examples
    --------
    >>> from boltzmix.families import HMM, Gaussian, Laplace
    >>> settings_of(HMM(3, Gaussian("diag")))["emission__covariance"]
    'diag'
    """
    found = dict(_arguments(family))
    for name, value in list(found.items()):
        if isinstance(value, Family):
            found |= {f"{name}__{inner}": one for inner, one in settings_of(value).items()}
    return found


def with_settings(family: Family, changes: Mapping[str, Any]) -> Family:
    """Return a family of the same class with other settings, named as in `settings_of`.

    Examples
    --------
    >>> from boltzmix.families import Gaussian
    >>> with_settings(Gaussian(), {"covariance": "diag"})
    Gaussian('diag')
    """
    arguments = _arguments(family)
    nested: dict[str, dict[str, Any]] = {}
    for name, value in changes.items():
        outer, _, inner = name.partition("__")
        if outer not in arguments:
            raise ValueError(_describe_unknown(family, outer))
        if inner:
            nested.setdefault(outer, {})[inner] = value
        else:
            arguments[outer] = value
    for outer, own in nested.items():
        inside = arguments[outer]
        if not isinstance(inside, Family):
            raise ValueError(
                f"The setting {shown(outer)} of {family.name} is no family but {shown(inside)}, so"
                f" {outer}__{next(iter(own))} cannot be set: give {outer} a family first."
            )
        arguments[outer] = with_settings(inside, own)
    return type(family)(**arguments)


def _describe_unknown(family: Family, name: str) -> str:
    """Say that a family has no such setting, and name those that are set."""
    arguments = _arguments(family)
    hint = suggestion(name, arguments, "its settings are")
    chosen = [one for one, value in arguments.items() if value is not None]
    return f"{family.name} has no setting {name!r}: {hint} {', '.join(chosen)}."


def _arguments(family: Family) -> dict[str, object]:
    """Return the arguments of a family's constructor that it keeps under their own names."""
    parameters = signature(type(family)).parameters.values()
    kept = vars(family)
    return {
        one.name: kept[one.name] for one in parameters if one.kind in NAMED and one.name in kept
    }
