"""Options that several subcommands have."""

from pathlib import Path
from typing import Annotated

import typer

from ..comparison import CRITERIA, DEFAULT_CRITERION
from ..learning import ALGORITHMS
from ..learning.parts.starts import NAMES
from .families import EMISSIONS, TOPOLOGIES

STARTS = ("auto", *NAMES)

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A CSV or Parquet file, one row per observation, per step of a"
        " sequence or per point of a trajectory; - for"
        " CSV from standard input.",
    ),
]
Components = Annotated[
    str | None,
    typer.Option(
        "-k",
        "--components",
        help="Number of components, as 3; or several to choose from, as 1..9 or 2,4,6; if absent,"
        " it is chosen, going on from 1 until more are no better.",
    ),
]
Criterion = Annotated[
    str | None,
    typer.Option(
        help="What chooses the number of components:"
        f" {', '.join(CRITERIA)}; {DEFAULT_CRITERION} if absent."
    ),
]
Sequence = Annotated[
    str | None,
    typer.Option(help="The column that says which sequence a row belongs to; absent for rows."),
]
Order = Annotated[
    str | None,
    typer.Option(help="The column to sort the steps of a sequence by; file order if absent."),
]
Trajectory = Annotated[
    str | None,
    typer.Option(help="The column that says which trajectory a row belongs to."),
]
Time = Annotated[
    str | None, typer.Option(help="The column of the times of trajectories: numbers or dates.")
]
Slopes = Annotated[
    bool, typer.Option("--slopes", help="Add the slopes of columns to the steps of sequences.")
]
Normalise = Annotated[
    bool,
    typer.Option(
        "--normalise", help="Bring columns to mean 0 and deviation 1 within each sequence."
    ),
]
Target = Annotated[
    str | None, typer.Option(help="The column, or columns a,b, of the targets of curves.")
]
Formula = Annotated[
    str | None,
    typer.Option(
        help="The inputs of a regression, as 'age + sex', or with the target, as 'y ~ age + sex';"
        " all other columns if absent."
    ),
]
Exposure = Annotated[
    str | None,
    typer.Option(help="The column whose logarithm is added to a regression's linear predictor."),
]
Offset = Annotated[
    str | None, typer.Option(help="The column that is added to a regression's linear predictor.")
]
Trials = Annotated[
    str | None,
    typer.Option(help="The column with the number of trials (logistic-regression only)."),
]
Columns = Annotated[
    str | None, typer.Option(help="Columns to use, as a,b,c; all numeric ones if absent.")
]
IdColumn = Annotated[
    str | None,
    typer.Option(
        "--id", help="The column that names the rows; it is not clustered, and stands in --out."
    ),
]
WithColumns = Annotated[
    bool, typer.Option("--with-columns", help="Write all columns of the file to --out, too.")
]
Membership = Annotated[
    str | None,
    typer.Option(
        help="Covariates that membership depends on, as 'age + sex'. Other columns are clustered."
    ),
]
Emission = Annotated[
    str | None,
    typer.Option(
        help=f"What a state emits (hmm only): {', '.join(EMISSIONS)}, or your own as"
        " module:Class; gaussian if absent."
    ),
]
Topology = Annotated[
    str | None, typer.Option(help=f"{' or '.join(TOPOLOGIES)} (hmm only); ergodic if absent.")
]
Algorithm = Annotated[str, typer.Option(help=f"{', '.join(ALGORITHMS)}.")]
Init = Annotated[str, typer.Option(help=f"{', '.join(STARTS)}.")]
Runs = Annotated[int, typer.Option(help="Number of runs; the best is kept.")]
Iterations = Annotated[int, typer.Option(help="Greatest number of iterations.")]
Seed = Annotated[int | None, typer.Option(help="The same seed gives the same result.")]
Noise = Annotated[bool, typer.Option("--noise", help="Let outliers be noise, with label -1.")]
ModelFile = Annotated[
    Path | None,
    typer.Option("--save", help="Save the model here, as .bmix, for boltzmix predict."),
]
ReportFile = Annotated[
    Path | None,
    typer.Option("--report", help="Write a report here, as HTML to be opened in a browser."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
CheckpointFile = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint",
        help="Keep the state of the fit here, as .bmix: the same command, started again after an"
        " interruption, goes on from there.",
    ),
]
