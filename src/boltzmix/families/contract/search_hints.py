"""Hints of a family that only a search needs."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from ...data import FloatArray, Weights

if TYPE_CHECKING:
    from .base import Family

T = TypeVar("T")
Draw = Callable[[Any, FloatArray | None, np.random.Generator], "Iterator[Family]"]


class FitRequest(NamedTuple):
    """A fit of one component that a family asks for while it chooses.

    Parameters
    ----------
    component : Family
        Where the fit begins.
    data : Data
    weights : array, shape (n,), optional
    n_steps : int
        Number of M-steps.
    """

    component: "Family"
    data: Any
    weights: FloatArray | None
    n_steps: int


Choice = Generator[FitRequest, "Family", T]


@dataclass(frozen=True)
class SearchHints:
    """Hints of a family that only a search needs; all of them are optional.

    Parameters
    ----------
    costly : bool
        Whether a fit takes much longer than log densities do, so that a search makes fewer.
    regularised : bool
        Whether a prior keeps components sound that have few observations, so that a search may
        make such.
    coarse_family : Family, optional
        A template of this family for fewer columns, in which a search begins where there are many.
    alternatives : function of (data, weights, rng), optional
        Yields other versions of a fitted component with hidden structure, such as the states of a
        hidden Markov model, from which learning may reach a better optimum. You get a search where
        there is one component.
    excerpt : function of (data, weights, most), optional
        Returns data, with about `most` values of each column, and their weights, that are enough
        to compare alternatives.
    choice : function of (data, n_components, weights), optional
        Chooses by the data what a template was not given, such as its number of hidden states. It
        is a generator, which yields every fit that it needs as a `FitRequest`, is sent the fitted
        component, and returns the family. So the fits are seen as trials while a mixture is fitted.
    before, after : functions, optional
        The first, of (data, weights), returns the component that a search learns instead of this
        one, and the second turns one that it has learned into one of this family again. A family
        whose `fit` makes what EM cannot undo, as probabilities of zero, is searched with a prior.
    """

    costly: bool = False
    regularised: bool = False
    coarse_family: "Family | None" = None
    alternatives: Draw | None = None
    excerpt: Callable[[Any, FloatArray | None, int], tuple[Any, FloatArray | None]] | None = None
    choice: "Callable[[Any, int, FloatArray | None], Choice[Family]] | None" = None
    before: "Callable[[Any, FloatArray | None], Family] | None" = None
    after: "Callable[[Family], Family] | None" = None

    def searched(self, component: "Family", data: Any, weights: Weights) -> "Family":
        """Return a component as a search learns it: itself, unless the family says otherwise."""
        return component if self.before is None else self.before(data, weights)

    def restored(self, found: "Family") -> "Family":
        """Return a component that a search has learned as one of the family."""
        return found if self.after is None else self.after(found)
