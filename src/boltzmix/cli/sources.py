"""The file that options name, and as what it is read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import polars as pl
import typer

from ..families import Automatic, Family, RobustGaussian
from ..families.mixed.choosing_families import are_measurements
from ..files import FileFormat, Limit, Read, ReadOptions, shown
from .console import print_notes
from .family_options import OF_CODES, OF_FORMULAS, RegressionOptions, check_width
from .known_classes import read_classes
from .outputs import Reporting
from .values import split_names

PANEL = "How the file is written (recognised, if absent)"


ID_COLUMN = Annotated[
    str | None,
    typer.Option(
        "--id", help="The column that names the rows; it is not clustered, and stands in --out."
    ),
]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a file is written, as far as options say so.

    Parameters
    ----------
    separator, decimal, encoding, na, sheet : str, optional
    header : bool, optional
    max_size : str
    """

    separator: Annotated[
        str | None,
        typer.Option(
            help="What is between cells: a character, as ';', or comma, semicolon, tab, pipe or"
            " space.",
            rich_help_panel=PANEL,
        ),
    ] = None
    decimal: Annotated[
        str | None,
        typer.Option(help="The decimal mark of numbers: '.' or ','.", rich_help_panel=PANEL),
    ] = None
    encoding: Annotated[
        str | None,
        typer.Option(help="As utf-8, latin-1, cp1252 or utf-16.", rich_help_panel=PANEL),
    ] = None
    na: Annotated[
        str | None,
        typer.Option(
            help="Spellings of missing values, as -,999, besides NA, NaN, null, ? and the like.",
            rich_help_panel=PANEL,
        ),
    ] = None
    header: Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header",
            help="Whether the first line has the names of the columns.",
            rich_help_panel=PANEL,
        ),
    ] = None
    sheet: Annotated[
        str | None,
        typer.Option(
            help="The sheet of an Excel file; the first if absent.", rich_help_panel=PANEL
        ),
    ] = None

    max_size: Annotated[
        str,
        typer.Option(
            help="The most memory that the content of the file may take, as 8GB.",
            rich_help_panel=PANEL,
        ),
    ] = "2GB"

    def applied_to(self, kept: FileFormat) -> FileFormat:
        """Return how a file is written: as options say, or else as before."""
        missing = None if self.na is None else split_names(self.na)
        given = {
            "separator": self.separator,
            "decimal": self.decimal,
            "encoding": self.encoding,
            "missing": missing,
            "header": self.header,
            "sheet": self.sheet,
            "limit": Limit.of(self.max_size),
        }
        changed: dict[str, Any] = {key: one for key, one in given.items() if one is not None}
        return replace(kept, **changed)


@dataclass(frozen=True, kw_only=True)
class FileSource:
    """A file, and the columns that options name.

    Parameters
    ----------
    file : Path
    sequence, order, trajectory, time : str, optional
    slopes, normalise : bool
        What is done with sequences after reading.
    regression : RegressionOptions
    columns, exclude : str, optional
    membership : str, optional
        Covariates of membership, as a formula.
    id_column : str, optional
        The column that names rows.
    reading : Reading
    """

    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A table, one row per observation, per step of a sequence or per point of a"
            " trajectory: CSV or other text, Excel, Parquet, Feather or JSON lines; - for standard"
            " input.",
        ),
    ]
    sequence: Annotated[
        str | None,
        typer.Option(help="The column that says which sequence a row belongs to; absent for rows."),
    ] = None
    order: Annotated[
        str | None,
        typer.Option(help="The column to sort the steps of a sequence by; file order if absent."),
    ] = None
    slopes: Annotated[
        bool, typer.Option("--slopes", help="Add the slopes of columns to the steps of sequences.")
    ] = False
    normalise: Annotated[
        bool,
        typer.Option(
            "--normalise", help="Bring columns to mean 0 and deviation 1 within each sequence."
        ),
    ] = False
    trajectory: Annotated[
        str | None, typer.Option(help="The column that says which trajectory a row belongs to.")
    ] = None
    time: Annotated[
        str | None, typer.Option(help="The column of the times of trajectories: numbers or dates.")
    ] = None
    regression: RegressionOptions
    columns: Annotated[
        str | None,
        typer.Option(help="Columns to use, as a,b,c; all that can be used if absent."),
    ] = None
    exclude: Annotated[str | None, typer.Option(help="Columns not to use, as a,b,c.")] = None
    id_column: ID_COLUMN = None
    membership: Annotated[
        str | None,
        typer.Option(
            help="Covariates that membership depends on, as 'age + sex'. Other columns are"
            " clustered."
        ),
    ] = None
    reading: Reading

    def default_family(self, covariance: str | None) -> str:
        """Return the name of the family, where no option names one.

        For rows it is "auto", which `family_by_columns` replaces if all columns are measurements.
        """
        if self.trajectory:
            return "growth-curve"
        rows = "auto" if covariance is None else "robust-gaussian"
        return self.regression.default_family or ("hmm" if self.sequence else rows)

    def options(self, names: Sequence[str], emission: str | None) -> ReadOptions:
        """Return how the file is read for some families, which must be the same for all."""
        found = [self._options(name, emission) for name in names]
        if any(one != found[0] for one in found):
            raise ValueError(
                f"--family {','.join(names)} names families that read the file in different ways:"
                " compare them one at a time."
            )
        return found[0]

    def _options(self, name: str, emission: str | None) -> ReadOptions:
        features = split_names(self.columns) if self.columns else None
        exclude = split_names(self.exclude) if self.exclude else []
        for column in exclude:
            if column in (features or []):
                raise ValueError(f"--columns and --exclude both name column {column!r}.")
        check_columns(self.sequence, self.order, features)
        self._check_trajectories(features)
        self._check_id(features)
        targets, others = self.regression.targets, self.regression.others.values()
        if targets and self.sequence:
            raise ValueError("--target and --sequence do not go together: leave one of them out.")
        return ReadOptions(
            columns=features and [*features, *(name for name in others if name not in features)],
            sequence=self.sequence,
            order=self.order,
            targets=targets,
            codes=name in OF_CODES or emission in OF_CODES,
            mixed=name == "auto" or name in OF_FORMULAS,
            single=name == "markov-chain",
            membership=self.membership,
            slopes=self.slopes,
            normalise=self.normalise,
            trajectory=self.trajectory,
            time=self.time,
            id_column=self.id_column,
            exclude=exclude,
            formula=" ".join([self.regression.formula or "", *others]),
            written=self.reading.applied_to(FileFormat()),
        )

    def _check_id(self, features: list[str] | None) -> None:
        """Raise an error if the column that names rows is also something else."""
        if self.id_column is not None and (self.sequence or self.trajectory):
            raise ValueError(
                "--id names the rows of a table: leave it out, as labels of sequences and"
                " trajectories have their names anyway."
            )
        if self.id_column in [*(features or ()), *self.regression.targets]:
            raise ValueError(f"--id and another option both name column {self.id_column!r}.")

    def _check_trajectories(self, features: list[str] | None) -> None:
        """Raise an error if the options of trajectories contradict others."""
        if (self.trajectory is None) != (self.time is None):
            raise ValueError(
                "--trajectory and --time go together: name the column that says which trajectory a"
                " row belongs to, and the column of times."
            )
        if self.trajectory is None:
            return
        if self.sequence or self.regression.targets:
            raise ValueError("--trajectory goes with neither --sequence nor --target.")
        named = [self.trajectory, self.time, *(features or [])]
        if len(set(named)) < len(named):
            raise ValueError("--trajectory, --time and --columns must name different columns.")


class Prepared(NamedTuple):
    """A file that was read for some families.

    Parameters
    ----------
    families : list of Family
    options : ReadOptions
    read : Read
    classes : Series, optional
        Known classes.
    notes : list of str
        Notes on the file, which were printed.
    """

    families: list[Family]
    options: ReadOptions
    read: Read
    classes: pl.Series | None
    notes: list[str]

    def about(self, source: FileSource) -> dict[str, object]:
        """Return what a model file keeps of the file that was read."""
        return {"file": shown(source.file), "way": self.options.resolved(self.read).as_dict()}

    def reporting(self, source: FileSource, command: str) -> Reporting:
        """Return what a report says of its origin."""
        return Reporting(source.file, command, self.classes)


def prepare(
    source: FileSource,
    names: Sequence[str],
    families: Sequence[Family],
    options: ReadOptions,
    compare_with: str | None,
    is_named: bool,
) -> Prepared:
    """Read a file for some families, whose names are given by options or by the kind of file.

    Parameters
    ----------
    source : FileSource
    names : sequence of str
        Names of the families.
    families : sequence of Family
    options : ReadOptions
    compare_with : str, optional
        The column of known classes.
    is_named : bool
        Whether an option names the families; else the first may change with the columns.
    """
    read, (first, *others) = options.read(source.file), families
    if not is_named:
        first, options, read = family_by_columns(first, options, read)
    check_width(names, read, options.written.limit)
    classes = read_classes(read, compare_with)
    notes = print_notes(f"{sentence}." for sentence in read.notes)
    return Prepared([first, *others], options, read, classes, notes)


def family_by_columns(
    template: Family, options: ReadOptions, read: Read
) -> tuple[Family, ReadOptions, Read]:
    """Return the default family once the file is read, and how the file is read for it."""
    if not isinstance(template, Automatic) or not are_measurements(read.X):
        return template, options, read
    return RobustGaussian(), replace(options, mixed=False), read.as_numbers()


def check_columns(sequence: str | None, order: str | None, features: list[str] | None) -> None:
    """Raise an error if a column is named by two options."""
    if order is not None and sequence is None:
        raise ValueError(
            "--order sorts the steps of sequences: name the column that says which sequence a row"
            " belongs to with --sequence."
        )
    if order is not None and order == sequence:
        raise ValueError(f"--sequence and --order both name column {order!r}: choose two.")
    for option, key in (("--sequence", sequence), ("--order", order)):
        if key is not None and key in (features or []):
            raise ValueError(f"{option} and --columns both name column {key!r}: name it once.")
