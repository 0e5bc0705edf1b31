"""Families by their names, which are the same in Python and in the command."""

from collections.abc import Mapping
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
