"""Parts of a product whose columns one family describes, so that one bank evaluates them all."""

from collections.abc import Sequence
from typing import Any, Protocol, Self, runtime_checkable

from ..contract.base import Family

Blocks = tuple[tuple[int, ...], ...]  # the places of the parts in each


@runtime_checkable
class IndependentColumns(Protocol):
    """A component of independent columns, beside which others of its kind can be described."""

    def joins(self, other: Any) -> bool:
        """Return whether the columns of another component can be described beside these."""

    def joined(self, others: Sequence[Any]) -> Any:
        """Return one component for the columns of this one and of others."""

    def taken_from(self, joined: Any, columns: slice) -> Self:
        """Return this component with the parameters that a joined one has in some columns."""


def blocks_of(parts: Sequence[Family]) -> Blocks:
    """Return the places of parts that can be described together, in the order of the first ones.

    Examples
    --------
    >>> from boltzmix.families import Bernoulli, Categorical, Gaussian
    >>> coin, die = Categorical(n_categories=(2,)), Categorical(n_categories=(6,))
    >>> blocks_of([coin, Gaussian(), die, Bernoulli()])
    ((0, 2), (1,), (3,))
    """
    blocks: list[list[int]] = []
    for place, part in enumerate(parts):
        for block in blocks:
            first = parts[block[0]]
            if isinstance(first, IndependentColumns) and first.joins(part):
                block.append(place)
                break
        else:
            blocks.append([place])
    return tuple(map(tuple, blocks))


def joined(parts: Sequence[Family], block: tuple[int, ...]) -> Family:
    """Return one component for the parts in some places."""
    first, *others = (parts[place] for place in block)
    if not others:
        return first
    assert isinstance(first, IndependentColumns)
    family: Family = first.joined(others)
    return family
