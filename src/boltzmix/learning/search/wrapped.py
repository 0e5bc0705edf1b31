"""The base class of recipes that change what another recipe learns from."""

from dataclasses import dataclass

from ...families.contract.base import Family
from ..parts import Parts
from ..recipe import Recipe


@dataclass(frozen=True)
class Wrapped(Recipe):
    """A recipe that lets another one learn, and changes what that learns from. Write ``learn``.

    Parameters
    ----------
    recipe : Recipe
        The recipe that learns.
    """

    recipe: Recipe

    @property
    def name(self) -> str:
        """The name of the recipe that learns."""
        return self.recipe.name

    @property
    def parts(self) -> Parts:
        """The parts of the recipe that learns."""
        return self.recipe.parts

    def needs_start(self, family: Family, n_components: int) -> bool:
        """Whether components have to be fitted before it can learn a mixture."""
        return self.recipe.needs_start(family, n_components)
