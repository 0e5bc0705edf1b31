"""Points on curves: inputs and targets in the columns of a file."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from ..data import Regression
from ..views import listed
from .columns import Read, check_column, choose, set_apart, take_ids, to_numbers
from .paths import shown
from .reading import read_file


def read_curves(
    path: Path,
    targets: Sequence[str],
    columns: Sequence[str] | None = None,
    membership: str | None = None,
    id_column: str | None = None,
) -> Read:
    """Read points on curves.

    Parameters
    ----------
    path : Path
    targets : list of str
        The target columns.
    columns : list of str, optional
        The input columns; all other numeric columns if absent.
    membership : str, optional
        Covariates of membership, as a formula; they are inputs, too.
    id_column : str, optional
        The column that names the points, which is no input.
    """
    rows, notes = read_file(path, id_column)
    name = shown(path)
    frame, ids = take_ids(rows, id_column, name)
    for target in targets:
        check_column(frame.schema, target, name)
    outputs = choose(frame.schema, targets, name)
    others = frame.drop(outputs)
    if others.width == 0:
        raise ValueError(
            f"{name} has no column besides {listed(outputs)}, and so no input of the curves."
        )
    inputs = choose(others.schema, columns, name)
    numbers, more, symbols = to_numbers(others, inputs, note_left_out=columns is None)
    values = frame.select(pl.col(outputs).cast(pl.Float64)).to_numpy()
    covariates = set_apart(frame, membership, None, name)[1]
    points = Regression.of(numbers, values)
    return Read(points, [*notes, *more], symbols, ids, covariates, rows)
