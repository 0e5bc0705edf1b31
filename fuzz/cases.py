"""A case: a family, a mixture and data, all made from one number."""

from dataclasses import dataclass
from typing import Any

from boltzmix import Mixture

from .data import Drawn, draw_data
from .dice import Dice
from .options import draw_arguments, draw_settings
from .templates import TEMPLATES, Template


@dataclass(frozen=True)
class Case:
    """One fuzzed fit.

    Parameters
    ----------
    number : int
        From which everything else is made.
    name : str
        The name of its template.
    family_settings, settings, arguments : dict
        Settings of the family and of the mixture, and arguments of `fit`.
    data, other : Drawn
        What is fitted to, and what is predicted besides.
    """

    number: int
    name: str
    family_settings: dict[str, Any]
    settings: dict[str, Any]
    arguments: dict[str, Any]
    data: Drawn
    other: Drawn

    @property
    def template(self) -> Template:
        """The template of the family."""
        return TEMPLATES[self.name]

    def model(self) -> Any:
        """Return the mixture, not yet fitted."""
        made = self.template.make(**self.family_settings)
        return made if self.template.is_estimator else Mixture(made, **self.settings)

    def describe(self) -> str:
        """Return what this case is, in a few lines."""
        given = {**self.family_settings, **self.settings, **self.arguments}
        shown = ", ".join(f"{name}={_short(value)}" for name, value in given.items())
        return f"{self.name}: {', '.join(self.data.notes)}\n    {shown}"


VALID = 0.72  # probability that data and settings are valid
VALID_OTHER = 0.5  # the same of other data, which are predicted


def make_case(number: int, names: list[str] | None = None) -> Case:
    """Return the case of a number; its family is one of some templates."""
    dice = Dice(number)
    dice.is_valid = dice.chance(VALID)
    name = dice.pick(names or list(TEMPLATES))
    template = TEMPLATES[name]
    d = dice.pick(template.columns)
    data = draw_data(template, dice, d)
    family_settings = template.settings_of(dice)
    settings = {} if template.is_estimator else draw_settings(dice, data.n)
    arguments = draw_arguments(dice, data.n, settings)
    if template.is_estimator:
        settings = {}
    dice.is_valid = dice.chance(VALID_OTHER)
    other = draw_data(template, dice, d)
    return Case(number, name, family_settings, settings, arguments, data, other)


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
