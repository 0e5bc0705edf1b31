"""The family that options describe, and the options of regressions."""

import importlib
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

import typer

from ..data import Regression, Sequences, Trajectories, split_sides
from ..families import FAMILIES, HMM, Family
from ..families.covariance.covariance import SHAPES
from ..families.mixed.parts import Key, group_of
from ..families.shared.validation import suggestion
from ..files import Limit, Read
from .values import split_names

OF_CURVES = tuple(name for name, kind in FAMILIES.items() if issubclass(kind.observes, Regression))
OF_FORMULAS = tuple(name for name in OF_CURVES if "formula" in signature(FAMILIES[name]).parameters)


@dataclass(frozen=True)
class RegressionOptions:
    """The options of a regression.

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

    def arguments(self, name: str) -> dict[str, object]:
        """Return the arguments of a family, by name; empty if it takes no formula."""
        if name not in OF_FORMULAS:
            return {}
        inputs = "." if self.formula is None else split_sides(self.formula)[1]
        return {**self.others, "formula": f"{', '.join(self.targets)} ~ {inputs}"}


NO_REGRESSION = RegressionOptions()


OF_SEQUENCES = tuple(name for name, kind in FAMILIES.items() if kind.observes is Sequences)
OF_TRAJECTORIES = tuple(
    name for name, kind in FAMILIES.items() if issubclass(kind.observes, Trajectories)
)
OF_CODES = ("categorical", "markov-chain")
KNOWN = tuple(FAMILIES)
EMISSIONS = ("gaussian", "poisson", "categorical")
TOPOLOGIES = ("ergodic", "left-right")


def make_family(
    name: str,
    sequence: str | None = None,
    covariance: str | None = None,
    emission: str | None = None,
    states: int | None = None,
    topology: str | None = None,
    regression: RegressionOptions = NO_REGRESSION,
    trajectory: str | None = None,
    of_columns: Mapping[Key, str] | None = None,
) -> Family:
    """Return the family that options describe; raise an error if they contradict each other."""
    if of_columns and name != "auto":
        key, own = next(iter(of_columns.items()))
        raise ValueError(
            f"--family {','.join(map(str, group_of(key)))}={own} is for columns of the family auto,"
            f" not for {name}: leave one of them out."
        )
    _check_kind(name, sequence, trajectory)
    regression.check(name)
    if name == "hmm":
        check_choice("--topology", topology, TOPOLOGIES)
        is_chosen = states is None and emission is None and covariance is None
        emitted = None if is_chosen else _make_emission(emission or "gaussian", covariance)
        return HMM(states, emitted, topology)
    for option, given in (("--states", states), ("--topology", topology), ("--emission", emission)):
        if given is not None:
            hint = "" if sequence else ", or name the column of the sequences with --sequence"
            raise ValueError(f"{option} is for the family hmm, not for {name}: leave it out{hint}.")
    parts = {key: _make(own, "family", KNOWN, None) for key, own in (of_columns or {}).items()}
    arguments = {"parts": parts} if parts else regression.arguments(name)
    return _make(name, "family", KNOWN, covariance, **arguments)


def read_families(given: Sequence[str] | None) -> tuple[str | None, dict[Key, str]]:
    """Return the name of the family, if one is given, and those of columns, alone or together.

    Examples
    --------
    >>> read_families(["auto", "income=gamma", "height,weight=gaussian"])
    ('auto', {'income': 'gamma', ('height', 'weight'): 'gaussian'})
    """
    names = [one for one in given or () if "=" not in one]
    if len(names) > 1:
        raise ValueError(
            f"--family names {' and '.join(names)}: name one family, or those of columns, as"
            " column=gamma. boltzmix compare compares several."
        )
    pairs = [one.rpartition("=") for one in given or () if "=" in one]
    return (names[0] if names else None), {_key(columns): name for columns, _, name in pairs}


def _key(text: str) -> Key:
    """Return the column that a text names, or all of them as a tuple."""
    columns = split_names(text)
    return tuple(columns) if len(columns) > 1 else "".join(columns)


def make_families(
    names: Sequence[str],
    covariances: Sequence[str | None],
    states: Sequence[int | None],
    emission: str | None = None,
    **others: Any,
) -> list[Family]:
    """Return all families that options describe, where some name several.

    Families without covariances are made once, unless all of them are.
    """
    takes = {name: _takes_covariance(name, emission) for name in names}
    only = [None] if any(takes.values()) else covariances
    return [
        make_family(name, covariance=covariance, states=n_states, emission=emission, **others)
        for name in dict.fromkeys(names)
        for covariance in (covariances if takes[name] else only)
        for n_states in states
    ]


def read_covariances(text: str | None) -> Sequence[str | None]:
    """Return the shapes of covariances that an option names; "all" are the fourteen."""
    if text is None:
        return [None]
    return list(SHAPES) if text == "all" else text.split(",")


def check_width(names: Sequence[str], read: Read, limit: Limit) -> None:
    """Raise an error, before anything is fitted, if rows have too many columns for a family."""
    if read.rows is None:
        return
    for name in names:
        in_pairs = _takes_covariance(name, None) or name == "factor-analyser"
        if in_pairs or name == "auto":
            limit.check_columns(len(read.columns), name, in_pairs)


def _takes_covariance(name: str, emission: str | None) -> bool:
    if name == "hmm":
        return emission in (None, "gaussian")
    return name in FAMILIES and "covariance" in signature(FAMILIES[name]).parameters


def check_reads_sequences(family: Family, name: str, sequences: Sequences) -> None:
    """Raise an error if a user's own family does not read sequences."""
    try:
        reads = isinstance(family.observe(sequences), Sequences)
    except ValueError:
        reads = name in OF_SEQUENCES  # then the error is about the data
    if not reads:
        raise ValueError(
            f"The family {name} does not read sequences: let its observe return Sequences.of(X),"
            " or leave --sequence out."
        )


def check_choice(option: str, given: str | None, choices: Collection[str]) -> None:
    """Raise an error if a value is not among the choices."""
    if given is not None and given not in choices:
        raise ValueError(f"{option} must be one of {', '.join(choices)}, not {given!r}.")


def _check_kind(name: str, sequence: str | None, trajectory: str | None) -> None:
    """Raise an error if the observations of a family are not those that options name."""
    emission = f" --emission {name}" if name in EMISSIONS else ""
    for noun, known, given, missing, instead in (
        (
            "sequences",
            OF_SEQUENCES,
            sequence,
            "name the column that says which sequence a row belongs to with --sequence",
            f"leave --sequence out, or use --family hmm{emission}",
        ),
        (
            "trajectories",
            OF_TRAJECTORIES,
            trajectory,
            "name the columns of trajectories and times with --trajectory and --time",
            f"leave --trajectory and --time out, or use --family {OF_TRAJECTORIES[0]}",
        ),
    ):
        if name in known and given is None:
            raise ValueError(f"The family {name} is for {noun}: {missing}.")
        if name in KNOWN and name not in known and given is not None:
            raise ValueError(f"The family {name} is not for {noun}: {instead}.")


def import_family(name: str) -> type[Family]:
    """Return a user's own class, named as module:Class, or by an object as module:object."""
    found = _import(name, "family")
    if isinstance(found, Family):
        return type(found)
    _check_is_family(found, name, "family")
    kind: type[Family] = found
    return kind


def _make_emission(name: str, covariance: str | None) -> Family:
    if name == "gaussian" and covariance is None:
        covariance = "diag"
    return _make(name, "emission", EMISSIONS, covariance)


def _make(
    name: str, role: str, known: Collection[str], covariance: str | None, **others: object
) -> Family:
    """Return a built-in family by its name, or a user's own as module:Class or module:object."""
    if ":" not in name and name not in known:
        raise ValueError(
            f"There is no {role} {name!r}: {suggestion(name, known, 'choose one of')}"
            f" {', '.join(known)}, or give your own as module:Class."
        )
    factory: Any = _import(name, role) if ":" in name else FAMILIES[name]
    if isinstance(factory, Family):
        return _checked_object(factory, name, covariance)
    _check_is_family(factory, name, role)
    arguments = others if covariance is None else {"covariance": covariance, **others}
    try:
        family: Family = factory(**arguments)
    except TypeError as error:
        if name in FAMILIES and covariance is not None:
            raise ValueError(f"--covariance is not for {name}: leave it out.") from None
        raise ValueError(
            f"The {role} {name} could not be made: {error}; name an object of a class that needs"
            " arguments, as module:object."
        ) from None
    return family


def _checked_object(family: Family, name: str, covariance: str | None) -> Family:
    if covariance is not None:
        raise ValueError(
            f"--covariance is not for {name}, which is an object already: leave it out."
        )
    return family


def _check_is_family(found: object, name: str, role: str) -> None:
    """Raise an error if an object is not a class of families."""
    if not isinstance(found, type) or not issubclass(found, Family):
        raise ValueError(
            f"{name} is not a boltzmix family but of type {type(found).__name__}: --{role} takes a"
            " class derived from boltzmix.families.Family, or an object of one."
        )


def _import(name: str, role: str) -> Any:
    module, _, attribute = name.partition(":")
    if not module or not attribute:
        raise ValueError(
            f"--{role} must name a module and a class in it, as in my_module:Exponential, not"
            f" {name!r}."
        )
    sys.path.insert(0, str(Path.cwd()))
    try:
        return getattr(importlib.import_module(module), attribute)
    except AttributeError:
        raise ValueError(
            f"The {role} {name} could not be imported: {module} has no {attribute}."
        ) from None
    except (ImportError, TypeError, SyntaxError) as error:
        raise ValueError(f"The {role} {name} could not be imported: {error}.") from None
