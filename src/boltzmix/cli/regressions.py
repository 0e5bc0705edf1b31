"""The options of regressions: targets, formula, and columns that are no inputs."""

from dataclasses import dataclass
from inspect import signature
from typing import Annotated, Any

import typer

from ..data import Regression, split_sides
from ..families import FAMILIES

OF_CURVES = tuple(name for name, kind in FAMILIES.items() if issubclass(kind.observes, Regression))
OF_FORMULAS = tuple(name for name in OF_CURVES if "formula" in signature(FAMILIES[name]).parameters)


@dataclass(frozen=True)
class RegressionOptions:
    """What options say of a regression.

    Parameters
    ----------
    target : str, optional
        The target column, or several as a,b.
    formula : str, optional
        The inputs, maybe after the target and a tilde.
    exposure, offset, trials : str, optional
        Columns that are no inputs.
    """

    target: Annotated[
        str | None, typer.Option(help="The column, or columns a,b, of the targets of curves.")
    ] = None
    formula: Annotated[
        str | None,
        typer.Option(
            help="The inputs of a regression, as 'age + sex', or with the target, as"
            " 'y ~ age + sex'; all other columns if absent."
        ),
    ] = None
    exposure: Annotated[
        str | None,
        typer.Option(
            help="The column whose logarithm is added to a regression's linear predictor."
        ),
    ] = None
    offset: Annotated[
        str | None,
        typer.Option(help="The column that is added to a regression's linear predictor."),
    ] = None
    trials: Annotated[
        str | None,
        typer.Option(help="The column with the number of trials (logistic-regression only)."),
    ] = None

    @property
    def targets(self) -> list[str]:
        """The target columns."""
        named = self.target
        if named is None and self.formula is not None:
            named, _ = split_sides(self.formula)
        return [one.strip().strip("`") for one in named.split(",")] if named else []

    @property
    def others(self) -> dict[str, str]:
        """The columns that are neither inputs nor targets, by option."""
        named = {"exposure": self.exposure, "offset": self.offset, "trials": self.trials}
        return {option: name for option, name in named.items() if name is not None}

    @property
    def default_family(self) -> str | None:
        """The name of the family, where no option names one; None for no regression."""
        if self.formula is not None or self.others:
            return "linear-regression"
        return "gp" if self.target else None

    def check(self, name: str) -> None:
        """Raise an error if the options do not suit a family."""
        if name in OF_CURVES and not self.targets:
            raise ValueError(
                f"The family {name} learns curves: name the column of their values with --target."
            )
        if name in FAMILIES and name not in OF_CURVES and self.targets:
            raise ValueError(
                f"The family {name} has no target: leave --target out, or use --family gp."
            )
        if name in FAMILIES:
            for option in self.given:
                if name not in OF_FORMULAS or option not in signature(FAMILIES[name]).parameters:
                    raise ValueError(f"--{option} is not for the family {name}: leave it out.")

    @property
    def given(self) -> dict[str, str]:
        """The arguments of a family that options give."""
        formula = {} if self.formula is None else {"formula": self.formula}
        return {**formula, **self.others}

    def arguments(self, name: str) -> dict[str, Any]:
        """Return the arguments of a family, by name; empty if it takes no formula."""
        if name not in OF_FORMULAS:
            return {}
        inputs = "." if self.formula is None else split_sides(self.formula)[1]
        return {**self.others, "formula": f"{', '.join(self.targets)} ~ {inputs}"}


NO_REGRESSION = RegressionOptions()
