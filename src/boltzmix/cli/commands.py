"""The commands: demo, fit, reproduce."""

import os
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer
from rich.table import Table as Grid

from .. import plots
from ..datasets import make_rainbow
from ..files import (
    CSV_SEPARATORS,
    PARQUET,
    Read,
    check_folder,
    check_writable,
    read_curves,
    read_mixed,
    read_sequences,
    read_table,
    write_table,
    write_whole,
)
from ..learning.initialisation import NAMES as STARTS
from ..learning.recipes import ALGORITHMS
from ..metrics import (
    adjusted_rand_score,
    homogeneity_score,
    normalized_mutual_info_score,
    purity_score,
)
from ..mixture import Mixture
from .console import note, one_sentence_errors, out
from .families import (
    EMISSIONS,
    KNOWN,
    OF_CODES,
    TOPOLOGIES,
    check_choice,
    check_reads_sequences,
    make_family,
)
from .fitting import fit_model
from .reproduction import load_experiments, reproduce_one
from .summary import summarise

PICTURES = (".png", ".svg", ".pdf")
LABELS = ("label", "probability")

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Fit mixtures of any base distribution, without caring about initialisation.",
)


@app.command()
def demo(
    picture: Annotated[Path, typer.Option("--out", help="Where to write the picture.")] = Path(
        "boltzmix-demo.png"
    ),
    seed: Annotated[int, typer.Option(help="Seed of data and fit.")] = 0,
) -> None:
    """Fit eight overlapping clusters along a rainbow, and draw what happened."""
    with one_sentence_errors():
        check_writable("--out", picture, PICTURES)
        _check_seed(seed)
        X, labels = make_rainbow(random_state=seed)
        model = Mixture(n_components=8, n_init=5, random_state=seed)
        fit_model(model, X)
        grid = Grid("purity", "homogeneity", "NMI", "ARI", "iterations")
        scores = (
            purity_score,
            homogeneity_score,
            normalized_mutual_info_score,
            adjusted_rand_score,
        )
        figures = [f"{score(labels, model.labels_):.3f}" for score in scores]
        grid.add_row(*figures, str(model.n_iter_))
        out.print("Rainbow: 1000 points from 8 overlapping clusters, found without their labels.")
        out.print(grid)
        _write_picture(model, X, picture)


@app.command()
def fit(
    file: Annotated[
        Path,
        typer.Argument(help="A CSV or Parquet file, one row per observation or step of one."),
    ],
    n_components: Annotated[int, typer.Option("-k", "--components", help="Number of components.")],
    sequence: Annotated[
        str | None, typer.Option(help="The column that says whose step a row is; absent for rows.")
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(help="The column to sort the steps of a sequence by; file order if absent."),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(help="The column, or columns a,b, of what curves pass through (gp only)."),
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help="Columns to use, as a,b,c; all numeric ones if absent.")
    ] = None,
    family: Annotated[
        str | None,
        typer.Option(
            help=f"{', '.join(KNOWN)}, or your own as module:Class or module:object;"
            " gaussian if absent, hmm with --sequence, gp with --target."
        ),
    ] = None,
    covariance: Annotated[
        str | None,
        typer.Option(
            help="full, tied, diag or spherical (Gaussian only); full if absent, diag in an hmm."
        ),
    ] = None,
    states: Annotated[
        int | None, typer.Option(help="Number of hidden states (hmm only); 4 if absent.")
    ] = None,
    emission: Annotated[
        str | None,
        typer.Option(
            help=f"What a state emits (hmm only): {', '.join(EMISSIONS)}, or your own as"
            " module:Class; gaussian if absent."
        ),
    ] = None,
    topology: Annotated[
        str | None, typer.Option(help=f"{' or '.join(TOPOLOGIES)} (hmm only); ergodic if absent.")
    ] = None,
    algorithm: Annotated[str, typer.Option(help=f"{', '.join(ALGORITHMS)}.")] = "auto",
    init: Annotated[str, typer.Option(help=f"{', '.join(STARTS)}.")] = "random",
    n_init: Annotated[int, typer.Option(help="Number of runs; the best is kept.")] = 1,
    max_iter: Annotated[int, typer.Option(help="Greatest number of iterations.")] = 1000,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same result.")] = None,
    noise: Annotated[
        bool, typer.Option("--noise", help="Let outliers be noise, with label -1.")
    ] = False,
    labels_file: Annotated[
        Path | None, typer.Option("--out", help="Write labels here, as CSV, TSV or Parquet.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--plot", help="Draw the fit here, as PNG, SVG or PDF.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a report here, as HTML to be opened in a browser.")
    ] = None,
) -> None:
    """Cluster the rows of a file, or the sequences in it.

    Examples: boltzmix fit flowers.csv -k 3 --out labels.csv --report flowers.html

    boltzmix fit walks.csv -k 4 --sequence walker --order time --states 6 --out labels.csv

    boltzmix fit tracks.csv -k 2 --family gp --target y --plot curves.png
    """
    with one_sentence_errors():
        _check_places(file, labels_file, picture, report)
        _check_seed(seed)
        check_choice("--algorithm", algorithm, ALGORITHMS)
        check_choice("--init", init, STARTS)
        features = columns.split(",") if columns else None
        _check_columns(sequence, order, features)
        if labels_file and sequence in LABELS:
            raise ValueError(f"--out has a column {sequence!r} itself: rename that of --sequence.")
        if target and sequence:
            raise ValueError("--target and --sequence do not go together: leave one of them out.")
        name = family or ("gp" if target else "hmm" if sequence else "gaussian")
        template = make_family(name, sequence, covariance, emission, states, topology, target)
        codes = name in OF_CODES or emission in OF_CODES
        if target:
            read = read_curves(file, target.split(","), features)
        elif sequence is None:
            mixed = name == "auto"
            read = read_mixed(file, features) if mixed else read_table(file, features, codes)
        else:
            single = name == "markov-chain"
            read = read_sequences(file, sequence, order, features, codes, single)
            check_reads_sequences(template, name, read.X)
        model = Mixture(
            template,
            n_components,
            algorithm=algorithm,
            init=init,
            n_init=n_init,
            max_iter=max_iter,
            random_state=seed,
            noise=noise,
        )
        fit_model(model, read.X)
        for sentence in read.notes:
            note(f"{sentence}.")
        summarise(model, read)
        if labels_file:
            write_table(_labelled(model, read), labels_file)
            out.print(f"Labels: {labels_file}")
        if picture:
            _write_picture(model, read.X, picture)
        if report:
            write_whole(report, model.report(read.X, symbols=read.symbols).save)
            out.print(f"Report: {report}")


@app.command()
def reproduce(
    name: Annotated[
        str | None, typer.Argument(help="A table or figure of the paper; all if absent.")
    ] = None,
    repeats: Annotated[int, typer.Option(help="Number of seeds.")] = 100,
    folder: Annotated[
        Path | None, typer.Option("--out", help="Where to write; experiments/results if absent.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Folder of data that are not simulated; else that in BOLTZMIX_DATA."),
    ] = None,
) -> None:
    """Measure the paper's tables again, and write them beside the paper's figures."""
    with one_sentence_errors():
        experiments, home = load_experiments()
        folder = folder or home / "results"
        check_folder("--out", folder)
        if repeats < 1:
            raise ValueError(f"--repeats must be at least 1, not {repeats}.")
        known = [*experiments.TABLES, *experiments.FIGURES]
        if name is not None and name not in known:
            raise ValueError(f"There is no experiment {name!r}: choose one of {', '.join(known)}.")
        if data is not None:
            os.environ["BOLTZMIX_DATA"] = str(data)
        for chosen in [name] if name else known:
            try:
                written = reproduce_one(experiments, chosen, repeats, folder)
            except FileNotFoundError as error:  # of several, the others can still be measured
                if name:
                    raise
                note(f"{chosen} was left out: {error}")
            else:
                out.print(f"Written: {', '.join(path.name for path in written)} in {folder}")


def _check_places(
    file: Path, labels_file: Path | None, picture: Path | None, report: Path | None
) -> None:
    if labels_file:
        check_writable("--out", labels_file, (*CSV_SEPARATORS, *PARQUET))
    if picture:
        check_writable("--plot", picture, PICTURES)
    if report:
        check_writable("--report", report, (".html",))
    for option, path in (("--out", labels_file), ("--plot", picture)):
        if path and path.resolve() == file.resolve():
            raise ValueError(f"{option} would overwrite {file}: choose another name.")


def _check_columns(sequence: str | None, order: str | None, features: list[str] | None) -> None:
    """Refuse a column that is to be two things at once."""
    if order is not None and sequence is None:
        raise ValueError(
            "--order sorts the steps of sequences: name the column that tells these apart with"
            " --sequence."
        )
    if order is not None and order == sequence:
        raise ValueError(f"--sequence and --order both name column {order!r}: choose two.")
    for option, key in (("--sequence", sequence), ("--order", order)):
        if key is not None and key in (features or []):
            raise ValueError(f"{option} and --columns both name column {key!r}: name it once.")


def _check_seed(seed: int | None) -> None:
    if seed is not None and seed < 0:
        raise ValueError(f"--seed must be a whole number of zero or more, not {seed}.")


def _labelled(model: Mixture, read: Read) -> pl.DataFrame:
    """Return label and probability of each observation, after its name where it has one."""
    certainty = model.predict_proba(read.X).max(axis=1)
    named = [] if read.ids is None else [read.ids]
    found = (model.labels_, certainty)
    return pl.DataFrame([*named, *map(pl.Series, LABELS, found)])


def _write_picture(model: Mixture, X: Any, path: Path) -> None:
    figure = plots.overview(model, X)
    write_whole(path, lambda draft: figure.savefig(draft, dpi=130))
    out.print(f"Picture: {path}")
