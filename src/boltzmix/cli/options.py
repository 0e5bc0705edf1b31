"""Options that several subcommands have."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import typer

from ..comparison import AGREEMENT, CRITERIA, DEFAULT_CRITERION
from ..learning import ALGORITHMS
from ..learning.parts.starts import NAMES
from .family_options import EMISSIONS, TOPOLOGIES

STARTS = ("auto", *NAMES)
NAMES_OF_CRITERIA = (AGREEMENT, *CRITERIA)

Components = Annotated[
    str | None,
    typer.Option(
        "-k",
        "--components",
        help="Number of components, as 3; or several to choose from, as 1..9 or 2,4,6; if absent,"
        " it is chosen, going on from 1 until more are no better.",
    ),
]
Clusters = Annotated[
    str | None,
    typer.Option(
        "--clusters",
        metavar="C",
        help="Merge components that overlap into so many clusters, which may have any shape, as 3;"
        " or auto, for the number that halves of the data agree on. If absent, every component is"
        " a cluster.",
    ),
]
Criterion = Annotated[
    str | None,
    typer.Option(
        help="What chooses the number of components:"
        f" {', '.join(NAMES_OF_CRITERIA)}; {DEFAULT_CRITERION} if absent."
    ),
]
WithColumns = Annotated[
    bool, typer.Option("--with-columns", help="Write all columns of the file to --out, too.")
]
EscapeFormulas = Annotated[
    bool,
    typer.Option(
        "--escape-formulas",
        help="Write ' before names and texts in --out that a spreadsheet would take for formulas.",
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
TableFile = Annotated[
    Path | None,
    typer.Option(
        "--out", help="Write the table here, as CSV, TSV or Parquet; - for standard output."
    ),
]
ModelFile = Annotated[
    Path | None,
    typer.Option("--save", help="Save the model here, as .bmix, for boltzmix predict."),
]
ReportFile = Annotated[
    Path | None,
    typer.Option("--report", help="Write a report here, as HTML to be opened in a browser."),
]
CompareWith = Annotated[
    str | None,
    typer.Option(
        help="A column of known classes: it is not clustered, and summary and report say how far"
        " the components agree with it."
    ),
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


@dataclass(frozen=True, kw_only=True)
class Learning:
    """How mixtures are learned, by options."""

    algorithm: Algorithm = "auto"
    init: Init = "auto"
    n_init: Runs = 1
    max_iter: Iterations = 1000
    seed: Seed = None
    noise: Noise = False

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of `Mixture` that these options stand for."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {"random_state" if name == "seed" else name: one for name, one in found.items()}
