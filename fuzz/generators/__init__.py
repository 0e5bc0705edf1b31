"""The generators beside that of fits, by the name that ``python -m fuzz --what`` gives them."""

from importlib import import_module
from typing import Protocol, cast

FITS = "fits"
GENERATORS = {
    "containers": "fuzz.generators.containers",
    "files": "fuzz.generators.files",
    "formulas": "fuzz.generators.formulas",
    "interrupts": "fuzz.generators.interrupts",
    "models": "fuzz.generators.models",
    "parameters": "fuzz.generators.parameters",
}


class Generator(Protocol):
    """A module that runs cases."""

    @staticmethod
    def run(count: int, seed: int, minutes: float) -> int:
        """Run the cases ``seed`` to ``seed + count``; print failures; return how many failed.

        A generator stops early when `minutes` are over, and prints one line at the end.
        """


def generator(name: str) -> Generator:
    """Return the module of a generator."""
    return cast(Generator, import_module(GENERATORS[name]))
