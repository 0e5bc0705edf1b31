"""Points on curves: inputs and targets in the columns of a file."""

from collections.abc import Sequence

import polars as pl

from ..data import Regression
from ..views import listed
from .choosing import choose
from .columns import Read, set_apart, to_numbers
from .content import Content


def read_curves(
    content: Content,
    targets: Sequence[str],
    columns: Sequence[str] | None = None,
    membership: str | None = None,
) -> Read:
    """Read points on curves.

    Parameters
    ----------
    content : Content
    targets : list of str
        The target columns.
    columns : list of str, optional
        The input columns; all other numeric columns if absent.
    membership : str, optional
        Covariates of membership, as a formula; they are inputs, too.
    """
    outputs = choose(content, targets).names
    content.check_finite(outputs)
    others = content.without(outputs)
    if others.frame.width == 0:
        raise ValueError(
            f"{content.name} has no column besides {listed(outputs)}, and so no input of the"
            " curves."
        )
    inputs = choose(others, columns)
    numbers, more, symbols = to_numbers(others, inputs.names)
    values = content.frame.select(pl.col(outputs).cast(pl.Float64)).to_numpy()
    covariates = set_apart(content, membership, None)[1]
    notes = [*content.notes, *inputs.notes, *more]
    return Read(Regression.of(numbers, values), content, notes, symbols, covariates=covariates)
