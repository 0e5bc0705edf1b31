"""The classes that a package defines, so that a new family is found without being listed."""

from collections.abc import Iterator
from importlib import import_module
from inspect import isabstract
from pkgutil import walk_packages
from re import sub
from types import ModuleType

from .contract.base import Family


def classes_in(package: ModuleType) -> Iterator[type]:
    """Yield the public classes that the modules of a package define, in the order of modules."""
    for found in walk_packages(package.__path__, f"{package.__name__}."):
        module = import_module(found.name)
        for name, value in vars(module).items():
            defined_here = isinstance(value, type) and value.__module__ == module.__name__
            if defined_here and not name.startswith("_"):
                yield value


def families_in(package: ModuleType) -> list[type[Family]]:
    """Return the families that the modules of a package define and that can be fitted."""
    return [
        kind for kind in classes_in(package) if issubclass(kind, Family) and not isabstract(kind)
    ]


def command_name(kind: type[Family]) -> str:
    """Return the name of a family in the command.

    Examples
    --------
    >>> from boltzmix.families import HMM, FactorAnalyser
    >>> command_name(HMM), command_name(FactorAnalyser)
    ('hmm', 'factor-analyser')
    """
    return sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()
