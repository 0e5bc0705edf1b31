"""A column of known classes, which is compared with the components and not clustered."""

from dataclasses import replace

import polars as pl
from rich.console import Console

from ..files import Read, ReadOptions
from ..fitted import FittedMixture
from ..look import text_table
from ..report import Agreement, check_classes

OPTION = "--compare-with"


def leave_out(options: ReadOptions, column: str | None) -> ReadOptions:
    """Return options by which a column of known classes is not clustered."""
    if column is None:
        return options
    used = {
        "--columns": options.columns or (),
        "--target": options.targets,
        "--sequence": [options.sequence],
        "--order": [options.order],
        "--trajectory": [options.trajectory],
        "--time": [options.time],
    }
    for option, names in used.items():
        if column in names:
            raise ValueError(
                f"{option} and {OPTION} both name column {column!r}: known classes are only"
                " compared with, so name it once."
            )
    return replace(options, exclude=[*options.exclude, column])


def read_classes(read: Read, column: str | None) -> pl.Series | None:
    """Return the known class of each observation, if a column names them."""
    if column is None:
        return None
    classes = read.values_of(column)
    check_classes(classes, len(read.X), column)
    return classes


def agreement_of(model: FittedMixture, classes: object) -> Agreement | None:
    """Return the agreement of a fitted mixture with known classes, if there are any."""
    if classes is None:
        return None
    return Agreement.of_model(classes, model, model.labels_)


def print_agreement(agreement: Agreement | None, console: Console) -> None:
    """Print how components agree with known classes, if there are any."""
    if agreement is not None:
        console.print(text_table(*agreement.table(), n_left=1), soft_wrap=True)
        console.print(" ".join(agreement.sentences), soft_wrap=True)
