"""Families by their names, which are the same in Python and in the command, and their settings."""

from collections.abc import Mapping
from inspect import Parameter, signature
from numbers import Integral
from typing import Any

from ..data import shown
from . import distributions
from .catalogue import command_name, families_in
from .contract.base import Family
from .distributions.robust_gaussian import RobustGaussian
from .mixed import Automatic
from .shared.validation import suggestion

SHORT_NAMES = {"gaussian-process": "gp"}


def _by_name() -> dict[str, type[Family]]:
    found: dict[str, type[Family]] = {"auto": Automatic}
    for kind in families_in(distributions):
        name = command_name(kind)
        found[SHORT_NAMES.get(name, name)] = kind
    return dict(sorted(found.items()))


FAMILIES = _by_name()


def as_family(given: object) -> Family:
    """Return the family that a user asks for: by an object, by a name, or by nothing.

    A mapping of columns to families, or their names, leaves the other columns to "auto".

    Examples
    --------
    >>> as_family("gaussian"), as_family("student-t")
    (Gaussian('full'), StudentT())
    """
    if given is None:
        return RobustGaussian()
    if isinstance(given, str):
        return _class_named(given)()
    if isinstance(given, Mapping):
        return Automatic({key: _part(part) for key, part in given.items()})
    if isinstance(given, Family):
        return given
    raise ValueError(f"family must be a Family such as Gaussian(), or its name, not {_hint(given)}")


def _part(given: object) -> Any:
    """Return the family of a column, by its name or as it is."""
    return _class_named(given)() if isinstance(given, str) else given


def _class_named(name: str) -> type[Family]:
    """Return the class of a family; underscores and capitals in its name are accepted."""
    plain = name.strip().lower().replace("_", "-")
    plain = SHORT_NAMES.get(plain, plain)
    if plain in FAMILIES:
        return FAMILIES[plain]
    hint = suggestion(plain, FAMILIES, "the names are")
    raise ValueError(f"There is no family {shown(name)}: {hint} {', '.join(FAMILIES)}.")


def _hint(given: object) -> str:
    """Say what was given in place of a family, and what to do."""
    if isinstance(given, Integral) and not isinstance(given, bool):
        number = shown(given)
        return f"{number}: for {number} components, pass n_components={number}."
    if isinstance(given, type) and issubclass(given, Family):
        return f"the class {given.__name__}: pass an object of it, {given.__name__}()."
    return f"{shown(given)}: your own class should derive from boltzmix.families.Family."


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
