"""Which columns of a table are inputs, targets, offset and trials of regressions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data import (
    DATA,
    ColumnSource,
    Design,
    FloatArray,
    InputError,
    Name,
    Regression,
    Table,
    as_array,
    read_targets,
    shown,
    split_sides,
)

Terms = str | tuple[Name, ...] | None


@dataclass(frozen=True)
class RegressionColumns:
    """The columns of a table that a regression uses.

    Parameters
    ----------
    formula : str or sequence of str or int, optional
        The inputs, as a formula or as a list of columns; all other columns if absent. A formula may
        begin with the name of the column of targets, as in ``"visits ~ age + sex"``, or with
        several names and commas between them.
    offset, exposure, trials : str or int, optional
        The columns of the offset, of the exposure, and of numbers of trials.
    """

    formula: Any = None
    offset: Name | None = None
    exposure: Name | None = None
    trials: Name | None = None

    @property
    def others(self) -> dict[str, Name]:
        """The columns that are no inputs, by the argument that names them."""
        named = {"offset": self.offset, "exposure": self.exposure, "trials": self.trials}
        return {what: name for what, name in named.items() if name is not None}

    @property
    def targets(self) -> list[str]:
        """The columns of targets that the formula names."""
        before = split_sides(self.formula)[0] if isinstance(self.formula, str) else None
        named = [one.strip().strip("`") for one in (before or "").split(",")]
        return [one for one in named if one]

    def are_plain(self, X: object) -> bool:
        """Return whether all columns are inputs, and numbers."""
        if self.formula is not None or self.others:
            return False
        if not hasattr(X, "columns"):
            return as_array(X).dtype.kind not in "OUS"
        source = ColumnSource.of(X)
        kinds = {source.column(name)[0].dtype.kind for name in source.all_columns}
        return not kinds & set("OUSb")

    def design(self, X: object) -> Design:
        """Return the design of the inputs."""
        source, terms = ColumnSource.of(X), self.formula
        if isinstance(terms, str):
            terms = split_sides(terms)[1].strip()
        if terms is None or terms == ".":
            left_out = {source.index_of(name) for name in self.others.values()}
            left_out |= set(map(source.index_of, self.targets))
            terms = [one for place, one in enumerate(source.all_columns) if place not in left_out]
        elif not isinstance(terms, str | int):
            terms = list(terms)
        found = Design.of(terms, X)
        if not found.columns:
            raise InputError(f"{DATA} has no column of inputs beside those of other arguments.")
        return found

    def read(self, X: object, y: object, design: Design) -> Regression:
        """Return the inputs that a design makes of X, with targets, offset and trials."""
        source = ColumnSource.of(X)
        inputs = design.matrix(X)
        n_columns, names = source.check([*dict.fromkeys([*design.columns, *self.others.values()])])
        return Regression(
            inputs,
            read_targets(self._targets(source) if y is None else y, len(inputs)),
            names,
            self.offset_in(X),
            None if self.trials is None else _numbers(source, self.trials, "trials", least=1.0),
            design,
            n_columns,
        )

    def offset_in(self, X: Any) -> FloatArray | None:
        """Return the offset plus the logarithm of the exposure of each row, if there are such."""
        if self.offset is None and self.exposure is None:
            return None
        source, total = ColumnSource.of(X), np.zeros(len(X))
        if self.offset is not None:
            total = total + _numbers(source, self.offset, "offset")
        if self.exposure is not None:
            exposure = _numbers(source, self.exposure, "exposure", least=np.finfo(float).tiny)
            total = total + np.log(exposure)
        return total

    def trials_in(self, X: object) -> FloatArray | None:
        """Return the number of trials of each row, if a column has them."""
        if self.trials is None:
            return None
        return _numbers(ColumnSource.of(X), self.trials, "trials", least=1.0)

    def _targets(self, source: ColumnSource) -> Any:
        if not self.targets:
            raise InputError(
                f"y is missing: this family learns functions from inputs {DATA} to targets y, so"
                " pass"
                " both, as in fit(X, y), or name the column of targets in a formula, as in"
                " 'visits ~ age'."
            )
        return np.column_stack([source.column(name)[0] for name in self.targets])


def _numbers(source: ColumnSource, name: Name, argument: str, least: float = -np.inf) -> FloatArray:
    """Return the numbers of a column, of which none may be missing or below `least`."""
    values, _ = source.column(name)
    wanted = "" if least == -np.inf else " above zero" if least < 1 else " of at least 1"
    try:
        numbers = Table.of(values[:, None]).values[:, 0].astype(float)
        if (numbers >= least).all():
            return numbers
    except (TypeError, ValueError):
        pass
    raise InputError(
        f"{argument} must name a column of {DATA} that holds numbers{wanted} only, and"
        f" {shown(name)}"
        " holds something else: leave such rows out."
    )


def checked_terms(formula: object) -> Any:
    """Return a formula, or columns as a tuple; raise if it is something else."""
    if formula is None or isinstance(formula, str):
        split_sides(formula or "")
        return formula
    given = [formula] if isinstance(formula, int) else formula
    if not isinstance(given, list | tuple) or not all(isinstance(one, str | int) for one in given):
        raise ValueError(
            f"formula must be a formula such as 'age + sex', or a list of columns, not"
            f" {shown(formula)}."
        )
    return tuple(given)


def check_names(given: Mapping[str, object]) -> None:
    """Validate that arguments name columns, where they are present."""
    for argument, name in given.items():
        if not isinstance(name, str | int | np.integer) or isinstance(name, bool):
            raise ValueError(
                f"{argument} must be the name or number of a column, not {shown(name)}."
            )
